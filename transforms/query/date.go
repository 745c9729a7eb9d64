package query

import (
	"fmt"
	"time"
)

// periodLayouts are the forms of dates, with the period that each means. Those of digits alone come from WARC and CDX
// indexes, cut anywhere.
var periodLayouts = []struct {
	layout              string
	years, months, days int
	length              time.Duration
}{
	{"2006", 1, 0, 0, 0},
	{"2006-01", 0, 1, 0, 0},
	{"200601", 0, 1, 0, 0},
	{"2006-01-02", 0, 0, 1, 0},
	{"20060102", 0, 0, 1, 0},
	{"2006010215", 0, 0, 0, time.Hour},
	{"200601021504", 0, 0, 0, time.Minute},
	{"20060102150405", 0, 0, 0, time.Second},
	{"2006-01-02T15:04Z07:00", 0, 0, 0, time.Minute},
	{"2006-01-02T15:04", 0, 0, 0, time.Minute},
	{"2006-01-02T15:04:05", 0, 0, 0, time.Second},
	{time.RFC3339, 0, 0, 0, time.Second},
}

// Period parses a date, from a year to a moment: 2026, 2026-03, 2026-03-04, 2026-03-04T10:30, RFC 3339, or 4 to 14
// digits as in indexes. A date means the whole time that it covers. Result from is its first moment, to the first
// moment after it. A date without a zone is in UTC. Years are from 1678 to 2261, the range of 64-bit nanoseconds.
func Period(s string) (from, to time.Time, err error) {
	for _, l := range periodLayouts {
		// time.Parse needs the whole text, so at most one form of digits alone fits.
		from, err := time.Parse(l.layout, s)
		if err != nil {
			continue
		}
		from = from.UTC()
		if from.Year() < firstYear || from.Year() > lastYear {
			return from, to, fmt.Errorf("the year of %q is not from %d to %d", clip(s), firstYear, lastYear)
		}
		length := l.length
		if from.Nanosecond() != 0 { // time.Parse accepts a fraction that no layout has
			length = fraction(from.Nanosecond())
		}
		// Months and years have different lengths, so the calendar counts them.
		return from, from.AddDate(l.years, l.months, l.days).Add(length), nil
	}
	return from, to, fmt.Errorf("%q is not a date; these are: %s", clip(s),
		"2026, 2026-03, 2026-03-04, 2026-03-04T10:30:00Z, 20260304103000")
}

// fraction returns the largest of milli-, micro- and nanosecond that divides ns.
func fraction(ns int) time.Duration {
	for _, d := range []time.Duration{time.Millisecond, time.Microsecond} {
		if ns%int(d) == 0 {
			return d
		}
	}
	return time.Nanosecond
}

// Parquet files can hold moments of these years: see parquetfile.
const firstYear, lastYear = 1678, 2261

// ParseTime parses a time of a document: RFC 3339, or the date of a page alone, which means its first moment. The
// result is truncated to microseconds, as in Parquet. Result ok is false for other texts. Pages declare all kinds of
// dates, and for a filter such a field has no value.
func ParseTime(s string) (t time.Time, ok bool) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		if t, err = time.Parse(time.DateOnly, s); err != nil {
			return time.Time{}, false
		}
	}
	// The time is truncated before it is compared, so that the same document passes whether it comes from Parquet or
	// JSON.
	t = t.UTC().Truncate(time.Microsecond)
	return t, t.Year() >= firstYear && t.Year() <= lastYear
}
