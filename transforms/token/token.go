package token

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// IsPaired tells whether r is a letter of a script that is written without spaces, of which terms are pairs.
func IsPaired(r rune) bool {
	switch {
	case 0x0e00 <= r && r < 0x0f00, 0x1000 <= r && r < 0x10a0, 0x1780 <= r && r < 0x1800: // Thai, Lao; Myanmar; Khmer
		return true
	case 0x3040 <= r && r < 0x3100, 0x3400 <= r && r < 0xa000, 0xf900 <= r && r < 0xfb00, 0x20000 <= r && r < 0x32000:
		return true
	}
	return false
}

// Scanner gives the terms of texts.
type Scanner struct{ term []byte }

// Index gives the terms of a text that is searched.
func (s *Scanner) Index(text string) iter.Seq2[int, []byte] { return s.terms(text, true) }

// Query gives the terms of a text that is searched for.
func (s *Scanner) Query(text string) iter.Seq2[int, []byte] { return s.terms(text, false) }

func (s *Scanner) terms(text string, index bool) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		n := 0
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			switch {
			case IsPaired(r):
				next, more := utf8.DecodeRuneInString(text[i+size:])
				s.term = utf8.AppendRune(s.term[:0], r)
				before, _ := utf8.DecodeLastRuneInString(text[:i])
				if IsPaired(next) {
					s.term = append(s.term, text[i+size:i+size+more]...)
				} else if !index && IsPaired(before) {
					n++
					i += size
					continue
				}
				if !yield(n, s.term) {
					return
				}
				n++
				i += size
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				s.term = s.term[:0]
				for i < len(text) && !IsPaired(r) && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
					s.term = utf8.AppendRune(s.term, unicode.ToLower(r))
					i += size
					r, size = utf8.DecodeRuneInString(text[i:])
				}
				if !yield(n, s.term) {
					return
				}
				n++
			default:
				i += size
			}
		}
	}
}
