package filter

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// gopherRepetition is the filter of repeated text of the Gopher paper, table A1.
var gopherRepetition = Filter{
	Name: "gopher_repetition", Source: gopherPaper + ", table A1",
	Does:      "refuses what repeats itself: lines, paragraphs, or sequences of words",
	Constants: repetitionConstants(),
	make: func(s Settings) (Judge, error) {
		r := &repetition{numbers: s.Numbers}
		for n := 2; n <= 10; n++ {
			r.limits[n] = s.Numbers[ngramName(n)]
			r.reasons[n] = ngramName(n)
		}
		return r.judge, nil
	},
}

func ngramName(n int) string {
	if n <= 4 {
		return fmt.Sprintf("top_%d_gram", n)
	}
	return fmt.Sprintf("repeated_%d_grams", n)
}

func repetitionConstants() []Constant {
	list := []Constant{
		{"repeated_lines", 0.30, "share of lines that are equal to an earlier one"},
		{"repeated_paragraphs", 0.30, "share of paragraphs, likewise"},
		{"repeated_line_characters", 0.20, "share of the text's code points in such lines"},
		{"repeated_paragraph_characters", 0.20, "likewise in paragraphs"},
	}
	for n, limit := range []float64{2: 0.20, 0.18, 0.16} {
		if n >= 2 {
			list = append(list, Constant{ngramName(n), limit, "share of code points in the most frequent sequence of so " +
				"many words"})
		}
	}
	for n, limit := range []float64{5: 0.15, 0.14, 0.13, 0.12, 0.11, 0.10} {
		if n >= 5 {
			list = append(list, Constant{ngramName(n), limit, "share of code points in repeated sequences of so many words"})
		}
	}
	return list
}

// repetition keeps the tables between pages.
type repetition struct {
	numbers map[string]float64
	limits  [11]float64
	reasons [11]string
	strings map[string]struct{}
	words   []wordHash
	grams   map[uint64]gram
	seen    map[uint64]struct{}
}

// A wordHash is what n-grams are made of: a hash, its factor, and the length.
type wordHash struct {
	hash, power uint64
	runes       int
}

// A gram is how often an n-gram was there, and how long it is.
type gram struct{ count, runes, first int }

func (r *repetition) judge(p *Page) string {
	all := float64(runes(p.Text))
	if all == 0 {
		return "empty"
	}
	n := r.numbers
	share, characters := r.repeated(strings.TrimSpace(p.Text), 2)
	if share > n["repeated_paragraphs"] {
		return "repeated_paragraphs"
	}
	if characters/all > n["repeated_paragraph_characters"] {
		return "repeated_paragraph_characters"
	}
	share, characters = r.repeated(p.Text, 1)
	if share > n["repeated_lines"] {
		return "repeated_lines"
	}
	if characters/all > n["repeated_line_characters"] {
		return "repeated_line_characters"
	}
	return r.judgeWords(p.Words(), all)
}

// repeated is the share of the parts of a text that repeat earlier ones, and the code points in these. Parts are
// divided by at least so many line feeds.
func (r *repetition) repeated(text string, feeds int) (share, characters float64) {
	if r.strings == nil {
		r.strings = map[string]struct{}{}
	}
	clear(r.strings)
	parts, copies := 0.0, 0.0
	for from := 0; from <= len(text); {
		end, next := nextBreak(text, from, feeds)
		part := text[from:end]
		from = next
		parts++
		if _, ok := r.strings[part]; ok {
			copies, characters = copies+1, characters+float64(runes(part))
			continue
		}
		r.strings[part] = struct{}{}
	}
	return copies / parts, characters
}

// nextBreak finds the next run of at least so many line feeds, and where the next part begins; behind the text there
// is none.
func nextBreak(text string, from, feeds int) (end, next int) {
	for at := from; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text), len(text) + 1
		}
		end = at + i
		next = end
		for next < len(text) && text[next] == '\n' {
			next++
		}
		if next-end >= feeds {
			return end, next
		}
		at = next
	}
}

func (r *repetition) judgeWords(words []string, all float64) string {
	r.hash(words)
	for n := 2; n <= 4 && n <= len(words); n++ {
		if float64(r.top(n))/all > r.limits[n] {
			return r.reasons[n]
		}
	}
	// Most texts repeat so little that no sequence has to be counted.
	if float64(r.covered())/all <= slices.Min(r.limits[least:]) {
		return ""
	}
	for n := least; n <= 10; n++ {
		if float64(r.copies(n))/all > r.limits[n] {
			return r.reasons[n]
		}
	}
	return ""
}

// modulus is the prime that sequences of words are hashed with: 2^61-1.
const modulus = 1<<61 - 1

func multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return reduce(low&modulus + (low>>61 | high<<3))
}

func reduce(x uint64) uint64 {
	if x >= modulus {
		return x - modulus
	}
	return x
}

const base = 0x1f3d5b79a2c4e6 // any number below the modulus will do

// hash hashes each word by its bytes, so that hashes of words in a row make that of the words joined: the rule compares
// joined words.
func (r *repetition) hash(words []string) {
	r.words = r.words[:0]
	for _, w := range words {
		h := wordHash{power: 1}
		for i := range len(w) {
			h.hash = reduce(multiply(h.hash, base) + uint64(w[i]) + 1)
			h.power = multiply(h.power, base)
		}
		h.runes = runes(w)
		r.words = append(r.words, h)
	}
}

// join is the hash and the length of n words in a row.
func join(words []wordHash) (h uint64, length int) {
	for _, w := range words {
		h = reduce(multiply(h, w.power) + w.hash)
		length += w.runes
	}
	return h, length
}

// top is how many code points the most frequent n-gram takes, with spaces between its words; of equally frequent ones
// the first.
func (r *repetition) top(n int) int {
	if r.grams == nil {
		r.grams = map[uint64]gram{}
	}
	clear(r.grams)
	var best gram
	for i := range len(r.words) - n + 1 {
		// With a factor for the space: "a bc" is another 2-gram than "ab c".
		var h uint64
		length := n - 1
		for _, w := range r.words[i : i+n] {
			h = reduce(multiply(multiply(h, w.power), base) + w.hash)
			length += w.runes
		}
		g, ok := r.grams[h]
		if !ok {
			g = gram{runes: length, first: i}
		}
		g.count++
		r.grams[h] = g
		if g.count > best.count || g.count == best.count && g.first < best.first {
			best = g
		}
	}
	return best.count * best.runes
}

// least is the length of the shortest sequences whose copies are counted.
const least = 5

// covered is how many code points are in words of sequences of five that were there before: copies of longer sequences
// consist of such, so that no count of copies is more than this.
func (r *repetition) covered() (length int) {
	if r.seen == nil {
		r.seen = map[uint64]struct{}{}
	}
	clear(r.seen)
	end := 0 // of what was counted
	for i := 0; i+least <= len(r.words); i++ {
		h, _ := join(r.words[i : i+least])
		if _, ok := r.seen[h]; !ok {
			r.seen[h] = struct{}{}
			continue
		}
		for end = max(end, i); end < i+least; end++ {
			length += r.words[end].runes
		}
	}
	return length
}

// copies is how many code points are in n-grams that were there before, none counted twice.
func (r *repetition) copies(n int) (length int) {
	clear(r.seen)
	for i := 0; i+n <= len(r.words); {
		h, size := join(r.words[i : i+n])
		if _, ok := r.seen[h]; ok {
			length, i = length+size, i+n
			continue
		}
		r.seen[h] = struct{}{}
		i++
	}
	return length
}
