package entity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// family are currencies that share a sign.
type family struct {
	sign  string
	codes map[string]bool
}

var families = []family{
	{"$", words("USD AUD CAD NZD SGD HKD TWD MXN CLP COP ARS UYU DOP CUP")},
	{"¥", words("JPY CNY")},
	{"￥", words("JPY CNY")},
	{"kr", words("SEK NOK DKK ISK")},
	{"Kr", words("SEK NOK DKK ISK")},
	{"Rs", words("INR PKR LKR NPR MUR")},
}

// pesos is the code of pesos of any country.
const pesos = "pesos"

// pesosOf are the pesos of countries.
var pesosOf = map[string]string{
	"AR": "ARS", "CL": "CLP", "CO": "COP", "CU": "CUP", "DO": "DOP", "MX": "MXN", "PH": "PHP", "UY": "UYU",
}

// weights follow a number of pesos in boxing, and other nouns.
var weights = words("muertos pesados pesado pluma gallo mosca welter ligeros ligero libres medios")

// stated returns the currency of the amount a, from start to end, and its end. A currency after the amount decides
// which of a family the sign means: $17 CAD, ¥500 RMB, $5 millones de dólares. It may follow the other end of a range.
// The result is "" for pesos of an unknown country.
func (s *scanner) stated(start int, a amount, end int, code string) (string, int) {
	i := slices.IndexFunc(families, func(f family) bool { return strings.HasPrefix(s.text[start:], f.sign) })
	if i < 0 {
		return code, end
	}
	f := &families[i]
	if other, after := s.statedOf(f, end, code); other == "" || after > end {
		return other, after
	}
	// $25 to $48 CAD: both are Canadian. But $350 – 20 USD is one price in two currencies.
	b, joint, signed := s.otherEnd(end, code)
	if joint != "" && isLess(a, b) && !alternatives[joint] && (signed || !isLetter(joint[0])) {
		code, _ = s.statedOf(f, s.scales(b.end, code).end, code)
	}
	return code, end
}

// statedOf returns the currency after end if it is of the family, and its end.
func (s *scanner) statedOf(f *family, end int, code string) (string, int) {
	at := s.skipWords(skipSpace(s.text, end), "de")
	opened := strings.HasPrefix(s.text[at:], "(") // $1.3-billion (U.S.)
	if opened {
		at++
	}
	other, after := s.currencyAt(at)
	if f.sign == "$" {
		if other == "" && code == "USD" && wordAt(s.text, at) == pesos {
			return "", end
		}
		if country, last := s.countryAt(at, opened); country != "" {
			other, after = country, last
		}
	}
	if !f.codes[other] || s.precedesAmount(f, after) {
		return code, end
	}
	if opened {
		if !strings.HasPrefix(s.text[after:], ")") {
			return code, end
		}
		after++
	}
	return other, after
}

// precedesAmount reports whether the currency that ends at i is of the next amount, or part of a longer name.
func (s *scanner) precedesAmount(f *family, i int) bool {
	rest := s.text[i:]
	if strings.HasPrefix(rest, "-") {
		return true
	}
	if isLetter(f.sign[0]) {
		rest = strings.TrimPrefix(rest, ".") // kr. 499
	}
	next := len(s.text) - len(rest) + skipSpace(rest, 0)
	if next == len(s.text) {
		return false
	}
	_, sign, _ := s.signAt(next)
	return isDigit(s.text[next]) || triggers[s.text[next]] == currency && sign != ""
}

// countryAt returns the dollar of the country whose abbreviation is at i, and its end. US is one where $ is another
// dollar, unless a noun follows: "$20 US users".
func (s *scanner) countryAt(i int, opened bool) (code string, end int) {
	for _, c := range [...]struct{ name, code string }{
		{"CDN", "CAD"}, {"Cdn", "CAD"}, {"CAN", "CAD"}, {"U.S.", "USD"}, {"US", "USD"},
	} {
		end := i + len(c.name)
		if !strings.HasPrefix(s.text[i:], c.name) || wordAfter(s.text, end) {
			continue
		}
		word := wordAt(s.text, skipSpace(s.text, end))
		if c.code == "USD" && (s.locale.dollar == "USD" || !opened && word != "" && !afterCountry[word]) {
			return "", i
		}
		return c.code, end
	}
	return "", i
}

// afterCountry are words that may follow "$20 US".
var afterCountry = words("a an and as at by each every for from in is of on or over per plus that the this to " +
	"was were which")

// signBeforeCountry returns the end of the letters of a country after the $ at i, as in $US20, less the $. It returns
// their currency too.
func (s *scanner) signBeforeCountry(i int, code string) (int, string) {
	for _, p := range dollarPrefixes {
		rest, ok := strings.CutPrefix(s.text[i+1:], p.prefix)
		isOne := len(p.prefix) == 2 || p.prefix == "A" && s.locale.region == "AU"
		if ok && isOne && startsAmount(rest[skipSpace(rest, 0):]) {
			return i + len(p.prefix), p.code
		}
	}
	return i, code
}

// isUS reports whether the $ at i is that of U$S 350, as Argentina and Uruguay write US dollars.
func isUS(text string, i int) bool {
	return i > 0 && i+1 < len(text) && text[i-1]|0x20 == 'u' && text[i+1]|0x20 == 's' && !wordBefore(text, i-1)
}

// hyphened returns the start of a word after i, after a space or after the hyphen that joins it to a number at start:
// 1.2-billion-yuan. Capitals after a hyphen are mostly part of an identifier, and so are several hyphens: top-10-euro.
func hyphened(text string, start, i int) int {
	if i == len(text) || text[i] != '-' && text[i] != "\u2011"[0] || start > 0 && text[start-1] == '-' {
		return skipSpace(text, i)
	}
	for _, hyphen := range [...]string{"-", "\u2011"} {
		rest, ok := strings.CutPrefix(text[i:], hyphen)
		first, n := utf8.DecodeRuneInString(rest)
		second, _ := utf8.DecodeRuneInString(rest[n:])
		if ok && unicode.IsLetter(first) && unicode.IsLower(second) {
			return i + len(hyphen)
		}
	}
	return skipSpace(text, i)
}

// endsWithSign reports whether text ends with the sign of a currency.
func endsWithSign(text string) bool {
	for _, symbol := range symbols {
		if strings.HasSuffix(text, symbol.sign) {
			return true
		}
	}
	return strings.HasSuffix(text, "$")
}

// dollarAfter returns the currency of the $ at i, after an amount, and its end. French texts of Canada have 20 $ US.
func (s *scanner) dollarAfter(i int) (code string, end int) {
	if s.text[i] != '$' {
		return "", i
	}
	at := skipSpace(s.text, i+1)
	word := wordAt(s.text, at)
	for _, p := range dollarPrefixes {
		if len(p.prefix) > 1 && p.prefix == word && !s.precedesAmount(&families[0], at+len(word)) {
			return p.code, at + len(word)
		}
	}
	if wordAfter(s.text, i+1) {
		return "", i
	}
	return s.locale.dollar, i + 1
}
