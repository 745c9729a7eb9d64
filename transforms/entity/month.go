package entity

import "github.com/gleaner-web/gleaner/transforms/cldr"

// maxMonth bounds the bytes of a month's name, with room for the longest in Thai and the scripts of India.
const maxMonth = 48

// monthOf returns the number of the month with this name in a language, or 0. Croatian is used for the three languages
// that share its month names.
func monthOf(name, language string) int {
	if language == "bs" || language == "sr" {
		if m := cldr.MonthIn(name, language); m != 0 {
			return m
		}
		language = "hr"
	}
	return cldr.Month(name, language)
}
