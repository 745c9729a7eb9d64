package dump_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// line is a line of ACHE's JSON.
func line(n int) string {
	return fmt.Sprintf(`{"url":"http://a.example/%d","redirected_url":null,"content":"eHh4"}`+"\n", n)
}

// reading is the result of reading a file.
type reading struct {
	urls    []string
	all     []*schemas.Capture
	rejects []schemas.Reject
	counts  schemas.Counts
	arrived int64
}

// readLines reads the range from start to end of b, all of it when end is 0.
func readLines(t testing.TB, b []byte, start, end int64, o dump.Options) (r reading) {
	t.Helper()
	if end == 0 {
		end = int64(len(b))
	}
	lines, err := dump.NewLineReader(bytes.NewReader(b), dump.Input{
		Name: "f", Size: int64(len(b)), Start: start,
		End: end,
	}, ache.JSON{}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	for {
		item, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if item.Reject != nil {
			r.rejects = append(r.rejects, *item.Reject)
			continue
		}
		c := item.Capture
		r.urls, r.all = append(r.urls, strings.TrimPrefix(c.URL, "http://a.example/")), append(r.all, c)
	}
	r.counts, r.arrived = lines.Counts(), lines.NextStart()
	if r.counts.BytesRead != r.arrived-start || int(r.counts.Rejects) != len(r.rejects) ||
		r.counts.BytesLost > r.counts.BytesRead {
		t.Errorf("counts %+v, %d rejects, arrived at %d from %d", r.counts, len(r.rejects), r.arrived, start)
	}
	return r
}

func compressed(t testing.TB, open func(io.Writer) io.WriteCloser, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := open(&b)
	_, err := io.WriteString(w, text)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLineReader_compressions(t *testing.T) {
	text := line(0) + "\n" + line(1) + strings.TrimSuffix(line(2), "\n")
	for name, b := range map[string][]byte{
		"plain": []byte(text),
		"CR LF": []byte(strings.ReplaceAll(text, "\n", "\r\n")),
		"zlib":  compressed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text),
		"gzip":  compressed(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, text),
		"zstd": compressed(t, func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		}, text),
	} {
		r := readLines(t, b, 0, 0, dump.Options{})
		if !slices.Equal(r.urls, []string{"0", "1", "2"}) || len(r.rejects) > 0 {
			t.Errorf("%s: captures %v, rejects %v", name, r.urls, r.rejects)
		}
		last := r.all[2].Origin
		if name == "plain" && (last.Offset != int64(2*len(line(0))+1) || last.Length != int64(len(line(0))-1)) {
			t.Errorf("the last line's origin is %+v", last)
		}
		if name == "zlib" && last != (schemas.Origin{File: "f", Length: int64(len(b)), Sequence: 2}) {
			t.Errorf("the last line's origin is %+v", last)
		}
	}
}

// TestLineReader_cut: a crawler that was killed leaves a zlib stream without an end. All whole lines are read.
func TestLineReader_cut(t *testing.T) {
	m := &archivetest.Memory{}
	w := ache.NewFiles(m, dump.WriteOptions{})
	for n := range 4 {
		if err := w.Write(&schemas.Capture{
			URL:  fmt.Sprintf("http://a.example/%d", n),
			Body: []byte(strings.Repeat("text ", n)),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := m.Files[m.Names[0]]
	for _, tt := range []struct {
		cut, captures int
		lost          bool
	}{{1, 4, false}, {4, 4, false}, {6, 4, false}, {20, 3, true}, {len(b) - 60, 0, true}} {
		r := readLines(t, b[:len(b)-tt.cut], 0, 0, dump.Options{})
		if len(r.urls) != tt.captures || len(r.rejects) != 1 || r.rejects[0].Kind != schemas.KindTruncated ||
			(r.counts.BytesLost > 0) != tt.lost {
			t.Errorf("%d bytes cut: captures %v, rejects %+v, lost %d", tt.cut, r.urls, r.rejects, r.counts.BytesLost)
		}
	}
}

func TestLineReader_damage(t *testing.T) {
	var text strings.Builder
	for n := range 3000 {
		text.WriteString(line(n * n))
	}
	b := compressed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text.String())
	copy(b[len(b)/2:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
	r := readLines(t, b, 0, 0, dump.Options{})
	last := r.rejects[len(r.rejects)-1]
	if len(r.urls) < 1000 || last.Kind != schemas.KindInflate || r.counts.BytesLost < 100 {
		t.Errorf("damaged in the middle of %d bytes: %d captures of 3000, last reject %+v, %d bytes lost", len(b),
			len(r.urls), last, r.counts.BytesLost)
	}
}

func TestLineReader_badLines(t *testing.T) {
	bad := `{"url":12}` + "\n"
	long := `{"url":"http://a.example/9","content":"` + strings.Repeat("A", 5<<20) + "\"}\n"
	text := line(0) + bad + line(1) + long + line(2) + `{"url":"http://a.ex`
	r := readLines(t, []byte(text), 0, 0, dump.Options{MaxBody: 1000})
	want := []schemas.Kind{schemas.KindGarbage, schemas.KindLimit, schemas.KindTruncated}
	var kinds []schemas.Kind
	for _, l := range r.rejects {
		kinds = append(kinds, l.Kind)
		if l.Lost != l.Length || l.Lost == 0 {
			t.Errorf("reject %+v, want all of its bytes lost", l)
		}
	}
	if !slices.Equal(r.urls, []string{"0", "1", "2"}) || !slices.Equal(kinds, want) {
		t.Errorf("captures %v, rejects %v, want %v", r.urls, kinds, want)
	}
	if at := r.rejects[0].Offset; at != int64(len(line(0))) {
		t.Errorf("the bad line is at %d, want %d", at, len(line(0)))
	}
}

// TestLineReader_ranges: any division by LineStarts reads each line once, blank ones at the borders or not.
func TestLineReader_ranges(t *testing.T) {
	text := "\n\n" + line(0) + "\n\n\n" + line(1) + line(2) + "\n" + line(3) + "\n\n"
	size := int64(len(text))
	for every := int64(1); every <= size+1; every++ {
		starts, err := dump.LineStarts(strings.NewReader(text), size, every, ache.JSON{})
		if err != nil {
			t.Fatal(err)
		}
		var urls []string
		for i, start := range starts {
			end := append(starts, size)[i+1]
			r := readLines(t, []byte(text), start, end, dump.Options{})
			if r.arrived != end {
				t.Fatalf("starts %v: the range from %d arrived at %d", starts, start, r.arrived)
			}
			urls = append(urls, r.urls...)
		}
		if !slices.Equal(urls, []string{"0", "1", "2", "3"}) {
			t.Errorf("starts %v: captures %v", starts, urls)
		}
	}
}

// TestIsZlib_text: "80" and "x^" are zlib headers by their sums.
func TestIsZlib_text(t *testing.T) {
	for _, text := range []string{"80 ways to read\n", "x^2+y^2\n", "80", "", "x"} {
		if dump.IsZlib([]byte(text)) {
			t.Errorf("%q is taken for zlib", text)
		}
	}
	b := compressed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, "")
	if !dump.IsZlib(b) {
		t.Errorf("an empty zlib stream % x is not known", b)
	}
}

func FuzzLineReader(f *testing.F) {
	f.Add([]byte(line(0) + line(1)))
	f.Add(compressed(f, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, line(0)))
	f.Add(compressed(f, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, line(0)))
	f.Add([]byte("key\t" + line(3) + "{\"url\":"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		whole := readLines(t, b, 0, 0, dump.Options{MaxBody: 1 << 10})
		starts, err := dump.LineStarts(bytes.NewReader(b), int64(len(b)), int64(len(b)/3+1), ache.JSON{})
		if err != nil {
			t.Fatal(err)
		}
		var urls []string
		for i, start := range starts {
			urls = append(urls, readLines(t, b, start, append(starts, int64(len(b)))[i+1],
				dump.Options{MaxBody: 1 << 10}).urls...)
		}
		if !slices.Equal(urls, whole.urls) {
			t.Errorf("split at %v: %q, whole %q", starts, urls, whole.urls)
		}
	})
}
