package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/member"
)

// nested returns an archive whose every seventh record holds a stored archive of more than 64 KiB, of members that all
// begin with a record, and where its members start.
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

func TestFindStart_isNeverInsideANestedArchive(t *testing.T) {
	data, starts := nested(t)
	size := int64(len(data))
	f, err := ParseFormat("warc+gzip")
	if err != nil {
		t.Fatal(err)
	}
	offsets := 2000
	if testing.Short() {
		offsets = 100
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for range offsets {
		from := 1 + rnd.Int64N(size-1)
		q, err := member.FindStart(bytes.NewReader(data), member.Gzip, from, size, isHead(f.grammar(), true))
		if err != nil {
			t.Fatal(err)
		}
		i, _ := slices.BinarySearch(starts, from)
		// Near the end no chain is long enough, so none may be found there.
		if q == size && (i == len(starts) || size-starts[i] < 65536) {
			continue
		}
		if i == len(starts) || q != starts[i] {
			t.Fatalf("FindStart(%d) = %d, want one of %d", from, q, starts[min(i, len(starts)-1):])
		}
	}
	whole := readBytes(t, data, f)
	for _, every := range []int64{10_000, 70_001, 300_000} {
		if n := checkSplit(t, bytes.NewReader(data), size, whole, f, every); n < 2 {
			t.Errorf("%d ranges", n)
		}
	}
}

func TestStarts_archives(t *testing.T) {
	for i, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			m := makeArchive(t, rand.New(rand.NewPCG(9, uint64(i))), i, 120, 60_000)
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
					longer := fmt.Sprintf("Content-Length: %d\r\n", int64(len(b))+[]int64{1, 4, 5000, 40 << 20, 1<<63 - 1 - int64(len(b))}[i/3%5])
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
