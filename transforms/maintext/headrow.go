package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// maxHeadBytes is how much text a cell of a table's first row may hold to be that of a head, where no markup says so.
const maxHeadBytes = 80

// head is what is known of a table while its blocks are gone through.
type head struct {
	row    int32   // at hand; -1 before the first
	rows   int     // before it
	cells  int     // of the first row
	blocks []int32 // of the head's rows
	open   bool    // the row at hand is of the head
	marked bool    // markup says what the head is
	needed bool    // a row below is kept
}

// keepHeads keeps the head of each table of which rows are kept: without it nobody knows what the values are. A head
// are the rows of <thead>, rows of <th> alone at the top, or a first row of short cells whose next row has as many of
// them and is kept. Blocks of score 0, which are hidden, stay dropped.
func keepHeads(p *page.Page, scores []float32, keep []bool) {
	var heads map[int32]*head
	// Most pages have no table of which something is kept: the map is made with the first.
	last, inRow := int32(-1), 0 // kept cells of the row at hand
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Flags&page.InCell == 0 {
			continue
		}
		c := cellOf(p, b)
		// A cell of a layout, or one outside of a row.
		if c.table < 0 {
			continue
		}
		h := heads[c.table]
		if h == nil {
			if heads == nil {
				heads = map[int32]*head{}
			}
			h = &head{row: -1, open: true}
			heads[c.table] = h
		}
		if c.row != h.row {
			h.next(p, c.row)
		}
		// Cells of the head are noted, kept or not: the rows below decide.
		if h.open {
			h.blocks = append(h.blocks, int32(i))
			continue
		}
		if c.row != last {
			last, inRow = c.row, 0
		}
		if keep[i] {
			// One kept cell may be a paragraph in a layout; two are a row.
			if inRow++; inRow == 2 && (h.marked || h.rows == 1 && h.fits(p)) {
				h.needed = true
			}
		}
	}
	for _, h := range heads {
		for _, i := range h.blocks {
			keep[i] = keep[i] || h.needed && scores[i] > 0
		}
	}
}

// next goes on to the next row of the table.
func (h *head) next(p *page.Page, row int32) {
	if h.row >= 0 {
		h.rows++
	}
	h.row = row
	cells, titles := cellsOf(p, row)
	// A row of one <th> is a title above the table, or a name of what follows.
	marked := p.Nodes[p.Nodes[row].Parent].Tag == page.TagThead || titles == cells && cells > 1
	if h.rows == 0 {
		h.cells, h.marked = cells, marked
		return
	}
	// A first row that nothing marks is a head of one row at most.
	h.open = h.open && h.marked && marked
}

// fits reports whether the row at hand, the second, has as many cells as the first, and the first looks like a head.
func (h *head) fits(p *page.Page) bool {
	for _, i := range h.blocks {
		if p.Blocks[i].End-p.Blocks[i].Start > maxHeadBytes {
			return false
		}
	}
	cells, _ := cellsOf(p, h.row)
	return cells == h.cells && len(h.blocks) > 1
}

// cellsOf counts the cells of a row, and those of them that are <th>.
func cellsOf(p *page.Page, row int32) (cells, titles int) {
	for i := row + 1; i < p.Nodes[row].End; i = p.Nodes[i].End {
		if isCell(p, i) {
			cells++
		}
		if p.Nodes[i].Tag == page.TagTh {
			titles++
		}
	}
	return cells, titles
}
