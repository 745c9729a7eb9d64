package entity

import "strings"

const maxDOI = 200 // bytes: section 2.2 of the DOI Handbook sets no limit; registered ones are far shorter

// doi finds the DOI that begins at i. All DOIs begin with the directory "10." (ISO 26324).
func (s *scanner) doi(i int) (mention, bool) {
	if !strings.HasPrefix(s.text[i:], "10.") {
		return mention{}, false
	}
	end := trimAddress(s.text, i, endOfAddress(s.text, i))
	if sici := endOfSICI(s.text, i); sici > end {
		end = sici
	}
	id := doiID(s.text[i:end])
	return mention{start: i, end: end, kind: typeDOI, id: id, confidence: 0.98}, id != ""
}

// maxSICI bounds the part of a SICI in brackets: pages and an abbreviated title.
const maxSICI = 48

// endOfSICI returns the end of the SICI in the DOI at i, or 0. DOIs of the 1990s have one (section 2.2 of ANSI/NISO
// Z39.56), whose brackets are not markup: 49:8<693::AID-ASI4>3.0.CO;2-O.
func endOfSICI(text string, i int) int {
	open := endOfAddress(text, i)
	if open >= len(text) || text[open] != '<' || !strings.Contains(text[i:open], "/") {
		return 0
	}
	end := strings.IndexByte(text[open:min(len(text), open+maxSICI)], '>')
	if end < 0 || strings.IndexByte(text[open:open+end], ' ') >= 0 || !strings.Contains(text[open:open+end], ":") {
		return 0
	}
	// A version, the medium in two letters, the version of the standard, and a check character.
	at := open + end + 1
	rest := text[at:min(len(text), at+len("3.0.CO;2-O"))]
	const form = "0.0.AA;0"
	for k := range len(form) {
		if k >= len(rest) || form[k] == '0' && !isDigit(rest[k]) || form[k] == 'A' && !isLetter(rest[k]) ||
			(form[k] == '.' || form[k] == ';') && rest[k] != form[k] {
			return 0
		}
	}
	if len(rest) == len(form)+2 && rest[len(form)] == '-' && rest[len(form)+1] > ' ' {
		return at + len(form) + 2
	}
	return at + len(form)
}

// doiID returns the DOI in lower case for comparison, or "" if it is invalid.
func doiID(name string) string {
	prefix, suffix, ok := strings.Cut(name, "/")
	registrant, isDOI := strings.CutPrefix(prefix, "10.")
	// Registrants have four digits or more.
	_, end := digits(registrant, 0, 9)
	// A DOI may hold anything after the slash; only the length is bounded.
	if !ok || !isDOI || suffix == "" || end < 4 || len(name) > maxDOI {
		return ""
	}
	if rest := registrant[end:]; rest != "" && rest[0] != '.' { // 10.1000.10 is a prefix as well
		return ""
	}
	return strings.ToLower(name)
}

func (s *scanner) orcid(i int) (mention, bool) {
	end := i + len("0000-0000-0000-0000")
	// The scanner comes here only at four digits and a hyphen.
	if end > len(s.text) || !endsNumber(s.text, end) {
		return mention{}, false
	}
	id := orcidID(s.text[i:end])
	return mention{start: i, end: end, kind: typeORCID, id: id, confidence: 0.98}, id != ""
}

// orcidID returns name if it is an ORCID iD. These begin with 0000 or 0009, and the last character checks the others
// by ISO 7064 mod 11-2.
func orcidID(name string) string {
	// Groups of four with hyphens, which the identifier always has.
	if len(name) != 19 || name[4] != '-' || name[9] != '-' || name[14] != '-' || name[:3] != "000" {
		return ""
	}
	if name[3] != '0' && name[3] != '9' {
		return ""
	}
	total := 0
	// Hyphens are at every fifth place. The sum runs from the left, doubled at each step (ISO 7064, mod 11-2).
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

// called reports whether one of names, in lower case, precedes i as a word, with at most a sign and a space between.
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
