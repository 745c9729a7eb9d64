package dump

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Moment is a time in JSON: a number since 1970, or ISO 8601, whose default zone is UTC. Other JSON is the zero time.
type Moment struct{ time.Time }

// UnmarshalJSON accepts any value.
func (m *Moment) UnmarshalJSON(b []byte) error {
	var w Word
	if err := w.UnmarshalJSON(b); err != nil {
		return err
	}
	m.Time = Time(string(w), time.Millisecond)
	return nil
}

// Captures are of these years, in seconds since 1970: the web is of 1990.
const firstSecond, endSecond = 631152000, 4102444800

// lastSecond ends the year 9999: later times have no RFC 3339 form.
const lastSecond = 253402300800

// Time parses a time: ISO 8601, 14 digits, or a number since 1970. Programs write seconds, milliseconds, microseconds
// or nanoseconds. The unit is the one that makes a year of the web of the number, or else that of the format. The zero
// time stands for anything else, and for 0.
func Time(s string, unit time.Duration) time.Time {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return iso(s)
	}
	for _, u := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
		if at := n * u.Seconds(); at >= firstSecond && at < endSecond {
			return since1970(n, u)
		}
	}
	if t, err := time.Parse("20060102150405", s); err == nil {
		return t
	}
	// NaN is greater than nothing.
	if !(n > 0 && n*unit.Seconds() < lastSecond) {
		return time.Time{}
	}
	return since1970(n, unit)
}

// since1970 is a number of units, to the microsecond: a float has no more.
func since1970(n float64, unit time.Duration) time.Time {
	whole, rest := math.Modf(n)
	perSecond := int64(time.Second / unit)
	seconds, units := int64(whole)/perSecond, int64(whole)%perSecond
	nanos := units*int64(unit) + int64(rest*float64(unit))
	return time.Unix(seconds, nanos).Round(time.Microsecond).UTC()
}

// iso parses the forms of ISO 8601 that programs write: some have a blank before the hour.
func iso(s string) time.Time {
	s = strings.TrimSuffix(strings.Replace(s, " ", "T", 1), " UTC")
	// All of them accept fractions.
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
