package inflate

import (
	"bytes"
	"compress/flate"
	"io"
	"os"
	"testing"
)

// members is what a benchmark decodes: streams, each into the same buffer.
type members struct {
	name    string
	streams [][]byte
	size    int64 // of all that they decode to
}

func benchMembers(b *testing.B) []members {
	all := []members{
		made("text", text(8<<20), 8<<20, 6),
		made("small", text(4<<20), 3000, 6),
		made("fast", text(8<<20), 100_000, 1),
		made("random", random(8<<20), 100_000, 6),
	}
	if path := os.Getenv("GLEANER_BENCH_WARC"); path != "" {
		src, err := os.ReadFile(path)
		must(err)
		all = append(all, ofFile(b, src))
	}
	return all
}

// made returns data as members of n bytes.
func made(name string, data []byte, n, level int) members {
	m := members{name: name, size: int64(len(data))}
	for ; len(data) > 0; data = data[min(n, len(data)):] {
		m.streams = append(m.streams, deflated(data[:min(n, len(data))], level))
	}
	return m
}

// ofFile returns the members of a gzip file, of as many bytes as are decoded in a moment. The headers must have no
// fields.
func ofFile(b *testing.B, src []byte) members {
	m := members{name: "file"}
	out, d := make([]byte, 0, 64<<20), Decoder{}
	for len(src) > 18 && m.size < 64<<20 {
		if src[3] != 0 {
			b.Skip("GLEANER_BENCH_WARC: a header with fields")
		}
		d.Reset()
		got, used, err := d.Decode(out, src[10:])
		if err != io.EOF {
			b.Fatalf("GLEANER_BENCH_WARC: %v", err)
		}
		m.streams = append(m.streams, src[10:10+used])
		m.size += int64(len(got))
		src = src[10+used+8:]
	}
	return m
}

func BenchmarkDecoder(b *testing.B) {
	out := make([]byte, 0, 64<<20)
	for _, m := range benchMembers(b) {
		b.Run(m.name, func(b *testing.B) {
			var d Decoder
			b.SetBytes(m.size)
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range m.streams {
					d.Reset()
					if _, _, err := d.Decode(out, src); err != io.EOF {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkFlate is the yardstick: compress/flate on the same members.
func BenchmarkFlate(b *testing.B) {
	for _, m := range benchMembers(b) {
		b.Run(m.name, func(b *testing.B) {
			in := bytes.NewReader(nil)
			z := flate.NewReader(in)
			b.SetBytes(m.size)
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range m.streams {
					in.Reset(src)
					must(z.(flate.Resetter).Reset(in, nil))
					if _, err := io.Copy(io.Discard, z); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkReader(b *testing.B) {
	src := wrapped(Gzip, text(8<<20))
	in := bytes.NewReader(nil)
	z := NewReader(nil, Gzip)
	b.SetBytes(8 << 20)
	b.ReportAllocs()
	for b.Loop() {
		in.Reset(src)
		z.Reset(in)
		if _, err := io.Copy(io.Discard, z); err != nil {
			b.Fatal(err)
		}
	}
}
