package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

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
	folder *standing.Folder
	cutoff time.Time             // zero without --since
	twins  map[string]ledger.Row // by a hash of ranges and options without versions
}

// newChooser returns an error only if Check did not run before.
func newChooser(s Schedule, h *standing.Folder, r recipe.Recipe, now time.Time) (chooser, error) {
	c := chooser{Schedule: s, folder: h}
	if s.Since != "" {
		var err error
		if c.cutoff, err = parseSince(s.Since, now); err != nil {
			return c, err
		}
	}
	// Twins matter only if units made by another version may stay.
	if s.picks() {
		c.twins = twins(h, r)
	}
	return c, nil
}

// twins returns the rows that were made by a recipe, by their keys without versions.
func twins(h *standing.Folder, made recipe.Recipe) map[string]ledger.Row {
	list, note, options := map[string]ledger.Row{}, made.UnitNote(""), made.UnitKey("")
	for _, r := range h.Rows {
		if len(r.Inputs) == 0 || r.Options != options {
			continue
		}
		var u schemas.Unit
		for _, in := range r.Inputs {
			u.Inputs = append(u.Inputs, standing.Planned(in))
		}
		key := ledger.Key(u, note, nil)
		if other, twice := list[key]; !twice || r.Key < other.Key { // independent of the order of rows
			list[key] = r
		}
	}
	return list
}

// wanted reports whether a file is in the plan. Files that the folder has stay in it.
func (c chooser) wanted(f blob.Info) (bool, error) {
	// recent is called first for its error: a file without a time cannot be judged.
	recent, err := c.recent(f.Name, f.Modified)
	if err != nil || c.folder.Names(f.Name) {
		return true, err
	}
	// The units of a file that has another name in the folder stay as they are. Leaving out a known file would remove
	// its documents.
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
