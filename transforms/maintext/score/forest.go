package score

import "math"

// The sizes that let a walk do without checks: a tree's nodes and a row's features are told by bytes. uint8 indexes
// modulo 64 and 256 cannot leave the arrays, so the compiler drops its checks.
const (
	treeNodes  = 64            // of one tree, at most
	treeLeaves = treeNodes / 2 // likewise: two for each other node but the first
	rowSize    = 256           // features, at most
	lanes      = 8             // rows that go down a tree side by side: one need not wait for another's memory
	batch      = 2 * lanes
)

// row is the features of one block, or of a page.
type row [rowSize]float32

// rows are the features of some blocks, feature by feature. They are eight times a kilobyte: they stay in the nearest
// cache.
type rows [rowSize][lanes]float32

// rowBatch is the rows that a forest scores at once.
type rowBatch [batch / lanes]rows

// set makes row i of features. Whatever the numbers are, they stay in the arrays, so the compiler drops its checks.
func (b *rowBatch) set(i int, features []float32) {
	r, k := &b[uint(i)/lanes%uint(len(b))], uint(i)%lanes
	for j, x := range features[:min(len(features), rowSize)] {
		r[j][k] = x
	}
}

// node sends a row to the node left, or to the one after it when the row's feature is above the threshold. A leaf
// sends to itself. Children stand side by side, so one number leads to both.
type node struct {
	threshold float32
	feature   uint8
	left      uint8
}

// tree is a regression tree, whose first node is the root.
type tree struct {
	nodes  [treeNodes]node
	values [treeNodes]float32 // of leaves
	depth  int
}

// forest is trees whose leaves are added up; tree i counts for class i modulo classes. Leaves hold logits, which add
// up.
type forest struct {
	classes  int
	features int
	trees    []tree
	flat     flat // the same trees
}

// addGeneric adds to sums what the trees say of the rows.
func (f *forest) addGeneric(b *rowBatch, sums *[batch]float32) {
	for i := range f.trees {
		for k := range b {
			f.trees[i].add(&b[k], (*[lanes]float32)(sums[k*lanes:]))
		}
	}
}

// add adds to sums what the tree says of eight rows. Every row goes down as deep as the tree is; those that reach a
// leaf earlier stay on it.
func (t *tree) add(r *rows, sums *[lanes]float32) {
	var a, b, c, d, e, g, h, k uint8
	for range t.depth {
		a = t.step(a, r[t.feature(a)][0])
		b = t.step(b, r[t.feature(b)][1])
		c = t.step(c, r[t.feature(c)][2])
		d = t.step(d, r[t.feature(d)][3])
		e = t.step(e, r[t.feature(e)][4])
		g = t.step(g, r[t.feature(g)][5])
		h = t.step(h, r[t.feature(h)][6])
		k = t.step(k, r[t.feature(k)][7])
	}
	sums[0] += t.values[a%treeNodes]
	sums[1] += t.values[b%treeNodes]
	sums[2] += t.values[c%treeNodes]
	sums[3] += t.values[d%treeNodes]
	sums[4] += t.values[e%treeNodes]
	sums[5] += t.values[g%treeNodes]
	sums[6] += t.values[h%treeNodes]
	sums[7] += t.values[k%treeNodes]
}

// feature is what node i looks at.
func (t *tree) feature(i uint8) uint8 { return t.nodes[i%treeNodes].feature }

// step is where node i sends a row whose feature is x. Which way rows go cannot be predicted, so no branch may depend
// on it: the compiler turns the choice between 0 and 1 into an instruction, and "if above { next++ }" into a jump.
func (t *tree) step(i uint8, x float32) uint8 {
	n := &t.nodes[i%treeNodes]
	above := uint8(0)
	if x > n.threshold {
		above = 1
	}
	return n.left + above
}

// sigmoid maps a sum of leaves to a score from 0 to 1. NaN cannot come of it: leaves are finite, and there are some
// hundred.
func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
