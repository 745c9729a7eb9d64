package contentio

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func init() {
	beam.RegisterFunction(line)
	beam.RegisterFunction(lineOf)
}

func TestMain(m *testing.M) { ptest.Main(m) }

// line is a document as a line to compare.
func line(d *schemas.Document) (string, error) {
	b, err := json.Marshal(d)
	return string(b), err
}

func lineOf(d schemas.Document) (string, error) { return line(&d) }

// fill makes a collection of units that are written in formats of their own: pages with several versions, over units.
func fill(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	f := folder.Open(t.Context(), dir, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	var done []schemas.UnitResult
	columns, lines := holdings.FormatParquet, holdings.FormatJSONL
	for i, formats := range [][]string{{columns, holdings.FormatLinks}, {lines, holdings.FormatLinks}, {columns, lines}} {
		name := fmt.Sprintf("crawl-%d.warc", i)
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: name}}}
		w, err := shard.NewWriter(f, u, ledger.Key(u, formats, 1), shard.Options{Formats: formats})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for n := range 60 {
			d := document(name, i, n)
			err := w.Document(d)
			if err == nil && i < 2 {
				err = w.Links([]schemas.Link{{SURT: d.SURT, URL: d.URL, Timestamp: d.Timestamp, Target: d.URL}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r, err := w.Commit(schemas.Counts{Documents: 60}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: len(done)}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func document(file string, unit, n int) *schemas.Document {
	d := &schemas.Document{
		URL: fmt.Sprintf("https://example.org/%d", n%17), SURT: fmt.Sprintf("org,example)/%d", n%17),
		Filename: file, Offset: int64(n),
		Timestamp: time.Date(2025, time.Month(1+(unit*5+n*7)%12), 1+n%3, 0, 0, 0, 0, time.UTC).Format(time.RFC3339),
		Language:  []string{"fr", "de"}[(n+unit)%2], RecordType: schemas.TypeResponse, Status: 200,
		Text:     fmt.Sprintf("Le Parlement, numéro %d", n),
		Entities: []schemas.Entity{{Type: "place", Text: "Paris", Source: "tagger"}},
	}
	if n%20 == 0 {
		d.SURT, d.Timestamp = "", ""
	}
	return d
}

// TestQuery compares with the embedded query, on a runner that passes elements along and on one that encodes them.
// Package ptest brings both.
func TestQuery(t *testing.T) {
	dir := fill(t)
	at := time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		name, where string
		q           query.Query
		columns     []string
	}{
		{name: "all versions", q: query.Query{AllVersions: true}},
		{name: "newest of each page"},
		{name: "newest in French", where: "language = fr", columns: []string{"url", "text"}},
		{name: "French at a moment", where: "language = fr", q: query.Query{At: at}, columns: []string{"url", "timestamp"}},
		{name: "at a moment", q: query.Query{At: at}},
		{
			name: "words and a limit", where: `parlement AND language = de`, q: query.Query{Limit: 5},
			columns: []string{"url", "entities"},
		},
		{name: "oldest of all versions", q: query.Query{Limit: 7, Order: query.Oldest, AllVersions: true}},
		{name: "the longest", q: query.Query{Limit: 9, Order: query.Length}, columns: []string{"url"}},
		{name: "a sample", where: "language = fr", q: query.Query{Sample: 400_000}, columns: []string{"url"}},
		{name: "by SURT", q: query.Query{Limit: 100, Order: query.SURT}, columns: []string{"surt"}},
		{name: "none", where: "language = th", q: query.Query{Limit: 3}},
	} {
		if x.where != "" {
			e, err := query.Parse(x.where)
			if err != nil {
				t.Fatal(err)
			}
			x.q.Where = e
		}
		want := embedded(t, dir, x.q, x.columns)
		for _, runner := range []string{"direct", "prism"} {
			t.Run(x.name+" on "+runner, func(t *testing.T) {
				p, s := beam.NewPipelineWithRoot()
				got := beam.ParDo(s, lineOf, Query(s, dir, x.q, x.columns...))
				if len(want) == 0 {
					passert.Empty(s, got)
				} else {
					passert.EqualsList(s, got, want)
				}
				if _, err := beam.Run(t.Context(), runner, p); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// embedded are the lines that the embedded query gives.
func embedded(t *testing.T, dir string, q query.Query, columns []string) (lines []string) {
	t.Helper()
	db, err := contentdb.Open(t.Context(), folder.Open(t.Context(), dir, nil), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	for d, err := range db.Find(t.Context(), q, columns) {
		if err != nil {
			t.Fatal(err)
		}
		l, err := line(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	slices.Sort(lines)
	return lines
}

func TestRead(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	passert.Count(s, Read(s, fill(t), "url"), "captures", 180)
	if err := ptest.Run(p); err != nil {
		t.Error(err)
	}
}

func TestQuery_mistakes(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	passert.Empty(s, Read(s, fill(t), "nothing"))
	if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("a column that does not exist: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("an empty disjunction does not panic")
		}
	}()
	Query(s, "out", query.Query{Where: &query.Or{}})
}
