package enrich

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"
)

// TestEnrich_gzip tests that texts served as such, but in gzip without a Content-Encoding, are read, and files are not.
func TestEnrich_gzip(t *testing.T) {
	const prose = "Die alte Brücke über den Fluss wird bis zum Ende des Jahres für Reparaturen geschlossen."
	page := "<!DOCTYPE html><html><head><title>Brücke</title></head><body><h1>Brücke</h1><p>" + prose +
		"</p></body></html>"
	tests := []struct{ name, body, declared, title, has string }{
		{"a page", pack(t, page), "text/html", "Brücke", prose},
		{"with an encoding", pack(t, page), "text/html; charset=utf-8", "Brücke", prose},
		{
			"XHTML", pack(t, `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`+page[21:]),
			"application/xhtml+xml", "Brücke", prose,
		},
		{"a text", pack(t, prose), "text/plain", "", prose},
		{"two members", pack(t, page[:60]) + pack(t, page[60:]), "text/html", "Brücke", prose},
		{"truncated", strings.TrimSuffix(pack(t, page), pack(t, page)[len(pack(t, page))-4:]), "text/html", "Brücke", prose},
		{"with bytes after it", pack(t, page) + "\r\n", "text/html", "Brücke", prose},
		{"a file", pack(t, page), "application/gzip", "", ""},
		{"an archive", pack(t, strings.Repeat("\x00\x01", 300)), "text/html", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustNew(t, Options{}).Enrich(capture(tt.body, tt.declared), Extra{}).Document
			if d.MIMEDetected != "application/gzip" || d.Title != tt.title || !strings.Contains(d.Text, tt.has) ||
				tt.has == "" && d.Text != "" {
				t.Errorf("type %q, title %q, text %q, errors %v", d.MIMEDetected, d.Title, d.Text, d.Errors)
			}
		})
	}
}

// TestEnrich_gzipBomb tests that the text in gzip is bounded.
func TestEnrich_gzipBomb(t *testing.T) {
	body := pack(t, strings.Repeat("all is well ", 3<<20))
	d := mustNew(t, Options{}).Enrich(capture(body, "text/plain"), Extra{}).Document
	if len(d.Errors) == 0 || len(d.Text) > 16<<20 {
		t.Errorf("%d bytes of text, errors %v", len(d.Text), d.Errors)
	}
}

func pack(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write([]byte(text))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
