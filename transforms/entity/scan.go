package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner finds mentions in a text, from left to right. Every pattern is looked for from the byte that it cannot be
// without, so that the text is passed over once.
type scanner struct {
	text   string
	at     int // what comes next
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
// begins behind a joint that follows a mention.
func (s *scanner) startsNumber(i int) bool {
	if i == s.last+1 && i > 1 && (s.text[i-1] == '-' || s.text[i-1] == '/') {
		return true
	}
	if wordBefore(s.text, i) {
		return false
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// wordBefore reports whether a letter, a digit or an underscore of a script with spaces stands before i.
func wordBefore(text string, i int) bool {
	if i == 0 {
		return false
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		return isLetter(c) || isDigit(c) || c == '_'
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return isWord(r)
}

// wordAfter reports whether a letter, a digit or an underscore of a script with spaces stands at i.
func wordAfter(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	if c := text[i]; c < utf8.RuneSelf {
		return isLetter(c) || isDigit(c) || c == '_'
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return isWord(r)
}

// isWord reports whether r, which is not ASCII, is part of a word. Han, kana, Hangul and Thai are not: there a number
// or an address stands between characters without a space. The ranges are Thai and Lao, old Hangul, kana to Hangul
// with all of Han between, and supplementary Han.
func isWord(r rune) bool {
	if 0x0E00 <= r && r < 0x0F00 || 0x1100 <= r && r < 0x1200 || 0x3000 <= r && r < 0xD7B0 || r >= 0x20000 {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// digits returns the digits at i as a number, and where they end; at most limit of them. limit is 9 at most, so the
// value fits 32 bits.
func digits(text string, i, limit int) (value, end int) {
	end = i
	for end < len(text) && end-i < limit && isDigit(text[end]) {
		value = value*10 + int(text[end]-'0')
		end++
	}
	return value, end
}

// skipSpace returns where a single space, no-break space or thin space at i ends, or i.
func skipSpace(text string, i int) int {
	if i >= len(text) {
		return i
	}
	if text[i] == ' ' {
		return i + 1
	}
	if r, n := utf8.DecodeRuneInString(text[i:]); r == '\u00A0' || r == '\u202F' || r == '\u2009' {
		return i + n
	}
	return i
}

// skipSpaceBack returns where a single space before i begins, or i.
func skipSpaceBack(text string, i int) int {
	if i == 0 {
		return i
	}
	if text[i-1] == ' ' {
		return i - 1
	}
	if r, n := utf8.DecodeLastRuneInString(text[:i]); r == '\u00A0' || r == '\u202F' || r == '\u2009' {
		return i - n
	}
	return i
}
