package pdf

import (
	"fmt"
	"strings"
	"time"
)

// layouts are the forms of dates in XMP: ISO 8601, shortened from the right. Each matches only dates with all its
// parts.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly, "2006-01",
	"2006",
}

// date returns a date in the form of RFC 3339, or "" if s is not a date. Dates of PDF (section 7.9.4) are
// D:YYYYMMDDHHmmSS+HH'mm', where everything after the year is optional. Those of XMP are in ISO 8601. If the zone is
// unknown or the time incomplete, the result is the date alone.
func date(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range layouts {
		t, err := time.Parse(layout, s)
		switch {
		case err != nil:
		case strings.Contains(layout, "Z07"):
			// Only layouts with a zone give a time.
			return t.Format(time.RFC3339)
		default:
			return t.Format(time.DateOnly)
		}
	}
	digits := strings.TrimPrefix(s, "D:")
	n := 0
	for n < len(digits) && n < 14 && digits[n] >= '0' && digits[n] <= '9' {
		n++
	}
	// Missing parts are January, day 1 and midnight.
	const whole = "00000101000000"
	// A year of four digits is needed, and pairs after it.
	if n < 4 || n%2 == 1 {
		return ""
	}
	t, err := time.Parse("20060102150405", digits[:n]+whole[n:])
	if err != nil {
		return ""
	}
	zone, ok := zone(digits[n:])
	// Without minutes (12 digits) the time would be invented.
	if n < 12 || !ok {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05") + zone
}

// zone returns the zone of a date of PDF, "+02'00'", in the form of RFC 3339. Writers may leave out the last quote,
// both quotes, or the minutes. So quotes become spaces, and missing minutes are 0.
func zone(s string) (string, bool) {
	if s == "" {
		return "", false
	}
	var hours, minutes int
	// "%2d%2d" skips the spaces. The sign is checked below.
	switch n, _ := fmt.Sscanf(strings.ReplaceAll(s[1:], "'", " "), "%2d%2d", &hours, &minutes); {
	case s[0] == 'Z':
		return "Z", true
	case s[0] != '+' && s[0] != '-' || n == 0 || hours < 0 || hours > 23 || minutes < 0 || minutes > 59:
		return "", false
	}
	// In RFC 3339 "+00:00" and "Z" are the same; the shorter is written.
	if hours == 0 && minutes == 0 {
		return "Z", true
	}
	return fmt.Sprintf("%c%02d:%02d", s[0], hours, minutes), true
}
