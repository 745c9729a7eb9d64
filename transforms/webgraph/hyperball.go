package webgraph

import (
	"math"
	"math/bits"
)

// EstimateHarmonic is Harmonic for graphs in which exact searches take too long. It is HyperBall (Boldi and Vigna,
// "In-Core Computation of Geometric Centralities with HyperBall", 2013). Parameter registers, a power of two from 16
// on, is the number of bytes for each vertex, needed twice. The relative standard deviation of the estimates is some
// 1.04/sqrt(registers).
func EstimateHarmonic(g *Graph, registers int) []float64 {
	n := g.Vertices()
	ball, next := make([]uint8, n*registers), make([]uint8, n*registers)
	h, size := make([]float64, n), make([]float64, n)
	// A ball of radius 0 is the vertex itself.
	for v := range n {
		x := mix(uint64(v))
		// Some bits choose the register. Its value is the number of leading zeros of the others, plus one.
		index := bits.TrailingZeros(uint(registers))
		i := int(x % uint64(registers))
		ball[v*registers+i] = uint8(bits.LeadingZeros64(x>>index|1)-index) + 1
		size[v] = estimate(ball[v*registers : (v+1)*registers])
	}
	// A path has at most n-1 edges; balls of the web stop growing after some tens.
	for d := 1; d < max(n, 2); d++ {
		grew := false
		for v := range n {
			b := next[v*registers : (v+1)*registers]
			copy(b, ball[v*registers:(v+1)*registers])
			changed := false
			for _, u := range g.into(v) {
				for i, r := range ball[int(u)*registers : (int(u)+1)*registers] {
					if r > b[i] {
						b[i], changed = r, true
					}
				}
			}
			if changed {
				now := estimate(b)
				h[v] += (now - size[v]) / float64(d)
				size[v], grew = now, true
			}
		}
		ball, next = next, ball
		if !grew {
			break
		}
	}
	return h
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), as a hash of the number of a vertex.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// estimate returns the number of different elements counted by HyperLogLog registers (Flajolet, Fusy, Gandouet and
// Meunier, 2007, figure 3, without the correction for 32-bit hashes).
func estimate(registers []uint8) float64 {
	m, sum, empty := float64(len(registers)), 0.0, 0
	for _, r := range registers {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			empty++
		}
	}
	alpha := 0.7213 / (1 + 1.079/m)
	e := alpha * m * m / sum
	// Few elements are counted by the empty registers.
	if e <= 2.5*m && empty > 0 {
		e = m * math.Log(m/float64(empty))
	}
	return e
}
