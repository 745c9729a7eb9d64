package cli

import "strings"

// Plural formats a number with its noun: 1 capture, 2 captures, 3 entities. All pages and messages use it. Only the
// last word of the noun changes.
func Plural[N int | int64](n N, noun string) string {
	return FormatCount(int64(n)) + " " + Noun(int64(n), noun)
}

// Noun returns a noun in the number of n.
func Noun(n int64, noun string) string {
	if n == 1 {
		return noun
	}
	return Nouns(noun)
}

// Nouns returns the plural of a noun. Its rules are enough for ours: status, index, entity, match, capture.
func Nouns(noun string) string {
	ends := func(list ...string) bool {
		for _, end := range list {
			if strings.HasSuffix(noun, end) {
				return true
			}
		}
		return false
	}
	switch {
	case ends("s", "x", "ch", "sh"):
		return noun + "es"
	// A vowel before y keeps it: day, days.
	case ends("y") && !ends("ay", "ey", "oy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}
