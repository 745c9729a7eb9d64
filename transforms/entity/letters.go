package entity

import "strings"

// letterSigns are letters before amounts that stand for a currency, as in "Rp 10.000", maybe with a point after them.
// Those that also mean other things are read only in their country or language.
var letterSigns = []struct{ letters, where, code string }{
	{"Rp", "", "IDR"},
	{"Rs", "", rupees},
	{"KSh", "", "KES"},
	{"Ksh", "", "KES"},
	{"KShs", "", "KES"},
	{"USh", "", "UGX"},
	{"TSh", "", "TZS"},
	{"RM", "MY ms", "MYR"},
	{"R", "ZA", "ZAR"},
	{"S/", "PE", "PEN"},
	{"Bs", "BO", "BOB"},
	{"Bs", "VE", "VES"},
}

// joinedCodes are codes that are often written without a space before the amount. Others are also names: COP26.
var joinedCodes = words("EUR USD GBP CHF INR AED")

// lettersBefore returns the start of such letters that end at end, and their currency; "" if there are none.
func (s *scanner) lettersBefore(end int) (start int, code string) {
	bare := end
	if bare > 0 && s.text[bare-1] == '.' {
		bare--
	}
	for _, krone := range [...]string{"kr", "Kr"} {
		if s.isWord(krone, bare) {
			return bare - len(krone), s.locale.krone
		}
	}
	for _, sign := range letterSigns {
		if !s.isWord(sign.letters, bare) || sign.where != "" && !s.isIn(sign.where) {
			continue
		}
		return bare - len(sign.letters), s.meant(sign.code)
	}
	return end, ""
}

// isWord reports whether word ends at end and is not the end of a longer one.
func (s *scanner) isWord(word string, end int) bool {
	at := end - len(word)
	return at >= s.last && s.text[at:end] == word && !wordBefore(s.text, at)
}

// isIn reports whether the page is of one of the countries or languages.
func (s *scanner) isIn(where string) bool {
	for w := range strings.FieldsSeq(where) {
		if w == s.locale.region || w == s.locale.language {
			return true
		}
	}
	return false
}

// endsCurrency reports whether the letters joined to a number at i are those of a currency: Rp5.000, EUR5.
func (s *scanner) endsCurrency(i int) bool {
	if _, code := s.lettersBefore(i); code != "" {
		return true
	}
	return i >= 3 && joinedCodes[s.text[i-3:i]] && s.isWord(s.text[i-3:i], i)
}
