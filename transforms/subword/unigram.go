package subword

import (
	"slices"
	"unicode/utf8"
)

// unigram takes the tokens with the largest sum of scores (Kudo 2018, arXiv 1804.10959).
type unigram struct {
	trie    trie
	scores  []float64
	unknown int32
	worst   float64 // of a character that is in no token
	bytes   *[256]int32
}

// unknownPenalty is how much worse an unknown character is than the worst token, as in SentencePiece.
const unknownPenalty = 10

// step is the best way to a place in a word: the last token and where it begins, or -1.
type step struct {
	id    int32
	start int32
	score float64
}

func (m *unigram) append(ids []int32, word string, w *worker) []int32 {
	w.path = slices.Grow(w.path[:0], len(word)+1)[:len(word)+1]
	for i := range w.path {
		w.path[i] = step{start: -1}
	}
	for start := 0; start < len(word); {
		_, size := utf8.DecodeRuneInString(word[start:])
		here, single := w.path[start].score, false
		m.trie.each(word[start:], func(id int32, n int) {
			to := &w.path[start+n]
			if score := here + m.scores[id]; to.start < 0 || score > to.score {
				*to = step{id, int32(start), score}
			}
			single = single || n == size
		})
		if to := &w.path[start+size]; !single && (to.start < 0 || here+m.worst > to.score) {
			*to = step{m.unknown, int32(start), here + m.worst}
		}
		start += size
	}
	return m.back(ids, word, w)
}

// back appends the tokens of the best way. Unknown characters in a row are one text.
func (m *unigram) back(ids []int32, word string, w *worker) []int32 {
	begin := len(ids)
	for end := len(word); end > 0; {
		s := w.path[end]
		start := int(s.start)
		if s.id != m.unknown {
			ids, end = append(ids, s.id), start
			continue
		}
		for start > 0 && w.path[start].id == m.unknown {
			start = int(w.path[start].start)
		}
		ids = m.appendUnknown(ids, word[start:end])
		end = start
	}
	slices.Reverse(ids[begin:])
	return ids
}

// appendUnknown appends, from the last to the first, the tokens of a text of unknown characters.
func (m *unigram) appendUnknown(ids []int32, text string) []int32 {
	if id, n := m.trie.longest(text); n == len(text) && id >= 0 {
		return append(ids, id)
	}
	if m.bytes == nil {
		return append(ids, m.unknown)
	}
	for i := len(text) - 1; i >= 0; i-- {
		ids = append(ids, m.bytes[text[i]])
	}
	return ids
}
