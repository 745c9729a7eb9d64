package warc

import (
	"strings"
	"time"
)

// layouts are the granularities of W3CDTF (section 5.4 of WARC/1.1), finest first, then the 14 digits of ARC and CDX.
// Go accepts a fraction of a second wherever seconds stand. "t" and "z" may be in lower case (section 5.6 of RFC 3339).
// A date that is written with less than seconds stands for its first moment.
var layouts = [...]string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05",
	"2006-01-02", "2006-01", "2006", "20060102150405", "20060102T150405Z", "200601021504", "20060102",
}

// ParseDate reads a capture time, in UTC. usual tells that it is written as WARC/1.0 and 1.1 ask: RFC 3339 with "Z".
func ParseDate(s string) (t time.Time, usual, ok bool) {
	// Only the layouts with letters need upper case; for digits it changes nothing.
	s = strings.TrimSpace(s)
	upper := strings.ToUpper(s)
	for i, layout := range layouts {
		// Years outside of these have no RFC 3339 form, and nothing could be written of them later.
		t, err := time.Parse(layout, upper)
		if err == nil && t.Year() > 0 && t.Year() <= 9999 {
			return t.UTC(), i == 0 && strings.HasSuffix(s, "Z"), true
		}
	}
	// A leap second (section 5.7 of RFC 3339), which Go's clock has not, is taken for the one before it.
	for _, leap := range [...]struct{ end, before string }{{":59:60", ":59:59"}, {"235960", "235959"}} {
		i := strings.LastIndex(s, leap.end)
		// Digits like these are also fractions of a second, of dates that are odd otherwise.
		if i > 0 && !strings.Contains(s[:i], ".") {
			return ParseDate(s[:i] + leap.before + s[i+len(leap.end):])
		}
	}
	return time.Time{}, false, false
}
