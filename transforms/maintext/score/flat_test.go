package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// randomRows returns rows of f's thresholds, of adjacent values, and of NaN, with the shared features of one page, and
// the leaves that these leave.
func randomRows(f *forest, shared *features, seed uint64) (b rowBatch, left []uint32) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var known [rowSize][]float32
	for i := range f.trees {
		for _, n := range f.trees[i].nodes {
			known[n.feature] = append(known[n.feature], n.threshold)
		}
	}
	up := float32(math.Inf(1))
	var r row
	for k := range batch {
		for i := range r {
			if k > 0 && shared[i] {
				continue
			}
			x := float32(rnd.NormFloat64())
			if len(known[i]) > 0 {
				x = known[i][rnd.IntN(len(known[i]))]
			}
			r[i] = [...]float32{x, x, math.Nextafter32(x, up), math.Nextafter32(x, -up), float32(math.NaN())}[rnd.IntN(5)]
		}
		b.set(k, r[:])
	}
	return b, f.flat.remaining(nil, &r)
}

// TestForest_addIsExact compares the code for this processor with the portable code, bit by bit.
func TestForest_addIsExact(t *testing.T) { checkAdd(t) }

func checkAdd(t *testing.T) {
	t.Helper()
	m := Default()
	whole := forest{trees: []tree{fullTree(), {}, fullTree()}} // as many leaves as a tree can have, and a single one
	common := features{0: true, 4: true, 60: true}
	for i := range whole.trees {
		whole.flat.add(&whole.trees[i], &common)
	}
	for _, tt := range []struct {
		*forest
		shared *features
	}{
		{&m.first, &sharedFirst},
		{&m.kind, &features{}},
		{&m.second, &sharedSecond},
		{&whole, &common},
		{&forest{}, &features{}},
	} {
		for seed := range uint64(200) {
			b, left := randomRows(tt.forest, tt.shared, seed)
			got := [batch]float32{0: 1, 7: -1, 8: 2, 15: float32(math.Inf(1))}
			want := got
			tt.add(left, &b, &got)
			tt.addGeneric(&b, &want)
			if got != want {
				t.Fatalf("%d trees, seed %d: add = %v, want %v", len(tt.trees), seed, got, want)
			}
		}
	}
}

// TestShared scores pages and compares the features that all rows share.
func TestShared(t *testing.T) {
	list := strings.Repeat("<h2>Bees</h2><p>Bees fly far in summer. <a href=/a>More</a><ul><li>1", 9)
	for _, src := range []string{probe, list} {
		p := page.Parse([]byte(src), page.Options{URL: "https://blog.example.org/2020/on-bees"})
		var s Scorer
		s.Score(Default(), p)
		for name, tt := range map[string]struct {
			shared *features
			row    func(i int32) []float32
			number int
		}{
			"first":  {&sharedFirst, func(i int32) []float32 { return s.r.append1(nil, i) }, pageFeatures},
			"second": {&sharedSecond, func(i int32) []float32 { return s.c.append2(nil, i) }, pageFeatures + Kinds + 4},
		} {
			first, number := tt.row(0), 0
			for k, is := range tt.shared {
				if !is {
					continue
				}
				number++
				for i := range p.Blocks {
					if x := tt.row(int32(i))[k]; x != first[k] {
						t.Errorf("%s: feature %d of blocks 0 and %d = %v, %v", name, k, i, first[k], x)
					}
				}
			}
			if number != tt.number || len(p.Blocks) < 2 {
				t.Errorf("%s: %d features are shared by %d blocks, want %d", name, number, len(p.Blocks), tt.number)
			}
		}
		if page := s.r.appendPage(nil); !slices.Equal(page, s.r.append1(nil, 1)[pageAtFirst:]) ||
			!slices.Equal(page, s.c.append2(nil, 1)[pageAtSecond:][:pageFeatures]) {
			t.Error("the features of appendPage are elsewhere")
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
		b, _ := randomRows(f, &features{}, seed)
		var r row
		for i := range r {
			r[i] = b[i][0][0]
		}
		var got, want [Kinds]float32
		f.flat.addClasses(&r, got[:])
		for i := range f.trees {
			var sums [lanes]float32
			f.trees[i].add(&b, 0, &sums)
			want[i%Kinds] += sums[0]
		}
		if got != want {
			t.Fatalf("seed %d: addClasses = %v, want %v", seed, got, want)
		}
	}
}

func BenchmarkForest(b *testing.B) {
	f := &Default().second
	rows, left := randomRows(f, &sharedSecond, 1)
	for _, bb := range []struct {
		name string
		add  func(*rowBatch, *[batch]float32)
	}{{"add", func(b *rowBatch, sums *[batch]float32) { f.add(left, b, sums) }}, {"generic", f.addGeneric}} {
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
