package entity

// numberPatterns are what begins with a digit, the most particular first. The order matters: a date would pass for a
// phone number, and an ISBN-13 for one of another country.
var numberPatterns = []func(*scanner, int) (mention, bool){
	(*scanner).doi, (*scanner).orcid, (*scanner).date, (*scanner).dateWithMonth, (*scanner).isbn, (*scanner).issn,
	(*scanner).money, (*scanner).phone,
}

// number tries what begins at the digit at s.at, and moves beyond the whole number when nothing does.
func (s *scanner) number() (mention, bool) {
	at := s.at
	// Before startsNumber: the IBAN's letters stand directly before the digits.
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
	// The rest of a number that is nothing would otherwise be tried digit by digit.
	s.at = endOfNumber(s.text, at)
	return mention{}, false
}

// startsNumber reports whether the digit at i is the first of its number: not in a word, and not after a sign that
// joins it to digits before, unless a mention ends there. The second half of a range or pair, 1.1.2020-3.1.2020,
// begins after a joint that follows a mention.
func (s *scanner) startsNumber(i int) bool {
	if i == s.last+1 && i > 1 && (s.text[i-1] == '-' || s.text[i-1] == '/') {
		return true
	}
	if wordBefore(s.text, i) {
		// Rp5.000 and Rs500 are written without a space.
		at := i - 2
		return at >= s.last && (s.text[at:i] == "Rp" || s.text[at:i] == "Rs") && !wordBefore(s.text, at)
	}
	return i < 2 || !isJoint(s.text[i-1]) || !isDigit(s.text[i-2])
}

// endOfNumber returns where the digits at i, and those joined to them, end.
func endOfNumber(text string, i int) int {
	for i < len(text) && (isDigit(text[i]) || isJoint(text[i]) && i+1 < len(text) && isDigit(text[i+1])) {
		i++
	}
	return i
}

// endsNumber reports whether what ends at i, with a digit, is not a part of a longer number or of a word.
func endsNumber(text string, i int) bool {
	if wordAfter(text, i) {
		return false
	}
	return i+1 >= len(text) || !isJoint(text[i]) || !isDigit(text[i+1])
}

// isJoint reports whether c joins digits to one number. They separate thousands, decimals, hours and parts of dates
// and versions.
func isJoint(c byte) bool {
	return c == '.' || c == ',' || c == ':' || c == '/' || c == '-' || c == '\''
}
