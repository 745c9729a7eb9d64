package entity

import "strings"

const maxDOI = 200 // bytes: section 2.2 of the DOI Handbook sets no limit; registered ones are far shorter

// doi finds the DOI that begins at i. The directory "10." is what all DOIs begin with (ISO 26324), so it is looked
// for at each digit 1.
func (s *scanner) doi(i int) (mention, bool) {
	if !strings.HasPrefix(s.text[i:], "10.") {
		return mention{}, false
	}
	end := trimAddress(s.text, i, endOfAddress(s.text, i))
	id := doiID(s.text[i:end])
	return mention{start: i, end: end, kind: typeDOI, id: id, confidence: 0.98}, id != ""
}

// doiID returns the DOI in lower case, which is how two are compared, and "" for what is none.
func doiID(name string) string {
	prefix, suffix, ok := strings.Cut(name, "/")
	registrant, isDOI := strings.CutPrefix(prefix, "10.")
	// Registrants have four digits or more.
	_, end := digits(registrant, 0, 9)
	// A DOI may hold anything behind the slash; only the length is bounded.
	if !ok || !isDOI || suffix == "" || end < 4 || len(name) > maxDOI {
		return ""
	}
	if rest := registrant[end:]; rest != "" && rest[0] != '.' { // 10.1000.10 is a prefix as well
		return ""
	}
	return strings.ToLower(name)
}

// orcid finds the ORCID iD that begins at i.
func (s *scanner) orcid(i int) (mention, bool) {
	end := i + len("0000-0000-0000-0000")
	// The scanner comes here only where four digits and a hyphen begin.
	if end > len(s.text) || !endsNumber(s.text, end) {
		return mention{}, false
	}
	id := orcidID(s.text[i:end])
	return mention{start: i, end: end, kind: typeORCID, id: id, confidence: 0.98}, id != ""
}

// orcidID returns name if it is an ORCID iD: their blocks begin with 0000 and 0009, and the last character checks the
// others by ISO 7064 mod 11-2.
func orcidID(name string) string {
	// Groups of four with hyphens, which the identifier always has.
	if len(name) != 19 || name[4] != '-' || name[9] != '-' || name[14] != '-' || name[:3] != "000" {
		return ""
	}
	if name[3] != '0' && name[3] != '9' {
		return ""
	}
	total := 0
	// Hyphens are at every fifth place. The sum runs from the left, doubled at each step (ISO 7064,
	// mod 11-2).
	for i := range 18 {
		if i%5 == 4 {
			continue
		}
		if !isDigit(name[i]) {
			return ""
		}
		total = (total + int(name[i]-'0')) * 2
	}
	if name[18] != checkCharacter((12-total%11)%11) {
		return ""
	}
	return name
}

// checkCharacter writes a check digit from 0 to 10. 10 is written as X, as in ISBN-10 and ISSN.
func checkCharacter(n int) byte {
	if n == 10 {
		return 'X'
	}
	return byte('0' + n)
}

// isbn finds the ISBN that begins at i. Ten digits are only taken after the word.
func (s *scanner) isbn(i int) (mention, bool) {
	// The longer form first, as its end would pass for ten digits.
	for _, n := range [...]int{13, 10} {
		if n == 13 && !strings.HasPrefix(s.text[i:], "97") {
			continue
		}
		end := endOfCode(s.text, i, n)
		// Ten digits with a right check digit come by chance one time in eleven: the word must stand
		// before them.
		if end < 0 || !endsNumber(s.text, end) || n == 10 && !s.called(i, "isbn", "isbn-10", "isbn10") {
			continue
		}
		if id := isbnID(s.text[i:end]); id != "" {
			return mention{start: i, end: end, kind: typeISBN, id: id, confidence: 0.98}, true
		}
	}
	return mention{}, false
}

// endOfCode returns where a code of n digits, the last of which may be an X, ends; single hyphens or spaces may stand
// between them. It returns -1 if there are fewer. i is on a digit, so text[i-1] below is never before it.
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

// isbnID returns the ISBN-13 of an ISBN, with or without hyphens, and "" for what is none.
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

// eanDigit returns the check digit of twelve digits, and 0 if they are none.
func eanDigit(code string) byte {
	total := 0
	for i := range len(code) {
		if !isDigit(code[i]) {
			return 0
		}
		// Weights 1 and 3, alternately.
		total += int(code[i]-'0') * (1 + 2*(i%2))
	}
	return byte('0' + (10-total%10)%10)
}

// mod11 returns the weighted sum of an ISBN-10 or an ISSN, which is 0 if its check character is right and -1 if it
// holds something else than digits.
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

// ibanLengths are the lengths of IBANs by country, from the registry that SWIFT keeps for ISO 13616.
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

// iban finds the IBAN whose check digits begin at i, behind the letters of its country.
func (s *scanner) iban(i int) (mention, bool) {
	// The country's two letters may not be a part of what was found before.
	start := i - 2
	if start < s.last || wordBefore(s.text, start) {
		return mention{}, false
	}
	length := ibanLengths[s.text[start:i]]
	// The registry's length tells where the number ends, whatever stands behind it.
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

// ibanRemainder returns what a code leaves by ISO 7064 mod 97-10, which is 1 if its check digits are right.
func ibanRemainder(code []byte) int {
	remainder := 0
	for i := range code {
		// The first four characters are moved to the end (ISO 13616), letters count as 10 to 35.
		c := code[(i+4)%len(code)]
		if isDigit(c) {
			remainder = (remainder*10 + int(c-'0')) % 97
		} else {
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		}
	}
	return remainder
}

// called reports whether one of names, in lower case, stands before i as a word, with no more than a sign and a space
// between.
func (s *scanner) called(i int, names ...string) bool {
	// 24 bytes hold the longest name with its signs.
	from := max(0, i-24)
	before := strings.ToLower(strings.TrimRight(s.text[from:i], " :.#=–\u00A0(-"))
	for _, name := range names {
		if rest, ok := strings.CutSuffix(before, name); ok && !wordBefore(rest, len(rest)) {
			return true
		}
	}
	return false
}
