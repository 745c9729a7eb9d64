package maintext

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// footLast returns blocks with the rows of each <tfoot> after all other rows of its table. Browsers show them there,
// and until HTML 5 a foot had to precede the rows in the source.
func (g *grids) footLast(blocks []int32) []int32 {
	moved := false
	for k := 0; k < len(blocks); {
		table := g.cellOf(blocks[k]).table
		from := k
		for k++; k < len(blocks) && table >= 0 && g.cellOf(blocks[k]).table == table; k++ {
		}
		if table < 0 || !slices.ContainsFunc(blocks[from:k], func(i int32) bool { return g.inFoot(i) }) {
			continue
		}
		// Callers keep their own order.
		if !moved {
			blocks, moved = slices.Clone(blocks), true
		}
		slices.SortStableFunc(blocks[from:k], func(a, b int32) int { return g.footOrder(a) - g.footOrder(b) })
	}
	return blocks
}

// inFoot reports whether a block, which is in a table, is in its <tfoot>.
func (g *grids) inFoot(i int32) bool {
	row := g.cellOf(i).row
	return row > 0 && g.p.Nodes[g.p.Nodes[row].Parent].Tag == page.TagTfoot
}

func (g *grids) footOrder(i int32) int {
	if g.inFoot(i) {
		return 1
	}
	return 0
}
