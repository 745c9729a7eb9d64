package entity

// numberPatterns are patterns that begin with a digit, the most specific first. The order matters: a date would pass
// for a phone number, and an ISBN-13 for one of another country.
var numberPatterns = []func(*scanner, int) (mention, bool){
	(*scanner).doi, (*scanner).orcid, (*scanner).date, (*scanner).dateWithMonth, (*scanner).isbn, (*scanner).issn,
	(*scanner).money, (*scanner).phone,
}

// number tries the patterns at the digit at s.at, and skips the whole number if none matches.
func (s *scanner) number() (mention, bool) {
	at := s.at
	// Before startsNumber: the IBAN's letters directly precede the digits.
	if m, ok := s.iban(at); ok {
		return m, true
	}
	if s.startsNumber(at) {
		for _, try := range numberPatterns {
			if m, ok := try(s, at); ok {
				return m, true
			}
		}
	}
	// Otherwise the rest of the number would be tried digit by digit.
	s.at = endOfNumber(s.text, at)
	return mention{}, false
}

// startsNumber reports whether the digit at i is the first of its number. It is not in a word, and not joined to
// digits before, unless a mention ends there. The second half of a range or pair, 1.1.2020-3.1.2020, begins after a
// joint that follows a mention.
func (s *scanner) startsNumber(i int) bool {
	if i == s.last+1 && i > 1 && (s.text[i-1] == '-' || s.text[i-1] == '/') {
		return true
	}
	if wordBefore(s.text, i) {
		return s.endsCurrency(i)
	}
	return i < 2 || !isJoint(s.text[i-1]) || !isDigit(s.text[i-2])
}

// endOfNumber returns the end of the digits at i with those joined to them.
func endOfNumber(text string, i int) int {
	for i < len(text) && (isDigit(text[i]) || isJoint(text[i]) && i+1 < len(text) && isDigit(text[i+1])) {
		i++
	}
	return i
}

// endsNumber reports whether the digits before i end their number, and no word goes on.
func endsNumber(text string, i int) bool {
	if wordAfter(text, i) {
		return false
	}
	return i+1 >= len(text) || !isJoint(text[i]) || !isDigit(text[i+1])
}

// isJoint reports whether c joins digits to one number: thousands, decimals, hours, parts of dates and versions.
func isJoint(c byte) bool {
	return c == '.' || c == ',' || c == ':' || c == '/' || c == '-' || c == '\''
}
