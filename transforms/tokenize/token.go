package tokenize

import (
	"iter"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxTerm is the maximum number of bytes of a word in its term. Longer words are usually codes, and an index would
// keep each of them. The rest is left out, in texts and queries alike.
const MaxTerm = 64

// Scanner yields the terms of texts, one text after the other. The zero value is ready. It is not safe for concurrent
// use.
type Scanner struct {
	term     []byte // the current term, or the last one yielded
	full     bool   // a character did not fit into it
	before   rune   // the last letter in a run of a script without spaces, 0 outside such a run
	joined   bool   // some pair ends in it
	position int
	index    bool   // for an index, the last letter of a run is a term
	buf      []byte // normalised text
}

// Index yields the terms of a text for an index, each with its position. Positions count from 0, and each has one
// term. The bytes of a term are valid until the next one.
func (s *Scanner) Index(text string) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) { s.terms(text, true, yield) }
}

// Query yields the terms of a query, each with its position. Runs of letters without spaces give only pairs. The
// letter after the last one is not known, so its position has no term.
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
	_ = s.endWord(yield) && s.endRun(yield) // the result does not matter, since these are the last terms
}

// blockSize is the part of a text read at once, so that stopping at the first terms of a long text is cheap.
const blockSize = 4 << 10

// blockEnd returns the end of the first block of a text: before an ASCII character, which the text before it cannot
// change.
func blockEnd(text string) int {
	for i := blockSize; i < len(text); i++ {
		if text[i] < utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// block scans a part of a text in normal form. Nearly all text is; the rest is normalised piece by piece.
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

// normalise puts the normal form of a piece into buf. Most pieces are one character that maps to an ASCII character,
// such as a full-width comma. For others package norm allocates a buffer.
func (s *Scanner) normalise(piece string) {
	p := norm.NFKC.PropertiesString(piece)
	if d := p.Decomposition(); p.Size() == len(piece) && len(d) == 1 {
		s.buf = append(s.buf[:0], d...)
		return
	}
	s.buf = norm.NFKC.AppendString(s.buf[:0], piece)
}

// scan reads normalised text and yields the terms that end in it. It returns false if no more are wanted.
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

// ascii reads ASCII letters and digits at the beginning of text, or a separator, and returns the number of bytes. It
// returns -1 if no more terms are wanted.
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

// take handles a non-ASCII character.
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

// endWord yields the current word, if there is one.
func (s *Scanner) endWord(yield func(int, []byte) bool) bool {
	if len(s.term) == 0 {
		return true
	}
	return s.give(yield)
}

// pair yields the pair that ends with r, unless r is the first of its run.
func (s *Scanner) pair(r rune, yield func(int, []byte) bool) bool {
	first := s.before
	s.before, s.joined = r, first != 0
	if first == 0 {
		return true
	}
	s.term = utf8.AppendRune(utf8.AppendRune(s.term, first), r)
	return s.give(yield)
}

// endRun yields the last letter of the current run, if there is one. A query wants it only for a run of one letter.
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

// give yields the term and makes room for the next one.
func (s *Scanner) give(yield func(int, []byte) bool) bool {
	ok := yield(s.position, s.term)
	s.position++
	s.term, s.full = s.term[:0], false
	return ok
}
