package job

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// check finds flags that contradict each other.
func (c *Request) checkSchedule() error {
	s := c.Schedule
	switch {
	case s.OnlyNew && s.Stale:
		return cli.Usagef("--only_new does what is new and --stale does what is not: leave both out to do both")
	case c.Fresh && (s.OnlyNew || s.Stale):
		return cli.Usagef("--fresh removes what --only_new would keep and --stale would do again")
	// A template is made of all pages of a host. Were some units left, it would not fit what they were made
	// with.
	case c.Options.SiteTemplates && s.picks():
		return cli.Usagef("--site_templates depends on all archives, so that nothing can be left as it is: leave out " +
			"--only_new, --stale and --since")
	}
	if s.Since == "" {
		return nil
	}
	// Parsed here only for the error. The moment itself is taken once, when the plan is made.
	if _, err := parseSince(s.Since, time.Now()); err != nil {
		return cli.Usagef("--since: %v", err)
	}
	return nil
}

// parseSince reads a date, a time or how long before now.
func parseSince(s string, now time.Time) (time.Time, error) {
	// A date is midnight UTC, as time.Parse has it.
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	span, err := ParseSpan(s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no time: write 2026-11-01, 2026-11-01T12:00:00Z, 36h or 7d", s)
	}
	return now.Add(-span), nil
}

// ParseSpan reads a length of time as Go writes it, which may begin with days: 15m, 36h, 7d, 1d12h.
func ParseSpan(s string) (time.Duration, error) {
	span, rest := time.Duration(0), s
	// Go's own durations have no days, since a day can have 23 hours; here it always has 24.
	if days, behind, ok := strings.Cut(s, "d"); ok {
		// 16 bits are 179 years of days, so the product below does not overflow.
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return 0, errSpan(s)
		}
		span, rest = time.Duration(n)*24*time.Hour, behind
	}
	// "7d" has nothing behind it, and ParseDuration refuses the empty string.
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			return 0, errSpan(s)
		}
		span += d
	}
	// Zero would be "now", which no archive is newer than, and is more likely a mistake.
	if span <= 0 {
		return 0, errSpan(s)
	}
	return span, nil
}

// errSpan is the error of what is not a length of time; it shows how one is written.
func errSpan(s string) error {
	return fmt.Errorf("%q is no length of time: write 90s, 15m, 36h or 7d", s)
}

// chooser decides which archives and units of a plan are done.
type chooser struct {
	Schedule
	held   *held
	cutoff time.Time // zero without --since
}

// The error of --since was found by Check already, unless somebody makes a plan without it.
func newChooser(s Schedule, h *held, now time.Time) (chooser, error) {
	c := chooser{Schedule: s, held: h}
	var err error
	if s.Since != "" {
		c.cutoff, err = parseSince(s.Since, now)
	}
	return c, err
}

// wanted reports whether a file is in the plan: what the folder has stays in it.
func (c chooser) wanted(f blob.Info) (bool, error) {
	// recent comes first for its error: a file without a time cannot be judged, whether it is known or not.
	recent, err := c.recent(f.Name, f.Modified)
	if err != nil || c.held.has(f) {
		return true, err
	}
	// A known file was taken above whatever its age: leaving it out would be to remove its documents.
	return recent && !c.Stale, nil
}

// recent reports whether a file was modified since --since.
func (c chooser) recent(name string, modified time.Time) (bool, error) {
	switch {
	// Without --since every file is recent, so that the flags can be combined freely.
	case c.cutoff.IsZero():
		return true, nil
	case modified.IsZero():
		return false, cli.Usagef("--since: the server does not say when %s was last modified; name it in a run without "+
			"--since", name)
	}
	return !modified.Before(c.cutoff), nil
}

// renews reports whether a unit is done again when it is stale. times are when its files were modified.
// It is enough that one file is recent: a unit is done as a whole. Without --since cutoff is zero, and all
// are.
func (c chooser) renews(times []time.Time) bool {
	return !c.OnlyNew && slices.ContainsFunc(times, func(t time.Time) bool { return !t.Before(c.cutoff) })
}

// keys are those by which the units of a plan are looked for: their own, except for units that are to stay as other
// versions made them, whose inputs have not changed since: the keys of those.
func (c chooser) keys(p *Plan, o Options, fresh collection.Fresh) (keys []string, kept int, err error) {
	keys = slices.Clone(p.keys)
	if !c.picks() {
		return keys, 0, nil
	}
	// Units that stay are not asked about, they have their row.
	for _, u := range p.own() {
		i := u.ID
		// A unit that is done with these very options and versions needs no twin.
		if _, done := c.held.rows[keys[i]]; done || c.renews(p.timesOf(u)) {
			continue
		}
		// The key without versions finds a row of the same ranges and options, whatever program made it.
		twin, there := c.held.twins[collection.Key(u, o.unitLasting(), nil)]
		if !there {
			continue
		}
		same, err := unchanged(u, twin, fresh)
		if err != nil {
			return nil, 0, err
		}
		// A changed archive is done again, since to keep it would keep documents of what no longer is.
		if same {
			keys[i] = twin.Key
			kept++
		}
	}
	return keys, kept, nil
}

// unchanged reports whether all inputs of a unit are what they were when row was committed.
// The fingerprint is in the row and not in the plan, and fresh needs both.
func unchanged(u schemas.Unit, row collection.Row, fresh collection.Fresh) (bool, error) {
	for i, in := range u.Inputs {
		in.Fingerprint = row.Inputs[i].Fingerprint // the two have the same inputs
		if same, err := fresh(in, row); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
