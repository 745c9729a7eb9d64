package entity

import (
	"strings"
)

// A scanner finds mentions in a text, from left to right. Every pattern is looked for from the byte that it cannot be
// without, so that the text is passed over once.
type scanner struct {
	text   string
	at     int // what follows
	last   int // the end of the last mention: nothing before it belongs to another
	locale locale
	phones *phones
}

// A trigger says what a byte may begin.
type trigger uint8

const (
	nothing trigger = iota
	digit
	sign     // + ( : @ #
	currency // $, and what a currency sign begins with in UTF-8
	letterW  // of www.
)

// triggers are what the scanner stops at. The usual byte of a text triggers nothing: one look in a table of 256 is
// all that it costs.
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

// next returns the next mention, and false at the end of the text.
func (s *scanner) next() (mention, bool) {
	for s.at < len(s.text) {
		kind := triggers[s.text[s.at]]
		if kind == nothing {
			s.at++
			continue
		}
		m, ok := s.look(kind)
		if ok {
			// Behind the mention, so that mentions do not overlap.
			s.at, s.last = m.end, m.end
			return m, true
		}
	}
	return mention{}, false
}

// look tries what may begin at s.at; when nothing does it moves on. It always moves on, so the scan ends.
func (s *scanner) look(kind trigger) (mention, bool) {
	at := s.at
	switch {
	case kind == digit:
		return s.number()
	case kind == currency:
		// The signs around a formula are not dollars, and what is in it is not a number of anything.
		if end := endOfFormula(s.text, at); end > 0 {
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
			// What looks like an address or a number in an address that is not taken is a part of it.
			s.at = endOfAddress(s.text, at+len("://"))
			return mention{}, false
		}
	}
	// Only one byte: what follows may begin something of its own.
	s.at++
	return mention{}, false
}

// sign tries what the sign at i is a part of.
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

// maxFormula bounds how far the end of a formula is looked for, in bytes.
const maxFormula = 300

// endOfFormula returns where the formula ends that begins at i, as TeX between $ or $$; 0 where none does. By the rules
// of Markdown with formulae no space stands next to the signs inside, and no digit behind them. What has neither a
// command nor an index has no word, either: "$5 or 10$" are prices.
func endOfFormula(text string, i int) int {
	sign := "$"
	if strings.HasPrefix(text[i:], "$$") {
		sign = "$$"
	}
	open := i + len(sign)
	if !strings.HasPrefix(text[i:], sign) || open >= len(text) || text[open] == ' ' {
		return 0
	}
	// Bounded, since a text of dollar signs would be gone through for each.
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
	// Two letters next to each other are a word, or a name that TeX would write as a command.
	for k := 1; k < len(inner); k++ {
		if ofWord(inner[k-1]) && ofWord(inner[k]) {
			return 0
		}
	}
	return end
}

// ofWord reports whether c is of a word: a letter, or a part of a character beyond ASCII.
func ofWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }
