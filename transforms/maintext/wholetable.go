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

// completeTables keeps the rows of a table of data if half of its words are kept. The last row of a column of figures
// has fewer words than the first, and does not score as high. Rows of another shape and blocks of score 0 stay
// dropped.
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
	for _, s := range sheets {
		if 2*s.kept < s.all {
			continue
		}
		cells := 0
		for _, r := range s.rows {
			if r.kept {
				cells = max(cells, r.cells)
			}
		}
		for k, r := range s.rows {
			// Other cells may span a row of one figure.
			between := k > 0 && k+1 < len(s.rows) && s.rows[k-1].kept && s.rows[k+1].kept
			figure := between && len(r.blocks) == 1 && p.Blocks[r.blocks[0]].Digits > 0 && p.Blocks[r.blocks[0]].Words <= 1
			if !r.kept && (r.cells >= fewestCells || figure) && r.cells <= cells {
				for _, i := range r.blocks {
					keep[i] = true
				}
			}
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
