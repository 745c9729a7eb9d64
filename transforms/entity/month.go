package entity

import "github.com/gleaner-web/gleaner/transforms/cldr"

// maxMonth bounds the bytes of a month's name, with room for the longest in Thai and the scripts of India.
const maxMonth = 48

// monthOf returns the number of the month that is called so in a language, and 0 for what is none. Croatian stands for
// the three languages whose months are called as in Croatian.
func monthOf(name, language string) int {
	if language == "bs" || language == "sr" {
		if m := cldr.MonthIn(name, language); m != 0 {
			return m
		}
		language = "hr"
	}
	return cldr.Month(name, language)
}
