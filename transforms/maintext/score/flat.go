package score

import "math/bits"

// flat is a forest that is read without going down its trees. Each split excludes leaves for a row, and the first leaf
// that none excludes is the row's. That is more work than to go down. But it is the same for all rows, so a processor
// does it for many rows at once. The method is QuickScorer (Lucchese et al., "QuickScorer: a fast algorithm to rank
// documents with additive ensembles of regression trees", SIGIR 2015).
type flat struct {
	heads  []head
	splits []split   // of all trees, except the shared ones
	shared []split   // of all trees, by features that all rows of a page share
	leaves []float32 // of all trees, each from left to right; then treeLeaves more, so that all reads are within
}

// head is the size of a tree.
type head struct{ splits, shared, leaves uint32 }

// split is an inner node. A row whose feature is above the threshold reaches none of the leaves on its left.
type split struct {
	threshold float32
	column    uint32 // offset of the feature in rows, in bytes
	left      uint32 // leaves on the left, one bit each
}

const columnSize = 4 * batch

// features is a set of features.
type features [rowSize]bool

func (f *flat) add(t *tree, shared *features) {
	f.leaves = f.leaves[:max(0, len(f.leaves)-treeLeaves)]
	splits, common, leaves := len(f.splits), len(f.shared), len(f.leaves)
	f.addNode(t, 0, leaves, shared)
	f.heads = append(f.heads, head{
		uint32(len(f.splits) - splits), uint32(len(f.shared) - common), uint32(len(f.leaves) - leaves),
	})
	f.leaves = append(f.leaves, make([]float32, treeLeaves)...)
}

// addNode adds node i of t and its descendants. The tree's first leaf has number base.
func (f *flat) addNode(t *tree, i uint8, base int, shared *features) {
	n := &t.nodes[i]
	// A leaf points to itself.
	if n.left == i {
		f.leaves = append(f.leaves, t.values[i])
		return
	}
	first := len(f.leaves) - base
	f.addNode(t, n.left, base, shared)
	s := split{n.threshold, uint32(n.feature) * columnSize, 1<<(len(f.leaves)-base) - 1<<first}
	if shared[n.feature] {
		f.shared = append(f.shared, s)
	} else {
		f.splits = append(f.splits, s)
	}
	f.addNode(t, n.left+1, base, shared)
}

// remaining appends the leaves of each tree that the shared splits leave to the rows of a page, of which r is one.
func (f *flat) remaining(to []uint32, r *row) []uint32 {
	shared := f.shared
	for _, h := range f.heads {
		to = append(to, ^excluded(shared[:h.shared], r))
		shared = shared[h.shared:]
	}
	return to
}

// addClasses adds the leaves of one row to sums: tree i counts for class i modulo the number of classes. The forest has
// no shared features.
func (f *flat) addClasses(r *row, sums []float32) {
	splits, leaves, class := f.splits, f.leaves, 0
	for _, h := range f.heads {
		sums[class] += leaves[bits.TrailingZeros32(^excluded(splits[:h.splits], r))]
		splits, leaves = splits[h.splits:], leaves[h.leaves:]
		if class++; class == len(sums) {
			class = 0
		}
	}
}

// excluded are the leaves that a row does not reach. As in tree.step, no branch may depend on the row.
func excluded(splits []split, r *row) (leaves uint32) {
	for i := range splits {
		s := &splits[i]
		above := uint32(0)
		if r[uint8(s.column/columnSize)] > s.threshold {
			above = 1
		}
		leaves |= s.left * above
	}
	return leaves
}
