package archive

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// piece is a unit of loss in a made archive: a member, or a record of an uncompressed file.
type piece struct {
	data    []byte
	records []int // whose bytes are in it
}

// made is an archive made for a test.
type made struct {
	format Format
	pieces []piece
	want   []string // of each record, how a whole capture of it is listed; see listing
	raw    []string // of each record, how a whole delivery of it is listed; see delivery
	hidden []string // the same of the records in archives that records hold
}

func (m made) bytes() []byte {
	var b []byte
	for _, p := range m.pieces {
		b = append(b, p.data...)
	}
	return b
}

// body returns bytes of one of three kinds: text that compresses well, noise that does not, nothing.
func body(rnd *rand.Rand, limit int) []byte {
	switch n := rnd.IntN(limit) + 1; rnd.IntN(5) {
	case 0:
		return nil
	case 1, 2:
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	default:
		var b strings.Builder
		for b.Len() < n {
			fmt.Fprintf(&b, "<p>the tide of %d stood %d inches high</p>\r\n\r\n", rnd.IntN(3000), rnd.IntN(90))
		}
		return []byte(b.String())
	}
}

// warcRecord returns a record: a response, or for each third i a resource, without an HTTP head.
func warcRecord(i int, body []byte) []byte {
	kind, mime, block := "response", "application/http; msgtype=response", httpMessage(body)
	if i%3 == 2 {
		kind, mime, block = "resource", "application/octet-stream", body
	}
	sum := sha1.Sum(body)
	return fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Date: "+
		"2024-02-03T04:05:06Z\r\n"+
		"WARC-Target-URI: http://example.org/%d\r\nContent-Type: %s\r\nWARC-Payload-Digest: sha1:%s\r\nContent-Length: "+
		"%d\r\n\r\n%s\r\n\r\n",
		kind, i, i, mime, base32.StdEncoding.EncodeToString(sum[:]), len(block), block)
}

func httpMessage(body []byte) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func arcRecord(i int, body []byte) []byte {
	block := httpMessage(body)
	return fmt.Appendf(nil, "http://example.org/%d 192.0.2.7 20040506070809 text/html %d\n%s\n", i, len(block), block)
}

func gzipLevel(t testing.TB, level int, data ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range data {
		if _, err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t testing.TB, data ...[]byte) []byte {
	t.Helper()
	return gzipLevel(t, gzip.DefaultCompression, data...)
}

func zstdFrame(t testing.TB, data ...[]byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(bytes.Join(data, nil), nil)
}

func lz4Frame(t testing.TB, data ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	for _, d := range data {
		if _, err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func stored(_ testing.TB, data ...[]byte) []byte { return bytes.Join(data, nil) }

// layout is a way to write records into a file.
type layout struct {
	name   string
	format string
	pack   func(testing.TB, ...[]byte) []byte
	group  int  // how many records share a piece
	halves bool // each record is written as two pieces
	nested bool // some records hold an archive
}

var layouts = []layout{
	{"gzip", "warc+gzip", gzipped, 1, false, false},
	{"zstd", "warc+zstd", zstdFrame, 1, false, false},
	{"lz4", "warc+lz4", lz4Frame, 1, false, false},
	{"plain", "warc+plain", stored, 1, false, false},
	{"single member", "warc+gzip", gzipped, 1 << 20, false, false},
	{"many a member", "warc+gzip", gzipped, 5, false, false},
	{"two members a record", "warc+gzip", gzipped, 1, true, false},
	{"two frames a record", "warc+zstd", zstdFrame, 1, true, false},
	{"arc gzip", "arc+gzip", gzipped, 1, false, false},
	{"arc plain", "arc+plain", stored, 1, false, false},
	{"nested gzip", "warc+gzip", gzipped, 1, false, true},
	{"nested zstd", "warc+zstd", zstdFrame, 1, false, true},
}

// makeArchive returns n records with bodies of up to limit bytes in the i-th layout.
func makeArchive(t testing.TB, rnd *rand.Rand, i, n, limit int) made {
	t.Helper()
	return layouts[i].make(t, rnd, n, limit)
}

func (l layout) make(t testing.TB, rnd *rand.Rand, n, limit int) made {
	t.Helper()
	m := made{format: mustFormat(t, l.format)}
	var group [][]byte
	var members []int
	for k := range n {
		b := body(rnd, limit)
		if l.nested && k%32 == 5 {
			b = l.inner(t, rnd, &m)
		}
		record := warcRecord(k, b)
		if m.format.Name == "arc" {
			record = arcRecord(k, b)
		}
		m.want = append(m.want, fmt.Sprintf("http://example.org/%d %x []", k, sha1.Sum(b)))
		m.raw = append(m.raw, fmt.Sprintf("http://example.org/%d %x []", k, sha1.Sum(bytes.TrimSuffix(record, m.closing()))))
		if l.halves {
			h := len(record) / 2
			m.pieces = append(m.pieces, piece{l.pack(t, record[:h]), []int{k}}, piece{l.pack(t, record[h:]), []int{k}})
			continue
		}
		group, members = append(group, record), append(members, k)
		if len(group) == l.group || k == n-1 {
			m.pieces = append(m.pieces, piece{l.pack(t, group...), members})
			group, members = nil, nil
		}
	}
	return m
}

// closing is what follows a record's block.
func (m made) closing() []byte {
	if m.format.Name == "arc" {
		return []byte("\n")
	}
	return []byte("\r\n\r\n")
}

// chain is the length of a run of members that proves a start, by the rule of the member package.
func (l layout) chain() int {
	if l.format == "warc+zstd" {
		return 128<<10 + 1
	}
	return 64 << 10
}

// inner returns an archive for a record of m to hold, longer than a chain.
func (l layout) inner(t testing.TB, rnd *rand.Rand, m *made) []byte {
	t.Helper()
	l.nested = false
	in := l.make(t, rnd, 50, l.chain()/8)
	m.hidden = append(m.hidden, in.raw...)
	return in.bytes()
}
