package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// nextChunk makes the next shard begin in another chunk.
func nextChunk(t *testing.T, x *Index, chunk int) {
	t.Helper()
	w, err := openWriter(t.Context(), "", x.place.dir, x.options)
	if err != nil {
		t.Fatal(err)
	}
	next := chunk<<chunkBits + 7
	_, err = w.volume.index.db.ExecContext(t.Context(), "update state set value = ? where key = 'next'", next)
	if err = errors.Join(err, w.close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// countsOf returns what searches count.
func countsOf(t *testing.T, x *Index) (list []Answer) {
	t.Helper()
	for _, filter := range []string{"", "language = fr", "the", "host = *.example"} {
		where, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range []bool{false, true} {
			a, err := x.Ask(t.Context(), Request{
				Query: query.Query{Where: where, AllVersions: all, Limit: 1}, Count: true,
				By: []string{"host", "language", "month", "year", "day", "entities.text"}, Top: 3,
			}, nil)
			if err != nil {
				t.Error(err)
			}
			a.Hits = nil // of another index, numbers differ
			list = append(list, a)
		}
	}
	return list
}

// TestCaches_afterUpdates: counts after updates, takedowns and removals are those of an index without caches, whether
// it stays open, is opened again or is made again. Columns of chunks that did not change are the same.
func TestCaches_afterUpdates(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	var caches Caches
	defer caches.Close()
	o := Options{Caches: &caches}
	var x *Index
	for i := range 3 {
		s.put(t, i, made(r, 90, fmt.Sprint("f", i)))
		x, _ = s.open(t, o)
		countsOf(t, x)
		nextChunk(t, x, i+1)
	}
	key := valueChunk{kindHost, 1}
	for round := range 9 {
		name, before := shardName(r.IntN(4)), x.volumes[0].kept.counted.kept[key].valueColumn
		one := s.shards[name]
		switch n := len(one); {
		case round == 0: // in another chunk
			s.put(t, 2, s.shards[shardName(2)][:70])
		case n == 0:
			s.put(t, 3, made(r, 60, "f3"))
		case r.IntN(3) == 0:
			delete(s.shards, name)
		default:
			s.put(t, r.IntN(4), made(r, 50, "g"))
		}
		if round%3 == 1 {
			x, _ = s.open(t, o)
		} else if _, err := x.Update(t.Context(), s.part(t)); err != nil {
			t.Fatal(err)
		}
		if round == 6 {
			if _, err := x.Rebuild(t.Context(), s.part(t)); err != nil {
				t.Fatal(err)
			}
		}
		plain, _ := s.open(t, Options{Dir: t.TempDir(), CacheBytes: 1 << 10})
		if diff := cmp.Diff(countsOf(t, plain), countsOf(t, x)); diff != "" {
			t.Fatalf("round %d (-plain +kept):\n%s", round, diff)
		}
		if after := x.volumes[0].kept.counted.kept[key].valueColumn; round == 0 && (after == nil || after != before) {
			t.Errorf("the column of an unchanged chunk was made again: %p, %p", before, after)
		}
	}
}

// TestCaches_concurrent: while an index is updated and opened again, requests get the counts of one of its states.
func TestCaches_concurrent(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(6, 6))
	var caches Caches
	defer caches.Close()
	s.put(t, 0, made(r, 60, "f0"))
	x, _ := s.open(t, Options{Caches: &caches})
	reader, err := Open(t.Context(), s.folder(), Options{Caches: &caches})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(x *Index) string {
		a, err := x.Facets(t.Context(), query.Query{AllVersions: true}, []string{"host"}, 0, nil)
		if err != nil {
			t.Error(err)
		}
		return fmt.Sprint(a)
	}
	states, got := map[string]bool{ask(x): true}, [4][]string{}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			for {
				got[i] = append(got[i], ask(reader))
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for i := range 5 {
		s.put(t, i%2, made(r, 40+i, "g"))
		if _, err := x.Update(t.Context(), s.part(t)); err != nil {
			t.Error(err)
		}
		states[ask(x)] = true
	}
	close(stop)
	all.Wait()
	for _, list := range got {
		for _, answer := range list {
			if !states[answer] {
				t.Errorf("the counts of no state: %s", answer)
			}
		}
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
}

// TestCaches_lastingOf: another database, or a copy of one, has caches of its own. Those of removed databases are
// freed.
func TestCaches_lastingOf(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write := func(name string) {
		if err := os.WriteFile(name, []byte("a database"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, indexFile))
	write(filepath.Join(other, indexFile))
	before := columnBytes.Load()
	var c Caches
	first := c.lastingOf(dir, 7, 1<<20)
	first.columns.keep(columns{first: 1, rows: 10})
	if c.lastingOf(dir, 7, 1<<20) != first {
		t.Error("other caches of the same database")
	}
	if c.lastingOf(other, 7, 1<<20) == first {
		t.Error("the caches of another folder")
	}
	write(filepath.Join(dir, "copy"))
	if err := os.Rename(filepath.Join(dir, "copy"), filepath.Join(dir, indexFile)); err != nil {
		t.Fatal(err)
	}
	second := c.lastingOf(dir, 7, 1<<20)
	if second == first || columnBytes.Load() != before {
		t.Errorf("of a copy: same %v, %d bytes are kept", second == first, columnBytes.Load()-before)
	}
	third := c.lastingOf(dir, 8, 1<<20)
	third.columns.keep(columns{first: 1, rows: 10})
	if third == second {
		t.Error("the caches of a database that was made again are those of the old one")
	}
	if c.only([]string{other}); columnBytes.Load() != before {
		t.Error("caches of a removed folder are kept")
	}
	c.Close()
	late := c.lastingOf(dir, 8, 1<<20)
	if late.columns.keep(columns{first: 1, rows: 10}); columnBytes.Load() != before {
		t.Error("something is kept after Close")
	}
}

// TestWarm: afterwards searches find all columns in the caches, and with little room nothing is dropped for others.
func TestWarm(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(7, 7))
	for i := range 3 {
		s.put(t, i, made(r, 90, fmt.Sprint("f", i)))
	}
	by := []string{"language", "host", "year", "tags"}
	for _, cache := range []int64{0, 1 << 10} {
		x, _ := s.open(t, Options{CacheBytes: cache})
		if err := x.Warm(t.Context(), by); err != nil {
			t.Fatal(err)
		}
		k := x.volumes[0].kept
		if cache > 0 {
			if len(k.counted.kept) > 0 {
				t.Errorf("%d columns without room", len(k.counted.kept))
			}
			continue
		}
		if !k.columns.whole() || len(k.counted.kept) != 3 {
			t.Errorf("all shards %v, %d columns of values, want 3", k.columns.whole(), len(k.counted.kept))
		}
		countsOf(t, x)
		if n := len(k.counted.kept); n != 3 {
			t.Errorf("%d columns of values after questions", n)
		}
	}
	x, _ := s.open(t, Options{})
	if err := x.Warm(t.Context(), []string{"color"}); err == nil {
		t.Error("an unknown field was warmed")
	}
}
