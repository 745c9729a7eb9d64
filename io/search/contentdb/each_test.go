package contentdb

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestEach: every version comes once, from shards of Parquet and of lines. The index finds few of them, names rows of
// shards or leaves the search to a scan.
func TestEach(t *testing.T) {
	f := build(t, t.TempDir(), corpus(7, 600), []string{holdings.FormatParquet}, []string{holdings.FormatJSONL})
	for _, o := range []Options{{}, {NoIndex: true}} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }() // the test is over by then
		if !o.NoIndex && db.index == nil {
			t.Fatal(db.Notes())
		}
		for _, filter := range []string{
			"", "language = fr", "gouvernement", "gouvernement AND status = 404", "NOT gouvernement", "title:budget",
			`"le gouvernement"`,
			"timestamp = 2026-03", `surt = "example,h2)/16"`, "language = de",
			"record_type:* AND language = fr", "title:budget OR gouvernement",
		} {
			where, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			want := places(t, db.part.Documents(t.Context()), where)
			each := db.Each(t.Context(), where, []string{"filename", "offset", "sequence", "host"})
			if diff := cmp.Diff(want, places(t, each, nil)); diff != "" {
				t.Errorf("%+v, %q: (-every document that matches, +Each)\n%s", o, filter, diff)
			}
			for _, err := range db.Each(t.Context(), where, nil) {
				if err != nil {
					t.Fatal(err)
				}
				break // it must not go on
			}
		}
	}
}

// places tell which documents match a filter, and their hosts.
func places(t *testing.T, docs iter.Seq2[*schemas.Document, error], where query.Expr) (list []string) {
	t.Helper()
	for d, err := range docs {
		if err != nil {
			t.Fatal(err)
		}
		if query.Match(where, d) {
			list = append(list, fmt.Sprint(d.Filename, d.Offset, d.Sequence, d.Host))
		}
	}
	slices.Sort(list)
	return list
}
