package webtable_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

type resourceVersion struct{ *odm.RowVersion }

// TestRow_resource: rows with bodies are read by the schema of D8.1's section 3.2.3, by URL and by SURT.
func TestRow_resource(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		layout     webtable.Layout
		want       bool
	}{
		{"a page", "<p>one", webtable.Layout{ByURL: true, Inline: true}, true},
		{"by SURT", "<p>one", webtable.Layout{Inline: true}, true},
		{"binary", "\x00\xff", webtable.Layout{ByURL: true, Inline: true}, true},
		{"in two cells here", strings.Repeat("x", 5<<20), webtable.Layout{ByURL: true, Inline: true}, true},
		{"more than a cell takes", strings.Repeat("x", 9<<20), webtable.Layout{ByURL: true, Inline: true}, false},
		{"without bodies", "<p>one", webtable.Layout{ByURL: true}, false},
	} {
		db := new(memory.Database)
		resources := odm.NewCollection[string, resourceVersion](db, func(s *odm.RowSchema) {
			s.AddColumn("content", "content", odm.Bytes)
			for _, name := range []string{"ip", "header", "statusCode", "digest", "mime"} {
				s.AddColumn(name, "metadata", odm.String)
			}
			s.AddColumn("length", "metadata", odm.Long)
		})
		if err := resources.CreateTable(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
		const url = "http://a.example/x"
		d := &schemas.Document{
			URL: url, SURT: "example,a)/x", Timestamp: "2024-05-06T07:08:09Z", Status: 200, BodyBytes: int64(len(tt.body)),
		}
		row, err := tt.layout.Row(d, &schemas.Capture{URL: url, Body: []byte(tt.body)})
		if err != nil {
			t.Fatal(err)
		}
		table, err := db.UseTable(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		if err := table.PutCells(t.Context(), cellsOf(row)); err != nil {
			t.Fatal(err)
		}
		v, ok, err := resources.At(t.Context(), tt.layout.Key(url), time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC))
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", tt.name, ok, err)
		}
		content := odm.Get[[]byte](v.RowVersion, "content", "content")
		if got := string(content) == tt.body; got != tt.want || !tt.want && content != nil {
			t.Errorf("%s: %d bytes of content, of %d", tt.name, len(content), len(tt.body))
		}
		if odm.Get[string](v.RowVersion, "metadata", "statusCode") != "200" ||
			odm.Get[int64](v.RowVersion, "metadata", "length") != int64(len(tt.body)) {
			t.Errorf("%s: metadata %v", tt.name, v)
		}
	}
}

func cellsOf(row rowstore.Row) odm.Cells {
	out := odm.Cells{Key: row.Key}
	for _, c := range row.Cells {
		column := odm.Column{Family: c.Family, Qualifier: c.Qualifier}
		out.Cells = append(out.Cells, odm.Cell{Column: column, Time: c.Time, Value: c.Value})
	}
	return out
}
