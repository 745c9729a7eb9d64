package pagemeta

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// ordinals follow a day in any language.
var ordinals = strings.Fields("st nd rd th er º ª .º ° .° o a an (a) (a (e)an ko (e)ko -án -én -jén η -го -е -ж. -ж " +
	"-yil -жыл -жылғы -нд -ны -ний লা রা ঠা ই শে")

// ordinalsIn follow a day in some languages, and mean other things elsewhere: 3D, 12e.
var ordinalsIn = map[string][]string{
	"ca": {"r"}, "eo": {"-a", "-an"}, "es": {"ro"}, "fr": {"e"}, "lt": {"d", "d."}, "nl": {"e"},
}

// isOrdinal reports whether the letters after a number make it a day.
func isOrdinal(suffix, language string) bool {
	return slices.Contains(ordinals, strings.ToLower(suffix)) || slices.Contains(ordinalsIn[language], suffix)
}

// yearWords are words for "year" that are often joined to the number: 2024г., 2024р., 2024r., 2024m., 2024.gada.
var yearWords = []string{"г", "р", "ж", "r", "m", "gada", "ء"}

// yearWordsIn are the languages of those that mean other things elsewhere: m is also the metre.
var yearWordsIn = map[string]string{"m": "lt", "r": "pl"}

// withoutYearWord removes such a word after four digits.
func withoutYearWord(f, language string) string {
	if isDigit(f[len(f)-1]) {
		return f
	}
	for _, w := range yearWords {
		if only := yearWordsIn[w]; only != "" && only != language {
			continue
		}
		head, ok := strings.CutSuffix(strings.TrimSuffix(f, "."), w)
		head = strings.TrimSuffix(head, ".")
		if n := len(head); ok && n >= 4 && leadingDigits(head[n-4:]) == 4 {
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

// offsetSeconds reads 02, 0200, 02:00 and 200.
func offsetSeconds(f string) (int, bool) {
	f = strings.Replace(f, ":", "", 1)
	n, err := strconv.Atoi(f)
	if err != nil || n < 0 || len(f) > 4 {
		return 0, false
	}
	if len(f) <= 2 {
		n *= 100
	}
	return n/100*3600 + n%100*60, n <= 1400 && n%100 < 60
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
