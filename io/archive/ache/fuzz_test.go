package ache

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// seed adds the parts of the files that match a pattern among those that ACHE wrote.
func seed(f *testing.F, pattern, separator string) {
	paths, err := filepath.Glob("../../../testdata/seeds/ache/" + pattern)
	if err != nil || len(paths) == 0 {
		f.Fatalf("no files %s in testdata/seeds/ache: %v", pattern, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for part := range bytes.SplitSeq(b, []byte(separator)) {
			f.Add(part)
		}
	}
}

// FuzzJSON: a page that was read is written so that it reads the same.
func FuzzJSON(f *testing.F) {
	seed(f, "KAFKA-JSON.jsonl", "\n")
	f.Add([]byte(`{"url":"http://a.example/","response_body":"text","response_headers":{"A":"b","C":["d","e"],"A":[]}}`))
	f.Add([]byte(`{"url":"u","content":"=?","fetch_time":-1,"relevance":{"relevance":1e-9,"isRelevant":true}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		JSON{}.Match("", line)
		c, _, err := JSON{}.Capture(line, payload.Options{MaxBody: 1 << 16})
		if err != nil {
			return
		}
		if !utf8.ValidString(c.URL) || !c.Timestamp.IsZero() && c.Timestamp.Year() > 9999 {
			t.Errorf("URL %q, time %v", c.URL, c.Timestamp)
		}
		var lost dump.Losses
		written := appendPage(nil, c, &lost)
		again, _, err := JSON{}.Capture(written, payload.Options{})
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		// A declared coding was decoded; the remaining bytes may look like another one.
		ignore := cmpopts.IgnoreFields(schemas.Capture{}, "Flags", "Digest", "Body", "Header")
		diff := cmp.Diff(c, again, ignore, cmpopts.EquateEmpty()) + cmp.Diff(byName(c.Header), byName(again.Header))
		if diff != "" {
			t.Errorf("%s (-read +written and read):\n%s", written, diff)
		}
	})
}

// byName groups fields as an object does.
func byName(fields []schemas.Field) map[string][]string {
	m := map[string][]string{}
	for _, f := range fields {
		m[f.Name] = append(m[f.Name], f.Value)
	}
	return m
}

// FuzzCBOR: nothing breaks the reader, and what it reads is written so that it reads the same.
func FuzzCBOR(f *testing.F) {
	seed(f, "FILESYSTEM_CBOR/*/*", "no separator")
	f.Add([]byte("\xbf\x63url\x7f\x61a\x61b\xff\x68response\xbf\x64body\x5b\x7f\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("\xd9\xd9\xf7\xa2\x63url\x61u\x69timestamp\x1b\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add(bytes.Repeat([]byte{0x81}, 100))
	f.Fuzz(func(t *testing.T, b []byte) {
		CBOR{}.Match("", b)
		c, _, err := CBOR{}.Capture(dump.File{Bytes: b}, payload.Options{MaxBody: 1 << 16})
		if err != nil {
			return
		}
		w := &filesystem{}
		again, _, err := CBOR{}.Capture(dump.File{Bytes: w.cbor(c)}, payload.Options{})
		if err != nil || again.URL != c.URL || again.Timestamp != c.Timestamp || string(again.Body) != javaText(c.Body) {
			t.Errorf("%+v was written and read again as %+v, %v", c, again, err)
		}
	})
}

// FuzzEscape: Java's encoding can be undone, and what it makes of a URL is known for one.
func FuzzEscape(f *testing.F) {
	f.Add("http://www.example.com/path/page?x=1&y=a%20b#frag")
	f.Add("http://[::1]:80/ *~+é")
	f.Fuzz(func(t *testing.T, s string) {
		name := Escape(s)
		if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-*_+%") != "" {
			t.Errorf("Escape(%q) = %q", s, name)
		}
		back, err := url.QueryUnescape(name)
		if err != nil || utf8.ValidString(s) && back != s {
			t.Errorf("Escape(%q) = %q, which is %q, %v", s, name, back, err)
		}
		path := "data_pages/" + Escape(urlkey.RawHost(s)) + "/" + name
		if utf8.ValidString(s) && urlkey.RawHost(s) != "" && urlOf(path) != s {
			t.Errorf("the page %q is not known by its path %q, but as %q", s, path, urlOf(path))
		}
	})
}

// FuzzConfig: a configuration that is read makes outputs.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(sampleConfig))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseConfig(b)
		if err != nil {
			return
		}
		if list, err := c.Outputs(); len(list) == 0 && err == nil {
			t.Errorf("no outputs of %+v", c)
		}
	})
}
