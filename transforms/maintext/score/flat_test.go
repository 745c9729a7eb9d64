package score

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomRows returns rows of f's thresholds, of adjacent values, and of NaN.
func randomRows(f *forest, seed uint64) (b rowBatch) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var known [rowSize][]float32
	for i := range f.trees {
		for _, n := range f.trees[i].nodes {
			known[n.feature] = append(known[n.feature], n.threshold)
		}
	}
	up := float32(math.Inf(1))
	for k := range batch {
		var r row
		for i := range r {
			x := float32(rnd.NormFloat64())
			if len(known[i]) > 0 {
				x = known[i][rnd.IntN(len(known[i]))]
			}
			r[i] = [...]float32{x, x, math.Nextafter32(x, up), math.Nextafter32(x, -up), float32(math.NaN())}[rnd.IntN(5)]
		}
		b.set(k, r[:])
	}
	return b
}

// TestForest_addIsExact compares the code for this processor with the portable code, bit by bit.
func TestForest_addIsExact(t *testing.T) {
	m := Default()
	whole := forest{trees: []tree{fullTree(), {}}} // as many leaves as a tree can have, and a single one
	for i := range whole.trees {
		whole.flat.add(&whole.trees[i])
	}
	for _, f := range []*forest{&m.first, &m.kind, &m.second, &whole, {}} {
		for seed := range uint64(200) {
			b := randomRows(f, seed)
			got := [batch]float32{0: 1, 7: -1, 8: 2, 15: float32(math.Inf(1))}
			want := got
			f.add(&b, &got)
			f.addGeneric(&b, &want)
			if got != want {
				t.Fatalf("%d trees, seed %d: add = %v, want %v", len(f.trees), seed, got, want)
			}
		}
	}
}

// fullTree is a tree of 32 leaves: a row goes right while its next feature is above 0.
func fullTree() (t tree) {
	for i := 0; i < treeNodes-2; i += 2 {
		t.nodes[i] = node{0, uint8(i), uint8(i + 1)}
		t.nodes[i+1] = node{float32(math.Inf(1)), 0, uint8(i + 1)}
		t.values[i+1] = float32(i)
		t.depth++
	}
	t.nodes[treeNodes-2] = node{float32(math.Inf(1)), 0, treeNodes - 2}
	t.values[treeNodes-2] = -1
	return t
}

// TestFlat_addClasses compares it with a search down the trees.
func TestFlat_addClasses(t *testing.T) {
	f := &Default().kind
	for seed := range uint64(50) {
		b := randomRows(f, seed)
		var r row
		for i := range r {
			r[i] = b[0][i][0]
		}
		var got, want [Kinds]float32
		f.flat.addClasses(&r, got[:])
		for i := range f.trees {
			var sums [lanes]float32
			f.trees[i].add(&b[0], &sums)
			want[i%Kinds] += sums[0]
		}
		if got != want {
			t.Fatalf("seed %d: addClasses = %v, want %v", seed, got, want)
		}
	}
}

func BenchmarkForest(b *testing.B) {
	f := &Default().second
	rows := randomRows(f, 1)
	for _, bb := range []struct {
		name string
		add  func(*rowBatch, *[batch]float32)
	}{{"add", f.add}, {"generic", f.addGeneric}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var sums [batch]float32
				bb.add(&rows, &sums)
			}
		})
	}
}

func BenchmarkFlat_addClasses(b *testing.B) {
	f := &Default().kind.flat
	var r row
	for b.Loop() {
		var sums [Kinds]float32
		f.addClasses(&r, sums[:])
	}
}
