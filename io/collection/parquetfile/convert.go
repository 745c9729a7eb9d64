package parquetfile

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// parseTime reads a document's timestamp; the zero time when there is none.
func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("parquetfile: timestamp: %w", err)
	}
	return t.UTC(), nil
}

// splitDate makes the two columns of a date that a page states: the point in time, in UTC and whole microseconds (of a
// date alone its first moment), and the text, unless that is the point's own form. So the text says that a date came
// without a time, and in which zone a time was told. What is not a date, or in none of the years that 64 bits of
// nanoseconds can tell, as pandas and parquet-go count, is text alone: pages state dates of all kinds, and none is an
// error.
func splitDate(s string) (t time.Time, text string) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if parsed, err := time.Parse(layout, s); err == nil {
			t = parsed.UTC().Truncate(time.Microsecond)
			break
		}
	}
	switch {
	case t.Year() < 1678 || t.Year() > 2261:
		return time.Time{}, s
	case joinDate(t, "") == s:
		return t, ""
	}
	return t, s
}

// joinDate is the text that splitDate made these of, "" for none.
func joinDate(t time.Time, text string) string {
	if text != "" || t.IsZero() {
		return text
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// settleTimes prepares the times of a document: times of custom columns are as ParseMoment has them. A time that is
// none, which no extractor gives but a file of anybody may have, becomes a text.
func settleTimes(d *schemas.Document) {
	given := d.CustomTimes
	d.CustomTimes = nil
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
