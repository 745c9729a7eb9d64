package contentdb

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestCounting_memory: groups of long values take no more memory than others, and each is counted.
func TestCounting_memory(t *testing.T) {
	const limit, n, long = 1 << 20, 3000, 4000
	title, err := query.NewBy([]string{"title"})
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{sorter: extsort.New(extsort.Options{MemoryBytes: limit, TempDir: t.TempDir()}), limit: limit}
	defer func() { _ = c.sorter.Close() }() // the test is over by then
	most := 0
	for i := range 2 * n {
		d := &schemas.Document{Title: fmt.Sprint(i%n, strings.Repeat("x", long))}
		if err := c.add(d, title); err != nil {
			t.Fatal(err)
		}
		held := 0
		for key := range c.groups {
			held += len(key)
		}
		most = max(most, held)
	}
	if most > limit+long {
		t.Errorf("%d bytes of values are held, with a limit of %d", most, limit)
	}
	groups, err := c.largest(0)
	if err != nil || len(groups) != n {
		t.Fatalf("%d groups, %v, want %d", len(groups), err, n)
	}
	for _, g := range groups {
		if g.Count != 2 {
			t.Fatalf("a group has %d, want 2", g.Count)
		}
	}
}

// TestFacets_lists: captures are counted by lists, objects and maps in the same way over shards of both kinds, with the
// index and without.
func TestFacets_lists(t *testing.T) {
	docs := corpus(5, 120)
	f := build(t, t.TempDir(), docs, []string{holdings.FormatJSONL}, []string{holdings.FormatParquet})
	where, err := query.Parse("status = 200")
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{
		{"tags"},
		{"entity"},
		{"entities.type", "entities.text"},
		{"custom.price"},
		{"custom"},
		{"custom.price", "tags"},
		{"lang", "entity", "month"},
		{"filename"},
		{"flags"},
		{"damaged"},
		{"authors", "status"},
	} {
		for _, q := range []query.Query{{AllVersions: true}, {Where: where}, {Sample: 400_000}} {
			want := groupsOf(t, names, reference(q, docs))
			for _, noIndex := range []bool{false, true} {
				db, err := Open(t.Context(), f, Options{NoIndex: noIndex})
				if err != nil {
					t.Fatal(err)
				}
				got, err := db.Facets(t.Context(), q, names, 0)
				if err = errors.Join(err, db.Close()); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("by %v, %s, without the index %v: -want +got:\n%s", names, describe(q), noIndex, diff)
				}
			}
		}
	}
}

// groupsOf counts documents one by one.
func groupsOf(t *testing.T, names []string, docs []*schemas.Document) (groups []Group) {
	t.Helper()
	by, err := query.NewBy(names)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int64{}
	for _, d := range docs {
		if err := by.Each(d, func(values []string) error {
			counts[strings.Join(values, "\x00")]++
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for key, n := range counts {
		groups = append(groups, Group{strings.Split(key, "\x00"), n})
	}
	return cut(groups, len(groups))
}
