package maintext

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// join returns the text of blocks, at most limit bytes of it: a line for each, but the cells of a table's row on one
// line, with tabs between them. starts is where each block begins. Tables are the only layout that text keeps: a row
// that falls apart into lines says nothing.
func join(p *page.Page, blocks []int32, limit int) (text string, starts []int32) {
	// Summed first, so that the text is allocated once.
	size := 0
	for _, i := range blocks {
		size += int(p.Blocks[i].End-p.Blocks[i].Start) + 1
	}
	var b strings.Builder
	b.Grow(min(size, limit))
	starts = make([]int32, len(blocks))
	last := cell{-1, -1, -1}
	for k, i := range blocks {
		block := &p.Blocks[i]
		c := cellOf(p, block)
		// At the limit, nothing is added any more, not even separators.
		if k > 0 && b.Len() < limit {
			b.WriteByte(last.separator(c))
		}
		last, starts[k] = c, int32(b.Len())
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

// cell is a cell of a table with its row and table; -1 of what stands in none. They are indices of nodes.
type cell struct{ cell, row, table int32 }

// separator is what comes between a block in c and the next, in d. Several blocks of one cell are words of it.
func (c cell) separator(d cell) byte {
	switch {
	case c.cell >= 0 && c.cell == d.cell:
		return ' '
	case c.row >= 0 && c.row == d.row:
		return '\t'
	}
	return '\n'
}

// What a cell of a table may hold. Those of tables that lay a page out hold more, and are not cells to us.
const (
	maxCellBytes = 300
	maxCellLines = 4
	maxCellDepth = 4 // elements between a block and its cell
)

// cellOf returns the cell in which a block stands. Most blocks stand in none, which one flag tells.
func cellOf(p *page.Page, b *page.Block) cell {
	none := cell{-1, -1, -1}
	if b.Flags&page.InCell == 0 {
		return none
	}
	n := b.Node
	// From the block up to its cell, a few elements at most.
	for range maxCellDepth {
		if t := p.Nodes[n].Tag; t == page.TagTd || t == page.TagTh {
			break
		}
		if n = p.Nodes[n].Parent; n <= 0 {
			return none
		}
	}
	c := &p.Nodes[n]
	// A cell outside of a row is not one of a table.
	if c.Tag != page.TagTd && c.Tag != page.TagTh || c.Parent <= 0 || p.Nodes[c.Parent].Tag != page.TagTr {
		return none
	}
	// A cell that holds much is a column of a page's layout.
	if text := p.NodeText(int(n)); len(text) > maxCellBytes || bytes.Count(text, []byte("\n")) >= maxCellLines {
		return none
	}
	table := p.Nodes[c.Parent].Parent
	// The table is above its sections, or directly above.
	for table > 0 && p.Nodes[table].Tag != page.TagTable {
		table = p.Nodes[table].Parent
	}
	return cell{n, c.Parent, table}
}

// ranges returns the nodes of blocks, those of blocks that follow each other in one range, with what stands between.
// sanitize.HTML cuts by them; what stands between two kept blocks (a picture) is then kept too.
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
