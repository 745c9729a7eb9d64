package maintext

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// join returns the text of blocks, at most limit bytes of it: a line for each, but the cells of a table's row on one
// line, with a tab between them and for each empty cell in front of another. starts is where each block begins. Tables
// are the only layout that text keeps: a row that falls apart into lines says nothing.
func join(p *page.Page, blocks []int32, limit int) (text string, starts []int32) {
	// Summed first, so that the text is allocated once.
	size := 0
	for _, i := range blocks {
		size += int(p.Blocks[i].End-p.Blocks[i].Start) + 1
	}
	var b strings.Builder
	b.Grow(min(size, limit))
	starts = make([]int32, len(blocks))
	g, last, behind := grids{p: p}, cell{-1, -1, -1}, 0
	var l layout
	for k, i := range blocks {
		block := &p.Blocks[i]
		c := cellOf(p, block)
		if k == behind { // the next table, or what is none
			l = g.layout(blocks[k:])
			behind += l.blocks
		}
		separator := l.separator(&g, last, c)
		// Nothing is in front of the first. At the limit nothing is added any more, not even separators.
		if k == 0 {
			separator = separator[1:]
		} else if b.Len() < limit {
			b.WriteByte(separator[0])
			separator = separator[1:]
		}
		starts[k] = int32(b.Len())
		b.WriteString(separator[:min(len(separator), limit-b.Len())])
		last = c
		line := p.Text[block.Start:block.End]
		if room := limit - b.Len(); len(line) > room {
			line = bytes.ToValidUTF8(line[:room], nil)
			// limit shrinks to what is there, so that no later block fits.
			limit = b.Len() + len(line)
		}
		b.Write(line)
	}
	return b.String(), starts
}

// ranges returns the nodes of blocks, those of blocks that follow each other in one range, with what is between.
// sanitize.HTML cuts by them; what is between two kept blocks (a picture) is then kept too.
func ranges(p *page.Page, blocks []int32) []page.Range {
	var all []page.Range
	for k, i := range blocks {
		b := &p.Blocks[i]
		// The block before was kept: the range goes on.
		if k > 0 && blocks[k-1] == i-1 && len(all) > 0 {
			all[len(all)-1].End = b.Last
			continue
		}
		all = append(all, page.Range{Start: b.First, End: b.Last})
	}
	return all
}
