package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// What a row or a list may hold to be chosen as a whole. Beyond that, tables lay a page out, and items are cards, posts
// or comments, of which each part speaks for itself.
const (
	maxWholeBytes = 600 // of a block
	maxWholeDepth = 6   // elements between a block and its item
	maxItemBlocks = 3   // of a list's item
	maxRowBlocks  = 4   // of a row's cell
)

// unit is what is chosen as a whole: the blocks of a row, or of a list's items.
type unit struct {
	words, mass float32 // of its blocks; mass counts words as far as they are likely to be main text
	unfit       bool
}

// level gives all blocks of a table's row the same score, the mean of theirs by words, and so the blocks of a list, be
// it of items or of terms and definitions. What has one score is kept as a whole or not at all: a row without one of
// its cells says something else, and a list without its middle is no list.
func (c *chooser) level(p *page.Page, scores []float32) {
	c.units = append(c.units[:0], make([]unit, len(p.Nodes))...)
	c.counts = append(c.counts[:0], make([]int32, len(p.Nodes))...)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		item, whole := itemOf(p, b)
		// What is sure to be dropped, as what is hidden, does not count.
		if whole < 0 || scores[i] == 0 {
			continue
		}
		most := maxItemBlocks
		if p.Nodes[whole].Tag == page.TagTr {
			most = maxRowBlocks
		}
		u := &c.units[whole]
		c.counts[item]++
		w := float32(b.Words) + 1
		u.words += w
		u.mass += w * scores[i]
		u.unfit = u.unfit || int(c.counts[item]) > most || b.End-b.Start > maxWholeBytes
	}
	for i := range p.Blocks {
		_, whole := itemOf(p, &p.Blocks[i])
		if whole < 0 || scores[i] == 0 {
			continue
		}
		if u := &c.units[whole]; !u.unfit {
			scores[i] = u.mass / u.words
		}
	}
}

// itemOf returns the item or cell in which a block stands, and the list or row of which that is a part; -1 for none.
func itemOf(p *page.Page, b *page.Block) (item, whole int32) {
	n := b.Node
	for range maxWholeDepth {
		if n <= 0 {
			break
		}
		up := p.Nodes[n].Parent
		switch p.Nodes[n].Tag {
		case page.TagTd, page.TagTh:
			if up > 0 && p.Nodes[up].Tag == page.TagTr {
				return n, up
			}
			return -1, -1
		case page.TagLi:
			if up > 0 && (p.Nodes[up].Tag == page.TagUl || p.Nodes[up].Tag == page.TagOl) {
				return n, up
			}
			return -1, -1
		case page.TagDt, page.TagDd:
			// Terms and their definitions may be held together by a <div>.
			if up > 0 && p.Nodes[up].Tag == page.TagDiv {
				up = p.Nodes[up].Parent
			}
			if up > 0 && p.Nodes[up].Tag == page.TagDl {
				return n, up
			}
			return -1, -1
		}
		n = up
	}
	return -1, -1
}
