package query

import (
	"bytes"
	"iter"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/stem"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Highlighter finds the words in a text for which a filter searches, to show people why a capture matches. It is not
// safe for concurrent use.
type Highlighter struct {
	scanner tokenize.Scanner
	term    [tokenize.MaxTerm]byte // term of an ASCII word
	words   []*wanted
	phrases []*phrase
	begins  [utf8.RuneSelf]bool // first bytes of ASCII words that may match
}

// NewHighlighter returns a Highlighter for the searches of e, except for those under a NOT. If there are none, it
// shows the beginnings of texts.
func NewHighlighter(e Expr) *Highlighter {
	h := &Highlighter{}
	h.add(e)
	for c := range h.begins {
		h.begins[c] = h.mayBegin(byte(c))
	}
	return h
}

// mayBegin reports whether a word that begins with an ASCII letter or digit may match.
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
			// Phrases are found by steps through the terms, words by a map lookup.
			h.phrases = append(h.phrases, newPhrase(e.Query))
		} else {
			w := newWanted(e.Terms)
			for _, language := range stem.Languages() { // a text's language is not known here
				if f := newForms(e, language); f != nil {
					w.anyForms = append(w.anyForms, f)
				}
			}
			h.words = append(h.words, w)
		}
	case *And, *Or: // words under a NOT are not in a matching document
		for _, x := range operands(e) {
			h.add(x)
		}
	}
}

// Excerpt is a part of a text.
type Excerpt struct {
	Text  string
	Marks []Span // matches in Text, in order and without touching each other
	// Before and After report whether the text continues there.
	Before, After bool
}

// Span is the range of bytes From to To of a text, without To. Both are at the borders of characters.
type Span struct{ From, To int }

// Bounds of the work for an excerpt: answers are shown by the dozen, and texts have any length.
const (
	maxLooked  = 1 << 20 // bytes
	maxMatches = 1000
)

// Excerpt returns the part of a text, of about the given number of letters, that has the most matches. Of several it
// returns the first. Without matches it is the beginning. A text that is no longer is returned whole.
func (h *Highlighter) Excerpt(text string, letters int) Excerpt {
	// Only the beginning of a long text is searched and marked.
	matches := h.matches(clipBytes(text, maxLooked))
	from, to := 0, len(text)
	// Counting in a prefix that is certainly long enough avoids counting a text of megabytes.
	if utf8.RuneCountInString(clipBytes(text, letters*utf8.UTFMax+1)) > letters {
		from, to = window(text, matches, letters)
	}
	// The excerpt shares memory with text.
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

// clipBytes returns the beginning of a text, at most n bytes, in whole characters.
func clipBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// match is a match, with a bit for the search term; all terms from the 64th on share a bit.
type match struct {
	Span
	bit uint64
}

// matches returns the matches in the order of their ends.
func (h *Highlighter) matches(text string) (list []match) {
	if len(h.words)+len(h.phrases) == 0 {
		return nil
	}
	states := make([]uint64, len(h.phrases))
	var recent [maxPhrase]Span // the last terms, including a phrase's first
	n := 0
	for span, term := range h.spans(text) {
		recent[n%maxPhrase] = span
		n++
		number := 0
		for i, p := range h.phrases {
			if states[i] = p.step(states[i], term); states[i]&p.last != 0 {
				// The bit of a phrase's last term gives its length, and so the position of the first one.
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
		// These are enough to choose a window; later text is not marked.
		if len(list) >= maxMatches {
			break
		}
	}
	return list
}

// place returns the index of a term, if it is one of the wanted ones.
func (w *wanted) place(term []byte) (int, bool) {
	if i, ok := w.words[string(term)]; ok {
		return i, true
	}
	for _, p := range w.prefixes {
		if bytes.HasPrefix(term, p.text) {
			return p.place, true
		}
	}
	for _, f := range w.anyForms {
		if list := f.of(term); len(list) > 0 {
			return list[0], true
		}
	}
	return 0, false
}

// spans yields the terms of a text like tokenize.Scanner, with their positions. The scanner does not know positions,
// since it reads normalised text. So spans divides the text at characters that belong to no term, and between words
// and scripts without spaces. If a division changes the terms, some marks are missing or too many.
func (h *Highlighter) spans(text string) iter.Seq2[Span, []byte] {
	return func(yield func(Span, []byte) bool) {
		for from := 0; from < len(text); {
			// Most texts are ASCII words, and most of these do not match.
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

// asciiRun is runOf for a text that begins with an ASCII word, or with an ASCII character outside words; then n is 0.
// Result is is false if the word continues with other characters.
func asciiRun(text string) (n int, is bool) {
	for n < len(text) && asciiWords[text[n]] {
		n++
	}
	return n, n == len(text) || text[n] < utf8.RuneSelf
}

// run yields the terms of one piece: a whole word, or two letters of a script without spaces.
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

// ascii returns the term of a word of ASCII letters and digits, which most words are. It equals the scanner's result.
// The bytes are valid until the next call.
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

// inWord reports whether a character may be in a word, or in a run of a script without spaces.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf) // a soft hyphen is Cf
}

// runOf returns the length of the word, or the run of a script without spaces, at the beginning of a text. It returns
// 0 if the text begins with neither.
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
