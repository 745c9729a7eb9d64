package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

func Example() {
	var file bytes.Buffer
	w, err := NewWriter(&file, Gzip)
	if err != nil {
		panic(err)
	}
	for _, url := range []string{"http://a.example/?x&y", "http://b.example/"} {
		if err := w.Write(schemas.Document{URL: url, RecordType: schemas.TypeResponse}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	r, err := NewReader(&file)
	if err != nil {
		panic(err)
	}
	for line, err := range r.All() {
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line[:30]))
	}
	// Output:
	// {"url":"http://a.example/?x&y"
	// {"url":"http://b.example/","re
}

func write(t testing.TB, c Compression, values ...any) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if err := w.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func readAll(t testing.TB, file []byte) []string {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	return got
}

func TestWriter_roundTrip(t *testing.T) {
	values := []any{
		map[string]any{"b": "<a href='x'>&amp;</a>", "a": 1},
		"line\u2028separator and\nline end",
		json.RawMessage("{\n \"raw\" : [1,\n2] }"),
		nil,
		strings.Repeat("x", 200_000),
	}
	want := []string{
		`{"a":1,"b":"<a href='x'>&amp;</a>"}`,
		`"line\u2028separator and\nline end"`,
		`{"raw":[1,2]}`,
		`null`,
		`"` + strings.Repeat("x", 200_000) + `"`,
	}
	for _, c := range []Compression{Zstd, Gzip, None} {
		t.Run(string(c), func(t *testing.T) {
			if diff := cmp.Diff(want, readAll(t, write(t, c, values...))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWriter_invalidUTF8(t *testing.T) {
	values := []any{
		"a\xffb", map[string]string{"k\xfe": "\xed\xa0\x80"}, json.RawMessage("\"\xc3\""), json.RawMessage(`"\ud800"`),
	}
	file := write(t, None, values...)
	if !utf8.Valid(file) {
		t.Errorf("%q is not UTF-8", file)
	}
	for _, line := range readAll(t, file) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q is not JSON", line)
		}
	}
}

func TestWriter_badValueLeavesTheRest(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, None)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{1, math.NaN(), func() {}, json.RawMessage("{"), 2} {
		if err := w.Write(v); (err == nil) != (v == 1 || v == 2) {
			t.Errorf("Write(%T): %v", v, err)
		}
	}
	long := json.RawMessage(`"` + strings.Repeat("x", MaxLineBytes) + `"`)
	if err := w.Write(long); !errors.Is(err, lines.ErrTooLong) {
		t.Errorf("a line over the limit: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != "1\n2\n" {
		t.Errorf("got %q", got)
	}
}

func TestWriter_nothingWritten(t *testing.T) {
	for _, c := range []Compression{Zstd, Gzip, None} {
		file := write(t, c)
		if (len(file) == 0) != (c == None) {
			t.Errorf("%s: %d bytes", c, len(file))
		}
		if got := readAll(t, file); got != nil {
			t.Errorf("%s: %q", c, got)
		}
	}
}

// records are documents of 13 MB together, so that a file of them has several frames.
func records(n int) []any {
	var all []any
	for i := range n {
		all = append(all, document(i))
	}
	return all
}

func document(i int) *schemas.Document {
	return &schemas.Document{
		URL: fmt.Sprintf("https://example.com/page/%d", i), SURT: fmt.Sprintf("com,example)/page/%d", i),
		Timestamp: "2024-05-17T12:00:00Z", Status: 200, Language: "en", RecordType: schemas.TypeResponse,
		Text:     strings.Repeat(fmt.Sprintf("Sentence %d of a page that says things. ", i*7919%1000), 128),
		Entities: []schemas.Entity{{Type: "person", Text: "Ada Lovelace", Count: 2, Source: "jsonld"}},
	}
}

func TestWriter_sameValuesSameBytes(t *testing.T) {
	values := records(2500)
	for _, c := range []Compression{Zstd, Gzip, None} {
		if first, second := write(t, c, values...), write(t, c, values...); !bytes.Equal(first, second) {
			t.Errorf("%s: the bytes differ", c)
		}
	}
}

func TestWriter_framesBeginAtLines(t *testing.T) {
	values := records(2500)
	file := write(t, Zstd, values...)
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd}
	first := bytes.Index(file[1:], frame) + 1
	if first <= 0 {
		t.Fatal("one frame only")
	}
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	head, err := dec.DecodeAll(file[:first], nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(head) < frameBytes || head[len(head)-1] != '\n' {
		t.Errorf("the first frame holds %d bytes and ends in %q", len(head), head[len(head)-1])
	}
	n := len(readAll(t, file[first:]))
	if want := len(values) - bytes.Count(head, []byte("\n")); n != want {
		t.Errorf("%d lines from the second frame on, want %d", n, want)
	}
}

func TestWriter_gzipHeaderHasNoTime(t *testing.T) {
	if file := write(t, Gzip, 1); !bytes.Equal(file[:10], []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")) {
		t.Errorf("header %x", file[:10])
	}
}

type failing struct{ after int }

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, os.ErrDeadlineExceeded
	}
	return len(p), nil
}

func TestWriter_errorOfTheFileIsFinal(t *testing.T) {
	w, err := NewWriter(&failing{after: frameBytes + 100_000}, None)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range records(2500) {
		if err = w.Write(v); err != nil {
			break
		}
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Write: %v", err)
	}
	if err := w.Close(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Close: %v", err)
	}
	if err := w.Write(1); err == nil {
		t.Error("Write after Close succeeds")
	}
}

func TestReader_lineOverTheLimitIsLeftOut(t *testing.T) {
	in := "1\n\n" + strings.Repeat("x", 100_000) + "\r\n\"ok\"\r\n" + strings.Repeat("y", 101) + "\n3"
	r, err := NewReaderOptions(strings.NewReader(in), Options{MaxLineBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line, err := range r.All() {
		var at *lines.Error
		if errors.As(err, &at) {
			got = append(got, fmt.Sprintf("line %d at %d", at.Line, at.Offset))
			continue
		}
		got = append(got, string(line))
	}
	want := []string{"1", "line 3 at 3", `"ok"`, "line 5 at 100011", "3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReader_damage(t *testing.T) {
	for _, c := range []Compression{Zstd, Gzip} {
		t.Run(string(c), func(t *testing.T) {
			file := write(t, c, records(2500)...)
			r, err := NewReader(bytes.NewReader(file[:len(file)-20]))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for {
				line, err := r.Next()
				if err != nil {
					if errors.Is(err, io.EOF) {
						t.Error("the damage is not reported")
					}
					break
				}
				if !json.Valid(line) {
					t.Fatalf("half a line: %q", line)
				}
				n++
			}
			if n == 0 || n >= 2500 {
				t.Errorf("%d lines before the damage", n)
			}
			if _, err := r.Next(); err == nil || errors.Is(err, io.EOF) {
				t.Errorf("Next after the damage: %v", err)
			}
		})
	}
}

func TestReader_hostileWindow(t *testing.T) {
	// A frame header that asks for a window of 2 GiB: RFC 8878, section 3.1.1.1.2, exponent 21.
	r, err := NewReader(bytes.NewReader([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00}))
	if err != nil {
		return
	}
	if line, err := r.Next(); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("Next() = %q, %v, want an error", line, err)
	}
}

func TestParseCompression(t *testing.T) {
	tests := []struct {
		in   string
		want Compression
		ext  string
	}{
		{"", Zstd, ".jsonl.zst"}, {"zstd", Zstd, ".jsonl.zst"}, {"gzip", Gzip, ".jsonl.gz"}, {"none", None, ".jsonl"},
	}
	for _, tt := range tests {
		got, err := ParseCompression(tt.in)
		if err != nil || got != tt.want || got.Ext() != tt.ext {
			t.Errorf("ParseCompression(%q) = %q, %v; Ext %q", tt.in, got, err, got.Ext())
		}
	}
	if _, err := ParseCompression("xz"); err == nil {
		t.Error("xz is accepted")
	}
	if _, err := NewWriter(io.Discard, "xz"); err == nil {
		t.Error("NewWriter takes xz")
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n\r\n[]"))
	f.Add(write(f, Zstd, 1, "two"))
	f.Add(write(f, Gzip, 1, "two"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := NewReaderOptions(bytes.NewReader(in), Options{MaxLineBytes: 64})
		if err != nil {
			return
		}
		for line, err := range r.All() {
			if err == nil && (len(line) == 0 || len(line) > 64 || bytes.ContainsRune(line, '\n')) {
				t.Fatalf("line %q", line)
			}
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	for _, c := range []Compression{Zstd, Gzip, None} {
		b.Run(string(c), func(b *testing.B) {
			docs := records(100)
			w, err := NewWriter(io.Discard, c)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(docs[0].(*schemas.Document).Text)))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := w.Write(docs[i%len(docs)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// TestWriter_borrowedEncodersLeaveNothing: encoders are handed from writer to writer, and a writer's bytes do not
// depend on what one compressed before.
func TestWriter_borrowedEncodersLeaveNothing(t *testing.T) {
	write := func(seed uint64, n int, fast bool) []byte {
		t.Helper()
		var b bytes.Buffer
		w, err := NewWriter(&b, Zstd)
		if fast {
			w, err = NewFastWriter(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for range n {
			if err := w.Write(fmt.Sprintf("page %d of the harbour %x", r.IntN(50), r.Uint64())); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, fast := range []bool{false, true} {
		for _, n := range []int{0, 1, 40, 100_000} { // of the last, a frame is full
			first := write(7, n, fast)
			for _, between := range []int{3, 300, 20_000} {
				write(8, between, fast)
				if again := write(7, n, fast); !bytes.Equal(again, first) {
					t.Errorf("fast %t: %d lines behind a writer of %d others differ from those before it", fast, n, between)
				}
			}
		}
	}
}

// TestWriter_smallFilesShareEncoders: a file of one line takes far less than an encoder, which is some 700 KB.
func TestWriter_smallFilesShareEncoders(t *testing.T) {
	const files = 200
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range files {
		w, err := NewWriter(io.Discard, Zstd)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write("a page"), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	perFile := (after.TotalAlloc - before.TotalAlloc) / files
	if perFile > 64<<10 {
		t.Errorf("a file of one line takes %d bytes, want few", perFile)
	}
}
