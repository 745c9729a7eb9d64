package maintext

import (
	"bytes"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// cell has the node indices of a cell, its row and its table, or -1.
type cell struct{ cell, row, table int32 }

// The most that a cell may hold. Cells of layout tables hold more and do not count as cells.
const (
	maxCellBytes = 300
	maxCellLines = 4
	maxCellDepth = 4 // elements between a block and its cell
)

// cellOf returns the cell around a block. One flag rules out most blocks.
func cellOf(p *page.Page, b *page.Block) cell {
	c := cellAround(p, b, maxCellDepth)
	// A large cell is a column of the page's layout.
	if c.cell >= 0 && !isShort(p, c.cell) {
		return noCell
	}
	return c
}

var noCell = cell{-1, -1, -1}

// cellAround returns the cell at most depth elements above a block, of any size.
func cellAround(p *page.Page, b *page.Block, depth int) cell {
	if b.Flags&page.InCell == 0 {
		return noCell
	}
	n := b.Node
	for range depth {
		if isCell(p, n) {
			break
		}
		if n = p.Nodes[n].Parent; n <= 0 {
			return noCell
		}
	}
	c := &p.Nodes[n]
	// A cell outside a row is not part of a table.
	if !isCell(p, n) || c.Parent <= 0 || !isRow(p, c.Parent) {
		return noCell
	}
	return cell{n, c.Parent, tableOf(p, c.Parent)}
}

func isShort(p *page.Page, cell int32) bool {
	text := p.NodeText(int(cell))
	return len(text) <= maxCellBytes && bytes.Count(text, []byte("\n")) < maxCellLines
}

// isCell reports whether an element is a cell by its name, its role in ARIA or its class.
func isCell(p *page.Page, n int32) bool { return p.Nodes[n].Own&page.InCell != 0 }

func isRow(p *page.Page, n int32) bool {
	return p.Nodes[n].Tag == page.TagTr || hasRole(p, n, "row") || hasClass(p, n, rowClasses)
}

// The classes of rows, tables and titles in tables of other elements.
var (
	rowClasses = []string{
		"tr", "divTableRow", "table-row", "tableRow", "tablerow", "table_row", "table__row", "tbl-row", "rt-tr",
	}
	tableClasses = []string{"table", "divTable", "rt-table", "tbl"}
	titleClasses = []string{"th", "divTableHead", "rt-th"}
)

func hasClass(p *page.Page, n int32, classes []string) bool {
	class, ok := p.RawAttr(int(n), "class")
	if !ok {
		return false
	}
	for word := range bytes.FieldsSeq(class) {
		if slices.Contains(classes, string(word)) {
			return true
		}
	}
	return false
}

func isTable(p *page.Page, n int32) bool {
	return p.Nodes[n].Tag == page.TagTable || hasRole(p, n, "table", "grid", "treegrid")
}

// isTitle reports whether a cell is one of a head.
func isTitle(p *page.Page, n int32) bool {
	return p.Nodes[n].Tag == page.TagTh || hasRole(p, n, "columnheader", "rowheader") ||
		p.Nodes[n].Tag != page.TagTd && hasClass(p, n, titleClasses)
}

func hasRole(p *page.Page, n int32, roles ...string) bool {
	role, ok := p.RawAttr(int(n), "role")
	return ok && slices.Contains(roles, string(role))
}

// tableOf returns the table of a row, which is its parent or above its section, or -1. Rows by their class need no
// table around them.
func tableOf(p *page.Page, row int32) int32 {
	table := p.Nodes[row].Parent
	if p.Nodes[row].Tag != page.TagTr && !hasRole(p, row, "row") {
		return tableOfClass(p, table)
	}
	for table > 0 && !isTable(p, table) {
		table = p.Nodes[table].Parent
	}
	return table
}

// tableOfClass returns the nearest element from n on that is a table by its class, or n: rows may be in sections.
func tableOfClass(p *page.Page, n int32) int32 {
	const sections = 3
	up := n
	for range sections {
		if up <= 0 {
			break
		}
		if hasClass(p, up, tableClasses) {
			return up
		}
		up = p.Nodes[up].Parent
	}
	return n
}

// maxColumns bounds a table, since every row is written with all its cells.
const maxColumns = 64

// grids finds the columns of the cells of a page's tables as browsers do (HTML Living Standard, section 4.9.12.1). A
// cell may span columns and rows. It reads each table once, so all together take time linear in the page.
type grids struct {
	p      *page.Page
	column map[int32]int32 // by cell, at most maxColumns
	made   map[int32]bool  // tables that were read
	data   map[int32]bool  // tables with a long cell: whether they are of data
	width  map[int32]int   // by row, if not nil: its columns; -1 if one of several cells spans columns
}

// of returns the column of a cell, from 0; maxColumns means further right.
func (g *grids) of(c cell) int {
	g.read(c.table)
	return int(g.column[c.cell])
}

// read finds the columns of a table's cells, once.
func (g *grids) read(table int32) {
	if g.made[table] {
		return
	}
	if g.made == nil {
		g.made, g.column = map[int32]bool{}, map[int32]int32{}
	}
	g.made[table] = true
	g.make(table)
}

func (g *grids) make(table int32) {
	var below [maxColumns]int // by column: how many more rows a cell spans
	end := g.p.Nodes[table].End
	for i := table + 1; i < end; {
		switch n := &g.p.Nodes[i]; n.Tag {
		case page.TagTable:
			i = n.End // a table within, whose cells would be too deep
		case page.TagThead, page.TagTbody, page.TagTfoot:
			below = [maxColumns]int{} // no cell spans two sections
			i++
		case page.TagTr:
			g.row(i, &below)
			i = n.End
		default:
			if n.Tag != page.TagText && isRow(g.p, i) {
				g.row(i, &below)
				i = n.End
				continue
			}
			i++
		}
	}
}

func (g *grids) row(row int32, below *[maxColumns]int) {
	at, cells, spread := 0, 0, false
	for i := row + 1; i < g.p.Nodes[row].End; i = g.p.Nodes[i].End {
		if !isCell(g.p, i) {
			continue
		}
		// Skip columns that a cell of an earlier row spans.
		for at < maxColumns && below[at] > 0 {
			at++
		}
		// Beyond the bound all cells get the last column, and the table is written as lines.
		g.column[i] = int32(at)
		if g.p.Conceals(int(i)) {
			continue
		}
		rows := g.span(i, "rowspan")
		if rows == 0 {
			rows = 1 << 16 // to the end of the section
		}
		columns := max(1, g.span(i, "colspan"))
		cells, spread = cells+1, spread || columns > 1
		for range columns {
			if at == maxColumns {
				break
			}
			below[at] = max(below[at], rows)
			at++
		}
	}
	// One row less for each cell that spans further rows.
	width := 0
	for i := range below {
		width += min(below[i], 1)
		below[i] = max(0, below[i]-1)
	}
	switch {
	case g.width == nil:
	case spread && cells > 1:
		g.width[row] = -1
	default:
		g.width[row] = width
	}
}

// span is how many rows or columns a cell spans, 1 by default.
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

// layout is how the blocks of one table are written: with the columns that hold a kept block.
type layout struct {
	blocks int    // how many of the next blocks the table holds
	shown  uint64 // columns, one bit each; 0 for lines, since one row or column is not a table
}

// layout returns the layout of the table at the start of blocks.
func (g *grids) layout(blocks []int32) layout {
	first := g.cellOf(blocks[0])
	if first.table < 0 {
		return layout{blocks: 1}
	}
	var l layout
	rows, row, wide := 0, int32(-1), false
	for ; l.blocks < len(blocks); l.blocks++ {
		c := g.cellOf(blocks[l.blocks])
		if c.table != first.table {
			break
		}
		if c.row != row {
			row = c.row
			rows++
		}
		// Only columns with a kept block are written, so spacers are not.
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

func (l *layout) columns() int { return bits.OnesCount64(l.shown) }

// place is the position of a table's column among the written ones, from 0.
func (l *layout) place(column int) int { return bits.OnesCount64(l.shown & (1<<column - 1)) }

// separator separates a block in c from the next, in d: a line end, or within a row at least one tab. There is one
// more for each empty cell between them. A space separates blocks of one cell.
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
