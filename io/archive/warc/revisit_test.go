package warc

import (
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestCapture_revisitHeads: the block of a revisit is the head of a response, whatever its record calls it.
func TestCapture_revisitHeads(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n"
	tests := []struct {
		name, kind, declared, block string
		status, body                int
		mime                        string
	}{
		{"WARC/1.1's example", "revisit", "message/http", head, 200, 0, "text/html"},
		{"in another case", "revisit", "Message/HTTP; msgtype=response", head, 200, 0, "text/html"},
		{"Common Crawl's", "revisit", "application/http; msgtype=response", head, 200, 0, "text/html"},
		{"the page's type", "revisit", "text/html; charset=utf-8", head, 200, 0, "text/html"},
		{"none", "revisit", "", head, 200, 0, "text/html"},
		{"without a blank line", "revisit", "message/http", "HTTP/1.1 304 Not Modified\r\nETag: x\r\n", 304, 0, ""},
		{"LF", "revisit", "message/http", "HTTP/1.0 304 Not Modified\nContent-Type: a/b\n\n", 304, 0, "a/b"},
		{"no head", "revisit", "text/html", "", 0, 0, "text/html"},
		{"a response", "response", "message/http", head + "body", 200, 4, "text/html"},
		{"a file of that type", "resource", "text/plain", head, 0, len(head), "text/plain"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, _ := read(t, lines(tt.block, "WARC/1.1", "WARC-Type: "+tt.kind, "WARC-Target-URI: http://a/",
				"WARC-Date: 2024-02-03T04:05:06Z", "Content-Type: "+tt.declared, "#"))
			if len(all) != 1 {
				t.Fatalf("%d captures", len(all))
			}
			c := all[0]
			if c.Status != tt.status || len(c.Body) != tt.body || c.MIMEDeclared != tt.mime ||
				c.HasFlag(schemas.FlagIncomplete) {
				t.Errorf("status %d, %d bytes of %q, flags %v", c.Status, len(c.Body), c.MIMEDeclared, c.Flags)
			}
		})
	}
}

// TestCapture_repeatedFields: what the standard says may stand once is odd if it stands twice, and nothing else is.
func TestCapture_repeatedFields(t *testing.T) {
	tests := []struct {
		field string
		odd   bool
	}{
		{"WARC-Protocol: h2", false},
		{"warc-protocol: tls/1.3", false},
		{"WARC-Concurrent-To: <urn:x:1>", false},
		{"WARC-Cipher-Suite: TLS_AES_128_GCM_SHA256", false},
		{"WARC-JSON-Metadata: {}", false},
		{"X-Note: a", false},
		{"WARC-IP-Address: 192.0.2.1", true},
		{"WARC-Truncated: length", true},
		{"warc-warcinfo-id: <urn:x:1>", true},
		{"Content-Type: application/http", true},
	}
	for _, tt := range tests {
		_, quirks := read(t, lines("HTTP/1.1 200 OK\r\n\r\n", "WARC/1.1", "WARC-Type: response", "WARC-Target-URI: http://a/",
			"WARC-Date: 2024-02-03T04:05:06Z", tt.field, tt.field, "#"))
		if odd := slices.Contains(quirks, "duplicate_field"); odd != tt.odd {
			t.Errorf("%s twice: quirks %v", tt.field, quirks)
		}
	}
}
