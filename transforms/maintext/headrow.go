package maintext

import "github.com/gleaner-web/gleaner/transforms/page"

// maxHeadBytes is the most text in a cell of a header row that no markup shows.
const maxHeadBytes = 80

// head is the state of one table while keepHeads reads the blocks.
type head struct {
	row    int32   // current row; -1 before the first
	rows   int     // before the current row
	cells  int     // of the first row
	blocks []int32 // of the head's rows
	open   bool    // the current row belongs to the head
	marked bool    // markup shows the head
	needed bool    // a row below is kept
}

// keepHeads keeps the head of each table with kept rows: without it the values mean nothing. A head is the rows of
// <thead>, rows of only <th> at the top, or a first row of short cells. In the last case the next row must have as
// many cells and be kept. Blocks of score 0, which are hidden, stay dropped.
func keepHeads(p *page.Page, scores []float32, keep []bool) {
	var heads map[int32]*head
	// Most pages need no map.
	last, inRow := int32(-1), 0 // kept cells of the current row
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Flags&page.InCell == 0 {
			continue
		}
		c := cellOf(p, b)
		// A cell of a layout table, or outside a row.
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
		// Note cells of the head, kept or not: the rows below decide.
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

func (h *head) next(p *page.Page, row int32) {
	if h.row >= 0 {
		h.rows++
	}
	h.row = row
	cells, marked := headOf(p, row)
	if h.rows == 0 {
		h.cells, h.marked = cells, marked
		return
	}
	// A first row without markup is a head of one row at most.
	h.open = h.open && h.marked && marked
}

// fits reports whether the first row looks like a head and has as many cells as the current row, the second.
func (h *head) fits(p *page.Page) bool {
	for _, i := range h.blocks {
		if p.Blocks[i].End-p.Blocks[i].Start > maxHeadBytes {
			return false
		}
	}
	cells, _ := cellsOf(p, h.row)
	return cells == h.cells && len(h.blocks) > 1
}

// headOf counts the cells of a row, and reports whether markup shows that it is a head. A row of one <th> is a title
// above the table, or names what follows.
func headOf(p *page.Page, row int32) (cells int, marked bool) {
	cells, titles := cellsOf(p, row)
	return cells, p.Nodes[p.Nodes[row].Parent].Tag == page.TagThead || titles == cells && cells > 1
}

// cellsOf counts the cells of a row, and the titles among them.
func cellsOf(p *page.Page, row int32) (cells, titles int) {
	for i := row + 1; i < p.Nodes[row].End; i = p.Nodes[i].End {
		if isCell(p, i) {
			cells++
		}
		if isTitle(p, i) {
			titles++
		}
	}
	return cells, titles
}
