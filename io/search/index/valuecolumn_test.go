package index

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestValueColumns_kept: a column is only used for its own generation, and the kept columns stay within their bound.
func TestValueColumns_kept(t *testing.T) {
	k := valueColumns{limit: 250}
	c := valueColumn{of: make(placesOf[uint32], 25)} // 100 bytes
	for chunk := range uint32(5) {
		k.keep(1, valueChunk{kindHost, chunk}, c)
	}
	if k.bytes != 200 || len(k.kept) != 2 {
		t.Errorf("%d columns of %d bytes are kept, want two of 200", len(k.kept), k.bytes)
	}
	k.keep(1, valueChunk{kindHost, 9}, valueColumn{of: make(placesOf[uint32], 100)})
	if _, ok := k.get(1, valueChunk{kindHost, 9}); ok {
		t.Error("a column larger than the bound is kept")
	}
	k.keep(2, valueChunk{kindHost, 0}, c)
	k.keep(1, valueChunk{kindHost, 1}, c) // of a question that began before
	_, old := k.get(1, valueChunk{kindHost, 0})
	_, late := k.get(2, valueChunk{kindHost, 1})
	_, own := k.get(2, valueChunk{kindHost, 0})
	if old || late || !own || k.bytes != 100 {
		t.Errorf("after a new generation: old %v, late %v, own %v, %d bytes", old, late, own, k.bytes)
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
