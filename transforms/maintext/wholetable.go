package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// A sheet is a table of data while its rows are counted.
type sheet struct {
	kept, all float32 // words of the kept cells, and of all
	rows      []sheetRow
}

// A sheetRow is a row of a sheet: its blocks, its cells that are not empty, and whether any of them is kept.
type sheetRow struct {
	row, last int32
	blocks    []int32
	cells     int
	kept      bool
}

// fewestCells is how many cells that are not empty make a row of data.
const fewestCells = 2

// completeTables keeps the rows of a table of data if half of its words are kept, or its head. A row of figures has
// fewer words than others, and does not score as high. Rows of another shape and blocks of score 0 stay dropped.
func completeTables(p *page.Page, scores []float32, keep []bool) {
	var sheets map[int32]*sheet
	for i := range p.Blocks {
		c := cellOf(p, &p.Blocks[i])
		if c.table < 0 || scores[i] == 0 {
			continue
		}
		s := sheets[c.table]
		if s == nil {
			if sheets == nil {
				sheets = map[int32]*sheet{}
			}
			s = &sheet{}
			sheets[c.table] = s
		}
		s.add(c, int32(i), float32(p.Blocks[i].Words)+1, keep[i])
	}
	g := grids{p: p}
	for table, s := range sheets {
		if s.kept < s.all && (2*s.kept >= s.all || s.headed(p)) {
			s.complete(&g, table, keep)
		}
	}
}

// headed reports whether the first row is kept and markup shows that it is the head of columns.
func (s *sheet) headed(p *page.Page) bool {
	first := s.rows[0]
	_, marked := headOf(p, first.row)
	return marked && first.kept && first.cells >= fewestCells
}

// complete keeps the rows that look like the kept ones: by their cells with text, or as wide. Cells of earlier rows may
// span a row of one cell, others may be empty, and one cell may name the rows below.
func (s *sheet) complete(g *grids, table int32, keep []bool) {
	if g.width == nil {
		g.width = map[int32]int{}
	}
	cells, width := 0, 0
	for _, r := range s.rows {
		if r.kept && r.cells >= fewestCells {
			g.read(table)
			cells, width = max(cells, r.cells), max(width, g.width[r.row])
		}
	}
	for _, r := range s.rows {
		if r.kept || r.cells > cells || r.cells < fewestCells && g.width[r.row] != width {
			continue
		}
		for _, i := range r.blocks {
			keep[i] = true
		}
	}
}

// add counts a block of cell c.
func (s *sheet) add(c cell, i int32, words float32, kept bool) {
	if len(s.rows) == 0 || s.rows[len(s.rows)-1].row != c.row {
		s.rows = append(s.rows, sheetRow{row: c.row, last: -1})
	}
	r := &s.rows[len(s.rows)-1]
	r.blocks = append(r.blocks, i)
	if c.cell != r.last {
		r.cells++
		r.last = c.cell
	}
	r.kept = r.kept || kept
	s.all += words
	if kept {
		s.kept += words
	}
}
