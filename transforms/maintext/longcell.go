package maintext

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// The most that a long cell of a table of data may hold: it becomes one line.
const (
	maxLongBytes = 1500
	maxLongLines = 12
	maxLongDepth = 2 * maxCellDepth
)

// cellOf returns the cell of a block like the function, and also a long cell of a table of data.
func (g *grids) cellOf(block int32) cell {
	b := &g.p.Blocks[block]
	if b.Flags&page.InCell == 0 {
		return noCell
	}
	if c := cellOf(g.p, b); c.cell >= 0 {
		return c
	}
	c := cellAround(g.p, b, maxLongDepth)
	if c.table < 0 || !g.isData(c.table) {
		return noCell
	}
	return c
}

// isData reports whether a table with a long cell is of data and not the layout of a page. It has two rows or more
// with several cells, and half of its cells are short. No cell has a heading, code, a quote, a form or another table.
// Cells of many lines are of data only if the table has titles.
func (g *grids) isData(table int32) bool {
	is, known := g.data[table]
	if !known {
		if g.data == nil {
			g.data = map[int32]bool{}
		}
		is = g.findData(table)
		g.data[table] = is
	}
	return is
}

func (g *grids) findData(table int32) bool {
	rows, cells, short, inRow, row := 0, 0, 0, 0, int32(-1)
	titled, lines := false, 0
	for i := table + 1; i < g.p.Nodes[table].End; i++ {
		n := &g.p.Nodes[i]
		if layoutTags[n.Tag] && (n.Flags&page.InCell != 0 || n.Tag == page.TagTable) {
			return false
		}
		if !isCell(g.p, i) {
			continue
		}
		text := g.p.NodeText(int(i))
		lines = max(lines, bytes.Count(text, []byte("\n"))+1)
		if len(text) > maxLongBytes || lines > maxLongLines {
			return false
		}
		titled = titled || isTitle(g.p, i)
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if n.Parent != row {
			row, inRow = n.Parent, 0
		}
		if inRow++; inRow == fewestCells {
			rows++
		}
		cells++
		if isShort(g.p, i) {
			short++
		}
	}
	return rows >= 2 && 2*short >= cells && (titled || lines <= maxCellLines)
}

var layoutTags = map[page.Tag]bool{
	page.TagTable: true, page.TagPre: true, page.TagBlockquote: true, page.TagForm: true,
	page.TagH1: true, page.TagH2: true, page.TagH3: true, page.TagH4: true, page.TagH5: true, page.TagH6: true,
}
