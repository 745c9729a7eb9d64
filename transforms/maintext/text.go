package maintext

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// join returns the text of blocks, at most limit bytes, with a line per block, and whether all fitted. The cells of a
// table's row share a line, with a tab between them and one for each empty cell before another. Tables are the
// only layout that text keeps, because a row split into lines says nothing.
func join(p *page.Page, blocks []int32, limit int) (text string, whole bool) {
	g := grids{p: p}
	blocks = g.footLast(blocks)
	// Summed first, so that the text is allocated once.
	size := 0
	for _, i := range blocks {
		size += int(p.Blocks[i].End-p.Blocks[i].Start) + 1
	}
	var b strings.Builder
	b.Grow(min(size, limit))
	whole = true
	last, behind := noCell, 0
	var l layout
	for k, i := range blocks {
		block := &p.Blocks[i]
		c := g.cellOf(i)
		if k == behind { // the next table, or a block outside tables
			l = g.layout(blocks[k:])
			behind += l.blocks
		}
		separator := l.separator(&g, last, c)
		// The first has no separator. After the limit nothing is added, not even separators.
		if k == 0 {
			separator = separator[1:]
		} else if b.Len() < limit {
			b.WriteByte(separator[0])
			separator = separator[1:]
		}
		b.WriteString(separator[:min(len(separator), limit-b.Len())])
		last = c
		start, end := ownText(p, block)
		line := p.Text[start:end]
		if end-start < block.End-block.Start {
			line = bytes.TrimSpace(line)
		}
		if l.shown != 0 && c.table >= 0 { // a line end would end the row
			line = bytes.ReplaceAll(line, []byte("\n"), []byte(" "))
		}
		if room := limit - b.Len(); len(line) > room {
			line = bytes.ToValidUTF8(line[:room], nil)
			// limit shrinks to the text so far, so that no later block fits.
			limit = b.Len() + len(line)
			whole = false
		}
		b.Write(line)
	}
	return b.String(), whole
}

// TextOf returns the text of blocks of r.Page as Text has it, at most limit bytes.
func (r *Result) TextOf(blocks []int32, limit int) string {
	text, _ := join(r.Page, blocks, limit)
	return text
}

// ranges returns the nodes of blocks for sanitize.HTML. Adjacent blocks share a range with all nodes between them, so
// a picture between two kept blocks stays.
func ranges(p *page.Page, blocks []int32) []page.Range {
	var all []page.Range
	for k, i := range blocks {
		b := &p.Blocks[i]
		// The block before was kept: extend its range.
		if k > 0 && blocks[k-1] == i-1 && len(all) > 0 {
			all[len(all)-1].End = b.Last
			continue
		}
		all = append(all, page.Range{Start: b.First, End: b.Last})
	}
	return all
}
