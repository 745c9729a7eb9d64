package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestValueColumns_kept: a column is only used for its own mark, and the kept columns stay within their bound.
func TestValueColumns_kept(t *testing.T) {
	k := valueColumns{room: room{limit: 250, all: new(atomic.Int64)}}
	c := &valueColumn{of: make(placesOf[uint32], 25)} // 100 bytes
	for chunk := range uint32(5) {
		k.keep(valueChunk{kindHost, chunk}, 1, c)
	}
	if k.bytes != 200 || len(k.kept) != 2 {
		t.Errorf("%d columns of %d bytes are kept, want two of 200", len(k.kept), k.bytes)
	}
	k.keep(valueChunk{kindHost, 9}, 1, &valueColumn{of: make(placesOf[uint32], 100)})
	if _, ok := k.get(valueChunk{kindHost, 9}, 1); ok {
		t.Error("a column larger than the bound is kept")
	}
	k.keep(valueChunk{kindHost, 4}, 2, c) // of changed shards
	_, old := k.get(valueChunk{kindHost, 4}, 1)
	_, own := k.get(valueChunk{kindHost, 4}, 2)
	if old || !own || k.bytes != 200 || k.all.Load() != 200 {
		t.Errorf("after a change: old %v, own %v, %d bytes", old, own, k.bytes)
	}
}

// TestFacets_withoutRoom: counts are the same when no column can be kept.
func TestFacets_withoutRoom(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	s.put(t, 0, made(r, 500, "a"))
	roomy, _ := s.open(t, Options{})
	want, err := roomy.Facets(t.Context(), query.Query{AllVersions: true}, []string{"host"}, 0, nil)
	if err != nil || len(want) < 2 {
		t.Fatalf("%d hosts, %v", len(want), err)
	}
	tight, _ := s.open(t, Options{CacheBytes: 1 << 10})
	for range 2 {
		got, err := tight.Facets(t.Context(), query.Query{AllVersions: true}, []string{"host"}, 0, nil)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
	}
}

// TestFacets_top: the most frequent values are the first of all, also where others are as frequent.
func TestFacets_top(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	s.put(t, 0, made(r, 500, "a"))
	x, _ := s.open(t, Options{})
	for _, by := range FacetFields() {
		ask := func(top int) []Facet {
			list, err := x.Facets(t.Context(), query.Query{AllVersions: true}, []string{by}, top, nil)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		all := ask(0)
		for top := 1; top <= len(all)+1; top++ {
			if diff := cmp.Diff(all[:min(top, len(all))], ask(top)); diff != "" {
				t.Fatalf("%s, the first %d (-want +got):\n%s", by, top, diff)
			}
		}
	}
}

// TestFacets_bitmapOfAnotherChunk: a bitmap whose numbers are not those of its chunk is damage, and nothing is counted.
func TestFacets_bitmapOfAnotherChunk(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	s.put(t, 0, made(r, 50, "a"))
	x, _ := s.open(t, Options{})
	w, err := openWriter(t.Context(), "", x.place.dir, x.options)
	if err != nil {
		t.Fatal(err)
	}
	bits, err := encodeBits(span(1, 1<<chunkBits+9))
	if err == nil {
		_, err = w.volume.index.db.ExecContext(t.Context(), "update bits set bits = ? where kind = ?", bits, kindHost)
	}
	if err = errors.Join(err, w.close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Facets(t.Context(), query.Query{AllVersions: true}, []string{"host"}, 0, nil); !errors.Is(err,
		ErrDamaged) {
		t.Errorf("counted over a damaged bitmap: %v, want ErrDamaged", err)
	}
}

// TestFacets_chunks: counts over several chunks, of which each has versions and values of its own, are those of all.
func TestFacets_chunks(t *testing.T) {
	x := &Index{options: Options{}.withDefaults(), place: place{dir: t.TempDir()}}
	u := &updater{x: x, writers: map[string]*writer{}}
	if err := u.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, want := u.writers[""], map[string]int64{}
	for i := range 4 { // numbers may have gaps
		if err := w.ready(t.Context(), schemas.Shard{}); err != nil {
			t.Fatal(err)
		}
		next := i<<chunkBits + 1<<i
		if _, err := w.exec(t.Context(), "update state set value = ? where key = 'next'", next); err != nil {
			t.Fatal(err)
		}
		docs := manyDocs(i)
		for j, d := range docs {
			d.Host = fmt.Sprint("host", j%(10+i))
			want[d.Host]++
		}
		if _, err := w.replace(t.Context(), schemas.Shard{Name: shardName(i)}, readUntil(docs, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.commit(t.Context()), w.close(t.Context()), x.open(t.Context())); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // the test is over by then
	for _, by := range [][]string{{"host"}, {"host", "record_type"}, {"record_type", "host"}} {
		list, err := x.Facets(t.Context(), query.Query{AllVersions: true}, by, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, f := range list {
			got[f.Values[slices.Index(by, "host")]] += f.Count
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", by, diff)
		}
	}
}

// TestValueColumn_add: a column keeps its values when it gets wider.
func TestValueColumn_add(t *testing.T) {
	for _, values := range []uint32{1, 255, 256, 257, 65_535, 65_536, 65_537, 1 << chunkBits} {
		c := valueColumn{ids: []int64{0}, of: placesFor(1<<chunkBits, 1)}
		for i := range values {
			if err := c.add(int64(i)+7, 5, must(roaring.BitmapOf(5<<chunkBits+i).ToBytes())); err != nil {
				t.Fatal(err)
			}
		}
		for i := range uint32(1 << chunkBits) {
			want := int64(0)
			if i < values {
				want = int64(i) + 7
			}
			if got := c.ids[c.of.at(i)]; got != want {
				t.Fatalf("of %d values, version %d has %d, want %d", values, i, got, want)
			}
		}
	}
}

// TestFacets_concurrent: requests that come at once get the same counts, with and without room for columns. A request
// that ends while it waits for columns returns.
func TestFacets_concurrent(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	s.put(t, 0, made(r, 500, "a"))
	q := query.Query{AllVersions: true}
	for _, o := range []Options{{}, {CacheBytes: 1 << 10}} {
		x, _ := s.open(t, o)
		want, err := x.Facets(t.Context(), q, []string{"host"}, 0, nil)
		if err != nil || len(want) < 2 {
			t.Fatalf("%d hosts, %v", len(want), err)
		}
		x.volumes[0].kept = nil
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				got, err := x.Facets(t.Context(), q, []string{"host"}, 0, nil)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("%v (-want +got):\n%s", err, diff)
				}
			})
		}
		all.Wait()
	}
	x, _ := s.open(t, Options{})
	if _, err := x.Facets(t.Context(), q, []string{"host"}, 0, nil); err != nil {
		t.Fatal(err)
	}
	x.volumes[0].kept.counted.making <- struct{}{}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := x.Facets(ctx, q, []string{"language"}, 0, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a request that waits: %v", err)
	}
}
