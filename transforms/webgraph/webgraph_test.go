package webgraph_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// near reports whether numbers are equal within a millionth.
func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-6*max(1, math.Abs(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestRanks(t *testing.T) {
	tests := []struct {
		name           string
		n              int
		edges          []webgraph.Edge
		rank, harmonic []float64
	}{
		{"nothing", 0, nil, nil, nil},
		{"one", 1, nil, []float64{1}, []float64{0}},
		{"two that are apart", 2, nil, []float64{.5, .5}, []float64{0, 0}},
		{"a circle", 3, []webgraph.Edge{{0, 1}, {1, 2}, {2, 0}}, []float64{1. / 3, 1. / 3, 1. / 3}, []float64{1.5, 1.5, 1.5}},
		{"a path", 3, []webgraph.Edge{{0, 1}, {1, 2}}, []float64{.18441678, .34117105, .47441217}, []float64{0, 1, 1.5}},
		{
			"a star", 4,
			[]webgraph.Edge{{1, 0}, {2, 0}, {3, 0}},
			[]float64{.54198473, .15267176, .15267176, .15267176},
			[]float64{3, 0, 0, 0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := webgraph.New(tt.n, tt.edges)
			if got := webgraph.PageRank(g); !near(got, tt.rank) {
				t.Errorf("PageRank = %v, want %v", got, tt.rank)
			}
			if got := webgraph.Harmonic(g); !near(got, tt.harmonic) {
				t.Errorf("Harmonic = %v, want %v", got, tt.harmonic)
			}
		})
	}
}

// web is a graph like the web's: few vertices have most of the edges, and some have no outgoing ones.
func web(n int) (edges []webgraph.Edge) {
	r := rand.New(rand.NewPCG(2026, 11))
	seen := map[webgraph.Edge]bool{}
	for v := range n {
		for range r.IntN(12) {
			e := webgraph.Edge{From: uint32(v), To: uint32(math.Pow(r.Float64(), 3) * float64(n))}
			if e.From != e.To && !seen[e] {
				seen[e] = true
				edges = append(edges, e)
			}
		}
	}
	return edges
}

const networkx = `
import json, sys
import networkx as nx
g = nx.DiGraph()
lines = open(sys.argv[1]).read().split("\n")
g.add_nodes_from(range(int(lines[0])))
g.add_edges_from(tuple(map(int, line.split())) for line in lines[1:] if line)
rank = nx.pagerank(g, tol=1e-14, max_iter=500)
h = nx.harmonic_centrality(g, nbunch=range(0, len(g), int(sys.argv[2])))
print(json.dumps([[rank[v] for v in g], [[v, x] for v, x in h.items()]]))
`

// TestRanks_asNetworkX: on 10,000 vertices, the ranks equal those of networkx within a millionth. Centralities are
// compared for one vertex in two hundred, or for all with GLEANER_SLOW=1.
func TestRanks_asNetworkX(t *testing.T) {
	python := pythontest.Interpreter(t, "import networkx, scipy", "networkx==3.4.2", "scipy==1.15.3", "numpy==2.2.6")
	const n = 10_000
	step := "200"
	if os.Getenv("GLEANER_SLOW") != "" {
		step = "1"
	}
	edges := web(n)
	var text strings.Builder
	fmt.Fprintln(&text, n)
	for _, e := range edges {
		fmt.Fprintln(&text, e.From, e.To)
	}
	file := filepath.Join(t.TempDir(), "edges.txt")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", networkx, file, step).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [2]json.RawMessage
	var rank []float64
	var harmonic [][2]float64
	for _, err := range []error{
		json.Unmarshal(out, &want), json.Unmarshal(want[0], &rank),
		json.Unmarshal(want[1], &harmonic),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	g := webgraph.New(n, edges)
	got, greatest := webgraph.PageRank(g), 0.0
	for v := range got {
		greatest = max(greatest, math.Abs(got[v]-rank[v])/rank[v])
	}
	exact, farthest := webgraph.Harmonic(g), 0.0
	for _, p := range harmonic {
		farthest = max(farthest, math.Abs(exact[int(p[0])]-p[1]))
	}
	t.Logf("%d edges; PageRank differs by %.1e of it at most, harmonic centrality of %d by %.1e", len(edges), greatest,
		len(harmonic), farthest)
	if greatest > 1e-6 || farthest > 1e-6 {
		t.Error("want 1e-6 at most")
	}
}

// TestEstimateHarmonic: estimates are near the exact values, and the same each time.
func TestEstimateHarmonic(t *testing.T) {
	const n = 3_000
	g := webgraph.New(n, web(n))
	exact, got := webgraph.Harmonic(g), webgraph.EstimateHarmonic(g, 128)
	off, all := 0.0, 0.0
	for v := range exact {
		off, all = off+math.Abs(got[v]-exact[v]), all+exact[v]
	}
	t.Logf("off by %.1f %% on average", 100*off/all)
	if off > .1*all {
		t.Errorf("off by %.1f %%, want 10 at most", 100*off/all)
	}
}

func BenchmarkPageRank(b *testing.B) {
	g := webgraph.New(100_000, web(100_000))
	b.ReportAllocs()
	for b.Loop() {
		webgraph.PageRank(g)
	}
}

func BenchmarkHarmonic(b *testing.B) {
	g := webgraph.New(5_000, web(5_000))
	b.ReportAllocs()
	for b.Loop() {
		webgraph.Harmonic(g)
	}
}
