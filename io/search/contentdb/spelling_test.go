package contentdb

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestSpellings: values in other capital letters are named if the whole filter then finds something.
func TestSpellings(t *testing.T) {
	var docs []*schemas.Document
	for i, kind := range []string{"Product", "Product", "article", "Article", "ÉVÉNEMENT"} {
		d := &schemas.Document{
			URL: fmt.Sprintf("http://example.org/%d", i), SURT: fmt.Sprintf("org,example)/%d", i), Host: "example.org",
			Timestamp: "2020-01-01T00:00:00Z", Filename: "a.warc.gz", Offset: int64(i), RecordType: schemas.TypeResponse,
			Language: "en",
		}
		d.Data = []schemas.DataType{{Type: kind, Syntax: "json-ld", Items: 1}}
		docs = append(docs, d)
	}
	dir := collectiontest.Make(t, "a.warc.gz", docs...)
	for _, o := range []Options{{}, {NoIndex: true}} {
		db, err := OpenPath(t.Context(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		for filter, want := range map[string]string{
			`data.type = product`:                   `data.type = Product 2,`,
			`data.type = PRODUCT AND language = en`: `data.type = Product 2,`,
			`data.type = product AND language = fr`: "",
			`data.type = product AND language = EN`: "",
			`data.type = ARTICLE`:                   `data.type = Article 1,data.type = article 1,`,
			`data.type = "événement"`:               `data.type = ÉVÉNEMENT 1,`,
			`data.type = Product`:                   "",
			`data.type != product`:                  "",
			`data.type = prod*`:                     "",
			`NOT data.type = product`:               "",
			`data.type = product OR status = 1`:     "",
			`host = Example.ORG`:                    "",
			`data.syntax = "JSON-LD"`:               `data.syntax = json-ld 5,`,
		} {
			e, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			list, err := db.Spellings(t.Context(), e)
			got := ""
			for _, s := range list {
				got += fmt.Sprintf("%s %d,", s.Is, s.Count)
			}
			if err != nil || got != want {
				t.Errorf("Spellings(%s) = %q, %v, want %q", filter, got, err, want)
			}
		}
	}
}
