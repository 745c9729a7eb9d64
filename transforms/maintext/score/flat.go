package score

import "math/bits"

// flat is a forest that is read without going down its trees. Each split excludes leaves for a row, and the first leaf
// that none excludes is the row's. That is more work than to go down. But it is the same for all rows, so a processor
// does it for eight rows at once. The method is QuickScorer (Lucchese et al., "QuickScorer: a fast algorithm to rank
// documents with additive ensembles of regression trees", SIGIR 2015).
type flat struct {
	counts []uint32  // splits per tree; a tree has one leaf more
	splits []split   // of all trees
	leaves []float32 // of all trees, each from left to right
}

// split is an inner node. A row whose feature is above the threshold reaches none of the leaves on its left.
type split struct {
	threshold float32
	column    uint32 // offset of the feature in rows, in bytes
	left      uint32 // leaves on the left, one bit each
}

const columnSize = 4 * lanes

func (f *flat) add(t *tree) {
	before := len(f.splits)
	f.addNode(t, 0, len(f.leaves))
	f.counts = append(f.counts, uint32(len(f.splits)-before))
}

// addNode adds node i of t and its descendants. The tree's first leaf has number base.
func (f *flat) addNode(t *tree, i uint8, base int) {
	n := &t.nodes[i]
	// A leaf points to itself.
	if n.left == i {
		f.leaves = append(f.leaves, t.values[i])
		return
	}
	at, first := len(f.splits), len(f.leaves)-base
	f.splits = append(f.splits, split{})
	f.addNode(t, n.left, base)
	f.splits[at] = split{n.threshold, uint32(n.feature) * columnSize, 1<<(len(f.leaves)-base) - 1<<first}
	f.addNode(t, n.left+1, base)
}

// addClasses adds the leaves of one row to sums: tree i counts for class i modulo the number of classes.
func (f *flat) addClasses(r *row, sums []float32) {
	splits, leaves, class := f.splits, f.leaves, 0
	for _, n := range f.counts {
		sums[class] += leaves[leafOf(splits[:n], r)]
		splits, leaves = splits[n:], leaves[n+1:]
		if class++; class == len(sums) {
			class = 0
		}
	}
}

// leafOf is the number of a row's leaf. As in tree.step, no branch may depend on the row.
func leafOf(splits []split, r *row) int {
	excluded := uint32(0)
	for i := range splits {
		s := &splits[i]
		above := uint32(0)
		if r[uint8(s.column/columnSize)] > s.threshold {
			above = 1
		}
		excluded |= s.left * above
	}
	return bits.TrailingZeros32(^excluded)
}
