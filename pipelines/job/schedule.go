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

// checkSchedule finds flags that contradict each other.
func (c *Request) checkSchedule() error {
	s := c.Schedule
	switch {
	case s.OnlyNew && s.Stale:
		return cli.Usagef("--only_new does what is new and --stale does what is not: leave both out to do both")
	case c.Fresh && (s.OnlyNew || s.Stale):
		return cli.Usagef("--fresh removes what --only_new would keep and --stale would do again")
	// A template comes from all pages of a host, so skipped units would have other templates.
	case c.Options.SiteTemplates && s.picks():
		return cli.Usagef("--site_templates depends on all archives, so that nothing can be left as it is: leave out " +
			"--only_new, --stale and --since")
	}
	if s.Since == "" {
		return nil
	}
	// Only the error is needed: the plan fixes the time.
	if _, err := parseSince(s.Since, time.Now()); err != nil {
		return cli.Usagef("--since: %v", err)
	}
	return nil
}

// parseSince reads a date, a time or how long before now.
func parseSince(s string, now time.Time) (time.Time, error) {
	// time.Parse reads a date as midnight UTC.
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
	// Go's durations have no days; here a day always has 24 hours.
	if days, behind, ok := strings.Cut(s, "d"); ok {
		// 16 bits are 179 years, so the product below does not overflow.
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return 0, errSpan(s)
		}
		span, rest = time.Duration(n)*24*time.Hour, behind
	}
	// ParseDuration refuses the empty rest of "7d".
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			return 0, errSpan(s)
		}
		span += d
	}
	// Zero is more likely a mistake, since no archive is newer than now.
	if span <= 0 {
		return 0, errSpan(s)
	}
	return span, nil
}

// errSpan is the error for an invalid length of time.
func errSpan(s string) error {
	return fmt.Errorf("%q is no length of time: write 90s, 15m, 36h or 7d", s)
}

// chooser decides which archives and units of a plan are done.
type chooser struct {
	Schedule
	held   *held
	cutoff time.Time // zero without --since
}

// newChooser returns an error only if Check did not run before.
func newChooser(s Schedule, h *held, now time.Time) (chooser, error) {
	c := chooser{Schedule: s, held: h}
	var err error
	if s.Since != "" {
		c.cutoff, err = parseSince(s.Since, now)
	}
	return c, err
}

// wanted reports whether a file is in the plan. Files that the folder has stay in it.
func (c chooser) wanted(f blob.Info) (bool, error) {
	// recent is called first for its error: a file without a time cannot be judged.
	recent, err := c.recent(f.Name, f.Modified)
	if err != nil || c.held.has(f) {
		return true, err
	}
	// Leaving out a known file would remove its documents.
	return recent && !c.Stale, nil
}

func (c chooser) recent(name string, modified time.Time) (bool, error) {
	switch {
	case c.cutoff.IsZero():
		return true, nil
	case modified.IsZero():
		return false, cli.Usagef("--since: the server does not say when %s was last modified; name it in a run without "+
			"--since", name)
	}
	return !modified.Before(c.cutoff), nil
}

// renews reports whether to do a stale unit again, by the times when its files were modified. One recent file is
// enough. Without --since all files are recent.
func (c chooser) renews(times []time.Time) bool {
	return !c.OnlyNew && slices.ContainsFunc(times, func(t time.Time) bool { return !t.Before(c.cutoff) })
}

// keys returns the keys by which to find the units of a plan. Unchanged units that stay as another version made them
// have that version's key; kept is their number.
func (c chooser) keys(p *Plan, o Options, fresh collection.Fresh) (keys []string, kept int, err error) {
	keys = slices.Clone(p.keys)
	if !c.picks() {
		return keys, 0, nil
	}
	for _, u := range p.own() {
		i := u.ID
		// The same options and versions made this unit.
		if _, done := c.held.rows[keys[i]]; done || c.renews(p.timesOf(u)) {
			continue
		}
		// The key without versions finds a row with the same ranges and options, whatever version made it.
		twin, there := c.held.twins[collection.Key(u, o.unitLasting(), nil)]
		if !there {
			continue
		}
		same, err := unchanged(u, twin, fresh)
		if err != nil {
			return nil, 0, err
		}
		// A changed archive is read again: its old documents are no longer true.
		if same {
			keys[i] = twin.Key
			kept++
		}
	}
	return keys, kept, nil
}

// unchanged reports whether all inputs of a unit are as they were when row was committed.
func unchanged(u schemas.Unit, row collection.Row, fresh collection.Fresh) (bool, error) {
	for i, in := range u.Inputs {
		in.Fingerprint = row.Inputs[i].Fingerprint // both have the same inputs
		if same, err := fresh(in, row); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
