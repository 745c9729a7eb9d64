package entity

import "strings"

// ibanLengths are the lengths of IBANs by country, from SWIFT's registry for ISO 13616.
var ibanLengths = func() map[string]int {
	m := map[string]int{}
	for length, countries := range map[int]string{
		15: "NO", 16: "BE", 18: "DK FI FO GL NL", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
		22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
		25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
		29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
	} {
		for country := range strings.FieldsSeq(countries) {
			m[country] = length
		}
	}
	return m
}()

// iban finds the IBAN whose check digits begin at i, after the letters of its country.
func (s *scanner) iban(i int) (mention, bool) {
	// The country's two letters may not be part of the mention before.
	start := i - 2
	if start < s.last || wordBefore(s.text, start) {
		return mention{}, false
	}
	length := ibanLengths[s.text[start:i]]
	// The registry's length gives the end of the number.
	if length == 0 {
		return mention{}, false
	}
	// The longest IBAN by ISO 13616 has 34 characters.
	var code [34]byte
	n, at := 0, start
	for ; n < length && at < len(s.text); at++ {
		c := s.text[at]
		switch {
		case isDigit(c) || 'A' <= c && c <= 'Z':
			code[n] = c
			n++
		// Groups of four with single spaces, as printed.
		case c == ' ' && s.text[at-1] != ' ':
		case strings.HasPrefix(s.text[at:], "\u00A0"):
			at++
		default:
			return mention{}, false
		}
	}
	if n < length || wordAfter(s.text, at) || ibanRemainder(code[:n]) != 1 {
		return mention{}, false
	}
	return mention{start: start, end: at, kind: typeIBAN, id: string(code[:n]), confidence: 0.99}, true
}

// ibanRemainder returns the remainder of a code by ISO 7064 mod 97-10, which is 1 for right check digits.
func ibanRemainder(code []byte) int {
	remainder := 0
	for i := range code {
		// The first four characters move to the end (ISO 13616), letters count as 10 to 35.
		c := code[(i+4)%len(code)]
		if isDigit(c) {
			remainder = (remainder*10 + int(c-'0')) % 97
		} else {
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		}
	}
	return remainder
}
