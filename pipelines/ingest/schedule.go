package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// schedule says what a command does that is run again and again over archives that grow. By default it does all that is
// new, changed or stale. What is stale was made with other versions of the transforms.
type schedule struct {
	onlyNew bool          // keep what is stale
	stale   bool          // begin no archive that the folder does not have
	since   string        // leave archives alone that were modified before: a date, a time, or how long ago
	watch   time.Duration // run again this long after a run has ended; 0: run once
}

// scheduling is the heading of these flags in --help.
const scheduling = "Running again"

// flags adds the flags; done reads what they say into s when the command line is parsed.
func (s *schedule) flags(f *run.Flags) (done func() error) {
	onlyNew := f.Bool(cli.Flag{Name: "only_new", Default: "false", Help: "do archives that the folder does not have yet, and those that changed; keep units that earlier versions of the program made as they are", Example: "true", Group: scheduling})
	stale := f.Bool(cli.Flag{Name: "stale", Default: "false", Help: "do units again that other versions of the program made, and those whose archives changed; begin no archive that the folder does not have", Example: "true", Group: scheduling})
	since := f.String(cli.Flag{Name: "since", Default: "", Help: "begin only archives that were modified since then, and do only units of such archives again because of versions: a date or time in UTC, or how long ago (h, d). What the folder has of older archives stays", Example: "7d, 2026-11-01 or 2026-11-01T12:00:00Z", Group: scheduling})
	watch := f.String(cli.Flag{Name: "watch", Default: "", Help: "do not end, but run again this long after each run (s, m, h, d), until interrupted. A run that fails, or finds the folder in use, is told of, and the next one tries again", Example: "15m", Group: scheduling})
	return func() error {
		s.onlyNew, s.stale, s.since = *onlyNew, *stale, *since
		if *watch == "" {
			return nil
		}
		var err error
		if s.watch, err = parseSpan(*watch); err != nil {
			return cli.Usagef("--watch: %v", err)
		}
		return nil
	}
}

// picks tells whether some of what would be done is left.
func (s schedule) picks() bool { return s.onlyNew || s.stale || s.since != "" }

// check finds flags that contradict each other.
func (c *config) checkSchedule() error {
	s := c.schedule
	switch {
	case s.onlyNew && s.stale:
		return cli.Usagef("--only_new does what is new and --stale does what is not: leave both out to do both")
	case c.fresh && (s.onlyNew || s.stale):
		return cli.Usagef("--fresh removes what --only_new would keep and --stale would do again")
	case c.options.SiteTemplates && s.picks():
		return cli.Usagef("--site_templates depends on all archives, so that nothing can be left as it is: leave out --only_new, --stale and --since")
	case s.watch > 0 && (c.fresh || c.planOnly):
		return cli.Usagef("--watch runs again and again, and --fresh and --plan make sense once")
	case s.watch > 0 && (slices.Contains(c.inputs, "-") || slices.Contains(c.indexes, "-")):
		return cli.Usagef("--watch reads its lists again each time, and standard input can be read once: put the list in a file and name @file")
	}
	if s.since == "" {
		return nil
	}
	if _, err := parseSince(s.since, time.Now()); err != nil {
		return cli.Usagef("--since: %v", err)
	}
	return nil
}

// parseSince reads a date, a time or how long before now.
func parseSince(s string, now time.Time) (time.Time, error) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	span, err := parseSpan(s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no time: write 2026-11-01, 2026-11-01T12:00:00Z, 36h or 7d", s)
	}
	return now.Add(-span), nil
}

// parseSpan reads a length of time as Go writes it, which may begin with days: 15m, 36h, 7d, 1d12h.
func parseSpan(s string) (time.Duration, error) {
	span, rest := time.Duration(0), s
	if days, behind, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return 0, errSpan(s)
		}
		span, rest = time.Duration(n)*24*time.Hour, behind
	}
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			return 0, errSpan(s)
		}
		span += d
	}
	if span <= 0 {
		return 0, errSpan(s)
	}
	return span, nil
}

func errSpan(s string) error {
	return fmt.Errorf("%q is no length of time: write 90s, 15m, 36h or 7d", s)
}

// chooser decides which archives and units of a plan are done.
type chooser struct {
	schedule
	held   *held
	cutoff time.Time // zero without --since
}

func newChooser(s schedule, h *held, now time.Time) (chooser, error) {
	c := chooser{schedule: s, held: h}
	var err error
	if s.since != "" {
		c.cutoff, err = parseSince(s.since, now)
	}
	return c, err
}

// wanted tells whether a file is in the plan: what the folder has stays in it.
func (c chooser) wanted(f blob.Info) (bool, error) {
	recent, err := c.recent(f.Name, f.Modified)
	if err != nil || c.held.has(f) {
		return true, err
	}
	return recent && !c.stale, nil
}

// recent tells whether a file was modified since --since.
func (c chooser) recent(name string, modified time.Time) (bool, error) {
	switch {
	case c.cutoff.IsZero():
		return true, nil
	case modified.IsZero():
		return false, cli.Usagef("--since: the server does not say when %s was last modified; name it in a run without --since", name)
	}
	return !modified.Before(c.cutoff), nil
}

// renews tells whether a unit is done again when it is stale. times are when its files were modified.
func (c chooser) renews(times []time.Time) bool {
	return !c.onlyNew && slices.ContainsFunc(times, func(t time.Time) bool { return !t.Before(c.cutoff) })
}

// keys are those by which the units of a plan are looked for: their own, but for units that are to stay as other versions
// made them, whose inputs have not changed since: the keys of those.
func (c chooser) keys(p *plan, o Options, fresh collection.Fresh) (keys []string, kept int, err error) {
	keys = slices.Clone(p.keys)
	if !c.picks() {
		return keys, 0, nil
	}
	for _, u := range p.own() {
		i := u.ID
		if _, done := c.held.rows[keys[i]]; done || c.renews(p.timesOf(u)) {
			continue
		}
		twin, there := c.held.twins[collection.Key(u, o.unitLasting(), nil)]
		if !there {
			continue
		}
		same, err := unchanged(u, twin, fresh)
		if err != nil {
			return nil, 0, err
		}
		if same {
			keys[i] = twin.Key
			kept++
		}
	}
	return keys, kept, nil
}

// unchanged tells whether all inputs of a unit are what they were when row was committed.
func unchanged(u schemas.Unit, row collection.Row, fresh collection.Fresh) (bool, error) {
	for i, in := range u.Inputs {
		in.Fingerprint = row.Inputs[i].Fingerprint // the two have the same inputs
		if same, err := fresh(in, row); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
