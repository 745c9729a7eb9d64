package zstd

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	kzstd "github.com/klauspost/compress/zstd"
)

// How much a fuzzed frame may decode to, in bytes. In small pieces, of which each takes a copy of the window, it is
// less, or the fuzzer takes the test for hung.
const (
	fuzzLimit   = 1 << 18
	piecesLimit = 1 << 13
)

// damaged returns src with up to flips bits changed, and sometimes cut.
func damaged(src []byte, r *rand.Rand, flips int) []byte {
	src = append([]byte(nil), src...)
	for range flips {
		if len(src) > 0 {
			src[r.IntN(len(src))] ^= 1 << r.IntN(8)
		}
	}
	if r.IntN(8) == 0 {
		src = src[:r.IntN(len(src)+1)]
	}
	return src
}

// chunks returns a feeding in pieces of random sizes, up to some order of magnitude.
func chunks(r *rand.Rand) feeding {
	sizes := [...]int{1, 10, 100, 1000, 50_000}
	piece, room := sizes[r.IntN(len(sizes))], sizes[1+r.IntN(len(sizes)-1)]
	return feeding{func() int { return 1 + r.IntN(piece) }, func() int { return 1 + r.IntN(room) }, piecesLimit}
}

func FuzzDecode(f *testing.F) {
	for _, c := range cornerCases() {
		f.Add(c.src, uint64(0))
	}
	files, err := filepath.Glob("testdata/libzstd/*")
	must(err)
	for _, file := range files {
		b, err := os.ReadFile(file)
		must(err)
		f.Add(b, uint64(0))
		f.Add(b, uint64(3))
	}
	for seed := range uint64(20) {
		f.Add(text(3000), seed)
		f.Add(few(2000, int(seed)*5+2), seed)
	}
	var e [4]*kzstd.Encoder
	for i := range e {
		e[i], err = kzstd.NewWriter(nil, kzstd.WithEncoderLevel(kzstd.EncoderLevel(i+1)), kzstd.WithEncoderCRC(i == 3),
			kzstd.WithEncoderConcurrency(1))
		must(err)
	}
	d := NewDecoder(Options{})
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		src := data
		if seed%4 > 0 {
			src = e[r.IntN(len(e))].EncodeAll(data, nil)
		}
		if seed%4 > 1 || seed == 0 && len(src) > 100 {
			src = damaged(src, r, r.IntN(4))
		}
		feeding{always(len(src)), always(64 << 10), fuzzLimit}.agree(t, d, src)
		chunks(r).agree(t, d, src)
	})
}

func FuzzParseDictionary(f *testing.F) {
	for _, name := range []string{"trained", "raw"} {
		b, err := os.ReadFile("testdata/libzstd/" + name + ".dict")
		must(err)
		frame, err := os.ReadFile("testdata/libzstd/" + name + "-19.zst")
		must(err)
		f.Add(b, frame)
	}
	f.Fuzz(func(t *testing.T, b, frame []byte) {
		d, err := ParseDictionary(b)
		if err == nil {
			// the loops must agree
			_, _, _ = feeding{always(len(frame)), always(64 << 10), fuzzLimit}.decode(t, NewDecoder(Options{Dictionary: d}),
				frame)
		}
	})
}
