package warc_test

import (
	"bytes"
	"crypto/sha1"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/schemas"
)

// exchange is one with that head and body.
func exchange(head, body string) warc.Exchange {
	return warc.Exchange{
		URL: "http://example.com/", Time: when, IP: "192.0.2.1", Request: []byte("GET / HTTP/1.1\r\nHost: example.com\r\n" +
			"\r\n"),
		Head: []byte(head), Status: 200, Body: strings.NewReader(body), Size: int64(len(body)), SHA1: sha1.Sum([]byte(body)),
	}
}

func writeExchanges(t testing.TB, o dump.WriteOptions, list ...warc.Exchange) *archivetest.Memory {
	t.Helper()
	m := &archivetest.Memory{}
	w := warc.NewWriter(m, o)
	for _, x := range list {
		place, err := w.WriteExchange(x)
		if err != nil {
			t.Fatal(err)
		}
		if place.Length == 0 {
			t.Errorf("the response is at %+v", place)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWriter_exchangesKeepTheirHeads(t *testing.T) {
	tests := []struct{ name, head, want string }{
		{"as it came", "HTTP/1.1 200  fine\r\nx-odd:a\r\nContent-Length: 4\r\n\r\n", ""},
		{
			"chunked", "HTTP/1.1 200 OK\r\ntransfer-encoding : chunked\r\nA: b\r\n\r\n",
			"HTTP/1.1 200 OK\r\nX-Crawler-transfer-encoding : chunked\r\nA: b\r\nContent-Length: 4\r\n\r\n",
		},
		{
			"chunked, with a length that does not count", "HTTP/1.1 200 OK\nContent-Length: 9\nTransfer-Encoding: chunked\n\n",
			"HTTP/1.1 200 OK\nX-Crawler-Content-Length: 9\nX-Crawler-Transfer-Encoding: chunked\nContent-Length: 4\n\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := writeExchanges(t, dump.WriteOptions{Compress: dump.Off}, exchange(tt.head, "body"))
			want := tt.want
			if want == "" {
				want = tt.head
			}
			if b := m.Files[m.Names[0]]; !bytes.Contains(b, []byte("\r\n\r\n"+want+"body\r\n\r\n")) {
				t.Errorf("%q is not in\n%s", want, b)
			}
		})
	}
}

// TestWriter_exchangesInAllForms: compressed or not, the records and their places are the same.
func TestWriter_exchangesInAllForms(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\n\r\n"
	list := []warc.Exchange{exchange(head, "one"), exchange(head, "two"), exchange(head, "one")}
	list[1].Truncated, list[2].URL = "length", "http://example.com/again"
	list[2].Metadata = []schemas.Field{{Name: "via", Value: "x"}}
	for _, o := range []dump.WriteOptions{{}, {Zstd: true}, {Compress: dump.Off}, {WARC10: true}} {
		o.Revisits = true
		m := writeExchanges(t, o, list...)
		var got []string
		for _, c := range read(t, m.Names[0], m.Files[m.Names[0]]) {
			got = append(got, string(c.RecordType)+" "+c.URL+" "+string(c.Body)+" "+c.Cut())
		}
		want := []string{
			"response http://example.com/ one ", "response http://example.com/ two length",
			"revisit http://example.com/again  ",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", o, diff)
		}
	}
}

// FuzzWriter_exchange writes what a server may have sent: it is read as one record.
func FuzzWriter_exchange(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "body", "http://example.com/")
	f.Add("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "WARC/1.1\r\n\r\n", "http://a\r\nWARC-Type: x/")
	f.Fuzz(func(t *testing.T, head, body, url string) {
		x := exchange(head, body)
		x.URL = url
		m := writeExchanges(t, dump.WriteOptions{}, x)
		if n := bytes.Count(m.Files[m.Names[0]], []byte("\x1f\x8b\x08")); n < 3 {
			t.Errorf("%d members, want 3", n)
		}
	})
}
