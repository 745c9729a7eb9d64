package query

import (
	"fmt"
	"time"
)

// periodLayouts are the forms of dates, and the period that each stands for. Those of digits alone are WARC's and the
// CDX indexes', cut anywhere.
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

// Period reads a date, from a year to a moment: 2026, 2026-03, 2026-03-04, 2026-03-04T10:30, RFC 3339, or 4 to 14
// digits as indexes write them. It stands for all the time that it does not tell apart: from is its first moment, to
// the first one after it. A date without a zone is in UTC. Years are those from 1678 to 2261, which 64 bits of
// nanoseconds can tell.
func Period(s string) (from, to time.Time, err error) {
	for _, l := range periodLayouts {
		// time.Parse wants the whole text, so at most one form of digits alone fits.
		from, err := time.Parse(l.layout, s)
		if err != nil {
			continue
		}
		from = from.UTC()
		if from.Year() < firstYear || from.Year() > lastYear {
			return from, to, fmt.Errorf("the year of %q is not from %d to %d", clip(s), firstYear, lastYear)
		}
		length := l.length
		if from.Nanosecond() != 0 { // time.Parse takes a fraction that no layout has
			length = fraction(from.Nanosecond())
		}
		// Months and years have different lengths, so they are counted by the calendar.
		return from, from.AddDate(l.years, l.months, l.days).Add(length), nil
	}
	return from, to, fmt.Errorf("%q is not a date; these are: %s", clip(s),
		"2026, 2026-03, 2026-03-04, 2026-03-04T10:30:00Z, 20260304103000")
}

// fraction is the smallest of milli-, micro- and nanoseconds that ns is a whole number of.
func fraction(ns int) time.Duration {
	for _, d := range []time.Duration{time.Millisecond, time.Microsecond} {
		if ns%int(d) == 0 {
			return d
		}
	}
	return time.Nanosecond
}

// The years of which Parquet files tell the moment of a date: see parquetfile.
const firstYear, lastYear = 1678, 2261

// ParseTime reads a time as documents have it: RFC 3339, or the date of a page alone, which stands for its first
// moment. It is cut to whole microseconds, as it is in Parquet. What is not a time is false: pages state all kinds of
// dates, and such a field has no value for a filter.
func ParseTime(s string) (t time.Time, ok bool) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		if t, err = time.Parse(time.DateOnly, s); err != nil {
			return time.Time{}, false
		}
	}
	// Cut before it is compared, so that the same document passes whether it was read from Parquet or from JSON.
	t = t.UTC().Truncate(time.Microsecond)
	return t, t.Year() >= firstYear && t.Year() <= lastYear
}
