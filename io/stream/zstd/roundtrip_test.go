package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/guardtest"
	kzstd "github.com/klauspost/compress/zstd"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// encoded returns data as a frame, made by another package.
func encoded(data []byte, o ...kzstd.EOption) []byte {
	w, err := kzstd.NewWriter(nil, append(o, kzstd.WithEncoderConcurrency(1), kzstd.WithZeroFrames(true))...)
	must(err)
	defer func() { must(w.Close()) }()
	return w.EncodeAll(data, nil)
}

// text returns n bytes that compress as text does.
func text(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("<p> <div> harbour ship the of and quay </p> </div> a crane anchor in to was lighthouse " +
		"&amp; \n")
	var b bytes.Buffer
	for b.Len() < n {
		if r.IntN(8) == 0 {
			fmt.Fprintf(&b, "%x ", r.Uint32()>>r.IntN(32))
		}
		b.WriteString(words[int(float64(len(words))*r.Float64()*r.Float64())])
		b.WriteByte(' ')
	}
	return b.Bytes()[:n]
}

func random(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(b) // cannot fail
	return b
}

// few returns n random bytes of which only some values occur, so that literals are compressed and matches are few.
func few(n, values int) []byte {
	b := random(n)
	for i, v := range b {
		b[i] = byte(int(v) % values * int(v) / 256)
	}
	return b
}

// samples are what round trips are made of.
func samples() map[string][]byte {
	return map[string][]byte{
		"empty": {}, "one": []byte("x"), "text": text(400_000), "small text": text(700), "random": random(300_000),
		"zeros": make([]byte, 500_000), "few": few(200_000, 40), "very few": few(5000, 3),
		"mixed": bytes.Join([][]byte{text(50_000), random(20_000), make([]byte, 1000), text(300_000), few(9000, 90)}, nil),
		"periods": []byte(strings.Repeat("a", 100) + strings.Repeat("ab", 100) + strings.Repeat("abc", 1000) +
			strings.Repeat("abcdefghijk", 50)),
	}
}

// encoders makes encoders of every level, with options each.
func encoders(t *testing.T) (all []*kzstd.Encoder) {
	for level := kzstd.SpeedFastest; level <= kzstd.SpeedBestCompression; level++ {
		for _, o := range []kzstd.EOption{
			kzstd.WithEncoderCRC(true), kzstd.WithWindowSize(1 << 10), kzstd.WithSingleSegment(true),
			kzstd.WithEncoderCRC(false),
		} {
			e, err := kzstd.NewWriter(nil, o, kzstd.WithEncoderLevel(level), kzstd.WithEncoderConcurrency(1),
				kzstd.WithZeroFrames(true))
			must(err)
			t.Cleanup(func() { must(e.Close()) })
			all = append(all, e)
		}
	}
	return all
}

func TestDecoder_roundTrip(t *testing.T) {
	d := NewDecoder(Options{})
	all := encoders(t)
	for name, data := range samples() {
		t.Run(name, func(t *testing.T) {
			for i, e := range all {
				frame := e.EncodeAll(data, nil)
				got, used, err := whole.decode(t, d, append(frame, "next"...))
				if err != io.EOF || !bytes.Equal(got, data) || used != len(frame) {
					t.Errorf("encoder %d: Decode = %d bytes of %d, %v; want %d of %d, io.EOF", i, len(got), used, err, len(data),
						len(frame))
				}
			}
		})
	}
}

func TestDecoder_inPieces(t *testing.T) {
	d := NewDecoder(Options{})
	for name, data := range samples() {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 7, 100, 4000, 100_000} {
				data := data[:min(len(data), 200*n)]
				for _, window := range []int{1 << 10, 1 << 20} {
					got, _, err := feeding{always(n), always(n), 64 << 20}.decode(t, d, encoded(data, kzstd.WithWindowSize(window)))
					if err != io.EOF || !bytes.Equal(got, data) {
						t.Errorf("pieces of %d: %d bytes, %v; want %d, io.EOF", n, len(got), err, len(data))
					}
				}
			}
		})
	}
}

// TestDecoder_exactRoom decodes into as much memory as is needed, at any alignment of the last sequence.
func TestDecoder_exactRoom(t *testing.T) {
	d := NewDecoder(Options{})
	for n := range 600 {
		data := text(1000)[:n]
		got, _, err := feeding{always(1 << 20), always(n), 64 << 20}.decode(t, d, encoded(data))
		if err != io.EOF || !bytes.Equal(got, data) {
			t.Fatalf("Decode of %d bytes into as many = %d bytes, %v; want io.EOF", n, len(got), err)
		}
	}
}

// TestDecoder_libzstd decodes what testdata/make.py has made. The frames have checksums.
func TestDecoder_libzstd(t *testing.T) {
	files, err := filepath.Glob("testdata/libzstd/*.zst")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in testdata/libzstd: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			frame, err := os.ReadFile(file)
			must(err)
			var o Options
			if base, _, ok := strings.Cut(filepath.Base(file), "-"); ok && (base == "raw" || base == "trained") {
				b, err := os.ReadFile("testdata/libzstd/" + base + ".dict")
				must(err)
				o.Dictionary, err = ParseDictionary(b)
				must(err)
				if got, _, err := whole.decode(t, NewDecoder(Options{}), frame); err == io.EOF {
					t.Errorf("without its dictionary: %d bytes, %v", len(got), err)
				}
			}
			d := NewDecoder(o)
			for _, f := range []feeding{whole, {always(1), always(3), 64 << 20}, {always(1), always(333), 64 << 20}} {
				if got, used, err := f.decode(t, d, frame); err != io.EOF || used != len(frame) || len(got) < 1000 {
					t.Errorf("%d bytes of %d, %v; want some of %d, io.EOF", len(got), used, err, len(frame))
				}
			}
			frame[len(frame)-1] ^= 1
			if _, used, err := whole.decode(t, d, frame); err != ErrChecksum || used != len(frame) {
				t.Errorf("with another checksum: %d bytes used, %v; want %d, ErrChecksum", used, err, len(frame))
			}
		})
	}
}

// TestDecoder_foreignWindow gives a Decoder a window that is not its own: it must not read outside of it.
func TestDecoder_foreignWindow(t *testing.T) {
	data := text(300_000)
	src := encoded(data)
	d := NewDecoder(Options{})
	for _, keep := range []int{0, 1, 100, 20_000} {
		d.Reset()
		_, used, err := d.Decode(make([]byte, 0, 150_000), src)
		must(err)
		dst := guardtest.New(make([]byte, keep), 160_000)
		out, _, err := d.Decode(dst.Slice, src[used:])
		dst.Check(t)
		if err != nil && !errors.Is(err, ErrCorrupt) && err != ErrChecksum || bytes.Equal(out[keep:], data[150_000:]) {
			t.Errorf("Decode with a window of %d foreign bytes = %d bytes, %v", keep, len(out), err)
		}
	}
}

// TestDecoder_olderBytesAreNoWindow decodes several frames into one buffer: matches must not reach from one into
// another, however the frame is divided.
func TestDecoder_olderBytesAreNoWindow(t *testing.T) {
	src := frameOf(plain, packed(literalsOf("ab"), single("\x01", 2, 2, 0, field{2, 2})))
	d := NewDecoder(Options{})
	for room := range 5 {
		dst := append(make([]byte, 0, 11+room), "older bytes"...)
		d.Reset()
		out, used, err := d.Decode(dst, src)
		if err == nil {
			out, _, err = d.Decode(append(make([]byte, 0, 100), out...), src[used:])
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("Decode of a distance of 3 after 2 bytes, with room for %d = %q, %v, want ErrCorrupt", room, out, err)
		}
	}
}
