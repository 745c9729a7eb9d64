package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// The most that a row or list may hold to be chosen as a whole. Larger tables lay out a page, and larger items are
// cards, posts or comments, whose parts have their own scores.
const (
	maxWholeBytes = 600 // of a block
	maxWholeDepth = 6   // elements between a block and its item
	maxItemBlocks = 3   // of a list's item
	maxRowBlocks  = 4   // of a row's cell
)

// unit is chosen as a whole: the blocks of a row, or of a list's items.
type unit struct {
	words, mass float32 // of its blocks; mass is the expected number of words of main text
	unfit       bool
}

// place is a block's cell or item, with the row or list around it; -1 if none.
type place struct {
	item, whole int32
	deep        bool // maxWholeDepth elements or more below the item
}

// level gives all blocks of a table's row their mean score, weighted by words, and so the blocks of a list of items or
// definitions. Blocks of one score are kept as a whole or not at all: a row without a cell, or a list without its
// middle, misleads.
func (c *chooser) level(p *page.Page, scores []float32) {
	c.units = append(c.units[:0], make([]unit, len(p.Nodes))...)
	c.counts = append(c.counts[:0], make([]int32, len(p.Nodes))...)
	c.places = c.places[:0]
	for i := range p.Blocks {
		b := &p.Blocks[i]
		at := placeOf(p, b)
		c.places = append(c.places, at)
		item, whole := at.item, at.whole
		// Blocks that are sure to be dropped, such as hidden ones, do not count.
		if whole < 0 || at.deep || scores[i] == 0 {
			continue
		}
		most := maxItemBlocks
		if isCell(p, item) {
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
		at := c.places[i]
		if at.whole < 0 || at.deep || scores[i] == 0 {
			continue
		}
		if u := &c.units[at.whole]; !u.unfit {
			scores[i] = u.mass / u.words
		}
	}
}

// fewest decides which lists and rows are kept whole. Their words may be this many times the words of items with a
// kept block. With 2 the readability set loses .002: references of which a third was kept are the text. With 5 nothing
// changes.
const fewest = 3

// complete mends partly kept lists and rows whose many or long blocks were not scored as one. If the items with a kept
// block have a third of the words, it keeps all items, and otherwise drops the whole. Of an added item it keeps the
// blocks that look like kept blocks of the others, so that cards get no buttons. If none does, it keeps all of the
// item. Blocks of score 0 stay dropped and do not count.
func (c *chooser) complete(p *page.Page, scores []float32, keep []bool) {
	partial := c.partial(p, scores, keep)
	if len(partial) == 0 {
		return
	}
	looks, alike := map[look]bool{}, map[int32]bool{}
	for i, at := range c.places {
		if keep[i] && partial[at.whole] {
			looks[lookOf(p, i, at)] = true
		}
	}
	for i, at := range c.places {
		if scores[i] > 0 && partial[at.whole] && c.counts[at.item] == 0 && looks[lookOf(p, i, at)] {
			alike[at.item] = true
		}
	}
	for i, at := range c.places {
		most, ok := partial[at.whole]
		switch {
		case !ok || scores[i] == 0:
		case !most:
			keep[i] = false
		case c.counts[at.item] == 0:
			keep[i] = !alike[at.item] || looks[lookOf(p, i, at)]
		}
	}
}

// partial returns the lists and rows that are kept in part, and whether the items with a kept block have enough of
// their words. It sets counts to the number of kept blocks by item. Rows of layout tables, whose text has no columns,
// do not count.
func (c *chooser) partial(p *page.Page, scores []float32, keep []bool) map[int32]bool {
	clear(c.counts)
	clear(c.units)
	for i, at := range c.places {
		if at.whole >= 0 && keep[i] {
			c.counts[at.item]++
		}
	}
	for i, at := range c.places {
		if at.whole < 0 || scores[i] == 0 {
			continue
		}
		u, w := &c.units[at.whole], float32(p.Blocks[i].Words)+1
		u.words += w
		if c.counts[at.item] > 0 {
			u.mass += w
		}
		u.unfit = u.unfit || isCell(p, at.item) && len(p.NodeText(int(at.item))) > maxCellBytes
	}
	var partial map[int32]bool
	for _, at := range c.places {
		if at.whole < 0 {
			continue
		}
		if u := &c.units[at.whole]; u.mass > 0 && u.mass < u.words && !u.unfit {
			if partial == nil {
				partial = map[int32]bool{}
			}
			partial[at.whole] = fewest*u.mass >= u.words
		}
	}
	return partial
}

// look is what blocks of several items of a list have in common: the elements between them and their item.
type look struct {
	whole int32
	path  uint64
}

// lookOf returns block i's look in its item: a hash (FNV-1a, by words) of the names and classes of the elements.
func lookOf(p *page.Page, i int, at place) look {
	l := look{at.whole, 14695981039346656037}
	for n := p.Blocks[i].Node; n > at.item; n = p.Nodes[n].Parent {
		l.path = (l.path ^ uint64(p.Nodes[n].Sig)) * 1099511628211
	}
	return l
}

// placeOf returns the innermost item or cell around a block, and the list or row of that. An item outside a list, as
// in <td><li>, does not count.
func placeOf(p *page.Page, b *page.Block) place {
	depth := int32(0)
	for n := b.Node; n > 0; n = p.Nodes[n].Parent {
		if whole := wholeOf(p, n); whole > 0 {
			return place{n, whole, depth >= maxWholeDepth}
		}
		depth++
	}
	return place{-1, -1, false}
}

// wholeOf returns the row or list of which element n is a cell or item, or 0.
func wholeOf(p *page.Page, n int32) int32 {
	up := p.Nodes[n].Parent
	if up <= 0 {
		return 0
	}
	if isCell(p, n) {
		if isRow(p, up) {
			return up
		}
		return 0
	}
	switch t := p.Nodes[up].Tag; p.Nodes[n].Tag {
	case page.TagLi:
		if t == page.TagUl || t == page.TagOl {
			return up
		}
	case page.TagDt, page.TagDd:
		// A <div> may hold terms with their definitions.
		if t == page.TagDiv && p.Nodes[up].Parent > 0 {
			up = p.Nodes[up].Parent
		}
		if p.Nodes[up].Tag == page.TagDl {
			return up
		}
	}
	return 0
}
