package entity

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// A scale word after an amount means a thousand, a lakh, a million and so on, by language. For instance, "mil" is a
// thousand in Spanish and a million in Czech. And "M" is a million in French and a billion in Indonesian. An ambiguous
// word makes no amount, since a wrong factor is worse.

// maxScaleWords bounds the scale words of one amount: "hundred thousand million".
const maxScaleWords = 3

// languageOf is the language of scale words for amounts of a currency on a page in another language.
var languageOf = map[string]string{
	"INR": "en", "IDR": "id", "MYR": "ms", "CZK": "cs", "PLN": "pl", "HUF": "hu", "TRY": "tr", "VND": "vi", "RUB": "ru",
	"UAH": "uk", "SEK": "sv", "NOK": "nb", "DKK": "da", "ISK": "is", "BRL": "pt", "JPY": "ja", "CNY": "zh", "TWD": "zh",
	"KRW": "ko", "THB": "th", "RON": "ro", "BGN": "bg", "RSD": "sr", "ILS": "he", "PKR": "ur", "KZT": "kk", "KES": "sw",
}

// everywhere are short forms in texts of all languages, with their zeros.
var everywhere = map[string]int{
	"k": 3, "m": 6, "b": 9, "bn": 9, "mn": 6, "tn": 12, "mio": 6, "mrd": 9, "mld": 9, "mln": 6, "tsd": 3,
	"md": 9, "mds": 9,
}

const longestEverywhere = 3

// shortScale is the length in runes up to which a scale word counts only in its own language. For instance, "bin" is a
// thousand in Turkish, but means "am" in German.
const shortScale = 3

// scaled is the result of reading the scale words after an amount.
type scaled struct {
	zeros, end int  // end is the amount's if there are none
	cjk        bool // the last is an East Asian character, so a currency may follow without a space
	unsure     bool // there is one, but it is ambiguous
}

// scales reads the scale words after i, for an amount in currency code, which may be "".
func (s *scanner) scales(i int, code string) scaled {
	found := scaled{end: i}
	for range maxScaleWords {
		at := s.joined(i, skipSpace(s.text, found.end))
		word := scaleWord(s.text, at)
		if word == "" || word == "M" && strings.HasPrefix(s.text[at+1:], ".N") { // $350 M.N. are pesos
			break
		}
		zeros, known := s.scale(word, at > found.end, s.signFollows(at+len(word)), code)
		if !known {
			found.unsure = found.unsure || code != "" && s.mayScale(word, at+len(word))
			break
		}
		r, _ := utf8.DecodeRuneInString(word)
		found.zeros, found.end, found.cjk = found.zeros+zeros, at+len(word), isEastAsian(r)
		// Without zeros the scale word is ambiguous: see scale.
		if zeros == 0 {
			found.unsure = true
		}
		found.end = s.abbreviated(found.end, word)
	}
	// 1億2000万 and "5 crore 20 lakh": the second half is not read.
	if next := skipSpace(s.text, found.end); found.end > i && next < len(s.text) && isDigit(s.text[next]) {
		found.unsure = found.unsure || found.cjk || s.goesOn(next)
	}
	return found
}

// joined returns the start of a scale word at i, or after what joins it to the number that ends at number. That is the
// hyphen of "$2.5-million", or the Romanian "de" of "20 de milioane". Short words after a hyphen are something else.
func (s *scanner) joined(number, i int) int {
	joint := ""
	switch rest := s.text[i:]; {
	case i == number && strings.HasPrefix(rest, "-"):
		joint = "-"
	case i == number && strings.HasPrefix(rest, "\u2011"):
		joint = "\u2011"
	case s.locale.language == "ro" && strings.HasPrefix(rest, "de "):
		joint = "de "
	}
	word := wordAt(s.text, i+len(joint))
	if _, known := cldr.AnyScale(word); !known || utf8.RuneCountInString(word) < shortScale {
		return i
	}
	return i + len(joint)
}

// goesOn reports whether the number at i has a scale, so that it is a part of the amount before it.
func (s *scanner) goesOn(i int) bool {
	a, ok := s.readAmount(i)
	if !ok {
		return false
	}
	word := scaleWord(s.text, skipSpace(s.text, a.end))
	_, known := cldr.AnyScale(word)
	return known && len(word) >= shortScale
}

// longestAbbreviation is the number of letters of abbreviations such as "млрд".
const longestAbbreviation = 4

// mayBeShort reports whether a word may be an abbreviation: longer ones are Baltic alone.
func mayBeShort(word string) bool {
	n := utf8.RuneCountInString(word)
	return n <= longestAbbreviation || n == longestAbbreviation+1 && slices.Contains([]string{"tūkst", "mljrd"},
		strings.ToLower(word))
}

// abbreviated returns the end of a word with its dot, if it is an abbreviation, as in "5 Mio. Euro". Otherwise the dot
// ends the sentence: no currency or scale word follows.
func (s *scanner) abbreviated(end int, word string) int {
	// After other words the dot ends the sentence.
	if !mayBeShort(word) || end+1 >= len(s.text) || s.text[end] != '.' {
		return end
	}
	at := skipSpace(s.text, end+1)
	if code, _ := s.currencyAt(at); code == "" || at == end+1 {
		return end
	}
	return end + 1
}

// scaleWord returns the word at i, or its first character if that is East Asian.
func scaleWord(text string, i int) string {
	if r, n := utf8.DecodeRuneInString(text[min(i, len(text)):]); isEastAsian(r) {
		return text[i : i+n]
	}
	if word := wordAt(text, i); word != "" {
		return word
	}
	return unspacedScale(text, i)
}

// maxUnspaced is more bytes than a scale word has in Thai or Lao.
const maxUnspaced = 24

// unspacedScale returns the longest scale word at i in a script without spaces between words, or "".
func unspacedScale(text string, i int) string {
	// The blocks of Thai and Lao.
	if r, _ := utf8.DecodeRuneInString(text[min(i, len(text)):]); r < 0x0E00 || r >= 0x0F00 {
		return ""
	}
	// The longest first, since a short word may begin a longer one.
	for end := min(len(text), i+maxUnspaced); end > i; end-- {
		// An end within a character makes no word.
		if end < len(text) && !utf8.RuneStart(text[end]) {
			continue
		}
		if _, known := cldr.AnyScale(text[i:end]); known {
			return text[i:end]
		}
	}
	return ""
}

// isEastAsian reports whether r is of a script whose scale characters have no spaces around.
func isEastAsian(r rune) bool { return r >= 0x2E80 && unicode.IsLetter(r) }

// signFollows reports whether a currency sign is at i, as in 3 M€.
func (s *scanner) signFollows(i int) bool {
	if i >= len(s.text) || triggers[s.text[i]] != currency {
		return false
	}
	_, sign, _ := s.signAt(i)
	return sign != ""
}

// scale returns the number of zeros of word, and whether it is a scale word; (0, true) means ambiguous. If spaced is
// set, a space precedes it; if signed is set, a currency sign directly follows.
func (s *scanner) scale(word string, spaced, signed bool, code string) (zeros int, known bool) {
	// The cheap test for most words after a number.
	anyZeros, inAny := cldr.AnyScale(word)
	if !inAny && len(word) > longestEverywhere {
		return 0, likeScale(word)
	}
	lower := strings.ToLower(word)
	runes := utf8.RuneCountInString(word)
	// "$5 m" may be metres, and "5 k" a letter; "3 M €" and "$5 B" are amounts.
	if runes == 1 && word[0] < utf8.RuneSelf && spaced && !signed && !unicode.IsUpper(rune(word[0])) {
		return 0, code != "" && everywhere[lower] != 0
	}
	// In these languages the word is of the long scale, or borrowed from it.
	if (lower == "billion" || lower == "billions") && ambiguousBillions[s.locale.language] {
		return 12, true
	}
	languages := make([]string, 0, 3)
	// One or two letters beside a known currency are not in the language of the page.
	if s.locale.language != "" && !(runes <= 2 && word[0] < utf8.RuneSelf && everywhere[lower] != 0 && code != "") {
		languages = append(languages, s.locale.language)
	}
	if language := languageOf[code]; language != "" {
		languages = append(languages, language)
	}
	// Without a language English is the best guess.
	if s.locale.language == "" {
		languages = append(languages, "en")
	}
	if zeros = cldr.Scale(lower, languages...); zeros != 0 {
		return zeros, true
	}
	if zeros = everywhere[lower]; zeros != 0 {
		return zeros, true
	}
	switch {
	case inAny && (code == "" || runes > shortScale || lower == "mil" || s.locale.language == "" && runes == shortScale):
		return anyZeros, true
	case inAny:
		// An East Asian scale character counts in any language.
		r, _ := utf8.DecodeRuneInString(word)
		return anyZeros, isEastAsian(r)
	}
	return 0, likeScale(lower)
}

// mayScale reports whether a word that ends at end is an abbreviated scale word of some language. Such words have
// capitals, or a dot within the sentence.
func (s *scanner) mayScale(word string, end int) bool {
	if _, inAny := cldr.AnyScale(word); !inAny || len(word) < 2 || isEastAsian(rune(word[0])) {
		return false
	}
	if word == strings.ToUpper(word) && word != strings.ToLower(word) {
		return true
	}
	at := end + 1
	if end >= len(s.text) || s.text[end] != '.' {
		return false
	}
	at = skipSpace(s.text, at)
	r, _ := utf8.DecodeRuneInString(s.text[min(at, len(s.text)):])
	return at > end+1 && unicode.IsLower(r)
}

// scaledBefore is a scale before a currency, as in T€ 1.234 and Mio. EUR 12,5.
type scaledBefore struct {
	start, zeros int
	unsure       bool // there may be one, but its factor is not clear
}

// clearBefore are scales that have one meaning before a currency.
var clearBefore = map[string]int{"mio": 6, "mrd": 9, "mld": 9, "mln": 6, "tsd": 3}

// lettersBefore are scales that are joined to a sign.
var lettersBefore = map[string]int{"T": 3, "k": 3, "K": 3, "M": 6}

// scaleBefore reads the scale before a currency, which begins at start.
func (s *scanner) scaleBefore(start int, code string) scaledBefore {
	joined := wordBefore(s.text, start)
	end, dot := start, false
	if !joined {
		end = skipSpaceBack(s.text, start)
		if dot = end > 0 && s.text[end-1] == '.'; dot {
			end--
		}
	}
	begin := end
	for begin > s.last && end-begin <= maxMonth && wordBefore(s.text, begin) {
		_, n := utf8.DecodeLastRuneInString(s.text[:begin])
		begin -= n
	}
	// A number before the word is what it scales.
	before := skipSpaceBack(s.text, begin)
	if begin == end || begin < s.last || wordBefore(s.text, begin) || before > 0 && isDigit(s.text[before-1]) {
		return scaledBefore{start: start}
	}
	word := s.text[begin:end]
	// The dot after a longer word ends a sentence.
	if dot && !mayBeShort(word) {
		return scaledBefore{start: start}
	}
	lower := strings.ToLower(word)
	found := scaledBefore{start: begin, zeros: clearBefore[lower]}
	if joined {
		found.zeros = cmp.Or(found.zeros, lettersBefore[word])
	}
	if found.zeros == 0 {
		found.unsure = s.mayBeScale(word, begin, code) || len(word) > 1 && word != strings.ToUpper(word) &&
			(everywhere[lower] > 0 || cldr.Scale(lower, s.locale.language) > 0)
	}
	return found
}

// mayBeScale reports whether one letter apart from a currency may be a scale, as in "in T EUR" and "(M €)". Elsewhere
// it is mostly a size or part of a name.
func (s *scanner) mayBeScale(letter string, i int, code string) bool {
	switch {
	case lettersBefore[letter] == 0:
		return false
	case letter == "k", letter == "T" && s.locale.language == "de" && (code == "EUR" || code == "CHF"):
		return true
	}
	before := skipSpaceBack(s.text, i)
	return before == 0 || strings.IndexByte("\n\t|([", s.text[before-1]) >= 0 || s.called(i, "in", "en", "em")
}

// isYear reports whether digits are probably a year.
func isYear(text string) bool {
	return len(text) == len("2019") && (strings.HasPrefix(text, "19") || strings.HasPrefix(text, "20"))
}

// likeScale reports whether an unknown word looks like a scale word: gazillion, quintillones, Billiarden.
func likeScale(word string) bool {
	// A cheap test for letters of nearly all of them.
	foreign := word[len(word)-1] >= utf8.RuneSelf
	if !foreign && word[0]|0x20 != 'c' && !strings.ContainsAny(word, "lL") {
		return false
	}
	word = strings.ToLower(word)
	return slices.ContainsFunc([]string{
		"illion", "illón", "illone", "illiard", "iliard", "ilione", "iljoen", "iljard",
		"ilhõ", "ilhão", "ллион", "ллиард", "льйон", "льярд", "jillion", "crore", "lakh",
	}, func(part string) bool {
		return strings.Contains(word, part)
	})
}

// joints are between the ends of a range: $2.5 to $3 billion.
var joints = []string{
	"to", "-", "–", "—", "bis", "à", "a", "до", "do", "až", "tot", "til", "till",
	"through", "up to", "y", "e", "et", "und",
	"and", "or", "oder", "ou", "o", "og", "och", "en", "hingga", "sampai", "से", "~", "〜", "～", "から", "و",
}

// pairing are joints of a list rather than a range.
var pairing = words("y e et und and or oder ou o og och en و")

// alternatives join two forms of one amount: "$350 o 20 USD".
var alternatives = words("or oder ou o")

// rangeScale returns the zeros of the other end of a range whose first end is a: in "$2.5 to $3 billion" both are
// billions. If that is possible but unclear, unsure is set.
func (s *scanner) rangeScale(a amount, code string) (zeros int, unsure bool) {
	b, joint, _ := s.otherEnd(a.end, code)
	if joint == "" {
		return 0, false
	}
	found := s.scales(b.end, code)
	if found.zeros == 0 {
		return 0, found.unsure
	}
	a, known := s.settle(a, code, true)
	b, ok := s.settle(b, code, true)
	if !ok || !known {
		return 0, true
	}
	// "$500 to $3 million" is literal; "$2 to $3 million" does not mean two dollars.
	return found.zeros, !isLess(a, b) || pairing[joint]
}

// isLess compares amounts by their digits as text: more digits are a greater number.
func isLess(a, b amount) bool {
	return len(a.whole) < len(b.whole) || len(a.whole) == len(b.whole) && a.whole+"."+a.fraction < b.whole+"."+b.fraction
}

// otherEnd returns the other end of a range whose first end is before i, and the joint between them. Result signed is
// true if it has a sign of currency code. The joint is "" if there is none.
func (s *scanner) otherEnd(i int, code string) (b amount, joint string, signed bool) {
	at := skipSpace(s.text, i)
	for _, j := range joints {
		rest, ok := strings.CutPrefix(s.text[at:], j)
		// A joint of letters must not begin a longer word.
		if ok && len(j) > len(joint) && !(isLetter(j[0]) && wordAfter(rest, 0)) {
			joint = j
		}
	}
	if joint == "" {
		return amount{}, "", false
	}
	at = skipSpace(s.text, at+len(joint))
	// The second amount may repeat the currency.
	if at < len(s.text) && triggers[s.text[at]] == currency {
		if _, sign, second := s.signAt(at); second == code {
			at, signed = skipSpace(s.text, at+len(sign)), true
		}
	}
	b, ok := s.readAmount(at)
	if !ok {
		return amount{}, "", false
	}
	return b, joint, signed
}
