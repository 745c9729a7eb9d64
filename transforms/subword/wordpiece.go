package subword

import "unicode/utf8"

// wordPiece takes the longest token with which the rest of a word begins (Schuster and Nakajima 2012). A word with a
// part that is in no token is the unknown token.
type wordPiece struct {
	ids     map[string]int32
	prefix  string // of tokens inside of words
	unknown int32
	longest int // characters of a word
	maxSize int // bytes of a token
}

func (m *wordPiece) append(ids []int32, word string, _ *worker) []int32 {
	if utf8.RuneCountInString(word) > m.longest {
		return append(ids, m.unknown)
	}
	begin := len(ids)
	for start := 0; start < len(word); {
		prefix := ""
		if start > 0 {
			prefix = m.prefix
		}
		end, found := min(len(word), start+m.maxSize), false
		for ; end > start; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id, ok := m.ids[prefix+word[start:end]]; ok {
				ids, found = append(ids, id), true
				break
			}
		}
		if !found {
			return append(ids[:begin], m.unknown)
		}
		start = end
	}
	return ids
}
