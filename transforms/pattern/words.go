package pattern

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
			if f.pairs[before<<2|c>>6]>>(c&63)&1 != 0 && beginsWith(f, text[i-1:]) {
				return true
			}
			before = c
		}
		return false
	}
}

// finder has the words by the first byte. Most texts differ from all words in any two bytes.
type finder struct {
	folded [256]uint8
	pairs  [4 * 256]uint64 // a bit for each two bytes that begin a word
	words  [256][]string
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
		first, second := w[0], w[1]
		// There is no byte before a text's first, for which the search has a 0.
		if first == 0 {
			panic("pattern: word begins with NUL")
		}
		f.pairs[int(first)<<2|int(second>>6)] |= 1 << (second & 63)
		f.words[first] = append(f.words[first], w)
	}
	return f
}

func beginsWith[T string | []byte](f *finder, text T) bool {
	for _, w := range f.words[f.folded[text[0]]] {
		if len(text) < len(w) {
			continue
		}
		i := 1
		for i < len(w) && f.folded[text[i]] == w[i] {
			i++
		}
		if i == len(w) {
			return true
		}
	}
	return false
}
