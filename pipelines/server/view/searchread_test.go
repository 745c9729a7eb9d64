package view

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// pagesWith is a collection of a hundred pages with a text.
func pagesWith(t *testing.T, text string) *Views {
	t.Helper()
	return pagesOf(t, nil, func(_ int, d *schemas.Document) { d.Text = text })
}

// pagesOf is a collection of a hundred pages, whose manifest has some options.
func pagesOf(t *testing.T, options map[string]any, fill func(i int, d *schemas.Document)) *Views {
	t.Helper()
	return manyPages(t, 100, options, fill)
}

// manyPages is a collection of n pages.
func manyPages(t *testing.T, n int, options map[string]any, fill func(i int, d *schemas.Document)) *Views {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the test is over by then
	u := schemas.Unit{Inputs: []schemas.Range{{File: "a.warc", End: 1}}}
	key := ledger.Key(u, nil, nil)
	if _, _, err := c.Resume([]schemas.Unit{u}, []string{key}, nil); err != nil {
		t.Fatal(err)
	}
	w, err := shard.NewWriter(f, u, key, shard.Options{Formats: []string{holdings.FormatParquet}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		d := &schemas.Document{
			URL: fmt.Sprintf("http://example.org/%d", i), SURT: fmt.Sprintf("org,example)/%d", i), Host: "example.org",
			Timestamp: fmt.Sprintf("2026-01-01T00:%02d:%02dZ", i/60, i%60), Filename: "a.warc", Offset: int64(i),
		}
		fill(i, d)
		if err := w.Document(d); err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.Commit(schemas.Counts{Documents: int64(n)}, ledger.Note{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1, Options: options}); err != nil {
		t.Fatal(err)
	}
	s, err := shelf.Open(t.Context(), []string{f.Path("")}, nil, shelf.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it is only read
	for !s.Find("").State().Ready {
		if time.Sleep(10 * time.Millisecond); t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
	}
	return New(s, Options{})
}

// TestSearch_tooLongToCount: a phrase in too many captures to read all returns the newest, with a note, and the answer
// is not kept. With enough time it is counted. Words are always counted.
func TestSearch_tooLongToCount(t *testing.T) {
	v, ctx := pagesWith(t, "the fish auction"), WithActor(t.Context(), Actor{Role: Viewer})
	phrase, words := SearchRequest{Query: `"fish auction"`}, SearchRequest{Query: "fish auction"}
	v.countTime = 0
	s, err := v.Search(ctx, phrase)
	if err != nil || s.Note == "" || s.Counted || s.Total != 0 || len(s.Hits) != standardHits || len(s.Facets) != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	if s.Hits[0].URL != "http://example.org/99" || s.Request.Order != "newest" {
		t.Errorf("the first is %s by %q, want the newest", s.Hits[0].URL, s.Request.Order)
	}
	next := s.Request
	next.Cursor = s.Next
	if s, err := v.Search(ctx, next); err != nil || len(s.Hits) == 0 || s.Hits[0].URL != "http://example.org/79" {
		t.Errorf("the next page: %+v, %v", s, err)
	}
	if s, err := v.Search(ctx, words); err != nil || !s.Counted || s.Captures != 100 || s.Note != "" {
		t.Errorf("words: %+v, %v", s, err)
	}
	v.countTime = time.Minute
	if s, err := v.Search(ctx, phrase); err != nil || !s.Counted || s.Captures != 100 || s.Total != 100 {
		t.Errorf("with time: %+v, %v", s, err)
	}
	v.countTime, v.findTime = 0, 0
	_, err = v.Search(ctx, SearchRequest{Query: `"the fish"`})
	if e := (*Error)(nil); !errors.As(err, &e) || e.Kind != Invalid || e.Remedy == "" {
		t.Errorf("%v, want that it takes too long", err)
	}
}
