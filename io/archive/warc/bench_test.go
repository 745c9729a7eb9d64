package warc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/archive/record"
)

// pages returns n responses with pages of some 60 kB, compressed each for itself or not at all, in one file.
func pages(tb testing.TB, n int, kind string) (file []byte, decoded int64) {
	tb.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	for i := range n {
		var body strings.Builder
		for range 1 + rnd.IntN(3000) {
			fmt.Fprintf(&body, "<li class=\"tide-%d\"><a href=\"/%x\">%d inches</a></li>\n", rnd.IntN(9), rnd.Uint32(),
				rnd.IntN(90))
		}
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: Sat, 03 Feb 2024 04:05:06 GMT\r\n\r\n" + body.String()
		rec := []byte(lines(block, "WARC/1.1", "WARC-Type: response", fmt.Sprintf("WARC-Record-ID: <urn:test:%d>", i),
			"WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://example.org/", "Content-Type: application/http", "#"))
		decoded += int64(len(rec))
		switch kind {
		case "gzip":
			w := gzip.NewWriter(&out)
			if _, err := w.Write(rec); err != nil {
				tb.Fatal(err)
			}
			if err := w.Close(); err != nil {
				tb.Fatal(err)
			}
		case "zstd":
			out.Write(enc.EncodeAll(rec, nil))
		default:
			out.Write(rec)
		}
	}
	return out.Bytes(), decoded
}

// readPages reads a file of pages and returns how many payload bytes it holds.
func readPages(tb testing.TB, file []byte, o record.Options, withHTTP bool) (records, payload int64) {
	tb.Helper()
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), o)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	for rec, err := range r.All() {
		if err != nil {
			tb.Fatal(err)
		}
		records++
		if withHTTP {
			payload += rec.PayloadSize()
		}
	}
	return records, payload
}

func BenchmarkReader(b *testing.B) {
	for _, kind := range []string{"gzip", "zstd", "plain"} {
		for _, mode := range []string{"records", "http", "heads"} {
			b.Run(kind+"/"+mode, func(b *testing.B) {
				file, decoded := pages(b, 300, kind)
				b.SetBytes(decoded)
				b.ReportAllocs()
				for b.Loop() {
					readPages(b, file, record.Options{HeadsOnly: mode == "heads"}, mode != "records")
				}
			})
		}
	}
}

// poolsLeak is set under the race detector.
var poolsLeak bool

// TestReader_allocations counts what a record more costs: nothing, or with its HTTP head parsed that head's text.
func TestReader_allocations(t *testing.T) {
	for _, kind := range []string{"gzip", "zstd", "plain"} {
		if kind == "zstd" && poolsLeak {
			continue
		}
		few, _ := pages(t, 10, kind)
		many, _ := pages(t, 210, kind)
		for withHTTP, most := range map[bool]float64{false: 0, true: 1} {
			count := func(file []byte) float64 {
				return testing.AllocsPerRun(3, func() { readPages(t, file, record.Options{}, withHTTP) })
			}
			// A tenth is for buffers that grow with the longest record.
			if each := (count(many) - count(few)) / 200; each > most+0.1 {
				t.Errorf("%s, HTTP %v: %.2f allocations a record, want %g", kind, withHTTP, each, most)
			}
		}
	}
}

func TestRecord_Open(t *testing.T) {
	for _, kind := range []string{"gzip", "zstd", "plain"} {
		file, _ := pages(t, 5, kind)
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), record.Options{MaxBlock: 1000})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		whole, err := NewReader(bytes.NewReader(file), int64(len(file)), record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer whole.Close()
		for rec, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Next()
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Block) != 1000 || rec.Size != want.Size {
				t.Fatalf("%s: %d of %d bytes kept, want 1000 of %d", kind, len(rec.Block), rec.Size, want.Size)
			}
			b, err := rec.Open()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(b)
			if err != nil || !bytes.Equal(got, want.Block) {
				t.Errorf("%s: record at %d: %d bytes, %v, want %d", kind, rec.Offset, len(got), err, len(want.Block))
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestRecord_Clone(t *testing.T) {
	file, _ := pages(t, 3, "gzip")
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	first, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	block, id := string(first.Block), string(first.Head.Get("WARC-Record-ID"))
	kept := first.Clone()
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if string(kept.Block) != block || string(kept.Head.Get("WARC-Record-ID")) != id || kept.HTTP().Status != 200 {
		t.Errorf("the clone changed: %s", kept.Head.Get("WARC-Record-ID"))
	}
}

func BenchmarkGrammar_Parse(b *testing.B) {
	head := []byte(lines("", "WARC/1.1", "WARC-Type: response",
		"WARC-Record-ID: <urn:uuid:6d3b0a80-2f6f-4d0c-9d52-1c9d2bb6a3a1>",
		"WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://example.org/tides/2024/february.html",
		"WARC-IP-Address: 192.0.2.7",
		"WARC-Payload-Digest: sha1:3EF4GH5IJ6KL7MN8OPQ9RS0TUV1WX2YZ",
		"WARC-Block-Digest: sha1:AB2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q",
		"Content-Type: application/http; msgtype=response", "#"))
	var h record.Head
	b.ReportAllocs()
	for b.Loop() {
		h.Fields, h.Quirks = h.Fields[:0], h.Quirks[:0]
		if (Grammar{}).Parse(&h, head, true) == 0 || !(Grammar{}).IsHTTP(&h, nil) {
			b.Fatal("not parsed")
		}
	}
}

// hostileHead returns a head with n lines like a field's name, and that field last.
func hostileHead(line string, n int) []byte {
	return []byte("WARC/1.0\r\n" + strings.Repeat(line, n) + "WARC-Type: response\r\nContent-Length: 0\r\n\r\n")
}

// BenchmarkGrammar_hostileHeads: four times the lines take four times as long, and not sixteen times.
func BenchmarkGrammar_hostileHeads(b *testing.B) {
	for _, line := range []string{
		"WARC-Typd: x\r\n", "WARC-Typ: x\r\n", "WARC-Type:x\r\n", "WARC-Target-URI: x\r\ny\r\n",
	} {
		for _, n := range []int{2500, 10_000, 40_000} {
			b.Run(fmt.Sprintf("%q/%d", line, n), func(b *testing.B) {
				head := hostileHead(line, n)
				text := make([]byte, len(head))
				b.SetBytes(int64(len(head)))
				for b.Loop() {
					copy(text, head) // Parse may change it
					var h record.Head
					if (Grammar{}).Parse(&h, text, true) == 0 {
						b.Fatal("no head")
					}
				}
			})
		}
	}
}
