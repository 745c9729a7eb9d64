package index

import (
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// readStored returns a stored bitmap by eachStored.
func readStored(data []byte, chunk uint32) (*roaring.Bitmap, error) {
	set := roaring.New()
	err := eachStored(data, chunk, func(from, n uint32) {
		first := uint64(chunk)<<chunkBits + uint64(from)
		set.AddRange(first, first+uint64(n))
	})
	return set, err
}

// storedSets are sets of chunk 5 with each form of container.
func storedSets() []*roaring.Bitmap {
	const first = 5 << chunkBits
	r := rand.New(rand.NewPCG(4, 4))
	list := []*roaring.Bitmap{
		roaring.New(), roaring.BitmapOf(first), roaring.BitmapOf(first + chunkMask), span(first, first+1<<chunkBits),
		span(first+65_535, first+65_537), span(first+7, first+3*65_536),
	}
	for _, n := range []int{2, 100, 4096, 4097, 40_000, 250_000} {
		set := roaring.New()
		for range n {
			set.Add(first + uint32(r.IntN(1<<chunkBits)))
		}
		list = append(list, set, roaring.Or(set, span(first+70_000, first+90_000)))
	}
	return list
}

// TestEachStored: a stored bitmap is read as the library reads it. Bytes that are cut, or of another chunk, are damage.
func TestEachStored(t *testing.T) {
	for i, set := range storedSets() {
		for _, data := range [][]byte{must(set.ToBytes()), must(encodeBits(set.Clone()))} {
			got, err := readStored(data, 5)
			if err != nil || !got.Equals(set) {
				t.Errorf("set %d: %d of %d values, %v", i, got.GetCardinality(), set.GetCardinality(), err)
			}
			if _, err := readStored(data, 4); err == nil && !set.IsEmpty() {
				t.Errorf("set %d: read as chunk 4", i)
			}
			for _, n := range []int{0, 3, 7, len(data) - 1} {
				if _, err := readStored(data[:min(n, len(data)-1)], 5); err == nil {
					t.Errorf("set %d: read from %d of %d bytes", i, n, len(data))
				}
			}
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// FuzzEachStored: a bitmap that is read without an error is the one that the library reads.
func FuzzEachStored(f *testing.F) {
	for _, set := range storedSets() {
		f.Add(must(encodeBits(set)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readStored(data, 5)
		if err != nil {
			return
		}
		want, err := parseBits(data)
		if err != nil || !got.Equals(want) {
			t.Errorf("%v, %v by the library: %v", got, want, err)
		}
	})
}
