package maintext

import (
	"bytes"
	"math/bits"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// cell is a cell of a table with its row and table; -1 of what is in none. They are indices of nodes.
type cell struct{ cell, row, table int32 }

// What a cell of a table may hold. Those of tables that lay a page out hold more, and are not cells to us.
const (
	maxCellBytes = 300
	maxCellLines = 4
	maxCellDepth = 4 // elements between a block and its cell
)

// cellOf returns the cell in which a block stands. Most blocks are in none, which one flag tells.
func cellOf(p *page.Page, b *page.Block) cell {
	none := cell{-1, -1, -1}
	if b.Flags&page.InCell == 0 {
		return none
	}
	n := b.Node
	// From the block up to its cell, a few elements at most.
	for range maxCellDepth {
		if isCell(p, n) {
			break
		}
		if n = p.Nodes[n].Parent; n <= 0 {
			return none
		}
	}
	c := &p.Nodes[n]
	// A cell outside of a row is not one of a table.
	if !isCell(p, n) || c.Parent <= 0 || p.Nodes[c.Parent].Tag != page.TagTr {
		return none
	}
	// A cell that holds much is a column of a page's layout.
	if text := p.NodeText(int(n)); len(text) > maxCellBytes || bytes.Count(text, []byte("\n")) >= maxCellLines {
		return none
	}
	return cell{n, c.Parent, tableOf(p, c.Parent)}
}

func isCell(p *page.Page, n int32) bool {
	return p.Nodes[n].Tag == page.TagTd || p.Nodes[n].Tag == page.TagTh
}

// tableOf returns the table of a row, which is above its section or directly above; -1 for none.
func tableOf(p *page.Page, row int32) int32 {
	table := p.Nodes[row].Parent
	for table > 0 && p.Nodes[table].Tag != page.TagTable {
		table = p.Nodes[table].Parent
	}
	return table
}

// maxColumns bounds a table: every row has all of its cells, be they empty.
const maxColumns = 64

// grids are the columns in which the cells of a page's tables stand, by the algorithm of browsers: a cell may reach
// over several columns and rows (HTML Living Standard, section 4.9.12.1). Each table is gone through once, when it is
// first asked for, so that all together take time linear in the page.
type grids struct {
	p      *page.Page
	column map[int32]int32 // of a cell, at most maxColumns
	made   map[int32]bool  // tables
}

// of returns the column of a cell, from 0; maxColumns where it is further right.
func (g *grids) of(c cell) int {
	if !g.made[c.table] {
		if g.made == nil {
			g.made, g.column = map[int32]bool{}, map[int32]int32{}
		}
		g.made[c.table] = true
		// Once for each table, whatever the order in which blocks ask.
		g.make(c.table)
	}
	return int(g.column[c.cell])
}

// make finds the columns of a table's cells.
func (g *grids) make(table int32) {
	var below [maxColumns]int // how many rows further each column is taken
	end := g.p.Nodes[table].End
	for i := table + 1; i < end; {
		switch n := &g.p.Nodes[i]; n.Tag {
		case page.TagTable:
			i = n.End // one within, of which a cell would be too deep
		case page.TagThead, page.TagTbody, page.TagTfoot:
			below = [maxColumns]int{} // cells do not reach from one section into the next
			i++
		case page.TagTr:
			g.row(i, &below)
			i = n.End
		default:
			i++
		}
	}
}

// row finds the columns of one row's cells.
func (g *grids) row(row int32, below *[maxColumns]int) {
	at := 0
	for i := row + 1; i < g.p.Nodes[row].End; i = g.p.Nodes[i].End {
		if !isCell(g.p, i) {
			continue
		}
		// Columns that a cell of an earlier row reaches into are taken.
		for at < maxColumns && below[at] > 0 {
			at++
		}
		// Beyond the bound all cells have the last column, and the table is written as lines.
		g.column[i] = int32(at)
		rows := g.span(i, "rowspan")
		if rows == 0 {
			rows = 1 << 16 // to the end of the section
		}
		for range max(1, g.span(i, "colspan")) {
			if at == maxColumns {
				break
			}
			below[at] = max(below[at], rows)
			at++
		}
	}
	// One row less for each cell that reaches on.
	for i := range below {
		below[i] = max(0, below[i]-1)
	}
}

// span is over how many rows or columns a cell reaches; 1 where it does not say.
func (g *grids) span(i int32, name string) int {
	v, ok := g.p.RawAttr(int(i), name)
	if !ok {
		return 1
	}
	v = bytes.TrimLeft(v, " \t\n\f\r")
	digits := 0
	// As many digits as browsers read: their bound is 65,534.
	for digits < len(v) && digits < 6 && v[digits] >= '0' && v[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(string(v[:digits]))
	if err != nil {
		return 1
	}
	return n
}

// layout is how the blocks of one table are written: its columns are those in which something is kept.
type layout struct {
	blocks int    // from the first on that are of the table
	shown  uint64 // columns, one bit each; 0 where it is written as lines: one row or column is not a table
}

// layout returns that of the table with which blocks begins.
func (g *grids) layout(blocks []int32) layout {
	first := cellOf(g.p, &g.p.Blocks[blocks[0]])
	if first.table < 0 {
		return layout{blocks: 1}
	}
	var l layout
	rows, row, wide := 0, int32(-1), false
	for ; l.blocks < len(blocks); l.blocks++ {
		c := cellOf(g.p, &g.p.Blocks[blocks[l.blocks]])
		if c.table != first.table {
			break
		}
		if c.row != row {
			row = c.row
			rows++
		}
		// Only columns with a kept block are written: spacers of a layout are none.
		if at := g.of(c); at < maxColumns {
			l.shown |= 1 << at
		} else {
			wide = true
		}
	}
	if rows < 2 || l.columns() < 2 || wide {
		l.shown = 0
	}
	return l
}

// columns is how many columns are written.
func (l *layout) columns() int { return bits.OnesCount64(l.shown) }

// place is the column of a table cell among those that are written, from 0.
func (l *layout) place(column int) int { return bits.OnesCount64(l.shown & (1<<column - 1)) }

// separator is what comes between a block in c and the next, in d: a line end, or tabs within a row, one at least.
// There is one more for each empty cell that is passed. Several blocks of one cell are words of it.
func (l *layout) separator(g *grids, c, d cell) string {
	at := 0
	if l.shown != 0 {
		at = l.place(g.of(d))
	}
	switch {
	case c.cell >= 0 && c.cell == d.cell:
		return " "
	case c.row < 0 || c.row != d.row:
		return "\n" + strings.Repeat("\t", at)
	case l.shown != 0:
		at -= l.place(g.of(c))
	}
	return strings.Repeat("\t", max(1, at))
}
