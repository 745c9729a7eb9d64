package archive_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// ofNothing is the digest of no bytes.
const ofNothing = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

// TestFormats_absentBodies: a body that the archive has left out is not an empty one. It has no digest, and does not
// replace a page.
func TestFormats_absentBodies(t *testing.T) {
	const (
		elastic = `{"domain":"a.example","url":"http://a.example/i.png","title":null,"text":null,` +
			`"retrieved":"2020-01-02T03:04:05.000Z","words":["a"],"topPrivateDomain":"a.example"`
		page = `{"url":"http://a.example/i.png","redirected_url":null,"content_type":"image/png",` +
			`"response_headers":{},"fetch_time":1577934245000,"relevance":null,"crawler_id":"c"`
		cdr = `{"_id":"A","content_type":"image/png","crawler":"c","timestamp_crawl":"2020-01-02T03:04:05Z",` +
			`"url":"http://a.example/i.png","version":3.1`
		content = `{"permalink":"http://a.example/i.png","date_found":"2020-01-02T03:04:05Z","source_hashcode":"x"`
		cbor    = "\xa4\x63url\x76http://a.example/i.png\x69timestamp\x1a\x5e\x0d\x5d\x65\x67request\xa0" +
			"\x68response\xa2\x66status\x18\xc8\x64body"
	)
	for _, tt := range []struct {
		name, file, text string
		isEmpty          bool
	}{
		{"Elasticsearch, null", "a.jsonl", elastic + `,"html":null}`, false},
		{"Elasticsearch, no key", "a.jsonl", elastic + `}`, false},
		{"Elasticsearch, empty", "a.jsonl", elastic + `,"html":""}`, true},
		{"FILES, null", "a.jsonl", page + `,"content":null}`, false},
		{"FILES, no key", "a.jsonl", page + `}`, false},
		{"FILES, empty", "a.jsonl", page + `,"content":""}`, true},
		{"an early version, empty", "a.jsonl", page + `,"response_body":""}`, true},
		{"CDR, null", "a.jsonl", cdr + `,"raw_content":null}`, false},
		{"CDR, no key", "a.jsonl", cdr + `}`, false},
		{"CDR, empty", "a.jsonl", cdr + `,"raw_content":""}`, true},
		{"Datastreamer without large fields", "a.jsonl", content + `}`, false},
		{"CBOR, null", "a.example/a", cbor + "\xf6", false},
		{"CBOR, empty", "a.example/a", cbor + "\x60", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), filepath.FromSlash(tt.file))
			err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(tt.text), 0o600))
			if err != nil {
				t.Fatal(err)
			}
			f, err := archive.OpenFile(path, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			n := 0
			for c, err := range f.Captures() {
				if err != nil {
					t.Fatal(err)
				}
				n++
				isEmpty, isAbsent := c.Digest == ofNothing && c.Cut() == "", c.Digest == "" && c.Cut() != ""
				if isEmpty != tt.isEmpty || isAbsent == tt.isEmpty {
					t.Errorf("%s: digest %q, cut %q", f.Format.Name, c.Digest, c.Cut())
				}
				checkAbsent(t, c, tt.isEmpty)
				checkCopies(t, c, 2)
			}
			if n != 1 {
				t.Errorf("%d captures", n)
			}
		})
	}
}

// checkAbsent checks that formats of pages take c if it has a body.
func checkAbsent(t *testing.T, c *schemas.Capture, hasBody bool) {
	t.Helper()
	for _, name := range archive.Outputs() {
		w, err := archive.NewWriter(name, &archivetest.Memory{}, dump.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// These keep that there is no body.
		keeps := slices.Contains([]string{"warc", "wacz", "content"}, name)
		if err := w.Write(c); errors.Is(err, dump.ErrNoPage) == (hasBody || keeps) {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkCopies checks that what archives keep of c has its digest, in n copies of copies.
func checkCopies(t *testing.T, c *schemas.Capture, n int) {
	t.Helper()
	for _, name := range []string{"warc", "wacz"} {
		var m archivetest.Memory
		w, err := archive.NewWriter(name, &m, dump.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(c), w.Close()); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), filepath.Base(m.Names[0]))
		if err := os.WriteFile(path, m.Files[m.Names[0]], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := archive.OpenFile(path, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		copies := 0
		for again, err := range f.Captures() {
			if err != nil {
				t.Fatal(err)
			}
			copies++
			if again.Digest != c.Digest || again.Cut() != c.Cut() {
				t.Errorf("as %s: digest %q, cut %q, want %q, %q", name, again.Digest, again.Cut(), c.Digest, c.Cut())
			}
			if n > 1 {
				checkCopies(t, again, n-1)
			}
		}
		if err := f.Close(); err != nil || copies != 1 {
			t.Errorf("%s: %d copies, %v", name, copies, err)
		}
	}
}

// TestFormats_absentPayloads: a record of WARC whose payload was cut off has the digest that it declares, or none.
func TestFormats_absentPayloads(t *testing.T) {
	const declared = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n"
	const truncated = "WARC-Truncated: length\r\n"
	const response = "Content-Type: application/http\r\n"
	for _, tt := range []struct{ name, fields, block, want string }{
		{"cut", response + truncated, "HTTP/1.1 200 OK\r\n\r\n", ""},
		{"cut, with a coding", response + truncated, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", ""},
		{"cut, with chunks", response + truncated, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ""},
		{"cut, without HTTP", "Content-Type: text/html\r\n" + truncated, "", ""},
		{
			"cut, declared", response + truncated + declared, "HTTP/1.1 200 OK\r\n\r\n",
			"sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		},
		{"empty", response, "HTTP/1.1 204 No Content\r\n\r\n", ofNothing},
		{"empty, without HTTP", "Content-Type: text/html\r\n", "", ofNothing},
		{"a part", response + truncated, "HTTP/1.1 200 OK\r\n\r\na", "sha1:Q336IN72UWT7ZYK5DXOLT2XK5I3XMZ5Y"},
	} {
		for _, headOnly := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "a.warc")
			record := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\n"+
				"WARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
				"%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
				tt.fields, len(tt.block), tt.block)
			if err := os.WriteFile(path, []byte(record), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := archive.OpenFile(path, archive.Options{HeadOnly: headOnly})
			if err != nil {
				t.Fatal(err)
			}
			for c, err := range f.Captures() {
				if err != nil || c.Digest != tt.want {
					t.Errorf("%s: digest %q, want %q, %v", tt.name, c.Digest, tt.want, err)
				}
				if !headOnly && tt.name != "cut, declared" {
					checkCopies(t, c, 1)
				}
			}
			_ = f.Close()
		}
	}
}
