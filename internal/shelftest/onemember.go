package shelftest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// OneMember writes a WARC file of n pages, http://h.example/0 and so on, as one gzip member. 150 pages have 6 MB.
func OneMember(tb testing.TB, path string, n int) {
	tb.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 60_000)
	for i := range n {
		for j := range noise {
			noise[j] = "abcdefghijklmnopqrstuvwxyz0123456789+/"[r.IntN(38)]
		}
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Page %d</title><!-- %s -->", i, noise)
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\n"+
			"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://h.example/%d\r\n"+
			"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, len(block), block)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
}
