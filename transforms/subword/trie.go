package subword

// trie finds the texts with which another begins. Node 0 is the root.
type trie struct {
	next  map[uint64]int32 // by node and byte
	roots [256]int32       // nodes of the first byte
	value []int32          // by node, or -1
}

func (t *trie) add(text string, value int32) {
	if t.value == nil {
		t.value, t.next = []int32{-1}, map[uint64]int32{}
	}
	node := int32(0)
	for i := range len(text) {
		to := t.step(node, text[i])
		if to == 0 {
			to = int32(len(t.value))
			t.value = append(t.value, -1)
			if node == 0 {
				t.roots[text[i]] = to
			} else {
				t.next[uint64(node)<<8|uint64(text[i])] = to
			}
		}
		node = to
	}
	t.value[node] = value
}

// step returns the node after another, or 0.
func (t *trie) step(node int32, c byte) int32 {
	if node == 0 {
		return t.roots[c]
	}
	return t.next[uint64(node)<<8|uint64(c)]
}

// longest returns the value of the longest text with which s begins, and its length, or -1.
func (t *trie) longest(s string) (value int32, size int) {
	value = -1
	t.each(s, func(v int32, n int) { value, size = v, n })
	return value, size
}

// each calls do with the values of the texts with which s begins, and with their lengths, shortest first.
func (t *trie) each(s string, do func(value int32, size int)) {
	if t.value == nil {
		return
	}
	node := int32(0)
	for i := range len(s) {
		if node = t.step(node, s[i]); node == 0 {
			return
		}
		if v := t.value[node]; v >= 0 {
			do(v, i+1)
		}
	}
}
