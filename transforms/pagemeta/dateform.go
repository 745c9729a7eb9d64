package pagemeta

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// yearWords are words for "year" that are often joined to the number: 2024г., 2024р., 2024r., 2024m., 2024.gada.
var yearWords = []string{"г", "р", "ж", "r", "m", "gada", "ء"}

// withoutYearWord removes such a word after four digits. Only in Lithuanian m is not the metre.
func withoutYearWord(f, language string) string {
	if isDigit(f[len(f)-1]) {
		return f
	}
	for _, w := range yearWords {
		head, ok := strings.CutSuffix(strings.TrimSuffix(f, "."), w)
		head = strings.TrimSuffix(head, ".")
		if n := len(head); ok && (w != "m" || language == "lt") && n >= 4 && leadingDigits(head[n-4:]) == 4 {
			return head
		}
	}
	return f
}

// zonedDay is a day of ISO 8601 with the zone after it, and maybe a time of day after the zone. XML Schema allows the
// first. Templates in PHP that mean Y-m-d\TH:i:sP write the zone in place of T: 2024-01-31CET10:15:00+01:00.
var zonedDay = pattern.Lazy(
	`^(\d{4}-\d\d-\d\d)(?:(?:[A-Z]{3,5}|[+-]\d\d(?:\d\d)?)(\d\d:\d\d.*)|Z|[+-]\d\d:?\d\d)$`)

// splitZonedDay splits such a field. The zone is dropped: times of day have their own, and days need none.
func splitZonedDay(f string) (day, clock string, ok bool) {
	if len(f) <= len("2024-01-31") || f[4] != '-' || f[10]|0x20 == 't' {
		return "", "", false
	}
	m := zonedDay().FindStringSubmatch(f)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// clockOf writes 1015 or 101500 with colons.
func clockOf(f string) string {
	if len(f) == 4 {
		return f[:2] + ":" + f[2:]
	}
	return f[:2] + ":" + f[2:4] + ":" + f[4:]
}

// isHourOfDay reports whether the digits of n are a day of our time and an hour.
func isHourOfDay(n int64) bool {
	year, month, day, hour := n/1_000_000, n/10_000%100, n/100%100, n%100
	return year >= minYear && year <= maxYear && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24
}
