package filter

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// contamination refuses texts that contain passages of benchmarks, since a model would memorise them.
var contamination = Filter{
	Name: "contamination",
	Does: "refuses texts that share a sequence of words with a text of the list, such as the questions of a benchmark",
	Source: `Brown et al., "Language models are few-shot learners", 2020, arXiv 2005.14165, appendix C: 13 words, ` +
		`without ` +
		"case and punctuation",
	Constants: []Constant{{"ngram", 13, "words in a row; shorter texts of the list are taken whole"}},
	Lists:     []string{"texts"},
	make: func(s Settings) (Judge, error) {
		if len(s.Lists["texts"]) == 0 {
			return nil, errors.New("name texts, one a line")
		}
		n := int(s.Numbers["ngram"])
		if n < 1 || n > 100 {
			return nil, errors.New("ngram is 1 to 100")
		}
		b := benchmark{n: n, known: map[string]struct{}{}, short: map[int]map[string]struct{}{}}
		for _, text := range s.Lists["texts"] {
			b.add(plainWords(text))
		}
		return func(p *Page) string {
			if b.isIn(plainWords(p.Text)) {
				return "benchmark"
			}
			return ""
		}, nil
	},
}

// benchmark holds the passages of the list.
type benchmark struct {
	n     int // words of a passage
	known map[string]struct{}
	short map[int]map[string]struct{} // whole texts that are shorter, by the number of their words
}

func (b *benchmark) add(w words) {
	whole := true
	w.passages(b.n, func(passage string) bool {
		b.known[passage] = struct{}{}
		whole = false
		return true
	})
	if size := len(w.ends); whole && size > 0 {
		if b.short[size] == nil {
			b.short[size] = map[string]struct{}{}
		}
		b.short[size][w.text] = struct{}{}
	}
}

// isIn reports whether a text has one of the passages.
func (b *benchmark) isIn(w words) (found bool) {
	if len(b.known) > 0 {
		w.passages(b.n, func(passage string) bool {
			_, found = b.known[passage]
			return !found
		})
	}
	for size, texts := range b.short {
		for i := 0; i+size <= len(w.ends) && !found; i++ {
			_, found = texts[w.from(i, i+size)]
		}
	}
	return found
}

// words are the words of a text, without case and punctuation, with a space between them. Where words are not spaced,
// each character is one, with its marks.
type words struct {
	text  string
	ends  []int32
	sizes []uint8 // in sixths of a word
}

// from returns the words from i up to j.
func (w *words) from(i, j int) string {
	start := int32(0)
	if i > 0 {
		start = w.ends[i-1] + 1
	}
	return w.text[start:w.ends[j-1]]
}

// passages calls do with each sequence of n words, until it returns false. Characters count as parts of words, as in
// Page.partsOfWord.
func (w *words) passages(n int, do func(passage string) bool) {
	size, end := 0, 0
	for i := range w.ends {
		for ; end < len(w.ends) && size < n*wholeWord; end++ {
			size += int(w.sizes[end])
		}
		if size < n*wholeWord || !do(w.from(i, end)) {
			return
		}
		size -= int(w.sizes[i])
	}
}

// wholeWord is the size of a word that is spaced.
const wholeWord = 6

// sizeOf returns the size of a character that is a word of its own, or 0 for others.
func sizeOf(r rune) uint8 {
	switch {
	case r < 0xe00 || !unicode.IsLetter(r):
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return wholeWord / 2
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return wholeWord / 3
	}
	return 0
}

// plainWords returns the words of a text.
func plainWords(text string) (w words) {
	var b strings.Builder
	b.Grow(len(text))
	last, in := uint8(wholeWord), false // in is true within a word
	end := func() {
		if in {
			w.ends, w.sizes, in = append(w.ends, int32(b.Len())), append(w.sizes, last), false
		}
	}
	for _, r := range strings.ToLower(norm.NFC.String(text)) {
		size := sizeOf(r)
		switch {
		case r < utf8.RuneSelf && in && last == wholeWord && asciiKind[r]&kindLetter != 0:
			b.WriteByte(byte(r))
			continue
		case unicode.Is(unicode.Cf, r): // within words, such as a joiner
			continue
		case unicode.IsMark(r) && in:
			b.WriteRune(r)
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end()
			continue
		case size > 0 || last < wholeWord:
			end()
		}
		if !in && b.Len() > 0 {
			b.WriteByte(' ')
		}
		last, in = wholeWord, true
		if size > 0 {
			last = size
		}
		b.WriteRune(r)
	}
	end()
	w.text = b.String()
	return w
}
