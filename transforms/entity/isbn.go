package entity

import "strings"

// isbn finds the ISBN that begins at i. Ten digits count only after the word.
func (s *scanner) isbn(i int) (mention, bool) {
	// The longer form first, as its end would pass for ten digits.
	for _, n := range [...]int{13, 10} {
		if n == 13 && !strings.HasPrefix(s.text[i:], "97") {
			continue
		}
		end := endOfCode(s.text, i, n)
		// Ten digits have a right check digit by chance one time in eleven: the word must precede them.
		if end < 0 || !endsNumber(s.text, end) || n == 10 && !s.called(i, "isbn", "isbn-10", "isbn10") {
			continue
		}
		if id := isbnID(s.text[i:end]); id != "" {
			return mention{start: i, end: end, kind: typeISBN, id: id, confidence: 0.98}, true
		}
	}
	return mention{}, false
}

// endOfCode returns the end of a code of n digits with single hyphens or spaces between, or -1 if there are fewer. The
// last may be an X. Index i is at a digit, so text[i-1] below is never before it.
func endOfCode(text string, i, n int) int {
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case isDigit(c) || n == 1 && (c == 'X' || c == 'x'):
			if n--; n == 0 {
				return i + 1
			}
		case (c != '-' && c != ' ') || !isDigit(text[i-1]):
			return -1
		}
	}
	return -1
}

// isbnID returns the ISBN-13 of an ISBN, with or without hyphens, or "" if it is invalid.
func isbnID(name string) string {
	code := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(name))
	switch len(code) {
	case 13:
		// The prefixes of EAN for books and music; 979-0 is sheet music (ISMN).
		if (code[:3] == "978" || code[:3] == "979") && code[12] == eanDigit(code[:12]) {
			return code
		}
	case 10:
		// ISBN-10 has its own check digit; the ISBN-13 needs a new one.
		if total := mod11(code); total == 0 {
			code = "978" + code[:9]
			return code + string(eanDigit(code))
		}
	}
	return ""
}

// eanDigit returns the check digit of twelve digits, or 0 for other characters.
func eanDigit(code string) byte {
	total := 0
	for i := range len(code) {
		if !isDigit(code[i]) {
			return 0
		}
		total += int(code[i]-'0') * (1 + 2*(i%2))
	}
	return byte('0' + (10-total%10)%10)
}

// mod11 returns the weighted sum of an ISBN-10 or ISSN: 0 if its check character is right, -1 if it has other
// characters.
func mod11(code string) int {
	total := 0
	for i := range len(code) {
		value := int(code[i] - '0')
		if code[i] == 'X' && i == len(code)-1 {
			value = 10
		} else if !isDigit(code[i]) {
			return -1
		}
		// Weights from the length down to 1: 10 to 1 for an ISBN, 8 to 1 for an ISSN.
		total += value * (len(code) - i)
	}
	return total % 11
}

// issn finds the ISSN that begins at i, after the word.
func (s *scanner) issn(i int) (mention, bool) {
	end := i + len("0000-0000")
	// Eight digits and a hyphen are dates and phone numbers too, so the word is needed.
	if end > len(s.text) || s.text[i+4] != '-' || !s.called(i, "issn", "issn-l", "e-issn", "eissn", "issn (online)",
		"issn (print)") {
		return mention{}, false
	}
	code := strings.ToUpper(s.text[i:end])
	if mod11(code[:4]+code[5:]) != 0 || !endsNumber(s.text, end) {
		return mention{}, false
	}
	return mention{start: i, end: end, kind: typeISSN, id: code, confidence: 0.98}, true
}
