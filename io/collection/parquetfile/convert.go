package parquetfile

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// parseTime parses a document's timestamp. It returns the zero time for an empty one.
func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("timestamp: %w", err)
	}
	return t.UTC(), nil
}

// SplitDate makes the two columns of a date that a page states. The moment is in UTC and whole microseconds; for a date
// alone, it is the first moment of the day. The text is empty if the moment has the same form. So the text tells dates
// without a time, and time zones. Other texts, and years that 64 bits of nanoseconds cannot hold (as in pandas), have
// no moment. They are not errors, since pages state dates of all kinds.
func SplitDate(s string) (t time.Time, text string) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if parsed, err := time.Parse(layout, s); err == nil {
			t = parsed.UTC().Truncate(time.Microsecond)
			break
		}
	}
	switch {
	case t.Year() < 1678 || t.Year() > 2261:
		return time.Time{}, s
	case t.Format(time.RFC3339Nano) == s:
		return t, ""
	}
	return t, s
}

// SettleTimes writes the times of custom columns as ParseMoment does. Invalid times, which extractors do not make but
// other programs may, become texts. It changes d, but no map that d has.
func SettleTimes(d *schemas.Document) {
	given := d.CustomTimes
	if len(given) == 0 {
		return
	}
	d.CustomTimes, d.Custom = nil, maps.Clone(d.Custom)
	for _, column := range slices.Sorted(maps.Keys(given)) {
		for _, s := range given[column] {
			if t, err := schemas.ParseMoment(s); err != nil {
				add(&d.Custom, column, s)
			} else {
				add(&d.CustomTimes, column, t)
			}
		}
	}
}

func add(m *map[string][]string, column, value string) {
	if *m == nil {
		*m = map[string][]string{}
	}
	(*m)[column] = append((*m)[column], value)
}
