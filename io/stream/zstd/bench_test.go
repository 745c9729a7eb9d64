package zstd

import (
	"encoding/binary"
	"io"
	"os"
	"testing"

	kzstd "github.com/klauspost/compress/zstd"
)

// frames is what a benchmark decodes: frames, each into the same buffer.
type frames struct {
	name   string
	frames [][]byte
	size   int64 // of all that they decode to
}

func benchFrames(b *testing.B) []frames {
	all := []frames{
		made("text", text(8<<20), 8<<20),
		made("small", text(4<<20), 3000),
		made("literals", few(8<<20, 90), 100_000),
		made("random", random(8<<20), 100_000),
	}
	if path := os.Getenv("GLEANER_BENCH_ZSTD"); path != "" {
		src, err := os.ReadFile(path)
		must(err)
		all = append(all, ofFile(b, src))
	}
	return all
}

// made returns data as frames of n bytes.
func made(name string, data []byte, n int) frames {
	f := frames{name: name, size: int64(len(data))}
	for ; len(data) > 0; data = data[min(n, len(data)):] {
		f.frames = append(f.frames, encoded(data[:min(n, len(data))]))
	}
	return f
}

// ofFile returns the frames of a file, of as many bytes as are decoded in a moment.
func ofFile(b *testing.B, src []byte) frames {
	f := frames{name: "file"}
	out, d := make([]byte, 0, 64<<20), NewDecoder(Options{})
	for len(src) > 8 && f.size < 64<<20 {
		if binary.LittleEndian.Uint32(src)&^15 == 0x184D2A50 { // a skippable frame
			src = src[8+binary.LittleEndian.Uint32(src[4:]):]
			continue
		}
		d.Reset()
		got, used, err := d.Decode(out, src)
		if err != io.EOF {
			b.Fatalf("GLEANER_BENCH_ZSTD: %v", err)
		}
		f.frames = append(f.frames, src[:used])
		f.size += int64(len(got))
		src = src[used:]
	}
	return f
}

func BenchmarkDecoder(b *testing.B) {
	out := make([]byte, 0, 64<<20)
	for _, f := range benchFrames(b) {
		b.Run(f.name, func(b *testing.B) {
			d := NewDecoder(Options{})
			b.SetBytes(f.size)
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range f.frames {
					d.Reset()
					if _, _, err := d.Decode(out, src); err != io.EOF {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkKlauspost is the yardstick: github.com/klauspost/compress on the same frames.
func BenchmarkKlauspost(b *testing.B) {
	out := make([]byte, 0, 64<<20)
	for _, f := range benchFrames(b) {
		b.Run(f.name, func(b *testing.B) {
			d, err := kzstd.NewReader(nil, kzstd.WithDecoderConcurrency(1))
			must(err)
			defer d.Close()
			b.SetBytes(f.size)
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range f.frames {
					if _, err := d.DecodeAll(src, out); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
