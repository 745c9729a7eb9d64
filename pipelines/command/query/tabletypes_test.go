package query

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestWriteTable_customTypes: counts by custom columns of a table have the types of the values in its captures.
func TestWriteTable_customTypes(t *testing.T) {
	integer := &schemas.Document{URL: "http://a.example/", CustomIntegers: map[string][]int64{"x": {12}}}
	float := &schemas.Document{URL: "http://b.example/", CustomFloats: map[string][]schemas.Float{"x": {0.5}}}
	text := &schemas.Document{URL: "http://c.example/", Custom: map[string][]string{"x": {"many"}}}
	number := &schemas.Document{URL: "http://d.example/", Custom: map[string][]string{"x": {"13"}}}
	truth := &schemas.Document{URL: "http://e.example/", CustomBooleans: map[string][]bool{"x": {true}}}
	times := map[string][]string{"x": {"2026-03-04T00:00:00Z"}}
	moment := &schemas.Document{URL: "http://f.example/", CustomTimes: times}
	none := &schemas.Document{URL: "http://g.example/", CustomIntegers: map[string][]int64{"y": {1}}}
	for _, tt := range []struct {
		name, by string
		docs     []*schemas.Document
		want     string
	}{
		{"integers", "custom.x", []*schemas.Document{integer}, `12`},
		{"floats", "custom.x", []*schemas.Document{float}, `0.5`},
		{"booleans", "custom.x", []*schemas.Document{truth}, `true`},
		{"times", "custom.x", []*schemas.Document{moment}, `"2026-03-04T00:00:00Z"`},
		{"texts", "custom.x", []*schemas.Document{number}, `"13"`},
		{"and none", "custom.x", []*schemas.Document{none, integer}, `null 12`},
		{"integers and floats", "custom.x", []*schemas.Document{integer, float}, `"0.5" "12"`},
		{"integers and texts", "custom.x", []*schemas.Document{integer, text}, `"12" "many"`},
		{"texts that look like numbers", "custom.x", []*schemas.Document{number, integer}, `"12" "13"`},
		{"a typed map", "custom_integers.x", []*schemas.Document{integer}, `12`},
	} {
		file := filepath.Join(t.TempDir(), "counts.jsonl")
		out, err := openOutput(file)
		if err != nil {
			t.Fatal(err)
		}
		docs := func([]string) iter.Seq2[*schemas.Document, error] {
			return func(yield func(*schemas.Document, error) bool) {
				for _, d := range tt.docs {
					if !yield(d, nil) {
						return
					}
				}
			}
		}
		c := config{by: []string{tt.by}, format: formatJSONL, memory: 1 << 20}
		if _, err := writeTable(t.Context(), c, out, docs(nil), docs); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(b)) {
			value, _, _ := strings.Cut(strings.TrimPrefix(line, `{"`+tt.by+`":`), `,"captures"`)
			got = append(got, value)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestTable_count: the number of a table's captures does not depend on the limit.
func TestTable_count(t *testing.T) {
	for _, tt := range []struct {
		rows, limit int
		want        string
	}{{0, 0, "0\n"}, {3, 0, "3\n"}, {3, 2, "3\n"}, {3, 20, "3\n"}} {
		file := filepath.Join(t.TempDir(), "count")
		out, err := openOutput(file)
		if err != nil {
			t.Fatal(err)
		}
		of := func(n int) iter.Seq2[*schemas.Document, error] {
			return func(yield func(*schemas.Document, error) bool) {
				for range n {
					if !yield(&schemas.Document{}, nil) {
						return
					}
				}
			}
		}
		c := config{format: formatCount, query: query.Query{Limit: tt.limit}}
		limited := tt.rows
		if tt.limit > 0 {
			limited = min(tt.rows, tt.limit)
		}
		all := func([]string) iter.Seq2[*schemas.Document, error] { return of(tt.rows) }
		n, err := writeTable(t.Context(), c, out, of(limited), all)
		if err := errors.Join(err, out.Close()); err != nil || n != int64(tt.rows) {
			t.Fatal(n, err)
		}
		if b, err := os.ReadFile(file); err != nil || string(b) != tt.want {
			t.Errorf("%d rows, limit %d: %q, %v", tt.rows, tt.limit, b, err)
		}
	}
}
