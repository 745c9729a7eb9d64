package enrich

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestMakerOf: an extractor alone fills columns that are said to be its own, and no other's; the capture fills the rest.
func TestMakerOf(t *testing.T) {
	page := &schemas.Capture{
		URL: "http://example.org/", RecordType: schemas.TypeResponse, Status: 200, MIMEDeclared: "text/html; charset=utf-8",
		Body: []byte(`<html lang=en><title>A title</title><meta name=robots content=noai><meta property=og:title content=T><link rel=license href=https://creativecommons.org/licenses/by/4.0/><link rel=alternate type=application/rss+xml href=/f><body><article><p>` +
			strings.Repeat("Angela Merkel went to Paris and the town of York with the wonderful others. ", 20) + `<a href=/x>x</a><img src=/i.png>`),
	}
	makers := map[string]bool{"": true, schemas.ByCapture: true}
	for _, x := range extractors {
		name := x.name()
		makers[name] = true
		e, err := New(Options{Extract: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		d := reflect.ValueOf(e.Document(page)).Elem()
		filled := 0
		for _, c := range schemas.Columns() {
			if d.Field(c.Place).IsZero() || OfCapture(c.Name) {
				continue
			}
			if filled++; MakerOf(c.Name) != name {
				t.Errorf("%s fills %s, which is said to be made by %q", name, c.Name, MakerOf(c.Name))
			}
		}
		if filled == 0 {
			t.Errorf("%s fills nothing of the page", name)
		}
	}
	for _, c := range schemas.Columns() {
		if !makers[c.By] {
			t.Errorf("%s is said to be made by %q, which is no extractor", c.Name, c.By)
		}
	}
}
