package export

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// TestField: fields are JSON that Python reads back to the same bytes, by its error handler surrogateescape.
func TestField(t *testing.T) {
	for text, want := range map[string]string{
		"":                   `""`,
		"text/html; x=\"y\"": `"text/html; x=\"y\""`,
		"caf\xe9":            `"caf\udce9"`,
		"é\xff\x80é":         `"é\udcff\udc80é"`,
		"\xed\xb3\xa9":       `"\udced\udcb3\udca9"`, // a surrogate in UTF-8
		"\ufffd \x00\t":      "\"\ufffd \\u0000\\t\"",
	} {
		b, err := field(text).MarshalJSON()
		if err != nil || string(b) != want {
			t.Errorf("%q: %s, want %s: %v", text, b, want, err)
		}
	}
}

// packed returns records as gzip members.
func packed(t *testing.T, records ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(r))
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// recordWith is a record with fields and a block.
func recordWith(fields, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Date: 2021-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:1>\r\n%s"+
		"Content-Length: %d\r\n"+
		"\r\n%s\r\n\r\n", fields, len(block), block)
}

// TestReadRecord: the last capture is read, with its status, fields, payload and body.
func TestReadRecord(t *testing.T) {
	const (
		response = "WARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Type: application/http\r\n"
		resource = "WARC-Type: resource\r\nWARC-Target-URI: http://a/\r\nContent-Type: text/plain\r\n"
		page     = "HTTP/1.1 200 OK\r\nServer: a\r\n b\r\n\r\n<p>x"
	)
	info := recordWith("WARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\n", "software: x\r\n")
	for _, tt := range []struct {
		name          string
		records       []string
		status, http  int
		payload, body string
	}{
		{"a response", []string{recordWith(response, page)}, 200, 1, "<p>x", "<p>x"},
		{"after another record", []string{info, recordWith(response, page)}, 200, 1, "<p>x", "<p>x"},
		{"a resource", []string{info, recordWith(resource, page)}, 0, 0, page, page},
		{
			"an interim response", []string{recordWith(response, "HTTP/1.1 100 Continue\r\n\r\n"+page)}, 200, 1, "<p>x", "<p>x",
		},
		{"no head", []string{recordWith(response, "<p>x\n\n<p>y")}, 0, 0, "<p>x\n\n<p>y", "<p>x\n\n<p>y"},
		{
			"chunks",
			[]string{recordWith(response, "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")},
			404, 1, "1\r\na\r\n0\r\n\r\n", "a",
		},
	} {
		line, err := readRecord(packed(t, tt.records...))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if line.Status != tt.status || len(line.HTTPHeaders) != tt.http || string(line.Payload) != tt.payload ||
			string(line.Body) != tt.body || len(line.Headers) != 6 {
			t.Errorf("%s: %+v", tt.name, line)
		}
	}
	for name, data := range map[string][]byte{"nothing": nil, "no capture": packed(t, info)} {
		if line, err := readRecord(data); !errors.Is(err, errNotThere) {
			t.Errorf("%s: %v, %v", name, line, err)
		}
	}
}
