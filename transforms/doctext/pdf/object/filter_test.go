package object_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// decode returns the decoded stream with these entries and data.
func decode(entries, data string) []byte {
	b := pdftest.New()
	n := b.Stream(entries, data)
	b.Page("")
	f := object.Open(b.Bytes(), object.Limits{})
	return f.Decode(f.Stream(object.Ref{Num: n}))
}

// samples returns 20,000 bytes with some repetitions.
func samples() []byte {
	rng := rand.New(rand.NewSource(1))
	plain := make([]byte, 20_000)
	for i := range plain {
		plain[i] = byte(rng.Intn(4) * rng.Intn(60))
	}
	return plain
}

// lzw encodes plain with LZW. It widens codes one code early or not.
func lzw(plain []byte, early int) string {
	var out []byte
	var bits uint64
	have, width := 0, 9
	put := func(code int) {
		bits = bits<<width | uint64(code)
		for have += width; have >= 8; have -= 8 {
			out = append(out, byte(bits>>(have-8)))
		}
	}
	codes := map[string]int{}
	reset := func() {
		put(256)
		clear(codes)
		width = 9
	}
	code := func(s string) int {
		if len(s) == 1 {
			return int(s[0])
		}
		return codes[s]
	}
	reset()
	s := ""
	for _, c := range plain {
		next := s + string([]byte{c})
		if _, ok := codes[next]; ok || len(next) == 1 {
			s = next
			continue
		}
		put(code(s))
		codes[next] = 258 + len(codes)
		s = next[len(next)-1:]
		switch n := 258 + len(codes) - 1 + early; {
		case n >= 4095:
			put(code(s))
			s = ""
			reset()
		case n >= 2048:
			width = 12
		case n >= 1024:
			width = 11
		case n >= 512:
			width = 10
		}
	}
	put(code(s))
	put(257)
	put(0)
	return string(out)
}

func TestFile_DecodeLongLZW(t *testing.T) {
	plain := samples()
	for early := range 2 {
		got := decode(fmt.Sprintf("/Filter/LZWDecode/DecodeParms<</EarlyChange %d>>", early), lzw(plain, early))
		if !bytes.Equal(got, plain) {
			t.Errorf("EarlyChange %d: %d bytes differ from %d", early, len(got), len(plain))
		}
	}
}

// filterPNG filters rows of three-byte pixels, each row with the next of the five filters.
func filterPNG(plain []byte, row int) string {
	var out []byte
	at := func(i, j int) int {
		if i < 0 || j < 0 {
			return 0
		}
		return int(plain[i*row+j])
	}
	for i := range len(plain) / row {
		kind := i % 5
		out = append(out, byte(kind))
		for j := range row {
			left, above, corner := at(i, j-3), at(i-1, j), 0
			if j >= 3 {
				corner = at(i-1, j-3)
			}
			p := left + above - corner
			paeth := corner
			switch a, b, c := abs(p-left), abs(p-above), abs(p-corner); {
			case a <= b && a <= c:
				paeth = left
			case b <= c:
				paeth = above
			}
			out = append(out, byte(at(i, j)-[]int{0, left, above, (left + above) / 2, paeth}[kind]))
		}
	}
	return string(out)
}

func abs(n int) int { return max(n, -n) }

func TestFile_DecodePredictors(t *testing.T) {
	plain := samples()[:30*300]
	got := decode("/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 3/Columns 10>>",
		pdftest.Deflate(filterPNG(plain, 30)))
	if !bytes.Equal(got, plain) {
		t.Errorf("PNG: %d bytes differ from %d", len(got), len(plain))
	}
	tiff := bytes.Clone(plain)
	for i := len(tiff) - 1; i >= 0; i-- {
		if i%30 >= 3 {
			tiff[i] -= tiff[i-3]
		}
	}
	got = decode("/Filter/FlateDecode/DecodeParms<</Predictor 2/Colors 3/Columns 10>>", pdftest.Deflate(string(tiff)))
	if !bytes.Equal(got, plain) {
		t.Errorf("TIFF: %d bytes differ from %d", len(got), len(plain))
	}
}
