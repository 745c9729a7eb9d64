package capture

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

// piece is what stands or falls together in a made archive: a member, or a record of an uncompressed file.
type piece struct {
	data    []byte
	records []int // whose bytes are in it
}

// made is an archive made for a test.
type made struct {
	format Format
	pieces []piece
	want   []string // of each record, how a whole delivery of it is listed; see listing
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
	return fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Date: 2024-02-03T04:05:06Z\r\n"+
		"WARC-Target-URI: http://example.org/%d\r\nContent-Type: %s\r\nWARC-Payload-Digest: sha1:%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
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

// layouts are the ways to write records into a file. group records share a piece; halves writes each record as two.
var layouts = []struct {
	name   string
	format string
	pack   func(testing.TB, ...[]byte) []byte
	group  int
	halves bool
}{
	{"gzip", "warc+gzip", gzipped, 1, false},
	{"zstd", "warc+zstd", zstdFrame, 1, false},
	{"lz4", "warc+lz4", lz4Frame, 1, false},
	{"plain", "warc+plain", stored, 1, false},
	{"single member", "warc+gzip", gzipped, 1 << 20, false},
	{"many a member", "warc+gzip", gzipped, 5, false},
	{"two members a record", "warc+gzip", gzipped, 1, true},
	{"two frames a record", "warc+zstd", zstdFrame, 1, true},
	{"arc gzip", "arc+gzip", gzipped, 1, false},
	{"arc plain", "arc+plain", stored, 1, false},
}

// makeArchive returns n records with bodies of up to limit bytes in the i-th layout.
func makeArchive(t testing.TB, rnd *rand.Rand, i, n, limit int) made {
	t.Helper()
	l := layouts[i]
	f, err := ParseFormat(l.format)
	if err != nil {
		t.Fatal(err)
	}
	m := made{format: f}
	var group [][]byte
	var members []int
	for k := range n {
		b := body(rnd, limit)
		record := warcRecord(k, b)
		if f.Name == "arc" {
			record = arcRecord(k, b)
		}
		m.want = append(m.want, fmt.Sprintf("http://example.org/%d %x []", k, sha1.Sum(b)))
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
