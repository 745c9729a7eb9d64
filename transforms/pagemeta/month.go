package pagemeta

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// minMonthRunes is the length from which a name of a month counts in whatever language a page is. Shorter ones are
// words of other languages too (set, mac, ene), and count in their own language alone; so they do in Latin letters.
const minMonthRunes = 4

// monthOf is the number of the month that a word of a page in some language names, or 0. It is asked for every word of
// a text that may be a date, so it does not allocate for ASCII.
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

// vietnameseMonths are the numbers after "tháng", month, in words: eleven and twelve are "mười một" and "mười hai".
var vietnameseMonths = map[string]int{
	"giêng": 1, "một": 1, "hai": 2, "ba": 3, "tư": 4, "năm": 5, "sáu": 6, "bảy": 7, "tám": 8, "chín": 9, "mười": 10,
	"chạp": 12,
}
