package fetch

import (
	"bufio"
	"bytes"
	"io"
	"testing"
)

// FuzzAnswer reads anything that a server may send: the kept head has its bytes, and reading always ends.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nA: b\r\n\r\n"))
	f.Add([]byte("HTTP/1.0 301 \nLocation: /x\n folded\n\nrest"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		in := bufio.NewReaderSize(bytes.NewReader(sent), 16)
		head, err := readHead(in)
		if err != nil {
			return
		}
		if !bytes.HasPrefix(sent, head) || len(head) > maxHead {
			t.Fatalf("the head is %q of %q", head, sent)
		}
		got, err := parseHead(head, in)
		if err != nil {
			return
		}
		n, _ := io.Copy(io.Discard, got.parsed.Body)
		if n > int64(len(sent)) {
			t.Errorf("a body of %d bytes in %d", n, len(sent))
		}
	})
}
