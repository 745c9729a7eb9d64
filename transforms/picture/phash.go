package picture

import (
	"fmt"
	"image"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

const (
	hashSide = 32 // pixels of the image that is hashed
	hashBand = 8  // lowest frequencies in each direction
	// leastContrast is the standard deviation of grey below which an image has no shape to compare: one colour, or a
	// faint gradient.
	leastContrast = 2
)

// hashOf returns the perceptual hash of an image of hashSide × hashSide pixels: 64 bits in 16 hexadecimal digits. It is
// empty for an image without contrast. Each bit compares one of the lowest frequencies of a cosine transform with their
// median. The first row and column are left out: they hold the brightness.
//
// Source: N. Krawetz, "Looks Like It", 2011; C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash
// Functions", 2010, section 3.2.
func hashOf(m *image.RGBA) string {
	grey, deviation := greyOf(m)
	if deviation < leastContrast {
		return ""
	}
	var band [hashBand * hashBand]float64
	for v := range hashBand {
		for u := range hashBand {
			band[v*hashBand+u] = frequency(grey, u+1, v+1)
		}
	}
	sorted := band
	slices.Sort(sorted[:])
	median := (sorted[len(sorted)/2-1] + sorted[len(sorted)/2]) / 2
	var hash uint64
	for _, f := range band {
		hash <<= 1
		if f > median {
			hash |= 1
		}
	}
	return fmt.Sprintf("%016x", hash)
}

// greyOf returns the brightness of the pixels, and its standard deviation.
func greyOf(m *image.RGBA) (grey *[hashSide][hashSide]float64, deviation float64) {
	grey = new([hashSide][hashSide]float64)
	var sum, squares float64
	for y := range hashSide {
		for x := range hashSide {
			p := m.Pix[m.PixOffset(x, y):]
			g := 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])
			grey[y][x] = g
			sum += g
			squares += g * g
		}
	}
	const n = hashSide * hashSide
	return grey, math.Sqrt(max(0, squares/n-sum/n*sum/n))
}

// frequency returns one coefficient of the two-dimensional cosine transform (DCT-II).
func frequency(grey *[hashSide][hashSide]float64, u, v int) (sum float64) {
	for y := range hashSide {
		for x := range hashSide {
			sum += grey[y][x] * cosines[u][x] * cosines[v][y]
		}
	}
	// Rounded, because processors differ in the last bits.
	return math.Round(sum * 1024)
}

var cosines = makeCosines()

func makeCosines() (c [hashBand + 1][hashSide]float64) {
	for u := range c {
		for x := range hashSide {
			c[u][x] = math.Cos(math.Pi / hashSide * (float64(x) + 0.5) * float64(u))
		}
	}
	return c
}

// MaxDistance is the number of bits up to which two hashes are of similar images. See docs/images.md for its
// measurement.
const MaxDistance = 10

// ParseHash parses a perceptual hash.
func ParseHash(s string) (uint64, bool) {
	h, err := strconv.ParseUint(s, 16, 64)
	return h, err == nil && len(s) == 16
}

// Distance returns the number of different bits of two hashes.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }
