package subword

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in texts as it is, before they are divided into words.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"` // only between characters that are not of words
	LStrip     bool   `json:"lstrip"`      // with the white space before it
	RStrip     bool   `json:"rstrip"`      // with the white space after it
	Normalized bool   `json:"normalized"`  // found in normalized texts
}

// matcher finds added tokens: at each place the longest.
type matcher struct {
	trie   trie
	tokens []addedToken // by the values of the trie
	first  [256]bool    // bytes with which tokens begin
}

func (m *matcher) add(t addedToken, text string) {
	if text == "" {
		return
	}
	m.trie.add(text, int32(len(m.tokens)))
	m.tokens = append(m.tokens, t)
	m.first[text[0]] = true
}

// each calls do with the parts of a text in order, and with where they begin: added tokens, and with -1 the text
// between them.
func (m *matcher) each(text string, do func(part string, start int, id int32)) {
	from := 0
	for i := 0; i < len(text) && len(m.tokens) > 0; {
		value, size := int32(-1), 0
		if m.first[text[i]] {
			value, size = m.trie.longest(text[i:])
		}
		if value < 0 {
			i++
			continue
		}
		t, start, end := &m.tokens[value], i, i+size
		i = end
		if t.SingleWord && (endsInWord(text[:start]) || beginsWithWord(text[end:])) {
			continue
		}
		if t.LStrip {
			start = from + len(strings.TrimRightFunc(text[from:start], unicode.IsSpace))
		}
		if t.RStrip {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
			i = end
		}
		if from < start {
			do(text[from:start], from, -1)
		}
		do(text[start:end], start, t.ID)
		from = end
	}
	if from < len(text) {
		do(text[from:], from, -1)
	}
}

func endsInWord(s string) bool {
	r, size := utf8.DecodeLastRuneInString(s)
	return size > 0 && wordSet.has(r)
}

func beginsWithWord(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size > 0 && wordSet.has(r)
}
