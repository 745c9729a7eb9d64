package care_test

import (
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestTakeDown_data: the structured data of a page goes with it, and values and items that name it.
func TestTakeDown_data(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, collection.OpenOptions{})
	units, keys := unitsOf("a")
	w, err := shard.NewWriter(local(dir), units[0], keys[0],
		shard.Options{Formats: []string{holdings.FormatJSONL, holdings.FormatData}})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"http://b.example/", "http://a.example/"} {
		d := &schemas.Document{URL: page, SURT: page, RecordType: schemas.TypeResponse}
		row := schemas.Datum{URL: page, SURT: page, Syntax: schemas.SyntaxJSONLD, Property: "name", Value: "n"}
		rows := []schemas.Datum{row, row, row}
		rows[1].Value, rows[2].ID = "http://a.example/", "https://a.example"
		for _, err := range []error{w.Document(d), w.Data(rows), w.CDX(cdx.Line{SURT: page, URL: page, Filename: "a"})} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := w.Commit(schemas.Counts{Captures: 2, Documents: 2, Data: 6}, ledger.Note{})
	if err == nil {
		_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := holdings.FormatsOf(r.Shards); !slices.Equal(got, []string{holdings.FormatData, holdings.FormatJSONL}) {
		t.Errorf("formats %q", got)
	}
	entry, err := takedown.Parse("http://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := care.TakeDown(t.Context(), c, []takedown.Entry{entry}, nil); err != nil {
		t.Fatal(err)
	}
	all, m, err := holdings.Whole(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for d, err := range all.Data(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d.URL+" "+d.Value)
	}
	if !slices.Equal(got, []string{"http://b.example/ n"}) || m.Totals.Data != 1 {
		t.Errorf("rows %q, totals %+v", got, m.Totals)
	}
}
