// Package webgraph ranks the vertices of a directed graph, such as hosts that link to each other, by PageRank and by
// harmonic centrality. It holds the whole graph in memory, at 4 bytes for each edge and 8 for each vertex.
//
//	g := webgraph.New(vertices, edges)
//	rank := webgraph.PageRank(g)
//	harmonic := webgraph.Harmonic(g)
//
// Sums are made in the order of vertices, so that equal graphs have equal ranks to the last bit.
package webgraph

import (
	"math"
	"math/bits"
)

// Version changes when the same graph has other ranks.
const Version = "1"

// Edge leads from one vertex to another.
type Edge struct{ From, To uint32 }

// Graph is a directed graph of vertices 0, 1, …, stored by incoming edges. It is immutable.
type Graph struct {
	start []int64  // of the vertices in tails; one more at the end
	tails []uint32 // origins of the edges into each vertex
	out   []uint32 // number of edges that leave each vertex
}

// New makes a graph with that number of vertices, which must exceed all ends of edges. A duplicate edge counts twice.
func New(vertices int, edges []Edge) *Graph {
	g := &Graph{
		start: make([]int64, vertices+1), tails: make([]uint32, len(edges)), out: make([]uint32, vertices),
	}
	// This is a counting sort by To, in linear time, which keeps the order of edges.
	for _, e := range edges {
		g.start[e.To+1]++
		g.out[e.From]++
	}
	for v := range vertices {
		g.start[v+1] += g.start[v]
	}
	next := make([]int64, vertices)
	copy(next, g.start)
	for _, e := range edges {
		g.tails[next[e.To]] = e.From
		next[e.To]++
	}
	return g
}

// Vertices returns the number of vertices.
func (g *Graph) Vertices() int { return len(g.out) }

// into returns the vertices from which edges lead to v.
func (g *Graph) into(v int) []uint32 { return g.tails[g.start[v]:g.start[v+1]] }

// Constants of PageRank: the damping factor of the paper (Page, Brin, Motwani and Winograd 1999, section 2.7) and the
// change at which it stops. The change is a sum over all vertices.
const (
	damping   = 0.85
	tolerance = 1e-12
	maxRounds = 300 // damping^300 is 7e-22, so the tolerance is reached before
)

// PageRank returns the rank of each vertex. The sum is 1. The rank of a vertex without outgoing edges goes to all
// vertices equally.
func PageRank(g *Graph) []float64 {
	n := g.Vertices()
	rank, next := make([]float64, n), make([]float64, n)
	for v := range rank {
		rank[v] = 1 / float64(n)
	}
	for range maxRounds {
		lost := 0.0
		for v, d := range g.out {
			if d == 0 {
				lost += rank[v]
			} else {
				rank[v] /= float64(d) // the share of each edge
			}
		}
		base, moved := (1-damping+damping*lost)/float64(n), 0.0
		for v := range next {
			sum := 0.0
			for _, u := range g.into(v) {
				sum += rank[u]
			}
			next[v] = base + damping*sum
			old := rank[v]
			if d := g.out[v]; d > 0 {
				old *= float64(d)
			}
			moved += math.Abs(next[v] - old)
		}
		rank, next = next, rank
		if moved < tolerance {
			break
		}
	}
	return rank
}

// Harmonic returns the harmonic centrality of each vertex: the sum of 1/d over the vertices that reach it by d edges.
// (Boldi and Vigna, "Axioms for Centrality", 2014, section 3.2.) It is exact. It runs 64 searches in parallel, one bit
// each (Then et al., "The More the Merrier", 2014). Its time is proportional to the vertices times edges divided by
// 64.
func Harmonic(g *Graph) []float64 {
	n := g.Vertices()
	h := make([]float64, n)
	s := search{g: g, seen: make([]uint64, n), front: make([]uint64, n), next: make([]uint64, n)}
	for first := 0; first < n; first += 64 {
		s.from(first, h[first:min(first+64, n)])
	}
	return h
}

// search searches from 64 vertices at once against the direction of edges.
type search struct {
	g                 *Graph
	seen, front, next []uint64 // a bit for each search, by vertex
}

// from computes the centralities of the vertices from first on.
func (s *search) from(first int, h []float64) {
	clear(s.seen)
	clear(s.front)
	for i := range h {
		s.seen[first+i], s.front[first+i] = 1<<i, 1<<i
	}
	for d, more := 1, true; more; d++ {
		for v, f := range s.front {
			if f == 0 {
				continue
			}
			for _, u := range s.g.into(v) {
				s.next[u] |= f
			}
		}
		var reached [64]int
		more = false
		for u, f := range s.next {
			f &^= s.seen[u]
			s.seen[u] |= f
			s.front[u], s.next[u] = f, 0
			for more = more || f != 0; f != 0; f &= f - 1 {
				reached[bits.TrailingZeros64(f)]++
			}
		}
		for i := range h {
			h[i] += float64(reached[i]) / float64(d)
		}
	}
}
