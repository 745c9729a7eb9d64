package wacz_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/wacz"
)

// page is a WARC file of one page of its own.
func page(name string, compress bool) []byte {
	body := "<p>" + strings.Repeat(name+" at low tide. ", 3) + "</p>"
	b := fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://harbour.example/%s\r\n"+
		"WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		name, len(body), body)
	if !compress {
		return b
	}
	return gzipped(b)
}

// entry is a file of a ZIP file.
type entry struct {
	name    string
	data    []byte
	deflate bool
	stream  bool // with a data descriptor
}

// packed makes a ZIP file of files in this order.
func packed(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name}
		if e.deflate {
			h.Method = zip.Deflate
		}
		write := z.CreateHeader
		if !e.stream && !e.deflate {
			h.CRC32 = checksum(e.data)
			h.CompressedSize64, h.UncompressedSize64 = uint64(len(e.data)), uint64(len(e.data))
			write = z.CreateRaw
		}
		w, err := write(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// two is a package of two archives.
func two(t testing.TB) []byte {
	return packed(t,
		entry{name: "archive/a.warc.gz", data: page("a", true)}, entry{name: "pages/pages.jsonl", data: []byte("{}\n")},
		entry{name: "archive/b.warc", data: page("b", false)}, entry{name: "datapackage.json", data: []byte("{}")})
}

// places returns where a mark is in b.
func places(b []byte, mark string) (at []int) {
	for i := 0; ; {
		k := bytes.Index(b[i:], []byte(mark))
		if k < 0 {
			return at
		}
		at = append(at, i+k)
		i += k + 1
	}
}

// exchange puts n bytes after one place into the stead of those after another, and the other way round.
func exchange(b []byte, x, y, n int) {
	first := slices.Clone(b[x : x+n])
	copy(b[x:x+n], b[y:y+n])
	copy(b[y:y+n], first)
}

// TestAttack14_damagedDirectory: no fault in the directory of a ZIP file keeps its archives from being read, and the
// fault is reported.
func TestAttack14_damagedDirectory(t *testing.T) {
	const local, directory, end = "PK\x03\x04", "PK\x01\x02", "PK\x05\x06"
	insert := func(b []byte, at, n int) []byte { return slices.Insert(b, at, bytes.Repeat([]byte("#"), n)...) }
	tests := []struct {
		name   string
		change func(b []byte) []byte
	}{
		{"the end record's offset", func(b []byte) []byte { b[places(b, end)[0]+16] ^= 1; return b }},
		{"the end record's size", func(b []byte) []byte { b[places(b, end)[0]+12] ^= 4; return b }},
		{"the end record's signature", func(b []byte) []byte { b[places(b, end)[0]] ^= 8; return b }},
		{"a name in the directory", func(b []byte) []byte { b[places(b, directory)[0]+46+7] ^= 1; return b }},
		{"a name in a header", func(b []byte) []byte { b[places(b, local)[0]+30+7] ^= 1; return b }},
		{"a name of no letters", func(b []byte) []byte { b[places(b, local)[0]+30+3] ^= 0x80; return b }},
		{"an offset", func(b []byte) []byte { b[places(b, directory)[2]+42] ^= 1; return b }},
		{"swapped offsets", func(b []byte) []byte {
			d := places(b, directory)
			exchange(b, d[0]+42, d[2]+42, 4)
			return b
		}},
		{"swapped sizes", func(b []byte) []byte {
			d := places(b, directory)
			exchange(b, d[0]+20, d[2]+20, 8)
			return b
		}},
		{"swapped names", func(b []byte) []byte {
			d := places(b, directory)
			exchange(b, d[0]+46, d[2]+46, len("archive/a.warc"))
			return b
		}},
		{"two offsets alike", func(b []byte) []byte {
			d := places(b, directory)
			copy(b[d[2]+42:d[2]+46], b[d[0]+42:])
			return b
		}},
		{"sizes of nothing", func(b []byte) []byte {
			copy(b[places(b, directory)[0]+20:], make([]byte, 8))
			return b
		}},
		{"sizes beyond the file", func(b []byte) []byte { b[places(b, directory)[2]+23] = 0x7f; return b }},
		{"both sizes too small", func(b []byte) []byte {
			b[places(b, directory)[2]+20] -= 20
			b[places(b, local)[2]+18] -= 20
			return b
		}},
		{"the method", func(b []byte) []byte { b[places(b, directory)[0]+10] = 8; return b }},
		{"both methods", func(b []byte) []byte {
			b[places(b, directory)[0]+10], b[places(b, local)[0]+8] = 8, 8
			return b
		}},
		{"encrypted, says the directory", func(b []byte) []byte { b[places(b, directory)[0]+8] |= 1; return b }},
		{"a header's signature", func(b []byte) []byte { b[places(b, local)[2]] ^= 1; return b }},
		{"a header's lengths", func(b []byte) []byte { b[places(b, local)[2]+28] ^= 16; return b }},
		{"no directory", func(b []byte) []byte { return b[:places(b, directory)[0]] }},
		{"half a directory", func(b []byte) []byte { return b[:places(b, directory)[1]] }},
		{"zeros for a directory", func(b []byte) []byte { clear(b[places(b, directory)[0]:]); return b }},
		{"bytes in front of the directory", func(b []byte) []byte { return insert(b, places(b, directory)[0], 13) }},
		{"bytes in the directory", func(b []byte) []byte { return insert(b, places(b, directory)[2]+20, 13) }},
		{"bytes between two files", func(b []byte) []byte { return insert(b, places(b, local)[2], 13) }},
		{"bytes behind the end", func(b []byte) []byte { return insert(b, len(b), 100) }},
		{"bytes missing behind a file", func(b []byte) []byte {
			at := places(b, local)[1] + 30 + len("pages/pages.jsonl")
			return slices.Delete(b, at, at+2)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.change(two(t))
			got := read(t, b)
			if urls := got.urls(); !slices.Equal(urls, []string{"a", "b"}) {
				t.Errorf("pages %v, want a and b; rejects %v", urls, got.rejects)
			}
			if !got.counts.HasDamage() {
				t.Errorf("nothing says that it is damaged: rejects %v", got.rejects)
			}
		})
	}
}

// urls are the last parts of the pages' URLs, sorted, each once.
func (r reading) urls() (urls []string) {
	for _, c := range r.captures {
		urls = append(urls, strings.TrimPrefix(c.URL, "https://harbour.example/"))
	}
	slices.Sort(urls)
	return urls
}

// TestAttack14_packages: forms that ZIP and WACZ allow, or that people make of WACZ files, are read whole. Nothing is
// lost and, but where packages were joined, nothing is damaged.
func TestAttack14_packages(t *testing.T) {
	a, b := page("a", true), page("b", false)
	first := packed(t, entry{name: "archive/a.warc.gz", data: a}, entry{name: "datapackage.json", data: []byte("{}")})
	second := packed(t, entry{name: "archive/b.warc", data: b}, entry{name: "datapackage.json", data: []byte("{}")})
	streamed := packed(t, entry{name: "archive/a.warc.gz", data: a, stream: true},
		entry{name: "archive/b.warc", data: b, stream: true}, entry{name: "datapackage.json", data: []byte("{}")})
	deflated := packed(t, entry{name: "archive/a.warc.gz", data: a, deflate: true},
		entry{name: "archive/b.warc", data: b, deflate: true},
		entry{name: "datapackage.json", data: []byte("{}"), deflate: true})
	tests := []struct {
		name    string
		content []byte
		damaged bool
		pages   string // "ab" if empty
	}{
		{"data descriptors", streamed, false, ""},
		{"deflated", deflated, false, ""},
		{"archives in another folder", packed(t, entry{name: "data/a.warc.gz", data: a},
			entry{name: "archive/b.warc", data: b},
			entry{name: "datapackage.json", data: []byte(`{"resources": [{"path": "data/a.warc.gz"}]}`)}), false, ""},
		{"archives of no known name", packed(t, entry{name: "data/records-1", data: a},
			entry{name: "data/records-2", data: b},
			entry{name: "datapackage.json", data: []byte(`{"wacz_version": "1.1.1"}`)}), false, ""},
		{"zipped with its folder", packed(t, entry{name: "crawl/", data: nil},
			entry{name: "crawl/archive/a.warc.gz", data: a},
			entry{name: "crawl/archive/b.warc", data: b}, entry{name: "crawl/datapackage.json", data: []byte("{}")}), false, ""},
		{"bytes in front", slices.Concat([]byte("#!/bin/sh\nexit\n"), two(t)), false, ""},
		{"a comment", commented(two(t), "PK\x05\x06 made by hand"), false, ""},
		{"packages in a package", packed(t, entry{name: "one.wacz", data: first}, entry{name: "two.wacz", data: second},
			entry{name: "datapackage.json", data: []byte(`{"profile": "multi-wacz-package"}`)}), false, ""},
		{"deflated in a package in a package", packed(t, entry{name: "x/one.wacz", data: deflated},
			entry{name: "datapackage.json", data: []byte(`{"profile": "multi-wacz-package"}`)}), false, ""},
		{"two joined", slices.Concat(first, second), true, ""},
		{"two joined, streamed", slices.Concat(streamed, packed(t, entry{name: "archive/c.warc", data: page("c", false)},
			entry{name: "datapackage.json", data: []byte("{}")})), true, "abc"},
		{"three joined", slices.Concat(first, second, first), true, "aab"},
		{"joined to one that is cut", slices.Concat(first[:len(first)-60], second), true, ""},
		{"joined with one that is cut", slices.Concat(first, second[:len(second)-60]), true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, tt.content)
			want := tt.pages
			if want == "" {
				want = "ab"
			}
			if urls := strings.Join(got.urls(), ""); urls != want {
				t.Errorf("pages %q, want %q; rejects %v", urls, want, got.rejects)
			}
			if damaged := got.counts.HasDamage(); damaged != tt.damaged || !damaged && got.counts.BytesLost > 0 {
				t.Errorf("damaged %v, want %v; %d bytes lost, rejects %v", damaged, tt.damaged, got.counts.BytesLost, got.rejects)
			}
		})
	}
}

// commented gives a ZIP file a comment.
func commented(b []byte, s string) []byte {
	binary.LittleEndian.PutUint16(b[len(b)-2:], uint16(len(s)))
	return append(b, s...)
}

// TestAttack14_everyBit turns bits of a package in turn: some of them, others each day, and all with GLEANER_SLOW=1. A
// missing or wrong page is always reported, and wrong bits outside of pages lose none.
func TestAttack14_everyBit(t *testing.T) {
	step, first := 41, int(time.Now().Unix()/86400)
	if os.Getenv("GLEANER_SLOW") != "" {
		step = 1
	}
	for name, whole := range map[string][]byte{
		"stored": two(t),
		"deflated": packed(t, entry{name: "archive/b.warc", data: page("b", false), deflate: true},
			entry{name: "archive/a.warc.gz", data: page("a", true), stream: true}),
	} {
		sound := read(t, whole)
		bodies := map[string]string{}
		for _, c := range sound.captures {
			bodies[c.URL] = string(c.Body)
		}
		p, err := wacz.Open(bytes.NewReader(whole), int64(len(whole)))
		if err != nil || len(bodies) != 2 || !p.Sound {
			t.Fatal(err, len(bodies), p.Sound)
		}
		inPart := func(at int64) bool {
			return slices.ContainsFunc(p.Parts, func(part wacz.Part) bool {
				// The tail of one that is deflated is not in the file.
				return at >= part.Offset && at < part.Offset+part.Size
			})
		}
		for bit := first % step; bit < 8*len(whole); bit += step {
			b := slices.Clone(whole)
			b[bit/8] ^= 1 << (bit % 8)
			got := read(t, b)
			right := map[string]bool{}
			for _, c := range got.captures {
				if bodies[c.URL] == string(c.Body) {
					right[c.URL] = true
				} else if len(c.Flags) == 0 {
					t.Errorf("%s, bit %d of byte %d: %s is wrong without a flag", name, bit%8, bit/8, c.URL)
				}
			}
			said := got.counts.BytesLost > 0 || got.counts.HasDamage()
			if len(right) < 2 && (!said || !inPart(int64(bit/8))) {
				t.Errorf("%s, bit %d of byte %d: pages %v, said %v, rejects %v", name, bit%8, bit/8, right, said, got.rejects)
			}
		}
	}
}

// TestIs: other ZIP files are not WACZ, whatever their folders are called.
func TestIs(t *testing.T) {
	text := []byte("no archive")
	for _, tt := range []struct {
		name    string
		content []byte
		want    bool
	}{
		{"a package", two(t), true},
		{"an office document", packed(t, entry{name: "[Content_Types].xml", data: text}), false},
		{"a folder of somebody's", packed(t, entry{name: "src/archive/main.go", data: text}), false},
		{"a package of data", packed(t, entry{name: "datapackage.json", data: []byte(`{"profile": "data-package"}`)},
			entry{name: "data/table.csv", data: text}), false},
		{"archives alone", packed(t, entry{name: "2024/a.warc.gz", data: page("a", true)}), true},
		{"a WARC file", page("a", false), false},
		{"a page", []byte("<html>PK\x05\x06" + strings.Repeat("x", 18)), false},
	} {
		if got, err := wacz.Is(bytes.NewReader(tt.content), int64(len(tt.content))); got != tt.want || err != nil {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
}

// counted counts the bytes read of a file.
type counted struct {
	*bytes.Reader
	bytes, reads int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	c.bytes, c.reads = c.bytes+n, c.reads+1
	return n, err
}

// TestOpen_readsLittle: of a sound package, Open reads the directory, the headers and the description, but not the
// archives. It reads a damaged package once, where nothing covers its bytes.
func TestOpen_readsLittle(t *testing.T) {
	big := bytes.Repeat(page("a", false), 20_000)
	var entries []entry
	for i := range 4 {
		entries = append(entries, entry{name: fmt.Sprintf("archive/%d.warc", i), data: big})
	}
	for i := range 50 { // small files that stand side by side
		entries = append(entries, entry{name: fmt.Sprintf("logs/%d.log", i), data: []byte("done\n"), deflate: i%2 == 0})
	}
	entries = append(entries, entry{name: "datapackage.json", data: []byte("{}")})
	sound := packed(t, entries...)
	damaged := slices.Clone(sound)
	clear(damaged[len(damaged)-8000:])
	for _, tt := range []struct {
		name         string
		content      []byte
		bytes, reads int
	}{
		{"sound", sound, 400_000, 25},
		{"damaged", damaged, 3 * len(damaged), 1000},
	} {
		c := &counted{Reader: bytes.NewReader(tt.content)}
		p, err := wacz.Open(c, c.Size())
		if err != nil || len(p.Parts) < 4 {
			t.Fatalf("%s: %v, parts %v", tt.name, err, p)
		}
		if c.bytes > tt.bytes || c.reads > tt.reads {
			t.Errorf("%s: %d bytes in %d reads of %d, want at most %d in %d", tt.name, c.bytes, c.reads, len(tt.content),
				tt.bytes, tt.reads)
		}
		t.Logf("%s: %d bytes in %d reads of %d", tt.name, c.bytes, c.reads, len(tt.content))
	}
}

// TestOpen_hostile: files that are made to cost much cost no more than some passes over them.
func TestOpen_hostile(t *testing.T) {
	head := packed(t, entry{name: "archive/a.warc", data: page("a", false)})
	local := head[:30+len("archive/a.warc")]
	lying := slices.Clone(local)
	entry := head[len(head)-22-46-len("archive/a.warc") : len(head)-22]
	binary.LittleEndian.PutUint32(lying[18:], 1<<31) // bytes that are not there
	for name, content := range map[string][]byte{
		"headers of nothing":       bytes.Repeat(local, 40_000),
		"headers that lie":         bytes.Repeat(lying, 40_000),
		"headers and zeros":        bytes.Repeat(slices.Concat(lying, make([]byte, 3000)), 1000),
		"signatures":               slices.Concat(head, bytes.Repeat([]byte("PK\x03\x04"), 500_000)),
		"ends of directories":      slices.Concat(head, bytes.Repeat([]byte("PK\x05\x06"), 500_000)),
		"entries without a header": slices.Concat(head, bytes.Repeat(entry, 30_000), head[len(head)-22:]),
		"names that nothing has":   slices.Concat(head[:60], bytes.Repeat([]byte("archive/b.warc"), 100_000), head[60:]),
	} {
		t.Run(name, func(t *testing.T) {
			c := &counted{Reader: bytes.NewReader(content)}
			start := time.Now()
			if _, err := wacz.Open(c, c.Size()); err != nil && !errors.Is(err, wacz.ErrFormat) {
				t.Fatal(err)
			}
			t.Logf("%d bytes in %d reads of %d, %v", c.bytes, c.reads, len(content), time.Since(start))
			if c.bytes > 60*len(content) {
				t.Errorf("%d bytes were read of %d", c.bytes, len(content))
			}
		})
	}
}

// FuzzOpen: however hostile, parts are of the file's bytes, in order.
func FuzzOpen(f *testing.F) {
	f.Add(two(f))
	f.Add(packed(f, entry{name: "archive/a", data: page("a", true), deflate: true, stream: true}))
	f.Add(slices.Concat(two(f), two(f)))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := wacz.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		end := int64(0)
		for _, part := range p.Parts {
			data, size := part.Offset, part.Size
			if part.Packed { // what surrounds its data is not in the file
				data, size = data+10, size-18
			}
			if data < end || size < 0 || data+size > int64(len(b)) || part.Tail > part.Offset+part.Size {
				t.Fatalf("part %+v of %d bytes, behind one that ends at %d", part, len(b), end)
			}
			end = data + size
			if _, err := p.Check(&part); err != nil {
				t.Fatal(err)
			}
		}
	})
}
