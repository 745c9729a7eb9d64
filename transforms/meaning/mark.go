package meaning

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// minAlike is the least cosine at which a word is marked. Unrelated words are below it.
const minAlike = 0.4

// isOther reports whether a character is not a part of words.
func isOther(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Mark returns the words of a text that are nearest to a vector, at most n of them, in the order of the text. They show
// why the text was found.
func (e *Encoder) Mark(v []float32, text string, n int) []Span {
	type near struct {
		Span
		alike float32
	}
	if e.m.whole {
		return nil // its words have no vectors of their own
	}
	var list []near
	seen := map[string]float32{}
	own := make([]float32, len(v))
	for at := range words(text) {
		inner := strings.TrimFunc(text[at.From:at.To], isOther)
		if len(inner) < 3 || len(inner) > maxWord {
			continue
		}
		alike, known := seen[inner]
		if !known {
			clear(own)
			e.add(own, inner)
			Normalize(own)
			for i, x := range own {
				alike += float32(x * v[i])
			}
			seen[inner] = alike
		}
		if alike >= minAlike {
			from := at.From + strings.Index(text[at.From:at.To], inner)
			list = append(list, near{Span{from, from + len(inner)}, alike})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(b.alike, a.alike) })
	list = list[:min(n, len(list))]
	slices.SortFunc(list, func(a, b near) int { return cmp.Compare(a.From, b.From) })
	spans := make([]Span, len(list))
	for i, w := range list {
		spans[i] = w.Span
	}
	return spans
}
