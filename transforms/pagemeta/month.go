package pagemeta

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// minMonthRunes is the length from which the name of a month counts in a page of any language. Shorter names (set,
// mac, ene) are words of other languages, so they count only in their own. The same holds for all names in Latin
// letters.
const minMonthRunes = 4

// monthOf is the number of the month that a word names in a language, or 0. It runs for every word of a text that may
// be a date, so it does not allocate for ASCII.
func monthOf(word, language string) int {
	if word != "" && word[0]|0x20 == 'd' { // d’agost
		word = strings.TrimPrefix(strings.TrimPrefix(word, "d’"), "d'")
	}
	in, common, all := cldr.Months(word, language)
	switch {
	case in != 0 && language != "":
		return in
	case common != 0 || all == 0:
		return common
	case word[0] < 0xD0 && utf8.RuneCountInString(strings.TrimSuffix(word, ".")) < minMonthRunes:
		return 0
	}
	return all
}

// vietnameseMonths are the numerals after "tháng", month. Eleven and twelve are "mười một" and "mười hai".
var vietnameseMonths = map[string]int{
	"giêng": 1, "một": 1, "hai": 2, "ba": 3, "tư": 4, "năm": 5, "sáu": 6, "bảy": 7, "tám": 8, "chín": 9, "mười": 10,
	"chạp": 12,
}
