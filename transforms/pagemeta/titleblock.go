package pagemeta

import "github.com/gleaner-web/gleaner/transforms/page"

// minTitleBytes is the length from which an equal text counts as the title.
const minTitleBytes = 12

// otherSigns is by how many bytes the length of an equal text may differ, for quotes and spaces.
const otherSigns = 2

// titleBlocks finds blocks by their text. It reads the letters of each block at most once: hostile pages declare
// thousands of titles.
type titleBlocks struct {
	first map[blockKey]int32 // the first visible block with it
	read  map[int]bool       // lengths in first
}

type blockKey struct {
	letters string
	length  int
}

// with returns the first visible block that is exactly text.
func (t *titleBlocks) with(p *page.Page, text string) (heading, bool) {
	if len(text) < minTitleBytes {
		return heading{}, false
	}
	t.readLengths(p, len(text)-otherSigns, len(text)+otherSigns)
	found, key := int32(-1), blockKey{letters: letters(text)}
	for key.length = len(text) - otherSigns; key.length <= len(text)+otherSigns; key.length++ {
		if i, ok := t.first[key]; ok && (found < 0 || i < found) {
			found = i
		}
	}
	if found < 0 {
		return heading{}, false
	}
	// From the last node of the block, so that later text is after the title.
	return heading{text: text, likeness: 1, node: int(p.Blocks[found].Last) - 1}, true
}

// readLengths reads the visible blocks of from to to bytes, if that was not done before.
func (t *titleBlocks) readLengths(p *page.Page, from, to int) {
	if t.first == nil {
		t.first, t.read = map[blockKey]int32{}, map[int]bool{}
	}
	for t.read[from] && from < to {
		from++
	}
	for t.read[to] && from < to {
		to--
	}
	if t.read[from] {
		return
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		n := int(b.End - b.Start)
		if n < from || n > to || b.Flags&page.InHidden != 0 || t.read[n] {
			continue
		}
		key := blockKey{letters(string(p.Text[b.Start:b.End])), n}
		if _, ok := t.first[key]; !ok {
			t.first[key] = int32(i)
		}
	}
	for n := from; n <= to; n++ {
		t.read[n] = true
	}
}
