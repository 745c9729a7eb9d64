package httpmsg

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/schemas"
)

// encode applies codings to text in the order given; "raw" is deflate without a wrapper.
func encode(tb testing.TB, text string, codings ...string) string {
	tb.Helper()
	for _, coding := range codings {
		var out bytes.Buffer
		var w io.WriteCloser
		var err error
		switch coding {
		case "gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		case "raw":
			w, err = flate.NewWriter(&out, 6)
		case "br":
			w = brotli.NewWriter(&out)
		case "zstd":
			w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
		default:
			tb.Fatalf("no encoder for %s", coding)
		}
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			tb.Fatal(err)
		}
		text = out.String()
	}
	return text
}

// page is text as pages are: it compresses about 3:1.
var page = pageOf(3000)

func pageOf(paragraphs int) string {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the quick brown fox jumps over a lazy dog while twelve archivists look for lost pages in " +
		"the cellar")
	var out strings.Builder
	out.WriteString("<!doctype html>\n<title>Test</title>\n")
	for i := range paragraphs {
		fmt.Fprintf(&out, "<p>%d %s %s</p>\n", r.IntN(100_000), words[i%len(words)], words[r.IntN(len(words))])
	}
	return out.String()
}

// compare compares two decoded bodies. It does not give the bytes to cmp, which compares them one by one.
func compare(tb testing.TB, want, got Decoded) {
	tb.Helper()
	if !bytes.Equal(want.Payload, got.Payload) || !bytes.Equal(want.Body, got.Body) {
		tb.Errorf("payload of %d bytes %.40q, body of %d bytes %.40q, want %d, %d",
			len(got.Payload), got.Payload, len(got.Body), got.Body, len(want.Payload), len(want.Body))
	}
	want.Payload, want.Body, got.Payload, got.Body = nil, nil, nil, nil
	// See TestDecode_shared.
	got.Shared = false
	want.Broken = want.Broken || slices.Contains(want.Flags, schemas.FlagChunked) // chunks are flagged for nothing else
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("Decode (-want +got):\n%s", diff)
	}
}

// TestDecode_shared: Shared is true if, and only if, a change of the stored bytes changes the body.
func TestDecode_shared(t *testing.T) {
	chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	const end = "0\r\n\r\n"
	for _, tt := range []struct {
		codings, raw string
		want         bool
	}{
		{"", page, true},
		{"chunked", page, true},
		{"chunked", chunk(page) + end, true},
		{"chunked", chunk(page)[:1000], true},
		{"chunked", chunk(page[:100]) + chunk(page[100:]) + end, false},
		{"gzip", page, true},
		{"gzip", encode(t, page, "gzip"), false},
		{"gzip", encode(t, page, "gzip")[:12], true}, // nothing comes of it
		{"sdch", page, true},
		{"chunked, gzip", chunk(encode(t, page, "gzip")) + end, false},
		{"chunked, gzip", chunk(page) + end, true},
		{"chunked, gzip", chunk(page[:100]) + chunk(page[100:]) + end, false},
	} {
		var header []schemas.Field
		for coding := range strings.SplitSeq(tt.codings, ", ") {
			name := "Content-Encoding"
			if coding == "chunked" {
				name = "Transfer-Encoding"
			}
			header = append(header, schemas.Field{Name: name, Value: coding})
		}
		raw := []byte(tt.raw)
		d := Decode(header, raw, Limits{})
		body := bytes.Clone(d.Body)
		for i := range raw {
			raw[i] = '!'
		}
		if changed := !bytes.Equal(body, d.Body); d.Shared != tt.want || changed != tt.want || len(body) == 0 {
			t.Errorf("%s, %.20q: said to be shared %v, changed %v, want %v", tt.codings, tt.raw, d.Shared, changed, tt.want)
		}
	}
}

func TestDecode_codings(t *testing.T) {
	encoded := func(codings ...string) string { return encode(t, page, codings...) }
	tests := []struct {
		name   string
		header []schemas.Field
		raw    string
		want   Decoded // with Payload and Body left out when they are raw and page
	}{
		{"none", nil, page, Decoded{}},
		{"identity", fields("Content-Encoding", "identity, ,"), page, Decoded{}},
		{"gzip", fields("content-ENCODING", "GZip"), encoded("gzip"), Decoded{Codings: []string{"gzip"}}},
		{"x-gzip", fields("Content-Encoding", "x-gzip"), encoded("gzip"), Decoded{Codings: []string{"gzip"}}},
		{
			"several members", fields("Content-Encoding", "gzip"), encode(t, page[:1000], "gzip") + encode(t, "", "gzip") +
				encode(t, page[1000:], "gzip"),
			Decoded{Codings: []string{"gzip"}},
		},
		{"deflate", fields("Content-Encoding", "deflate"), encoded("deflate"), Decoded{Codings: []string{"deflate"}}},
		{"raw deflate", fields("Content-Encoding", "deflate"), encoded("raw"), Decoded{Codings: []string{"deflate"}}},
		{"br", fields("Content-Encoding", "br"), encoded("br"), Decoded{Codings: []string{"br"}}},
		{"zstd", fields("Content-Encoding", "zstd"), encoded("zstd"), Decoded{Codings: []string{"zstd"}}},
		{
			"zstd behind a skippable frame", fields("Content-Encoding", "zstd"), "\x53\x2a\x4d\x18\x02\x00\x00\x00ab" +
				encoded("zstd"),
			Decoded{Codings: []string{"zstd"}},
		},
		{"stack", fields("Content-Encoding", "gzip, br"), encoded("gzip", "br"), Decoded{Codings: []string{"br", "gzip"}}},
		{
			"stack of lines", fields("Content-Encoding", "zstd", "content-encoding", "deflate"), encoded("zstd", "deflate"),
			Decoded{Codings: []string{"deflate", "zstd"}},
		},
		{
			"transfer coding", fields("Transfer-Encoding", "gzip", "Content-Encoding", "br"), encoded("br", "gzip"),
			Decoded{Codings: []string{"gzip", "br"}},
		},
		{
			"declared twice, applied once", fields("Content-Encoding", "gzip", "Content-Encoding", "gzip"), encoded("gzip"),
			Decoded{Codings: []string{"gzip"}, Quirks: []string{QuirkDecodedBody}},
		},
		{"stored decoded: gzip", fields("Content-Encoding", "gzip"), page, Decoded{Quirks: []string{QuirkDecodedBody}}},
		{"stored decoded: deflate", fields("Content-Encoding", "deflate"), page, Decoded{Quirks: []string{QuirkDecodedBody}}},
		{"stored decoded: br", fields("Content-Encoding", "br"), page, Decoded{Quirks: []string{QuirkDecodedBody}}},
		{"stored decoded: zstd", fields("Content-Encoding", "zstd"), page, Decoded{Quirks: []string{QuirkDecodedBody}}},
		{
			"stored decoded: compress", fields("Content-Encoding", "x-compress"), page,
			Decoded{Quirks: []string{QuirkDecodedBody}},
		},
		{
			"stored decoded: one of two", fields("Content-Encoding", "gzip, br"), encoded("gzip"),
			Decoded{Codings: []string{"gzip"}, Quirks: []string{QuirkOtherCoding, QuirkDecodedBody}},
		},
		{
			"br declared, gzip stored", fields("Content-Encoding", "br"), encoded("gzip"),
			Decoded{Codings: []string{"gzip"}, Quirks: []string{QuirkOtherCoding}},
		},
		{
			"gzip declared, zstd stored", fields("Content-Encoding", "gzip"), encoded("zstd"),
			Decoded{Codings: []string{"zstd"}, Quirks: []string{QuirkOtherCoding}},
		},
		{"a charset", fields("Content-Encoding", "UTF-8"), page, Decoded{Quirks: []string{QuirkNoCoding}}},
		{"unknown", fields("Content-Encoding", "sdch"), page, Decoded{Flags: []schemas.Flag{schemas.FlagEncoding}}},
		{
			"bytes after gzip", fields("Content-Encoding", "gzip"), encoded("gzip") + "\r\n",
			Decoded{Codings: []string{"gzip"}, Quirks: []string{QuirkTrailingBytes}},
		},
		{
			"bytes after deflate", fields("Content-Encoding", "deflate"), encoded("deflate") + "!",
			Decoded{Codings: []string{"deflate"}, Quirks: []string{QuirkTrailingBytes}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.Payload, test.want.Body = []byte(test.raw), []byte(page)
			got := Decode(test.header, []byte(test.raw), Limits{})
			compare(t, test.want, got)
		})
	}
}

func TestDecode_storedDecodedSmallBodies(t *testing.T) {
	bodies := []string{
		"{}", "[]", "{\"a\":1}", "x^2", "ok", "0", "true", "<p>", "/* css */", "var a=1;", "# text\n", "\xef\xbb\xbf{}", "aé",
		"\x89PNG\r\n\x1a\n0000",
		"GIF89a\x01\x00", "wOF2\x00\x01", "\xff\xd8\xff\xe0\x00\x10JFIF", "PK\x03\x04\x14\x00", "%PDF-1.4\n%\xe2\xe3",
		"<?xml version=\"1.0\"?>",
	}
	for _, body := range bodies {
		for _, coding := range []string{"br", "deflate", "gzip", "zstd"} {
			d := Decode(fields("Content-Encoding", coding), []byte(body), Limits{})
			if string(d.Body) != body || len(d.Flags) > 0 || !slices.Equal(d.Quirks, []string{QuirkDecodedBody}) {
				t.Errorf("Decode(%s, %q) = %q, %v, %v", coding, body, d.Body, d.Flags, d.Quirks)
			}
		}
	}
}

func TestDecode_smallEncodedBodies(t *testing.T) {
	for n := 0; n < 200; n = n + n/8 + 1 {
		body := page[n : 2*n]
		for _, coding := range []string{"br", "deflate", "raw", "gzip", "zstd"} {
			raw := encode(t, body, coding)
			declared := coding
			if coding == "raw" {
				declared = "deflate"
			}
			d := Decode(fields("Content-Encoding", declared), []byte(raw), Limits{})
			if string(d.Body) != body || len(d.Flags)+len(d.Quirks) > 0 || len(d.Codings) != 1 {
				t.Errorf("Decode(%s of %q) = %q, %v, %v", coding, body, d.Body, d.Flags, d.Quirks)
			}
		}
	}
}

func TestDecode_emptyBodies(t *testing.T) {
	d := Decode(fields("Content-Encoding", "gzip", "Transfer-Encoding", "chunked"), nil, Limits{})
	if diff := cmp.Diff(Decoded{}, d); diff != "" {
		t.Errorf("Decode of nothing, as of a HEAD or 304 (-want +got):\n%s", diff)
	}
	d = Decode(fields("Content-Encoding", "gzip", "Transfer-Encoding", "chunked"), []byte("0\r\n\r\n"), Limits{})
	if len(d.Body)+len(d.Flags)+len(d.Quirks) > 0 || !slices.Equal(d.Codings, []string{"chunked"}) {
		t.Errorf("Decode of no chunk = %+v", d)
	}
	for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
		d = Decode(fields("Content-Encoding", coding), []byte(encode(t, "", coding)), Limits{})
		if len(d.Body)+len(d.Flags) > 0 {
			t.Errorf("Decode of empty %s = %+v", coding, d)
		}
	}
}

func commonPrefix(body []byte, text string) int {
	n := 0
	for n < min(len(body), len(text)) && body[n] == text[n] {
		n++
	}
	return n
}

func TestDecode_damagedKeepsBeginning(t *testing.T) {
	long := pageOf(20_000) // several blocks of any coding
	for _, coding := range []string{"gzip", "deflate", "raw", "br", "zstd"} {
		declared := coding
		if coding == "raw" {
			declared = "deflate"
		}
		raw := encode(t, long, coding)
		for name, damaged := range map[string]string{
			"cut":     raw[:len(raw)*3/4],
			"flipped": raw[:len(raw)*3/4] + "\x00\xff\x00\xff\x00\xff" + raw[len(raw)*3/4+6:],
		} {
			d := Decode(fields("Content-Encoding", declared), []byte(damaged), Limits{})
			// Deflate alone has no checksum: damage may go unnoticed.
			unnoticed := coding == "raw" && name == "flipped"
			if !slices.Equal(d.Flags, []schemas.Flag{schemas.FlagEncoding}) && !unnoticed || len(d.Codings) != 1 {
				t.Errorf("%s, %s: flags %v, codings %v", coding, name, d.Flags, d.Codings)
			}
			if d.Broken == unnoticed {
				t.Errorf("%s, %s: broken %t", coding, name, d.Broken)
			}
			if same := commonPrefix(d.Body, long); same < len(long)/3 {
				t.Errorf("%s, %s: %d of %d bytes kept", coding, name, same, len(long))
			}
		}
	}
}

func TestDecode_damagedFromTheBeginningKeepsRaw(t *testing.T) {
	for declared, raw := range map[string]string{
		"gzip": "\x1f\x8b\x08\x00\x00\x00", "gzip ": "\x1f\x8b", "zstd": "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff",
		"deflate": "\x78\x9c\xff\xff\xff",
		"br":      "\x00\x01\x02\x03\xff\xff\xff", "compress": "\x1f\x9d\x90\x61", "x-bogus": "abc", "br,x-bogus": "abc",
	} {
		d := Decode(fields("Content-Encoding", declared), []byte(raw), Limits{})
		if string(d.Body) != raw || !slices.Equal(d.Flags, []schemas.Flag{schemas.FlagEncoding}) || len(d.Codings) > 0 {
			t.Errorf("Decode(%s, %q) = %q, %v, %v", declared, raw, d.Body, d.Flags, d.Codings)
		}
		// A body in an unknown coding, or in one that we do not undo, may be as whole as it was sent.
		if unknown := strings.Contains(declared, "bogus") || declared == "compress"; d.Broken == unknown {
			t.Errorf("Decode(%s, %q): broken %t", declared, raw, d.Broken)
		}
	}
}

func TestDecode_wrongChecksumKeepsAll(t *testing.T) {
	for coding, back := range map[string]int{"gzip": 8, "deflate": 1, "zstd": 1} {
		raw := []byte(encode(t, page, coding))
		raw[len(raw)-back] ^= 1
		d := Decode(fields("Content-Encoding", coding), raw, Limits{})
		if string(d.Body) != page && coding != "zstd" || !slices.Equal(d.Flags, []schemas.Flag{schemas.FlagEncoding}) {
			t.Errorf("%s: %d of %d bytes, flags %v", coding, len(d.Body), len(page), d.Flags)
		}
	}
}

func TestDecode_sharesMemory(t *testing.T) {
	raw := []byte("5\r\nHello\r\n0\r\n\r\n")
	d := Decode(fields("Transfer-Encoding", "chunked"), raw, Limits{})
	raw[3] = 'J'
	if string(d.Body) != "Jello" || string(d.Payload) != "Jello" {
		t.Errorf("body %q, payload %q of one chunk are copies", d.Body, d.Payload)
	}
	if cap(d.Payload) != 5 {
		t.Errorf("appending to the payload writes into the block: capacity %d", cap(d.Payload))
	}
}

func ExampleDecode() {
	raw, _ := base64.StdEncoding.DecodeString("H4sIAAAAAAAAA/NIzcnJVyjPL8pJAQBSntaLCwAAAA==")
	header := []schemas.Field{{Name: "Content-Encoding", Value: "gzip"}, {Name: "Transfer-Encoding", Value: "chunked"}}
	d := Decode(header, raw, Limits{})
	fmt.Println(string(d.Body), d.Codings, d.Quirks, d.Flags)
	// Output: Hello world [gzip] [not_chunked] []
}

func FuzzDecode(f *testing.F) {
	for _, coding := range []string{"gzip", "deflate", "raw", "br", "zstd"} {
		f.Add(coding, []byte(encode(f, page[:500], coding)), uint16(0))
		f.Add("gzip,"+coding, []byte(encode(f, page[:500], "gzip", coding)), uint16(100))
	}
	f.Add("gzip", []byte(page[:50]), uint16(20))
	f.Add("chunked", []byte(chunks(page[:500], 100)), uint16(0))
	f.Fuzz(func(t *testing.T, codings string, raw []byte, maxBody uint16) {
		header := fields("Content-Encoding", strings.ReplaceAll(codings, "raw", "deflate"), "Transfer-Encoding", "chunked")
		l := Limits{MaxBody: int64(maxBody), MaxCodings: 3}
		d := Decode(header, raw, l)
		if limit := l.withDefaults().MaxBody; int64(len(d.Body)) > limit {
			t.Errorf("a body of %d bytes, want at most %d", len(d.Body), limit)
		}
		if len(d.Payload) > len(raw) || len(d.Codings) > 4 {
			t.Errorf("payload of %d bytes, codings %q", len(d.Payload), d.Codings)
		}
		if again := Decode(header, raw, l); !bytes.Equal(again.Body, d.Body) || !slices.Equal(again.Flags, d.Flags) ||
			!slices.Equal(again.Quirks, d.Quirks) {
			t.Errorf("decoded again it is another: %+v, %+v", d, again)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, coding := range []string{"gzip", "br", "zstd", "chunked"} {
		b.Run(coding, func(b *testing.B) {
			header, raw := fields("Transfer-Encoding", coding), []byte(chunks(page, 4096))
			if coding != "chunked" {
				header, raw = fields("Content-Encoding", coding), []byte(encode(b, page, coding))
			}
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				if d := Decode(header, raw, Limits{}); len(d.Body) != len(page) {
					b.Fatal(len(d.Body))
				}
			}
		})
	}
}
