package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// nested returns an archive and the offsets of its members. Every seventh record holds a stored archive of more than 64
// KiB, whose members all begin with a record.
func nested(t *testing.T) (data []byte, starts []int64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	inner := makeArchive(t, rnd, 0, 60, 12000).bytes()
	if len(inner) < 100_000 {
		t.Fatalf("the inner archive has %d bytes", len(inner))
	}
	for i := range 80 {
		starts = append(starts, int64(len(data)))
		switch i % 7 {
		case 3:
			data = append(data, gzipLevel(t, gzip.NoCompression, warcRecord(3*i+2, inner))...)
		case 5:
			data = append(data, gzipped(t, warcRecord(3*i+2, inner))...)
		default:
			data = append(data, gzipped(t, warcRecord(i, body(rnd, 9000)))...)
		}
	}
	return data, starts
}

func TestStarts_nestedArchive(t *testing.T) {
	data, _ := nested(t)
	f := mustFormat(t, "warc+gzip")
	whole := readBytes(t, data, f)
	for _, every := range []int64{10_000, 70_001, 300_000} {
		if n := checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, f, every); n < 2 {
			t.Errorf("%d ranges", n)
		}
	}
}

// TestReader_inAnyNumberOfRanges reads files in exactly so many ranges.
func TestReader_inAnyNumberOfRanges(t *testing.T) {
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			m := makeArchive(t, rand.New(rand.NewPCG(64, uint64(i))), i, 450, l.chain()/12)
			data := m.bytes()
			src, size := bytes.NewReader(data), int64(len(data))
			all, err := Starts(src, size, size/300, m.format)
			if err != nil {
				t.Fatal(err)
			}
			whole := readBytes(t, data, m.format)
			if lost := missing(m.want, whole.captures); len(lost) > 0 {
				t.Errorf("lost %q", lost)
			}
			counts := []int{1, 2, 7, 64}
			if l.name == "single member" || l.name == "lz4" {
				counts = counts[:1] // they cannot be split
			}
			for _, n := range counts {
				if len(all) < n {
					t.Fatalf("%d starts, want %d", len(all), n)
				}
				starts := make([]int64, n)
				for k := range starts {
					starts[k] = all[k*len(all)/n]
				}
				checkRanges(t, src, size, whole, m.format, starts)
			}
		})
	}
}

func TestStarts_archives(t *testing.T) {
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			m := makeArchive(t, rand.New(rand.NewPCG(9, uint64(i))), i, 120, 24_000)
			data := m.bytes()
			whole := readBytes(t, data, m.format)
			for _, every := range []int64{0, -1, 1, 20_000, 70_001, 1 << 20, 64 << 20} {
				n := checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, m.format, every)
				whole1 := every <= 0 || every > int64(len(data)) || l.name == "single member" || l.name == "lz4"
				if whole1 != (n == 1) {
					t.Errorf("%d ranges of %d bytes for %d", n, every, len(data))
				}
			}
		})
	}
}

// TestStarts_zstdSkippableFrame hides frames that pass for true starts in a skippable frame.
func TestStarts_zstdSkippableFrame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	hidden := makeArchive(t, rnd, 1, 80, 30_000).bytes()
	around := makeArchive(t, rnd, 1, 40, 30_000)
	skip := binary.LittleEndian.AppendUint32(nil, 0x184D2A53)
	skip = append(binary.LittleEndian.AppendUint32(skip, uint32(len(hidden))), hidden...)
	data := slices.Concat(around.bytes(), skip, around.bytes())
	whole := readBytes(t, data, around.format)
	if lost := missing(slices.Concat(around.want, around.want), whole.captures); len(lost) > 0 {
		t.Errorf("lost %q", lost)
	}
	for _, every := range []int64{10_000, 50_000, 200_000} {
		checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, around.format, every)
	}
}

// TestStarts_wrongLengthAcrossTheBorder has records that claim to reach into the next range.
func TestStarts_wrongLengthAcrossTheBorder(t *testing.T) {
	for _, pack := range []struct {
		format string
		f      func(testing.TB, ...[]byte) []byte
	}{{"warc+plain", stored}, {"warc+gzip", gzipped}, {"warc+zstd", zstdFrame}} {
		t.Run(pack.format, func(t *testing.T) {
			f, err := ParseFormat(pack.format)
			if err != nil {
				t.Fatal(err)
			}
			rnd := rand.New(rand.NewPCG(11, 12))
			var data []byte
			for i := range 90 {
				b := body(rnd, 9000)
				rec := warcRecord(i, b)
				if i%3 == 2 {
					length := fmt.Sprintf("Content-Length: %d\r\n", len(b))
					longer := fmt.Sprintf("Content-Length: %d\r\n", int64(len(b))+
						[]int64{1, 4, 5000, 40 << 20, 1<<63 - 1 - int64(len(b))}[i/3%5])
					rec = bytes.Replace(rec, []byte(length), []byte(longer), 1)
				}
				data = append(data, pack.f(t, rec)...)
			}
			whole := readBytes(t, data, f)
			if len(whole.captures) != 90 || len(whole.rejects) != 0 {
				t.Errorf("%d captures, want 90; rejects %+v", len(whole.captures), whole.rejects)
			}
			for _, every := range []int64{1, 5000, 30_000} {
				checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, f, every)
			}
		})
	}
}

// countingReader counts the bytes that are read.
type countingReader struct {
	src io.ReaderAt
	n   int64
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.src.ReadAt(p, off)
	c.n += int64(n)
	return n, err
}
