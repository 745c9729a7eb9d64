package meaning

import (
	"unicode"
	"unicode/utf8"
)

// mostUnknown bounds the words that Unknown returns.
const mostUnknown = 20

// Unknown returns the words of a text that the model does not know, the first twenty, and the number of those that it
// knows. A vector of unknown words alone means nothing, though it may have a length. A tokenizer divides a word into
// single letters at least, and these have vectors too.
func (e *Encoder) Unknown(text string) (unknown []string, known int) {
	for w := range words(text) {
		from := w.From
		for from < w.To {
			word := wordIn(text[from:w.To])
			if from += max(1, len(word)); word == "" {
				continue
			}
			switch {
			case e.knows(word):
				known++
			case len(unknown) < mostUnknown:
				unknown = append(unknown, word[:cut(word, maxWord)])
			}
		}
	}
	return unknown, known
}

// wordIn returns the letters and digits at the beginning of a text, with the marks on them.
func wordIn(text string) string {
	for i, r := range text {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return text[:i]
		}
	}
	return text
}

// knows reports whether the tokens of a word have two letters or more on average. One letter is enough in scripts in
// which it can be a word or a syllable.
func (e *Encoder) knows(word string) bool {
	letters, dense := 0, false
	for _, r := range word {
		letters++
		dense = dense || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	}
	ids, err := e.m.tokens.Tokens(word)
	if err != nil {
		return false
	}
	count := 0
	for _, id := range ids {
		if _, weight := e.m.row(id); weight == 0 {
			return false
		}
		count++
	}
	return count > 0 && (dense || letters >= 2*count || letters == 1 && utf8.RuneLen([]rune(word)[0]) == 1)
}
