package score

import "math/bits"

// A flat forest is read without going down its trees: each split says at once which leaves a row cannot come to, and
// the first leaf that none of them excludes is the row's. That is more work than to go down, but the same for all rows,
// and so of the kind that a processor does for eight rows in one step; and it is read from one end to the other. The
// way to exclude leaves is that of QuickScorer (Lucchese and others, "QuickScorer: a fast algorithm to rank documents with
// additive ensembles of regression trees", SIGIR 2015).
type flat struct {
	counts []uint32  // of each tree's splits; it has one leaf more
	splits []split   // of all trees
	leaves []float32 // of all trees, each from left to right
}

// split is a node that is not a leaf. A row whose feature is above the threshold comes to none of the leaves on its
// left.
type split struct {
	threshold float32
	column    uint32 // where in rows the feature stands, in bytes
	left      uint32 // a bit for each leaf of the tree
}

// columnSize is how many bytes a feature takes in rows.
const columnSize = 4 * lanes

// add adds a tree.
func (f *flat) add(t *tree) {
	before := len(f.splits)
	f.addNode(t, 0, len(f.leaves))
	f.counts = append(f.counts, uint32(len(f.splits)-before))
}

// addNode adds node i of t and all below it; the first of the tree's leaves has the number base.
func (f *flat) addNode(t *tree, i uint8, base int) {
	n := &t.nodes[i]
	// A leaf sends to itself.
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

// addClasses adds to sums, by class, what the trees say of one row: tree i counts for class i modulo their number.
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

// leafOf is the number of the leaf of a row. As in tree.step, no branch may depend on the way that the row goes.
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
