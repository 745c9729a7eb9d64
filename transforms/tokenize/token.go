package tokenize

import (
	"iter"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxTerm is how many bytes of a word make its term: longer ones are codes, not words, and an index would keep each of
// them. The rest is left out, in texts and queries alike.
const MaxTerm = 64

// Scanner gives the terms of texts, one text after the other. The zero value is ready; it is for one goroutine.
type Scanner struct {
	term     []byte // under way, or the one that was given last
	full     bool   // a character did not fit into it
	before   rune   // the letter before of a run of a script without spaces, 0 outside such a run
	joined   bool   // there is a pair that ends in it
	position int
	index    bool   // for an index: the last letter of a run is a term
	buf      []byte // what is normalised
}

// Index gives the terms of a text that is to be found, each with its place: places count from 0, and each has one term.
// The bytes of a term are good until the next one is asked for.
func (s *Scanner) Index(text string) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) { s.terms(text, true, yield) }
}

// Query gives the terms to find a text by, each with its place in it. Of a run of letters without spaces these are the
// pairs alone: what follows the last letter is not known, so its place has no term.
func (s *Scanner) Query(text string) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) { s.terms(text, false, yield) }
}

func (s *Scanner) terms(text string, index bool, yield func(int, []byte) bool) {
	*s = Scanner{term: s.term[:0], buf: s.buf, index: index}
	for text != "" {
		block := text[:blockEnd(text)]
		text = text[len(block):]
		if !s.block(block, yield) {
			return
		}
	}
	_ = s.endWord(yield) && s.endRun(yield) // nothing comes after them, whatever they say
}

// blockSize is how much of a text is looked at at once: who stops at the first terms of a long text has paid for no
// more.
const blockSize = 4 << 10

// blockEnd is where the first block of a text ends: before a character of ASCII, which nothing before it changes.
func blockEnd(text string) int {
	for i := blockSize; i < len(text); i++ {
		if text[i] < utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// block scans a part of a text in its normal form. Nearly all text is in it; the rest is brought there piece by piece.
func (s *Scanner) block(text string, yield func(int, []byte) bool) bool {
	for {
		n := norm.NFKC.QuickSpanString(text)
		if !s.scan(text[:n], yield) {
			return false
		}
		if text = text[n:]; text == "" {
			return true
		}
		n = norm.NFKC.NextBoundaryInString(text, true)
		s.normalise(text[:n])
		text = text[n:]
		if !s.scan(string(s.buf), yield) {
			return false
		}
	}
}

// normalise leaves the normal form of a piece in buf. Most pieces are one character that stands for one of ASCII, as a
// full-width comma does; for others package norm allocates a buffer.
func (s *Scanner) normalise(piece string) {
	p := norm.NFKC.PropertiesString(piece)
	if d := p.Decomposition(); p.Size() == len(piece) && len(d) == 1 {
		s.buf = append(s.buf[:0], d...)
		return
	}
	s.buf = norm.NFKC.AppendString(s.buf[:0], piece)
}

// scan goes over normalised text, and gives the terms that end in it. It is false when no more are wanted.
func (s *Scanner) scan(text string, yield func(int, []byte) bool) bool {
	low := lowFolds()
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			n := s.ascii(text[i:], yield)
			if n < 0 {
				return false
			}
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		var f fold
		if int(r) < len(low) {
			f = low[r]
		} else {
			f = foldOf(r)
		}
		if !s.take(r, &f, yield) {
			return false
		}
	}
	return true
}

// ascii takes the letters and digits of ASCII at the beginning of text, or what separates terms, and returns how many
// bytes that is; -1 when no more terms are wanted.
func (s *Scanner) ascii(text string, yield func(int, []byte) bool) int {
	if asciiFolds[text[0]] == 0 {
		if !s.endWord(yield) || !s.endRun(yield) {
			return -1
		}
		return 1
	}
	if !s.endRun(yield) {
		return -1
	}
	n := 0
	for ; n < len(text) && text[n] < utf8.RuneSelf; n++ {
		c := asciiFolds[text[n]]
		if c == 0 {
			break
		}
		if len(s.term) < MaxTerm && !s.full {
			s.term = append(s.term, c)
		}
	}
	return n
}

// take takes a character that is not of ASCII.
func (s *Scanner) take(r rune, f *fold, yield func(int, []byte) bool) bool {
	switch f.class {
	case ignored:
		return true
	case wordPart:
		if !s.endRun(yield) {
			return false
		}
		if s.full = s.full || len(s.term)+int(f.n) > MaxTerm; !s.full {
			s.term = append(s.term, f.text[:f.n]...)
		}
		return true
	case paired:
		return s.endWord(yield) && s.pair(r, yield)
	}
	return s.endWord(yield) && s.endRun(yield)
}

// endWord gives the word under way, if there is one.
func (s *Scanner) endWord(yield func(int, []byte) bool) bool {
	if len(s.term) == 0 {
		return true
	}
	return s.give(yield)
}

// pair gives the pair that r ends, if it is not the first of its run.
func (s *Scanner) pair(r rune, yield func(int, []byte) bool) bool {
	first := s.before
	s.before, s.joined = r, first != 0
	if first == 0 {
		return true
	}
	s.term = utf8.AppendRune(utf8.AppendRune(s.term, first), r)
	return s.give(yield)
}

// endRun gives the last letter of the run under way, if there is one. A query wants that only of a run of one letter.
func (s *Scanner) endRun(yield func(int, []byte) bool) bool {
	if s.before == 0 {
		return true
	}
	last, wanted := s.before, s.index || !s.joined
	s.before, s.joined = 0, false
	if !wanted {
		s.position++
		return true
	}
	s.term = utf8.AppendRune(s.term, last)
	return s.give(yield)
}

// give gives the term and makes room for the next one.
func (s *Scanner) give(yield func(int, []byte) bool) bool {
	ok := yield(s.position, s.term)
	s.position++
	s.term, s.full = s.term[:0], false
	return ok
}
