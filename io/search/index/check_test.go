package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestCheck: an index that followed its collection is clean, and any change of its tables is found.
func TestCheck(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(6, 6))
	for n := range 3 {
		s.put(t, n, made(r, 60, shardName(n)))
	}
	s.put(t, 3, nil)
	x, _ := s.open(t, Options{limits: func() limits { l := defaultLimits; l.groupRows = 100; return l }()})
	check := func() Checked {
		c, err := x.Check(t.Context(), s.part(t))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := check(); c.Shards != 4 || c.Stale != 0 || len(c.Problems) > 0 {
		t.Fatalf("a new index: %+v", c)
	}
	s.put(t, 1, made(r, 60, "other"))
	delete(s.shards, shardName(2))
	if c := check(); c.Shards != 2 || c.Stale != 2 || len(c.Problems) > 0 {
		t.Errorf("an index that is behind: %+v", c)
	}
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	if c := check(); c.Shards != 3 || c.Stale != 0 || len(c.Problems) > 0 {
		t.Errorf("after an update: %+v", c)
	}
	for change, want := range map[string]string{
		"update version set language = (select max(id) from name) where id = 5":                    "another language",
		"update version set ts = ts + 1 where id = 7":                                              "another time",
		"update page set title = title || 'x'":                                                     "another title",
		"update page set url = 'http://x/' where id = 3":                                           "another URL",
		"delete from version where id = 9":                                                         "is not in the index",
		"update shard set texts = zeroblob(length(texts)) where first = 1":                         "its columns",
		"update shard set name = 'documents-x.jsonl' where first = 1":                              "",
		"delete from bits where kind = 1 and value = (select min(value) from bits where kind = 1)": "lacks some",
		"update bits set bits = (select bits from bits where kind = 8 limit 1) where kind = 1":     "lacks some",
		"insert into bits select 1, 99, 0, 1, bits from bits where kind = 8 limit 1":               "other values",
	} {
		db := x.volumes[0].index.db
		if _, err := db.Exec("pragma query_only(off); " + change + "; pragma query_only(on)"); err != nil {
			t.Fatal(change, err)
		}
		x.volumes[0].kept, x.volumes[0].caches = nil, &Caches{} // as in a process that opens it
		c := check()
		found := slices.ContainsFunc(c.Problems, func(p string) bool { return strings.Contains(p, want) })
		if want != "" && !found || want == "" && c.Stale == 0 {
			t.Errorf("%s: %+v, want %q", change, c, want)
		}
		if _, err := x.Rebuild(t.Context(), s.part(t)); err != nil {
			t.Fatal(err)
		}
	}
	if c := check(); len(c.Problems) > 0 {
		t.Errorf("made again: %+v", c)
	}
}
