package pdf

import (
	"fmt"
	"strings"
	"time"
)

// layouts are those of dates in XMP, which are ISO 8601, and their lengths shorten from the right. Longer forms are
// before shorter ones; each fits only what has all its parts.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly, "2006-01",
	"2006",
}

// date returns a date in the form of RFC 3339, "" where s is none. Dates of PDF (section 7.9.4) are
// D:YYYYMMDDHHmmSS+HH'mm', where all after the year may be missing; those of XMP are in ISO 8601. A time of which the
// zone is not known is given as the date alone, as is a time that is not whole.
func date(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range layouts {
		t, err := time.Parse(layout, s)
		switch {
		case err != nil:
		case strings.Contains(layout, "Z07"):
			// Only layouts with a zone give a time: which day it was elsewhere is not known without.
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
	// The month and day of what is missing are the first, the time is midnight.
	const whole = "00000101000000"
	// Four digits of the year are needed, and pairs after it.
	if n < 4 || n%2 == 1 {
		return ""
	}
	t, err := time.Parse("20060102150405", digits[:n]+whole[n:])
	if err != nil {
		return ""
	}
	zone, ok := zone(digits[n:])
	// Without minutes (12 digits) a time would be made up.
	if n < 12 || !ok {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05") + zone
}

// zone returns the zone of a date of PDF, "+02'00'", in the form of RFC 3339. Writers leave out the last quote, or
// both, or the minutes, so quotes become spaces, and minutes are 0 where they are missing.
func zone(s string) (string, bool) {
	if s == "" {
		return "", false
	}
	var hours, minutes int
	// "%2d%2d" passes over the spaces. The sign is looked at below, after what needs no digits.
	switch n, _ := fmt.Sscanf(strings.ReplaceAll(s[1:], "'", " "), "%2d%2d", &hours, &minutes); {
	case s[0] == 'Z':
		return "Z", true
	case s[0] != '+' && s[0] != '-' || n == 0 || hours < 0 || hours > 23 || minutes < 0 || minutes > 59:
		return "", false
	}
	// RFC 3339 has "+00:00" and "Z" for the same; the shorter is written.
	if hours == 0 && minutes == 0 {
		return "Z", true
	}
	return fmt.Sprintf("%c%02d:%02d", s[0], hours, minutes), true
}
