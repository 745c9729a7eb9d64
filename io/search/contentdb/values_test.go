package contentdb

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestValues: each part of the values is that of all groups, with the index and without.
func TestValues(t *testing.T) {
	f := build(t, t.TempDir(), corpus(5, 120), []string{holdings.FormatJSONL}, []string{holdings.FormatParquet})
	where, err := query.Parse("status = 200")
	if err != nil {
		t.Fatal(err)
	}
	for _, noIndex := range []bool{false, true} {
		db, err := Open(t.Context(), f, Options{NoIndex: noIndex})
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []string{"tags", "entity", "authors", "flags", "record_type", "host", "lang", "title"} {
			for _, q := range []query.Query{{AllVersions: true}, {Where: where}, {Where: where, AllVersions: true, Limit: 3}} {
				compareValues(t, db, q, by, nil)
				compareValues(t, db, q, by, func(v string) bool { return strings.Contains(strings.ToLower(v), "a") })
				compareValues(t, db, q, by, func(v string) bool { return v == "" })
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func compareValues(t *testing.T, db *DB, q query.Query, by string, passes func(string) bool) {
	t.Helper()
	all, err := db.Facets(t.Context(), q, []string{by}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := Values{}
	for _, g := range all {
		want.Captures += g.Count
		if passes == nil || passes(g.Values[0]) {
			want.Groups = append(want.Groups, g)
			want.None = want.None || g.Values[0] == ""
		}
	}
	want.Total = int64(len(want.Groups))
	for _, part := range [][2]int64{{0, 1000}, {0, 2}, {2, 3}, {1000, 5}} {
		got, err := db.Values(t.Context(), ValuesRequest{q, by, passes, part[0], part[1]})
		some := want
		some.Groups = slices.Clone(want.Groups[min(part[0], want.Total):min(part[0]+part[1], want.Total)])
		if len(some.Groups) == 0 {
			some.Groups = nil
		}
		if diff := cmp.Diff(some, got); diff != "" || err != nil {
			t.Errorf("by %s, %v: %v (-want +got):\n%s", by, part, err, diff)
		}
	}
}

// TestValues_unknown: a field that has no values is an error.
func TestValues_unknown(t *testing.T) {
	db, err := Open(t.Context(), build(t, t.TempDir(), corpus(5, 10), []string{holdings.FormatJSONL}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"", "entities", "langage"} {
		if _, err := db.Values(t.Context(), ValuesRequest{By: by}); err == nil {
			t.Errorf("values of %q", by)
		}
	}
	if err := errors.Join(db.Close()); err != nil {
		t.Fatal(err)
	}
}
