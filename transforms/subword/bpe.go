package subword

import (
	"fmt"
	"unicode/utf8"
)

// bpe merges adjacent parts of a word, those of the smallest rank first (Sennrich et al. 2016, arXiv 1508.07909).
type bpe struct {
	whole  map[string]int32 // words that are one token without merging; may be nil
	first  func(ids []int32, word string) []int32
	merges merges
}

// merges returns the rank of the merge of two tokens, and the merged token; ok is false if they do not merge.
type merges interface {
	of(left, right int32) (rank, id int32, ok bool)
}

// part is a part of a word, in a list by indexes.
type part struct {
	id             int32 // -1 if it was merged into the one before
	previous, next int32
}

// merge is a possible merge of the part at and its next one.
type merge struct{ rank, at, id int32 }

func (m merge) before(o merge) bool { return m.rank < o.rank || m.rank == o.rank && m.at < o.at }

func (m *bpe) append(ids []int32, word string, w *worker) []int32 {
	if id, ok := m.whole[word]; ok {
		return append(ids, id)
	}
	begin := len(ids)
	if ids = m.first(ids, word); len(ids)-begin < 2 {
		return ids
	}
	w.parts, w.heap = w.parts[:0], w.heap[:0]
	for i, id := range ids[begin:] {
		w.parts = append(w.parts, part{id, int32(i - 1), int32(i + 1)})
	}
	w.parts[len(w.parts)-1].next = -1
	for i := range w.parts {
		m.propose(w, int32(i))
	}
	for len(w.heap) > 0 {
		m.apply(w, w.pop())
	}
	ids = ids[:begin]
	for i := int32(0); i >= 0; i = w.parts[i].next {
		ids = append(ids, w.parts[i].id)
	}
	return ids
}

// propose adds the merge of a part with its next one.
func (m *bpe) propose(w *worker, at int32) {
	p := w.parts[at]
	if p.next < 0 {
		return
	}
	if rank, id, ok := m.merges.of(p.id, w.parts[p.next].id); ok {
		w.push(merge{rank, at, id})
	}
}

// apply does a merge, if its parts are still there.
func (m *bpe) apply(w *worker, x merge) {
	p := &w.parts[x.at]
	if p.id < 0 || p.next < 0 {
		return
	}
	right := &w.parts[p.next]
	// As in tokenizers, another merge to the same token has the place of the first.
	if _, id, ok := m.merges.of(p.id, right.id); !ok || id != x.id {
		return
	}
	p.id, right.id, p.next = x.id, -1, right.next
	if p.next >= 0 {
		w.parts[p.next].previous = x.at
	}
	if p.previous >= 0 {
		m.propose(w, p.previous)
	}
	m.propose(w, x.at)
}

// push and pop are a heap, without the calls of package heap.
func (w *worker) push(x merge) {
	w.heap = append(w.heap, x)
	i := len(w.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !x.before(w.heap[up]) {
			break
		}
		w.heap[i] = w.heap[up]
		i = up
	}
	w.heap[i] = x
}

func (w *worker) pop() merge {
	top, last := w.heap[0], len(w.heap)-1
	x := w.heap[last]
	w.heap = w.heap[:last]
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && w.heap[child+1].before(w.heap[child]) {
			child++
		}
		if !w.heap[child].before(x) {
			break
		}
		w.heap[i] = w.heap[child]
		i = child
	}
	if last > 0 {
		w.heap[i] = x
	}
	return top
}

// listed are merges by pairs of tokens.
type listed map[uint64]uint64

func pair(left, right int32) uint64 { return uint64(uint32(left))<<32 | uint64(uint32(right)) }

func (l listed) of(left, right int32) (rank, id int32, ok bool) {
	v, ok := l[pair(left, right)]
	return int32(v >> 32), int32(uint32(v)), ok
}

func (l listed) add(left, right, rank, id int32) { l[pair(left, right)] = pair(rank, id) }

// ranked merges any two tokens whose bytes together are a token: tiktoken's rule.
type ranked struct {
	ids   map[string]int32
	bytes []string // of tokens
}

func (r *ranked) of(left, right int32) (rank, id int32, ok bool) {
	a, b := r.bytes[left], r.bytes[right]
	var room [128]byte
	both := append(append(room[:0], a...), b...)
	id, ok = r.ids[string(both)]
	return id, id, ok
}

// characters returns the tokens of the characters of a word. Unknown ones are bytes or the unknown token.
type characters struct {
	ids      map[string]int32
	prefix   string // of all characters but the first: continuing_subword_prefix
	suffix   string // of the last: end_of_word_suffix
	bytes    *[256]int32
	unknown  int32 // -1 for none
	fuse     bool  // unknown characters in a row are one token
	perBytes bool  // characters are bytes: see bytelevel.go
}

func (c *characters) append(ids []int32, word string) []int32 {
	fused := false
	for i := 0; i < len(word); {
		size := 1
		if !c.perBytes {
			_, size = utf8.DecodeRuneInString(word[i:])
		}
		id, ok := c.ids[c.name(word, i, size)]
		switch {
		case ok:
			ids, fused = append(ids, id), false
		case c.bytes != nil:
			for _, b := range []byte(word[i : i+size]) {
				ids = append(ids, c.bytes[b])
			}
			fused = false
		case c.unknown >= 0 && !(c.fuse && fused):
			ids, fused = append(ids, c.unknown), true
		}
		i += size
	}
	return ids
}

func (c *characters) name(word string, i, size int) string {
	name := word[i : i+size]
	if c.prefix != "" && i > 0 {
		name = c.prefix + name
	}
	if c.suffix != "" && i+size == len(word) {
		name += c.suffix
	}
	return name
}

// byteTokens returns the tokens <0x00> to <0xFF>, or nil unless all are there.
func byteTokens(ids map[string]int32) *[256]int32 {
	var list [256]int32
	for b := range list {
		id, ok := ids[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			return nil
		}
		list[b] = id
	}
	return &list
}
