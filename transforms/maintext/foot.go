package maintext

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// footLast returns blocks with the rows of each <tfoot> after all other rows of its table. Browsers show them there,
// and until HTML 5 a foot had to precede the rows in the source.
func footLast(p *page.Page, blocks []int32) []int32 {
	moved := false
	for k := 0; k < len(blocks); {
		table := cellOf(p, &p.Blocks[blocks[k]]).table
		from := k
		for k++; k < len(blocks) && table >= 0 && cellOf(p, &p.Blocks[blocks[k]]).table == table; k++ {
		}
		if table < 0 || !slices.ContainsFunc(blocks[from:k], func(i int32) bool { return inFoot(p, i) }) {
			continue
		}
		// Callers keep their own order.
		if !moved {
			blocks, moved = slices.Clone(blocks), true
		}
		slices.SortStableFunc(blocks[from:k], func(a, b int32) int { return footOrder(p, a) - footOrder(p, b) })
	}
	return blocks
}

// inFoot reports whether a block, which is in a table, is in its <tfoot>.
func inFoot(p *page.Page, i int32) bool {
	row := cellOf(p, &p.Blocks[i]).row
	return row > 0 && p.Nodes[p.Nodes[row].Parent].Tag == page.TagTfoot
}

func footOrder(p *page.Page, i int32) int {
	if inFoot(p, i) {
		return 1
	}
	return 0
}
