package score

import "math"

// Sizes that make bounds checks needless: bytes number a tree's nodes and a row's features. Indexes of type uint8
// modulo 64 and 256 stay in the arrays, so the compiler drops its checks.
const (
	treeNodes  = 64            // of one tree, at most
	treeLeaves = treeNodes / 2 // at most: each inner node adds one leaf
	rowSize    = 256           // features, at most
	lanes      = 8             // rows that go down a tree side by side, so that none waits for another's memory
	batch      = 2 * lanes
)

type row [rowSize]float32

// rowBatch holds the features of some blocks, feature by feature. Sixteen kilobytes stay in the nearest cache.
type rowBatch [rowSize][batch / lanes][lanes]float32

// set sets row i, four features at a time. The modulo keeps the indices in the arrays, so the compiler drops its
// checks.
func (b *rowBatch) set(i int, features []float32) {
	half, k, columns := uint(i)/lanes%(batch/lanes), uint(i)%lanes, b[:]
	for len(features) >= 4 && len(columns) >= 4 {
		columns[0][half][k] = features[0]
		columns[1][half][k] = features[1]
		columns[2][half][k] = features[2]
		columns[3][half][k] = features[3]
		features, columns = features[4:], columns[4:]
	}
	for j, x := range features[:min(len(features), len(columns))] {
		columns[j][half][k] = x
	}
}

// node sends a row to the node left, or to the node after it if the row's feature is above the threshold. A leaf
// points to itself.
type node struct {
	threshold float32
	feature   uint8
	left      uint8
}

// tree is a regression tree with the root first.
type tree struct {
	nodes  [treeNodes]node
	values [treeNodes]float32 // of leaves
	depth  int
}

// forest is trees whose leaves, logits, are added up. Tree i counts for class i modulo classes.
type forest struct {
	classes  int
	features int
	trees    []tree
	flat     flat // the same trees
}

// addGeneric adds the leaves of the rows to sums.
func (f *forest) addGeneric(b *rowBatch, sums *[batch]float32) {
	for i := range f.trees {
		for half := range uint(batch / lanes) {
			f.trees[i].add(b, half, (*[lanes]float32)(sums[half*lanes:]))
		}
	}
}

// add adds the leaves of half of the rows to sums. Every row goes down as deep as the tree; a row that reaches a leaf
// earlier stays there.
func (t *tree) add(r *rowBatch, half uint, sums *[lanes]float32) {
	half %= batch / lanes
	var a, b, c, d, e, g, h, k uint8
	for range t.depth {
		a = t.step(a, r[t.feature(a)][half][0])
		b = t.step(b, r[t.feature(b)][half][1])
		c = t.step(c, r[t.feature(c)][half][2])
		d = t.step(d, r[t.feature(d)][half][3])
		e = t.step(e, r[t.feature(e)][half][4])
		g = t.step(g, r[t.feature(g)][half][5])
		h = t.step(h, r[t.feature(h)][half][6])
		k = t.step(k, r[t.feature(k)][half][7])
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

func (t *tree) feature(i uint8) uint8 { return t.nodes[i%treeNodes].feature }

// step is the node after node i for a row whose feature is x. The way of a row cannot be predicted, so no branch may
// depend on it. The compiler turns the choice between 0 and 1 into an instruction, and "if above { next++ }" into a
// jump.
func (t *tree) step(i uint8, x float32) uint8 {
	n := &t.nodes[i%treeNodes]
	above := uint8(0)
	if x > n.threshold {
		above = 1
	}
	return n.left + above
}

// sigmoid maps a sum of leaves to a score from 0 to 1. It is never NaN: the leaves are finite, and there are some
// hundred.
func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
