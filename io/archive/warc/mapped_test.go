package warc

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/member"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/mapped"
)

// openMapped makes a file of data and maps it.
func openMapped(tb testing.TB, data []byte) (f *mapped.File, path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "file.warc")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		tb.Fatal(err)
	}
	f, err := mapped.Open(path)
	if errors.Is(err, errors.ErrUnsupported) {
		tb.Skip("this system maps no files")
	}
	if err != nil {
		tb.Fatal(err)
	}
	return f, path
}

// walk reads a range and tells all that the reader says of it.
func walk(t *testing.T, src io.ReaderAt, rng member.Range, o record.Options) (told []string) {
	t.Helper()
	tell := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	o.OnLoss = func(l record.Loss) { tell("%s", l) }
	o.OnQuirk = func(name string) { tell("%s", name) }
	r, err := record.NewReader(src, rng, member.Plain, Grammar{}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for rec, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		block := rec.Block
		if o.HeadsOnly { // more than is promised may be there
			block = block[:min(len(block), 8<<10)]
		}
		tell("%d+%d %v %v %d of %d bytes: %x", rec.Offset, rec.Length, rec.Flags, rec.Quirks, len(block), rec.Size, crc(block))
		b, err := rec.Open()
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(b)
		tell("%x %v", crc(all), err)
	}
	tell("%+v, arrived at %d", r.Stats(), r.Arrived())
	return told
}

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// TestReader_mapped: a mapped file is read as any other, whole or damaged, in one range or several.
func TestReader_mapped(t *testing.T) {
	whole, _ := pages(t, 12, "plain")
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		data := bytes.Clone(whole)
		for range i % 5 {
			at, n := rnd.IntN(len(data)), rnd.IntN(200)
			to := min(len(data), at+n)
			switch rnd.IntN(3) {
			case 0:
				data = append(data[:at], data[to:]...)
			case 1:
				clear(data[at:to])
			case 2: // a length that is wrong
				if k := bytes.Index(data[at:], []byte("Content-Length: ")); k >= 0 {
					data[at+k+len("Content-Length: ")] = '1' + byte(rnd.IntN(9))
				}
			}
		}
		f, _ := openMapped(t, data)
		size := int64(len(data))
		middle := rnd.Int64N(size)
		for _, o := range []record.Options{{}, {MaxBlock: 5000}, {HeadsOnly: true}, {MaxBlock: 20_000, HeadsOnly: true, MaxHead: 100}} {
			for _, rng := range []member.Range{{End: size, Size: size}, {End: middle, Size: size}, {Start: middle, End: size, Size: size}} {
				want := walk(t, bytes.NewReader(data), rng, o)
				if diff := cmp.Diff(want, walk(t, f, rng, o)); diff != "" {
					t.Fatalf("file %d, %+v, %+v: -copied +mapped:\n%s", i, o, rng, diff)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReader_mappedCut: a file that becomes shorter while it is read ends with an error.
func TestReader_mappedCut(t *testing.T) {
	data, _ := pages(t, 30, "plain")
	f, path := openMapped(t, data)
	defer f.Close()
	r, err := NewReader(f, f.Size(), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 10_000); err != nil {
		t.Fatal(err)
	}
	for range 31 {
		if _, err = r.Next(); err != nil {
			break
		}
	}
	if !errors.Is(err, mapped.ErrFault) {
		t.Errorf("%v, want a fault", err)
	}
	if _, again := r.Next(); again != err {
		t.Errorf("then %v, want the same", again)
	}
}

// readMapped reads all records of f, with their HTTP heads.
func readMapped(tb testing.TB, f *mapped.File) (payload int64) {
	tb.Helper()
	r, err := NewReader(f, f.Size(), record.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	for rec, err := range r.All() {
		if err != nil {
			tb.Fatal(err)
		}
		payload += rec.PayloadSize()
	}
	return payload
}

// TestReader_mappedAllocations: a record more costs the text of its HTTP head.
func TestReader_mappedAllocations(t *testing.T) {
	allocations := func(n int) float64 {
		data, _ := pages(t, n, "plain")
		f, _ := openMapped(t, data)
		defer f.Close()
		return testing.AllocsPerRun(3, func() { readMapped(t, f) })
	}
	if each := (allocations(210) - allocations(10)) / 200; each > 1.1 {
		t.Errorf("%.2f allocations a record, want 1", each)
	}
}

func BenchmarkReader_mapped(b *testing.B) {
	data, _ := pages(b, 300, "plain")
	f, _ := openMapped(b, data)
	defer f.Close()
	b.SetBytes(f.Size())
	b.ReportAllocs()
	for b.Loop() {
		readMapped(b, f)
	}
}
