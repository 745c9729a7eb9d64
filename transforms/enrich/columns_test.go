package enrich

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestMakerOf: every column of a document is recognised by the capture, made by one extractor, or one of the few
// others; and an extractor alone fills no column of another.
func TestMakerOf(t *testing.T) {
	others := []string{
		"custom", "custom_integers", "custom_floats", "custom_booleans", "custom_times", "source_id", "redirect_url",
		"errors",
	}
	doc := reflect.TypeFor[schemas.Document]()
	var columns []string
	for i := range doc.NumField() {
		name, _, _ := strings.Cut(doc.Field(i).Tag.Get("json"), ",")
		columns = append(columns, name)
		n := 0
		for _, made := range columnsOf {
			if slices.Contains(made, name) {
				n++
			}
		}
		if OfCapture(name) {
			n++
		}
		if slices.Contains(others, name) {
			n++
		}
		if n != 1 {
			t.Errorf("%s is in %d lists, want 1", name, n)
		}
	}
	page := &schemas.Capture{
		URL: "http://example.org/", RecordType: schemas.TypeResponse, Status: 200, MIMEDeclared: "text/html; charset=utf-8",
		Body: []byte(`<html lang=en><title>A title</title><link rel=alternate type=application/rss+xml href=/f><body><article><p>` +
			strings.Repeat("Angela Merkel went to Paris and the town of York with the others. ", 20) + `<a href=/x>x</a>`),
	}
	for _, x := range extractors {
		name := x.name()
		e, err := New(Options{Extract: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		d := reflect.ValueOf(e.Document(page)).Elem()
		filled := 0
		for i, column := range columns {
			if d.Field(i).IsZero() || OfCapture(column) || slices.Contains(others, column) {
				continue
			}
			if filled++; MakerOf(column) != name {
				t.Errorf("%s fills %s, which is said to be made by %q", name, column, MakerOf(column))
			}
		}
		if filled == 0 {
			t.Errorf("%s fills nothing of the page", name)
		}
	}
}
