package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// families are currencies that share a sign.
var families = []struct {
	sign  string
	codes map[string]bool
}{
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

// stated returns the currency of an amount from start to end, and its end. A currency after the amount decides which of
// a family the sign means: $17 CAD, ¥500 RMB, $5 millones de dólares. It may follow the other end of a range. The
// result is "" for pesos of an unknown country.
func (s *scanner) stated(start, end int, code string) (string, int) {
	for _, f := range families {
		if !strings.HasPrefix(s.text[start:], f.sign) {
			continue
		}
		dollar := f.sign == "$"
		if other, after := s.statedOf(f.codes, end, code, dollar); other == "" || after > end {
			return other, after
		}
		// $25 to $48 CAD: both are Canadian.
		if b, joint := s.otherEnd(end, code); joint != "" {
			code, _ = s.statedOf(f.codes, s.scales(b.end, code).end, code, dollar)
		}
		return code, end
	}
	return code, end
}

func (s *scanner) statedOf(family map[string]bool, end int, code string, dollar bool) (string, int) {
	at := s.skipWords(skipSpace(s.text, end), "de")
	word := wordAt(s.text, at)
	other, after := s.currencyAt(at)
	switch {
	case !dollar:
	case word == pesos && other == "" && code == "USD":
		return "", end
	case word == "CDN":
		other, after = "CAD", at+len(word)
	case word == "US" && code == "CAD":
		other, after = "USD", at+len(word)
	}
	// It is of the next amount, or part of a longer name.
	next := skipSpace(s.text, after)
	if !family[other] || next < len(s.text) && (isDigit(s.text[next]) || s.text[after] == '-') {
		return code, end
	}
	return other, after
}

// signBeforeCountry returns the end of the letters of a country after the $ at i, as in $US20, less the $. It returns
// their currency too.
func (s *scanner) signBeforeCountry(i int, code string) (int, string) {
	for _, p := range dollarPrefixes {
		rest, ok := strings.CutPrefix(s.text[i+1:], p.prefix)
		if ok && len(p.prefix) == 2 && startsAmount(rest[skipSpace(rest, 0):]) {
			return i + len(p.prefix), p.code
		}
	}
	return i, code
}

// hyphened returns the start of a word after i, after a space or after the hyphen that joins it to a number:
// 1.2-billion-yuan. Capitals after a hyphen are mostly part of an identifier.
func hyphened(text string, i int) int {
	if i == len(text) || text[i] != '-' && text[i] != "\u2011"[0] {
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
