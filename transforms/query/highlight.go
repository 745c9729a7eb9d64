package query

import (
	"bytes"
	"iter"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Highlighter shows people why a capture is an answer: where in a text the words stand that a filter searches for. It
// is for one goroutine.
type Highlighter struct {
	scanner tokenize.Scanner
	term    [tokenize.MaxTerm]byte // of a word of ASCII
	words   []*wanted
	phrases []*phrase
	begins  [utf8.RuneSelf]bool // bytes that a word of ASCII begins with which may be one that is searched for
}

// NewHighlighter returns one for the searches of e, except for those under a NOT. It may have none: then it shows how
// texts begin.
func NewHighlighter(e Expr) *Highlighter {
	h := &Highlighter{}
	h.add(e)
	for c := range h.begins {
		h.begins[c] = h.mayBegin(byte(c))
	}
	return h
}

// mayBegin reports whether a word that begins with a letter or digit of ASCII may be one that is searched for.
func (h *Highlighter) mayBegin(c byte) bool {
	if len(h.phrases) > 0 {
		return true // these count all words
	}
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	for _, w := range h.words {
		for term := range w.words {
			if strings.HasPrefix(term, string(rune(c))) {
				return true
			}
		}
		for _, p := range w.prefixes {
			if len(p.text) == 0 || p.text[0] == c {
				return true
			}
		}
	}
	return false
}

func (h *Highlighter) add(e Expr) {
	switch e := e.(type) {
	case *Text:
		if e.Phrase {
			// Phrases are found by steps through the terms, words by a look into a map.
			h.phrases = append(h.phrases, newPhrase(e.Query))
		} else {
			h.words = append(h.words, newWanted(e.Terms))
		}
	case *And, *Or: // of a NOT nothing is in an answer
		for _, x := range operands(e) {
			h.add(x)
		}
	}
}

// Excerpt is a part of a text.
type Excerpt struct {
	Text  string
	Marks []Span // of what was searched for, in Text: in order, none touches another
	// Before and After tell whether the text goes on there.
	Before, After bool
}

// Span is bytes From to To, which is after the last, of a text. Both are at the borders of characters.
type Span struct{ From, To int }

// The bounds of what is looked at of a text for an excerpt: answers are shown by the dozen, texts have any length.
const (
	maxLooked  = 1 << 20 // bytes
	maxMatches = 1000
)

// Excerpt is the part of a text, of about so many letters, that has the most of the words that are searched for; the
// first of several, and the beginning of a text that has none of them. A text that is no longer is given as a whole.
func (h *Highlighter) Excerpt(text string, letters int) Excerpt {
	// Only the beginning of a long text is looked at: what follows it is not marked.
	matches := h.matches(clipBytes(text, maxLooked))
	from, to := 0, len(text)
	// Counted in a clip that is surely long enough, so that a text of megabytes is not counted
	// through.
	if utf8.RuneCountInString(clipBytes(text, letters*utf8.UTFMax+1)) > letters {
		from, to = window(text, matches, letters)
	}
	// A part of text, which it shares memory with.
	e := Excerpt{Text: text[from:to], Before: from > 0, After: to < len(text)}
	for _, m := range matches {
		m.From, m.To = max(m.From, from)-from, min(m.To, to)-from
		if m.From < m.To { // not outside
			e.Marks = joined(e.Marks, m.Span)
		}
	}
	return e
}

// joined adds a mark that ends after all others, or with the last. A phrase may begin before several of them.
func joined(marks []Span, m Span) []Span {
	for len(marks) > 0 && m.From <= marks[len(marks)-1].To {
		last := marks[len(marks)-1]
		m = Span{min(m.From, last.From), max(m.To, last.To)}
		marks = marks[:len(marks)-1]
	}
	return append(marks, m)
}

// clipBytes is the beginning of a text, of n bytes at most, that ends after a whole character.
func clipBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// match is something that was searched for, and which of all that is: a bit, for those beyond 64 of the last.
type match struct {
	Span
	bit uint64
}

// matches are the places of what is searched for, in the order of their ends.
func (h *Highlighter) matches(text string) (list []match) {
	if len(h.words)+len(h.phrases) == 0 {
		return nil
	}
	states := make([]uint64, len(h.phrases))
	var recent [maxPhrase]Span // the last terms, a phrase's first among them
	n := 0
	for span, term := range h.spans(text) {
		recent[n%maxPhrase] = span
		n++
		number := 0
		for i, p := range h.phrases {
			if states[i] = p.step(states[i], term); states[i]&p.last != 0 {
				// The bit of a phrase's last term tells its length, and so how many terms back the
				// first one is.
				first := recent[(n-bits.Len64(p.last))%maxPhrase]
				list = append(list, match{Span{first.From, span.To}, 1 << min(number, 63)})
			}
			number++
		}
		for _, w := range h.words {
			if i, ok := w.place(term); ok {
				list = append(list, match{span, 1 << min(number+i, 63)})
			}
			number += len(w.found)
		}
		// Enough to choose a window by; the text after is not marked.
		if len(list) >= maxMatches {
			break
		}
	}
	return list
}

// place is which of the terms one is, if it is one.
func (w *wanted) place(term []byte) (int, bool) {
	if i, ok := w.words[string(term)]; ok {
		return i, true
	}
	for _, p := range w.prefixes {
		if bytes.HasPrefix(term, p.text) {
			return p.place, true
		}
	}
	return 0, false
}

// spans gives the terms of a text as tokenize.Scanner does, with where they stand, which that does not know: it looks
// at normalised text. So the text is divided here, at characters that are of no term, and between words and scripts
// without spaces. Where a division makes other terms than the whole would, something is not marked, or too much.
func (h *Highlighter) spans(text string) iter.Seq2[Span, []byte] {
	return func(yield func(Span, []byte) bool) {
		for from := 0; from < len(text); {
			// Most texts are words of ASCII, of which most are none that is searched for.
			if n, is := asciiRun(text[from:]); is {
				if n > 0 && h.begins[text[from]] && !h.run(text, Span{from, from + n}, false, yield) {
					return
				}
				from += max(n, 1)
				continue
			}
			run, paired := runOf(text[from:])
			if run == 0 {
				_, n := utf8.DecodeRuneInString(text[from:])
				from += n
				continue
			}
			if !h.run(text, Span{from, from + run}, paired, yield) {
				return
			}
			from += run
		}
	}
}

// asciiWords are the letters and digits of ASCII.
var asciiWords = func() (table [1 << 8]bool) {
	for c := range utf8.RuneSelf {
		table[c] = inWord(rune(c))
	}
	return table
}()

// asciiRun is runOf of a text that begins with a word of ASCII, and no longer word, or with a character of ASCII that
// is of no word: then n is 0.
func asciiRun(text string) (n int, is bool) {
	for n < len(text) && asciiWords[text[n]] {
		n++
	}
	return n, n == len(text) || text[n] < utf8.RuneSelf
}

// run gives the terms of one piece: of a word it is all of it, of a script without spaces two letters.
func (h *Highlighter) run(text string, s Span, paired bool, yield func(Span, []byte) bool) bool {
	if term, ok := h.ascii(text[s.From:s.To]); ok {
		return yield(s, term)
	}
	at := s.From
	for _, term := range h.scanner.Index(text[s.From:s.To]) {
		where := s
		if paired {
			_, first := utf8.DecodeRuneInString(text[at:s.To])
			_, second := utf8.DecodeRuneInString(text[at+first : s.To])
			where = Span{at, at + first + second}
			at = min(at+first, s.To)
		}
		if !yield(where, term) {
			return false
		}
	}
	return true
}

// ascii is the term of a word that has nothing but letters and digits of ASCII, as most have: what the scanner would
// make of it. The bytes are good until the next call.
func (h *Highlighter) ascii(word string) (term []byte, ok bool) {
	term = h.term[:0]
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= utf8.RuneSelf:
			return nil, false
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if len(term) < tokenize.MaxTerm {
			term = append(term, c)
		}
	}
	return term, true
}

// inWord reports whether a character is of a word, or of a run of a script without spaces.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf) // a soft hyphen is Cf
}

// runOf is how many bytes at the beginning of a text are of one word, or of one run of a script without spaces; 0 when
// it begins with neither.
func runOf(text string) (n int, paired bool) {
	for i, r := range text {
		in := inWord(r)
		if is := in && tokenize.IsPaired(r); i == 0 {
			paired = is
		} else if is != paired {
			return i, paired
		}
		if !in {
			return i, paired
		}
	}
	return len(text), paired
}
