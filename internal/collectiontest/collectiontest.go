// Package collectiontest makes small collections for tests of what reads them. It is apart from shelftest, which tests
// of package collection use.
package collectiontest

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Make makes a collection of documents, as if a run had read them from one archive, and returns its folder.
func Make(tb testing.TB, archive string, documents ...*schemas.Document) string {
	tb.Helper()
	f := folder.Open(tb.Context(), tb.TempDir(), nil)
	Fill(tb, f, schemas.Range{File: archive, End: 1, Format: "warc+gzip"}, holdings.FormatParquet, documents)
	return f.Path("")
}

// Fill makes f a collection of documents in a format, as if a run had read them from one archive.
func Fill(tb testing.TB, f folder.Folder, archive schemas.Range, format string, documents []*schemas.Document) {
	tb.Helper()
	fill(tb, f, archive, []string{format}, documents, nil)
}

// Link makes f a collection of documents and of the links of pages, as if a run had read them from one archive.
func Link(tb testing.TB, f folder.Folder, archive schemas.Range, documents []*schemas.Document,
	links ...[]schemas.Link,
) {
	tb.Helper()
	fill(tb, f, archive, []string{holdings.FormatParquet, holdings.FormatLinks}, documents, links)
}

func fill(
	tb testing.TB, f folder.Folder, archive schemas.Range, formats []string, documents []*schemas.Document,
	links [][]schemas.Link,
) {
	tb.Helper()
	must := func(err error) {
		if err != nil {
			tb.Helper()
			tb.Fatal(err)
		}
	}
	c, err := collection.Open(f, collection.OpenOptions{})
	must(err)
	defer func() { _ = c.Close() }() // all is written by then
	u := schemas.Unit{Inputs: []schemas.Range{archive}}
	key := ledger.Key(u, nil, nil)
	_, _, err = c.Resume([]schemas.Unit{u}, []string{key}, nil)
	must(err)
	w, err := shard.NewWriter(f, u, key, shard.Options{Formats: formats})
	must(err)
	for _, d := range documents {
		must(w.Document(d))
	}
	for _, l := range links {
		must(w.Links(l))
	}
	n := int64(len(documents))
	r, err := w.Commit(schemas.Counts{Documents: n, Captures: n}, ledger.Note{})
	must(err)
	_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	must(err)
}
