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

// linked makes a collection of one unit, whose two pages link to each other and elsewhere.
func linked(t *testing.T, dir string) (*collection.Collection, schemas.UnitResult) {
	t.Helper()
	c := open(t, dir, collection.OpenOptions{})
	units, keys := unitsOf("a")
	w, err := shard.NewWriter(local(dir), units[0], keys[0],
		shard.Options{Formats: []string{holdings.FormatJSONL, holdings.FormatLinks}})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"http://b.example/", "http://a.example/"} {
		d := &schemas.Document{URL: page, SURT: page, RecordType: schemas.TypeResponse}
		links := []schemas.Link{{URL: page, SURT: page, Target: "http://a.example/", Place: schemas.PlaceMain}}
		links = append(links, links[0])
		links[1].Target = "http://c.example/"
		for _, err := range []error{w.Document(d), w.Links(links), w.CDX(cdx.Line{SURT: page, URL: page, Filename: "a"})} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := w.Commit(schemas.Counts{Captures: 2, Documents: 2, Links: 4}, ledger.Note{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1}); err != nil {
		t.Fatal(err)
	}
	return c, r
}

// ends are the links of a collection as "page target", in order.
func ends(t *testing.T, dir string) (list []string) {
	t.Helper()
	all, _, err := holdings.Whole(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range all.Links(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, l.URL+" "+l.Target)
	}
	return list
}

func TestPart_links(t *testing.T) {
	dir := t.TempDir()
	_, r := linked(t, dir)
	want := []string{
		"http://a.example/ http://a.example/", "http://a.example/ http://c.example/",
		"http://b.example/ http://a.example/", "http://b.example/ http://c.example/",
	}
	if got := ends(t, dir); !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	if got := holdings.FormatsOf(r.Shards); !slices.Equal(got, []string{holdings.FormatJSONL, holdings.FormatLinks}) {
		t.Errorf("formats %q", got)
	}
}

// TestTakeDown_links: those of a page go with it, and those that lead to it.
func TestTakeDown_links(t *testing.T) {
	dir := t.TempDir()
	c, _ := linked(t, dir)
	entry, err := takedown.Parse("http://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := care.TakeDown(t.Context(), c, []takedown.Entry{entry}, nil); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, dir); !slices.Equal(got, []string{"http://b.example/ http://c.example/"}) {
		t.Errorf("links %q", got)
	}
	m, err := holdings.ReadManifest(local(dir))
	if err != nil || m.Totals.Links != 1 || m.Totals.Documents != 1 {
		t.Errorf("totals %+v, %v; want one link and one document", m.Totals, err)
	}
}
