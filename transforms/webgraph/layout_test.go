package webgraph_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// communities makes a graph of communities of ten vertices, with few edges between them.
func communities(n int) (edges []webgraph.Edge) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		for range 5 {
			to := i/10*10 + r.IntN(10)
			if r.IntN(20) == 0 {
				to = r.IntN(n)
			}
			if to < n {
				edges = append(edges, webgraph.Edge{From: uint32(i), To: uint32(to)})
			}
		}
	}
	return edges
}

// TestLayout: vertices with edges are nearer than others, none is at the place of another, and places are repeated.
func TestLayout(t *testing.T) {
	for _, n := range []int{2, 3, 40, 1000} {
		edges := communities(n)
		at := webgraph.Layout(n, edges)
		if again := webgraph.Layout(n, edges); !slices.Equal(at, again) {
			t.Errorf("%d vertices: another layout the second time", n)
		}
		near, far := 0.0, 0.0
		for _, e := range edges {
			near += distance(at[e.From], at[e.To]) / float64(len(edges))
		}
		for i := range n {
			j := (i + n/2) % n
			if far += distance(at[i], at[j]) / float64(n); distance(at[i], at[j]) < 1e-6 {
				t.Errorf("%d vertices: %d and %d are at one place", n, i, j)
			}
		}
		if n >= 40 && near > far/2 {
			t.Errorf("%d vertices: the ends of edges are %g apart, others %g", n, near, far)
		}
	}
}

// TestLayout_unusual: no edges, edges to a vertex itself, the same edge often, and a star are laid out.
func TestLayout_unusual(t *testing.T) {
	star := make([]webgraph.Edge, 0, 500)
	for i := range 499 {
		star = append(star, webgraph.Edge{From: uint32(i + 1), To: 0})
	}
	for name, edges := range map[string][]webgraph.Edge{
		"no edges": nil, "itself": {{From: 1, To: 1}}, "often": slices.Repeat([]webgraph.Edge{{From: 0, To: 1}}, 10_000),
		"star": star,
	} {
		for i, p := range webgraph.Layout(500, edges) {
			if math.IsNaN(p.X+p.Y) || math.Abs(p.X)+math.Abs(p.Y) > 1e4 {
				t.Fatalf("%s: vertex %d is at %v", name, i, p)
			}
		}
	}
	if got := webgraph.Layout(0, nil); len(got) != 0 {
		t.Errorf("no vertices: %v", got)
	}
}

func distance(a, b webgraph.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

func BenchmarkLayout(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		edges := communities(n)
		b.Run(map[int]string{100: "100", 1000: "1000", 10_000: "10000"}[n], func(b *testing.B) {
			for b.Loop() {
				webgraph.Layout(n, edges)
			}
		})
	}
}
