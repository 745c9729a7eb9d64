package inflate

import (
	"math/rand/v2"
	"testing"
)

// fuzzLimit is how many bytes of a fuzzed stream are decoded and compared. The limit for small pieces is lower, because
// each piece takes a copy of the window. Otherwise the fuzzer takes the test for hung.
const (
	fuzzLimit   = 1 << 17
	piecesLimit = 1 << 14
)

// damaged returns src with up to flips bits changed, and sometimes cut.
func damaged(src []byte, r *rand.Rand, flips int) []byte {
	src = append([]byte(nil), src...)
	for range flips {
		if len(src) > 0 {
			src[r.IntN(len(src))] ^= 1 << r.IntN(8)
		}
	}
	if r.IntN(4) == 0 {
		src = src[:r.IntN(len(src)+1)]
	}
	return src
}

// stream makes a stream of fuzzed data: the data as it is, or encoded in some way, or that damaged.
func stream(data []byte, r *rand.Rand) []byte {
	var src []byte
	switch level := r.IntN(10) - 2; r.IntN(4) {
	case 0:
		return data
	case 1:
		src = deflatedKP(data, level)
	default:
		src = deflated(data, level)
	}
	return append(damaged(src, r, r.IntN(4)), "next"...)
}

// chunks returns a feeding in pieces of random sizes, up to some order of magnitude.
func chunks(r *rand.Rand) feeding {
	sizes := [...]int{1, 10, 100, 1000, 50_000}
	piece, room := sizes[r.IntN(len(sizes))], sizes[1+r.IntN(len(sizes)-1)]
	return feeding{func() int { return 1 + r.IntN(piece) }, func() int { return 1 + r.IntN(room) }}
}

func FuzzDecode(f *testing.F) {
	for _, c := range cornerCases() {
		f.Add(c.src, uint64(0))
	}
	for seed := range uint64(30) {
		f.Add(text(3000), seed)
		f.Add(runs()[:5000], seed)
	}
	var d Decoder
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		src := stream(data, r)
		feeding{always(len(src)), always(64 << 10)}.agree(t, &d, src, fuzzLimit)
		chunks(r).agree(t, &d, src[:min(len(src), piecesLimit)], piecesLimit)
	})
}

func FuzzReader(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(text(1000), seed, true)
		f.Add(append(wrapped(Gzip, text(100)), wrapped(Gzip, text(200))...), seed, false)
		f.Add(wrapped(Zlib, text(100)), seed, false)
	}
	zs := [...]*Reader{Zlib: NewReader(nil, Zlib), Gzip: NewReader(nil, Gzip)}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, encode bool) {
		r := rand.New(rand.NewPCG(seed, 0))
		for _, format := range []Format{Zlib, Gzip} {
			src := data
			if encode {
				src = wrapped(format, data)
			}
			sameAsStandard(t, zs[format], format, damaged(src, r, r.IntN(3)))
		}
	})
}
