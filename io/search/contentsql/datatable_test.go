package contentsql

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	html "github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagedata"
)

// market makes a collection of two pages with structured data.
func market(t *testing.T) folder.Folder {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the test is over by then
	u := schemas.Unit{Inputs: []schemas.Range{{File: "a.warc", End: 1}}}
	key := ledger.Key(u, nil, nil)
	_, _, err = c.Resume([]schemas.Unit{u}, []string{key}, nil)
	var w *shard.Writer
	if err == nil {
		w, err = shard.NewWriter(f, u, key, shard.Options{Formats: []string{holdings.FormatParquet, holdings.FormatData}})
	}
	for i, src := range []string{
		`<script type="application/ld+json">[{"@type":"Car","name":"Van","brand":{"name":"Tug"},"offers":[{"price":9,
		"priceCurrency":"EUR"}]},{"@type":"Recipe","name":"Stew","recipeIngredient":["a","b"]}]</script>`,
		`<p class=h-card>Ann</p><div itemscope itemtype=http://schema.org/Person><b itemprop=name>Bo</b></div>`,
	} {
		if err != nil {
			t.Fatal(err)
		}
		url := []string{"http://a.example/", "http://b.example/"}[i]
		p := html.Parse([]byte(src), html.Options{URL: url})
		items, _ := pagedata.Extract(pagedata.Input{Page: p, LD: jsonld.Nodes(p.Scripts(), jsonld.Options{})})
		d := &schemas.Document{
			URL: url, SURT: []string{"example,a)/", "example,b)/"}[i], Filename: "a.warc", Offset: int64(i),
			RecordType: schemas.TypeResponse, Data: pagedata.Summary(items),
		}
		if err = w.Document(d); err == nil {
			err = w.Data(pagedata.Rows(items, pagedata.Source{SURT: d.SURT, URL: url}))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Commit(schemas.Counts{Documents: 2}, ledger.Note{})
	if err == nil {
		_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestQuery_data: the table of structured data and its views say the same as the pages, and as the field of documents.
func TestQuery_data(t *testing.T) {
	db, err := contentdb.Open(t.Context(), market(t), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for _, tt := range []struct {
		statement string
		want      []string
	}{
		{
			"select type, count(distinct item), min(parent) from data where syntax = 'json-ld' group by 1 order by 1",
			[]string{`[null,2,0]`, `["Car",1,null]`, `["Recipe",1,null]`},
		},
		{"select name, brand, price, currency, type from products", []string{`["Van","Tug","9","EUR","Car"]`}},
		{"select name, ingredients from recipes", []string{`["Stew","[\"a\",\"b\"]"]`}},
		{
			"select name, syntax, url from persons order by 1",
			[]string{`["Ann","microformats","http://b.example/"]`, `["Bo","microdata","http://b.example/"]`},
		},
		{"select count(*) from events", []string{`[0]`}},
		{"select url from documents('data.type = Recipe')", []string{`["http://a.example/"]`}},
		{
			"select d.url from documents d join data x on x.url = d.url where x.type = 'Recipe' and x.property = 'name'",
			[]string{`["http://a.example/"]`},
		},
	} {
		if diff := cmp.Diff(tt.want, answerOf(t, db, tt.statement, Options{})); diff != "" {
			t.Errorf("%s (-want, +got)\n%s", tt.statement, diff)
		}
	}
}
