package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/guardtest"
	kpflate "github.com/klauspost/compress/flate"
)

// must is for writers to memory, which do not fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// deflated returns data as compress/flate encodes it at that level.
func deflated(data []byte, level int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	must(err)
	_, err = w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

// deflatedKP is deflated with the encoder of klauspost/compress.
func deflatedKP(data []byte, level int) []byte {
	var b bytes.Buffer
	w, err := kpflate.NewWriter(&b, level)
	must(err)
	_, err = w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

// text returns n bytes that compress as pages do: words of a small language between tags.
func text(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 2000)
	for i := range words {
		for range 1 + r.IntN(9) {
			words[i] += string(rune('a' + int(r.ExpFloat64()*5)%26))
		}
	}
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "<p class=%q>", words[r.IntN(10)])
		for range r.IntN(30) {
			b.WriteString(words[min(int(r.ExpFloat64()*200), len(words)-1)] + " ")
		}
		b.WriteString("</p>\n" + strings.Repeat(" ", r.IntN(20)))
	}
	return b.Bytes()[:n]
}

func random(n int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// runs returns repetitions of every period up to 300, each of several lengths.
func runs() []byte {
	noise, b := random(1000), []byte{}
	for period := 1; period <= 300; period++ {
		for _, n := range []int{3, 31, 33, 64, 258, 600} {
			b = append(b, noise[:period]...)
			for range n {
				b = append(b, b[len(b)-period])
			}
		}
	}
	return b
}

func TestDecoder_everyLevel(t *testing.T) {
	samples := map[string][]byte{
		"empty": nil, "byte": {1}, "text": text(300_000), "random": random(200_000), "runs": runs(),
		"zeros": make([]byte, 1<<20), "mixed": append(text(100_000), random(100_000)...),
	}
	var d Decoder
	for name, data := range samples {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			for by, src := range map[string][]byte{"std": deflated(data, level), "klauspost": deflatedKP(data, level)} {
				got, used, end := whole.decode(t, &d, append(src, "next"...))
				if !bytes.Equal(got, data) || used != len(src) || end != ends {
					t.Errorf("%s, %s level %d: %d bytes from %d, %s; want %d from %d", name, by, level, len(got), used, end, len(data),
						len(src))
				}
			}
		}
	}
}

func TestDecoder_everySplit(t *testing.T) {
	data := bytes.Join([][]byte{text(40_000), random(3000), make([]byte, 3000), runs()[:40_000]}, nil)
	var d Decoder
	for _, piece := range []int{1, 7, 1000, 1 << 20} {
		for _, room := range []int{1, 100, 400, 64 << 10} {
			n := len(data)
			if room == 1 || piece == 1 {
				n = 10_000 // each call copies the window
			}
			src := deflated(data[len(data)-n:], 6)
			got, used, end := feeding{always(piece), always(room)}.decode(t, &d, src)
			if !bytes.Equal(got, data[len(data)-n:]) || used != len(src) || end != ends {
				t.Errorf("pieces of %d, room of %d: %d bytes from %d, %s; want %d from %d", piece, room, len(got), used, end, n,
					len(src))
			}
		}
	}
}

func TestDecoder_roomOfExactlyTheData(t *testing.T) {
	for n := range 1000 {
		data := text(1000)[:n]
		var d Decoder
		got, used, err := d.Decode(make([]byte, 0, n), deflated(data, 9))
		if err != io.EOF || !bytes.Equal(got, data) {
			t.Fatalf("Decode of %d bytes into as many = %d bytes from %d, %v; want io.EOF", n, len(got), used, err)
		}
	}
}

// TestDecoder_foreignWindow gives a Decoder a window that is not its own: it must not read outside of it.
func TestDecoder_foreignWindow(t *testing.T) {
	data := text(100_000)
	src := deflated(data, 9)
	for _, keep := range []int{0, 1, 100, 20_000} {
		var d Decoder
		_, used, err := d.Decode(make([]byte, 0, 50_000), src)
		must(err)
		dst := guardtest.New(make([]byte, keep), 60_000)
		out, _, err := d.Decode(dst.Slice, src[used:])
		dst.Check(t)
		if err != nil && !errors.Is(err, ErrCorrupt) || bytes.Equal(out[keep:], data[50_000:]) {
			t.Errorf("Decode with a window of %d foreign bytes = %d bytes, %v", keep, len(out), err)
		}
	}
}

// TestDecoder_olderBytesAreNoWindow decodes several streams into one buffer: matches must not reach from one into
// another, however the stream is divided and however much follows.
func TestDecoder_olderBytesAreNoWindow(t *testing.T) {
	first := deflated([]byte("older bytes"), 6)
	src := match("ab", 257, 0, 2)
	for _, padding := range []int{0, 100} {
		for cut := range len(src) {
			var d Decoder
			dst, _, err := d.Decode(make([]byte, 0, 1<<10), first)
			if err != io.EOF {
				t.Fatal(err)
			}
			d.Reset()
			dst, used, err := d.Decode(dst, src[:cut])
			if err == nil {
				dst, _, err = d.Decode(dst, append(src[used:len(src):len(src)], make([]byte, padding)...))
			}
			if !errors.Is(err, ErrCorrupt) || string(dst) != "older bytesab" {
				t.Errorf("Decode of a distance of 3 after 2 bytes, cut at %d = %q, %v, want ErrCorrupt", cut, dst, err)
			}
		}
	}
}
