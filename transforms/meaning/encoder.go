package meaning

import (
	"iter"
	"math"
	"unicode"
	"unicode/utf8"
)

const (
	// maxWords bounds the words that an Encoder remembers, and maxWord the bytes of each.
	maxWords = 1 << 16
	maxWord  = 48
	// maxRun bounds the bytes of a text without a space that is given to the tokenizer at once.
	maxRun = 4096
)

// Encoder makes vectors with a model. It remembers the tokens of words, so one goroutine should keep one.
type Encoder struct {
	m     *Model
	words map[string]list
	ids   []int32 // of the remembered words
	sum   []float32
}

// list is a part of Encoder.ids.
type list struct{ from, to int32 }

// NewEncoder returns an Encoder.
func NewEncoder(m *Model) *Encoder {
	return &Encoder{m: m, words: map[string]list{}, sum: make([]float32, m.Dim)}
}

// Vector returns the vector of texts that are read one after the other. Its length is 1, or 0 if the model does not
// know the words. It is valid until the next call.
func (e *Encoder) Vector(texts ...string) []float32 {
	clear(e.sum)
	for _, text := range texts {
		e.add(e.sum, text)
	}
	Normalize(e.sum)
	return e.sum
}

func (e *Encoder) add(sum []float32, text string) {
	if e.m.whole {
		for len(text) > 0 {
			n := cut(text, maxRun)
			e.addRun(sum, text[:n])
			text = text[n:]
		}
		return
	}
	for w := range words(text) {
		for _, id := range e.tokens(text[w.From:w.To]) {
			e.m.add(sum, id)
		}
	}
}

// addRun adds the tokens of a text. A text that the tokenizer refuses adds nothing.
func (e *Encoder) addRun(sum []float32, text string) {
	ids, err := e.m.tokens.Tokens(text)
	if err != nil {
		return
	}
	for _, id := range ids {
		e.m.add(sum, id)
	}
}

// tokens returns the tokens of a word.
func (e *Encoder) tokens(word string) []int32 {
	if known, has := e.words[word]; has {
		return e.ids[known.from:known.to]
	}
	ids, err := e.m.tokens.Tokens(word)
	if err != nil || len(word) > maxWord {
		return ids
	}
	if len(e.words) >= maxWords {
		clear(e.words)
		e.ids = e.ids[:0]
	}
	from := int32(len(e.ids))
	e.ids = append(e.ids, ids...)
	// A copy: word is a part of a long text.
	e.words[string([]byte(word))] = list{from, int32(len(e.ids))}
	return e.ids[from:]
}

// words yields the runs of a text between spaces, none longer than maxRun.
func words(text string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		from := -1
		for i, r := range text {
			space := unicode.IsSpace(r)
			if from >= 0 && (space || i-from >= maxRun) {
				if !yield(Span{from, i}) {
					return
				}
				from = -1
			}
			if from < 0 && !space {
				from = i
			}
		}
		if from >= 0 {
			yield(Span{from, len(text)})
		}
	}
}

// cut returns the length of the longest beginning of a text that has at most n bytes and whole characters.
func cut(text string, n int) int {
	if len(text) <= n {
		return len(text)
	}
	for n > 1 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// Normalize gives a vector the length 1, unless it is 0.
func Normalize(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	factor := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= factor
	}
}
