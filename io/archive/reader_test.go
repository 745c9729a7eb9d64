package archive

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	record := warcRecord(0, []byte("body"))
	old := arcRecord(0, []byte("body"))
	tests := []struct {
		name, want string
		data       []byte
	}{
		{"plain", "warc+plain", record},
		{"gzip", "warc+gzip", gzipped(t, record)},
		{"zstd", "warc+zstd", zstdFrame(t, record)},
		{"lz4", "warc+lz4", lz4Frame(t, record)},
		{"arc", "arc+plain", old},
		{"arc, gzip", "arc+gzip", gzipped(t, old)},
		{"byte order mark", "warc+plain", slices.Concat([]byte("\uFEFF\r\n"), record)},
		{"zeros first", "warc+gzip", slices.Concat(make([]byte, 100), gzipped(t, record))},
		{"many zeros first", "warc+gzip", slices.Concat(make([]byte, 100_000), gzipped(t, record))},
		{"empty members first", "warc+gzip", slices.Concat(gzipped(t), gzipped(t, []byte("\r\n")), gzipped(t, record))},
		{"garbage first", "warc+gzip", slices.Concat([]byte("garbage"), gzipped(t, record))},
		{"garbage, plain", "warc+plain", slices.Concat([]byte("garbage"), record)},
		{"garbage, arc", "arc+plain", slices.Concat([]byte("garbage\n"), old)},
		{"damaged first member", "warc+gzip", slices.Concat(gzipped(t, record)[:3], gzipped(t, record))},
		{"another member first", "warc+gzip", slices.Concat(gzipped(t, []byte("a text")), gzipped(t, record))},
		{"record around a member", "warc+plain", warcRecord(2, gzipped(t, old))},
		{"text", "", []byte("This is a text about WARC/1.0 files.\n")},
		{"gzip of text", "", gzipped(t, []byte("a text"))},
		{"nothing", "", nil},
		{"zeros", "", make([]byte, 200_000)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Detect("", bytes.NewReader(tt.data), int64(len(tt.data)))
			if tt.want == "" {
				if !errors.Is(err, ErrUnsupported) {
					t.Errorf("Detect = %v, %v, want %v", f, err, ErrUnsupported)
				}
				return
			}
			if err != nil || f.String() != tt.want {
				t.Fatalf("Detect = %v, %v, want %s", f, err, tt.want)
			}
			if again, err := ParseFormat(f.String()); again != f || err != nil {
				t.Errorf("ParseFormat(%q) = %v, %v", f, again, err)
			}
			if got := readBytes(t, tt.data, f); len(got.captures) == 0 {
				t.Error("no captures")
			}
		})
	}
}

func TestReader_countsQuirks(t *testing.T) {
	data := slices.Concat([]byte("\uFEFF"), warcRecord(0, nil), []byte("\r\n\r\n"),
		bytes.ReplaceAll(warcRecord(2, nil), []byte("\r\n"), []byte("\n")))
	got := readBytes(t, data, mustFormat(t, "warc+plain"))
	want := map[string]int64{"byte_order_mark": 1, "extra_blank_line": 1, "lf_line_end": 1}
	if fmt.Sprint(got.counts.ByQuirk) != fmt.Sprint(want) {
		t.Errorf("quirks %v, want %v", got.counts.ByQuirk, want)
	}
}

// TestReader_capturesOwnTheirBytes keeps all captures and looks at them when the file has been read.
func TestReader_capturesOwnTheirBytes(t *testing.T) {
	m := makeArchive(t, rand.New(rand.NewPCG(4, 4)), 5, 60, 100_000)
	data := m.bytes()
	r, err := NewReader(bytes.NewReader(data), Input{Name: "made", Size: int64(len(data)), End: int64(len(data))},
		m.format, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	kept := map[string][]byte{}
	copies := map[string][]byte{}
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		kept[c.URL], copies[c.URL] = c.Body, bytes.Clone(c.Body)
	}
	for url, b := range copies {
		if !bytes.Equal(b, kept[url]) {
			t.Errorf("the body of %s changed while reading went on", url)
		}
	}
	if len(kept) != 60 {
		t.Errorf("%d captures", len(kept))
	}
}

func ExampleReader() {
	f, err := os.Open("../../testdata/archives/site.arc.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	format, err := Detect("", f, info.Size())
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := NewReader(f, Input{Name: "site.arc.gz", Size: info.Size(), End: info.Size()}, format, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for c, err := range r.Captures() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Timestamp.Format("2006-01-02"), c.Status, c.URL)
		break
	}
	fmt.Println(format)
	// Output:
	// 2019-10-03 200 http://www.harbour-gazette.example/robots.txt
	// arc+gzip
}

func BenchmarkReader(b *testing.B) {
	for _, i := range []int{0, 1, 3} {
		b.Run(layouts[i].name, func(b *testing.B) {
			m := makeArchive(b, rand.New(rand.NewPCG(1, 1)), i, 300, 100_000)
			data := m.bytes()
			n := int64(len(data))
			b.SetBytes(n)
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(data), Input{Name: "made", Size: n, End: n}, m.format, Options{})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range r.Captures() {
					if err != nil {
						b.Fatal(err)
					}
				}
				r.Close()
			}
		})
	}
}

// TestReader_retriedWrite has a record of which the writer wrote a part, and then all of it.
func TestReader_retriedWrite(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	long := make([]byte, 200_000)
	for i := range long {
		long[i] = byte(rnd.Uint32())
	}
	rec := func(i int) []byte { return gzipped(t, warcRecord(i, long)) }
	half := rec(1)[:100_000]
	large := gzipped(t, warcRecord(3, slices.Repeat(long, 10)))
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{
			"written again", slices.Concat(rec(0), half, rec(1), rec(2)),
			"[] [inflate partial superseded payload_digest] [] []",
		},
		{"another follows", slices.Concat(rec(0), half, rec(2)), "[] [inflate partial payload_digest] []"},
		{"written again later", slices.Concat(rec(0), half, rec(2), rec(1)), "[] [inflate partial payload_digest] [] []"},
		{"twice", slices.Concat(half, half, rec(1)), "[inflate partial superseded payload_digest] [inflate partial " +
			"superseded payload_digest] []"},
		{"nothing follows", slices.Concat(rec(0), half), "[] [partial payload_digest]"},
		// Its body must not be in the memory of the next record.
		{"a large one follows", slices.Concat(large, half, large), "[] [inflate partial payload_digest] []"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := mustFormat(t, "warc+gzip")
			whole := readBytes(t, tt.data, f)
			var flags []string
			for _, c := range whole.captures {
				flags = append(flags, c[strings.IndexByte(c, '['):])
			}
			if got := strings.Join(flags, " "); got != tt.want {
				t.Errorf("flags %s, want %s", got, tt.want)
			}
			size := int64(len(tt.data))
			borrowed := readRange(t, bytes.NewReader(tt.data), Input{Name: "made", Size: size, End: size}, f,
				Options{Borrow: true})
			if !slices.Equal(borrowed.full, whole.full) {
				t.Errorf("with borrowed bodies: %q, want %q", borrowed.full, whole.full)
			}
			// The half can be the last one of its range.
			if n := checkSplit(t, bytes.NewReader(tt.data), int64(len(tt.data)), whole, f, 64<<10); n < 2 &&
				len(tt.data) > 400_000 {
				t.Errorf("%d ranges", n)
			}
		})
	}
}
