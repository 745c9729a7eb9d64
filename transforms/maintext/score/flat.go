package score

// A flat tree is read without going down: each split says at once which leaves a row cannot come to, and the first leaf
// that none of them excludes is the row's. That is more work than to go down, but the same for all rows, and so of the
// kind that a processor does for eight rows in one step. The way to exclude leaves is that of QuickScorer (Lucchese and
// others, "QuickScorer: a fast algorithm to rank documents with additive ensembles of regression trees", SIGIR 2015).
type flat struct {
	count  uint64 // of splits
	splits [treeLeaves]split
	leaves [treeLeaves]float32 // values, from left to right
	next   int                 // how many leaves are known while the tree is made flat
}

// split is a node that is no leaf. A row whose feature is above the threshold comes to none of the leaves on its left.
type split struct {
	threshold float32
	column    uint32 // where in rows the feature stands, in bytes
	left      uint32 // a bit for each leaf
}

// flatten adds node i and all below it to the flat tree.
func (t *tree) flatten(i uint8) {
	f, n := &t.flat, &t.nodes[i]
	if n.left == i {
		f.leaves[f.next] = t.values[i]
		f.next++
		return
	}
	s := &f.splits[f.count]
	f.count++
	first := f.next
	t.flatten(n.left)
	*s = split{n.threshold, uint32(n.feature) * lanes * 4, 1<<f.next - 1<<first}
	t.flatten(n.left + 1)
}
