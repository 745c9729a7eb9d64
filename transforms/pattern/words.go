package pattern

import "strings"

// Words returns a function that reports whether a text has one of the words, each of two bytes or more. It reads the
// text once, however many words there are. The function is safe for concurrent use.
func Words[T string | []byte](words ...string) func(T) bool { return wordsOf[T](words, false) }

// WordsFold is like [Words] for words in lower case, and ignores the case of ASCII letters in texts.
func WordsFold[T string | []byte](words ...string) func(T) bool { return wordsOf[T](words, true) }

func wordsOf[T string | []byte](words []string, fold bool) func(T) bool {
	f := newFinder(words, fold)
	return func(text T) bool {
		before := 0
		for i := 0; i < len(text); i++ {
			c := int(f.folded[text[i]])
			if f.pairs[before<<2|c>>6]>>(c&63)&1 != 0 && wordAt(f, text, i) {
				return true
			}
			before = c
		}
		return false
	}
}

// finder has the words by one of their bytes. Most texts differ from the rarest two bytes of all words everywhere.
type finder struct {
	folded [256]uint8
	pairs  [4 * 256]uint64 // a bit for the rarest two bytes of each word
	words  [256][]word     // by the second of these
}

type word struct {
	text string
	at   int // of the second of its rarest two bytes
}

func newFinder(words []string, fold bool) *finder {
	f := new(finder)
	for c := range f.folded {
		f.folded[c] = uint8(c)
		if fold && 'A' <= c && c <= 'Z' {
			f.folded[c] += 'a' - 'A'
		}
	}
	for _, w := range words {
		at := 1
		for i := 2; i < len(w); i++ {
			if rarity(w[i-1])+rarity(w[i]) > rarity(w[at-1])+rarity(w[at]) {
				at = i
			}
		}
		f.pairs[int(w[at-1])<<2|int(w[at]>>6)] |= 1 << (w[at] & 63)
		f.words[w[at]] = append(f.words[w[at]], word{w, at})
	}
	return f
}

// rarity orders bytes from the most frequent to the rarest. It affects only the time.
func rarity(c byte) int {
	const letters = " etaoinsrhldcumfpgwybvkxjqz"
	if i := strings.IndexByte(letters, c); i >= 0 {
		return i
	}
	return len(letters)
}

// wordAt reports whether text has a word around byte i.
func wordAt[T string | []byte](f *finder, text T, i int) bool {
	for _, w := range f.words[f.folded[text[i]]] {
		start := i - w.at
		if start < 0 || len(text)-start < len(w.text) {
			continue
		}
		n := 0
		for n < len(w.text) && f.folded[text[start+n]] == w.text[n] {
			n++
		}
		if n == len(w.text) {
			return true
		}
	}
	return false
}
