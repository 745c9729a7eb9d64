package entity

import (
	"strings"
)

// scanner finds mentions in a text, from left to right. Each pattern is triggered by a byte that it always has, so the
// text is read once.
type scanner struct {
	text   string
	shifts []shift // from text to the page's text
	at     int     // offset of the unread text
	last   int     // end of the last mention; bytes before belong to no other
	locale locale
	phones *phones

	rand        int  // end of the last amount in rands, or 0
	rands       bool // the page has one for certain
	randsSought bool
}

// trigger says what a byte may begin.
type trigger uint8

const (
	nothing trigger = iota
	digit
	sign     // + ( : @ #
	currency // $, and first bytes of currency signs in UTF-8
	letterW  // of www.
)

// triggers are the bytes at which the scanner stops. Other bytes cost only a look-up in a table of 256.
var triggers = func() (t [256]trigger) {
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for _, c := range "+(:@#" {
		t[c] = sign
	}
	t['$'] = currency
	for _, s := range symbols {
		t[s.sign[0]] = currency
	}
	t['w'], t['W'] = letterW, letterW
	return t
}()

// next returns the next mention, or false at the end of the text.
func (s *scanner) next() (mention, bool) {
	for s.at < len(s.text) {
		kind := triggers[s.text[s.at]]
		if kind == nothing {
			s.at++
			continue
		}
		m, ok := s.look(kind)
		if ok {
			// After the mention, so that mentions do not overlap.
			s.at, s.last = m.end, m.end
			return m, true
		}
	}
	return mention{}, false
}

// look tries the patterns at s.at. It always moves on, so the scan ends.
func (s *scanner) look(kind trigger) (mention, bool) {
	at := s.at
	switch {
	case kind == digit:
		return s.number()
	case kind == currency:
		// The signs around a formula are not dollars, and its numbers are part of it.
		if end := endOfFormula(s.text, at); end > 0 && !isUS(s.text, at) {
			s.at = end
			return mention{}, false
		}
		if m, ok := s.moneyAfterSign(at); ok {
			return m, true
		}
	case kind == letterW:
		if m, ok := s.www(at); ok {
			return m, true
		}
	default:
		if m, ok := s.sign(at); ok {
			return m, true
		}
		if strings.HasPrefix(s.text[at:], "://") {
			// URLs and numbers within a rejected URL are parts of it.
			s.at = endOfAddress(s.text, at+len("://"))
			return mention{}, false
		}
	}
	// Only one byte, as another pattern may begin at the next.
	s.at++
	return mention{}, false
}

// sign tries the patterns with the sign at i.
func (s *scanner) sign(i int) (mention, bool) {
	switch s.text[i] {
	case ':':
		return s.url(i)
	case '@':
		if m, ok := s.email(i); ok {
			return m, true
		}
		return s.handle(i)
	case '#':
		return s.hashtag(i)
	}
	return s.phone(i)
}

// maxFormula bounds the search for the end of a formula, in bytes.
const maxFormula = 300

// endOfFormula returns the end of the formula at i, TeX between $ or $$, or 0. By the rules of Markdown with formulae,
// no space touches the signs inside, and no digit follows them. Without a command or index a formula has no word: "$5
// or 10$" are prices.
func endOfFormula(text string, i int) int {
	sign := "$"
	if strings.HasPrefix(text[i:], "$$") {
		sign = "$$"
	}
	open := i + len(sign)
	if !strings.HasPrefix(text[i:], sign) || open >= len(text) || text[open] == ' ' {
		return 0
	}
	// Bounded, or a text of dollar signs would take quadratic time.
	rest := text[open:min(len(text), open+maxFormula)]
	n := 0
	for n < len(rest) && rest[n] != '$' && rest[n] != '\n' {
		if rest[n] == '\\' {
			n++ // \$ is a dollar in the formula
		}
		n++
	}
	if n == 0 || n >= len(rest) || !strings.HasPrefix(rest[n:], sign) || rest[n-1] == ' ' {
		return 0
	}
	inner, end := rest[:n], open+n+len(sign)
	if end < len(text) && text[end] >= '0' && text[end] <= '9' || strings.Trim(inner, "0123456789.,% ") == "" {
		return 0
	}
	if strings.ContainsAny(inner, `\^_`) {
		return end
	}
	// Two adjacent letters are a word, or a name that TeX would write as a command.
	for k := 1; k < len(inner); k++ {
		if ofWord(inner[k-1]) && ofWord(inner[k]) {
			return 0
		}
	}
	return end
}

// ofWord reports whether c is a letter, or a byte of a character beyond ASCII.
func ofWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }
