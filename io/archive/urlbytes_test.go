package archive

import (
	"bytes"
	"fmt"
	"net/url"
	"testing"

	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// oldURLs are URLs from before all the web was UTF-8: pairs that differ in bytes that are not UTF-8.
var oldURLs = []string{
	"http://a.example/caf\xe9", "http://a.example/caf\xe8", // ISO 8859-1
	"http://a.example/\xec\xe8\xf0.htm", "http://a.example/\xec\xe8\xf1.htm", // Windows-1251
	"http://a.example/\x93\xfa\x96\x7b", "http://a.example/\x95\x5c", // Shift_JIS; its second bytes are ASCII as well
	"http://a.example/?q=\xc8\xd5\xb1\xbe", "http://a.example/?q=\xc8\xd5\xb1\xbf", // GBK
	"http://a.example/\xc6\xfc\xcb\xdc/", "http://a.example/\xc6\xfc\xcb\xdd/", // EUC-JP
	"http://b\xfccher.example/", "http://b\xfbcher.example/",
	"http://a.example/\u00e9t\xe9", "http://a.example/\u00e9t\xe8",
}

// TestReader_oldURLs: their bytes stay, and can be asked for again; UTF-8 stays as it is.
func TestReader_oldURLs(t *testing.T) {
	const head = "HTTP/1.1 302 Found\r\nContent-Type: text/html\r\nLocation: %s\r\n\r\nbody"
	warc := func(u string) string {
		b := fmt.Sprintf(head, u)
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%x>\r\n"+
			"WARC-Date: 2004-05-06T07:08:09Z\r\nWARC-Target-URI: %s\r\nContent-Type: application/http;msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n", u, u, len(b), b)
	}
	forms := []struct {
		name, format string
		record       func(u string) string
	}{
		{"WARC", "warc", warc},
		{"in brackets", "warc", func(u string) string { return warc("<" + u + ">") }},
		{"ARC", "arc", func(u string) string {
			b := fmt.Sprintf(head, u)
			return fmt.Sprintf("%s 1.2.3.4 20040506070809 text/html %d\n%s\n", u, len(b), b)
		}},
	}
	packers := map[member.Kind]func(testing.TB, ...[]byte) []byte{member.Plain: stored, member.Gzip: gzipped}
	for _, form := range forms {
		for kind, pack := range packers {
			t.Run(form.name+" "+kind.String(), func(t *testing.T) {
				seen := map[string]bool{}
				for _, raw := range append(oldURLs, "http://a.example/caf\u00e9", "http://a.example/caf%C3%AA") {
					data := pack(t, []byte(form.record(raw)))
					c := only(t, data, Format{form.format, kind})
					// Percent signs come from us alone, except for the last.
					back, err := url.PathUnescape(c.URL)
					if err != nil || back != raw && c.URL != raw {
						t.Errorf("%q is read as %q, which is %q", raw, c.URL, back)
					}
					if key := urlkey.SURT(c.URL); seen[c.URL] || seen[key] {
						t.Errorf("%q is read as %q, and so is another", raw, c.URL)
					} else {
						seen[c.URL], seen[key] = true, true
					}
					if len(c.Flags) > 0 {
						t.Errorf("%q: flags %v", raw, c.Flags)
					}
					if to := c.Get("Location"); form.name != "in brackets" && to != c.URL {
						t.Errorf("%q: its Location is %q", raw, to)
					}
				}
			})
		}
	}
}

// only reads an archive of one capture.
func only(t testing.TB, data []byte, f Format) *schemas.Capture {
	t.Helper()
	size := int64(len(data))
	r, err := NewReader(bytes.NewReader(data), Input{Name: "a", Size: size, End: size}, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []*schemas.Capture
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if len(all) != 1 {
		t.Fatalf("%d captures of %.200q", len(all), data)
	}
	return all[0]
}

// TestReader_referredURLs: a revisit refers to the URL that its original has.
func TestReader_referredURLs(t *testing.T) {
	for _, raw := range oldURLs {
		b := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
		c := only(t, fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:x:1>\r\n"+
			"WARC-Date: 2004-05-06T07:08:09Z\r\nWARC-Target-URI: %s\r\nWARC-Refers-To-Target-URI: <%s>\r\n"+
			"ACHE-Requested-URL: %s?\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			raw, raw, raw, len(b), b), Format{"warc", member.Plain})
		if c.RefersTo == nil || c.RefersTo.URL != c.URL || c.RequestedURL() != c.URL+"?" {
			t.Errorf("%q refers to %+v, and was asked for as %q", c.URL, c.RefersTo, c.RequestedURL())
		}
	}
}

// TestReader_withoutRecords: of an archive that a crawler has begun and written nothing to nothing is lost.
func TestReader_withoutRecords(t *testing.T) {
	tests := []struct {
		name, path string
		data       []byte
		empty      bool
	}{
		{"an empty member", "a.warc.gz", gzipped(t, nil), true},
		{"two", "a.arc.gz", append(gzipped(t, nil), gzipped(t, nil)...), true},
		{"an empty frame", "a.warc.zst", zstdFrame(t, nil), true},
		{"an empty frame of lz4", "a.warc.lz4", lz4Frame(t, nil), true},
		{"line ends", "a.warc", []byte("\r\n\r\n"), true},
		{"line ends in a member", "a.warc.gz.open", gzipped(t, []byte("\n")), true},
		{"a text", "a.warc.gz", gzipped(t, []byte("nothing")), false},
		{"zeros", "a.warc", make([]byte, 300), false},
		{"a member that is cut", "a.warc.gz", gzipped(t, nil)[:12], false},
		{"garbage behind", "a.warc.gz", append(gzipped(t, nil), "garbage that is there"...), false},
		{"no archive by its name", "a.gz", gzipped(t, nil), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			size := int64(len(tt.data))
			f, err := Detect(tt.path, bytes.NewReader(tt.data), size)
			if (err == nil) != tt.empty {
				t.Fatalf("Detect(%s) = %v, %v", tt.path, f, err)
			}
			if err != nil {
				return
			}
			l := readRange(t, bytes.NewReader(tt.data), Input{Name: tt.path, Size: size, End: size}, f, Options{})
			if len(l.captures)+len(l.rejects) > 0 || l.counts.BytesLost > 0 || l.counts.HasDamage() {
				t.Errorf("captures %v, rejects %v, %d bytes lost", l.captures, l.rejects, l.counts.BytesLost)
			}
		})
	}
}
