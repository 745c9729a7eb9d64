package enrich

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
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
		{"with a line end after it", pack(t, page) + "\r\n", "text/html", "Brücke", prose},
		{"with padding", pack(t, page) + strings.Repeat("\x00", 600), "text/html", "Brücke", prose},
		{"with a sign of gzip after it", pack(t, page) + "\x1f\x8b\x00 and more", "text/html", "Brücke", prose},
		{"a file", pack(t, page), "application/gzip", "", ""},
		{"an archive", pack(t, strings.Repeat("\x00\x01", 300)), "text/html", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustNew(t, Options{}).Enrich(capture(tt.body, tt.declared), Extra{}).Document
			if d.MIMEDetected != "application/gzip" || d.Title != tt.title || !strings.Contains(d.Text, tt.has) ||
				tt.has == "" && d.Text != "" || len(d.Errors) > 0 {
				t.Errorf("type %q, title %q, text %q, errors %v", d.MIMEDetected, d.Title, d.Text, d.Errors)
			}
		})
	}
}

// TestEnrich_gzipDamage tests that the text before damage is kept, and the damage is an error of its own kind.
func TestEnrich_gzipDamage(t *testing.T) {
	const prose = "Die alte Brücke über den Fluss wird geschlossen."
	whole := pack(t, "<!DOCTYPE html><html><head><title>Brücke</title></head><body><p>"+prose+"</p>"+numbers(9000))
	second := pack(t, numbers(9000))
	tests := []struct{ name, body string }{
		{"cut in its checksum", whole[:len(whole)-4]},
		{"cut in half", whole[:len(whole)/2]},
		{"wrong checksum", whole[:len(whole)-8] + "\x01\x02\x03\x04" + whole[len(whole)-4:]},
		{"wrong length", whole[:len(whole)-1] + "\x09"},
		{"wrong bytes", whole[:len(whole)/2] + strings.Repeat("\xff", 400) + whole[len(whole)/2+400:]},
		{"cut in a second member", whole + second[:len(second)/2]},
		{"cut in the head of a second member", whole + second[:6]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustNew(t, Options{}).Enrich(capture(tt.body, "text/html"), Extra{}).Document
			if len(d.Errors) != 1 || d.Errors[0].Kind != schemas.KindInflate || d.Errors[0].Stage != "charset" ||
				!strings.Contains(d.Text, prose) {
				t.Errorf("errors %v, text %.80q", d.Errors, d.Text)
			}
		})
	}
}

// numbers is a text of n numbers that is larger than a block of deflate.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>number %d", i*i*i)
	}
	return b.String()
}

// TestEnrich_gzipBomb tests that the text in gzip is bounded.
func TestEnrich_gzipBomb(t *testing.T) {
	body := pack(t, strings.Repeat("all is well ", 3<<20))
	d := mustNew(t, Options{}).Enrich(capture(body, "text/plain"), Extra{}).Document
	if len(d.Errors) == 0 || d.Errors[0].Kind != schemas.KindLimit || len(d.Text) > 16<<20 {
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
