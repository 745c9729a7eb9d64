package index

import (
	"bytes"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestCandidates_areTheRows compares candidates with the rows while shards come and go. They come from columns in
// memory, from rows, and from both. It also compares the kept columns with their bound.
func TestCandidates_areTheRows(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(3, 3))
	for i := range 6 {
		s.put(t, i, made(r, 900, string(rune('a'+i))))
	}
	const kept = 2000 // versions, so that there is room for two shards
	x, _ := s.open(t, Options{CacheBytes: kept * bytesPerVersion / 3})
	fromColumns := 0
	for round := range 60 {
		if round == 30 {
			s.put(t, 2, made(r, 700, "c"))
			delete(s.shards, shardName(4))
			if _, err := x.Update(t.Context(), s.part(t)); err != nil {
				t.Fatal(err)
			}
		}
		v := x.volumes[0]
		view, err := v.snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		set := roaring.New()
		for range 1 + r.IntN(8) {
			set.Add(uint32(r.IntN(7000))) // some of which there are not
		}
		compareCandidates(t, view, set)
		view.close()
		fromColumns += len(view.columns.kept)
		if view.columns.bytes > kept*bytesPerVersion {
			t.Fatalf("%d bytes of columns are kept, want %d at most", view.columns.bytes, kept*bytesPerVersion)
		}
	}
	if fromColumns == 0 {
		t.Error("no columns were kept")
	}
}

func compareCandidates(t *testing.T, s *snapshot, set *roaring.Bitmap) {
	t.Helper()
	got, err := s.candidates(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	var want []candidate
	err = each(t.Context(), s.index, func(rows *sql.Rows) error {
		var c candidate
		err := rows.Scan(&c.id, &c.page, &c.ts, &c.text)
		want = append(want, c)
		return err
	}, "select v.id, v.page, v.ts, v.text from version v join json_each(?) j on v.id = j.value", numbersOf(set))
	if err != nil {
		t.Fatal(err)
	}
	byID := func(a, b candidate) int { return compare(int64(a.id), int64(b.id)) }
	slices.SortFunc(got, byID)
	slices.SortFunc(want, byID)
	if !slices.Equal(got, want) {
		t.Fatalf("candidates of %v = %v, want %v", set, got, want)
	}
}

// TestUpdate_readsParquet: documents of a Parquet shard are found although Update does not read all columns.
func TestUpdate_readsParquet(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(4, 4))
	var file bytes.Buffer
	w := parquetfile.NewWriter(&file, parquetfile.Options{})
	for _, d := range made(r, 60, "f") {
		d.MainHTML = "<p>not in the index</p>"
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := "documents-00000000000000000001.parquet"
	if err := os.WriteFile(filepath.Join(s.dir, name), file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	part := holdings.Part{Folder: s.folder(), Shards: []schemas.Shard{
		{Name: name, Bytes: int64(file.Len()), SHA256: hashOf(file.Bytes())},
	}}
	for d, err := range part.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		s.shards[name] = append(s.shards[name], d)
	}
	x, _ := s.open(t, Options{})
	if _, err := x.Update(t.Context(), part); err != nil {
		t.Fatal(err)
	}
	for _, filter := range []string{"", "language = fr", "government", "coffee"} {
		e, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		q := query.Query{Where: e, AllVersions: true}
		if diff := cmp.Diff(ids(s.answer(q)), s.found(t, x, q)); diff != "" {
			t.Errorf("%q (-documents +index):\n%s", filter, diff)
		}
	}
}

// TestFind_afterAnotherProcessRebuilt: caches of the old files are not used for the new ones, which have the same
// shards in another order.
func TestFind_afterAnotherProcessRebuilt(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(5, 5))
	s.put(t, 2, made(r, 300, "b"))
	x, _ := s.open(t, Options{})
	q := query.Query{AllVersions: true, Limit: 200}
	s.found(t, x, q)
	s.put(t, 1, made(r, 300, "a")) // first in a rebuilt index
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	want := s.found(t, x, q)
	if err := removeVolume(x.place.dir); err != nil {
		t.Fatal(err)
	}
	s.open(t, Options{}) // another one
	if err := x.volumes[0].forget(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.found(t, x, q)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// forget closes the sessions, as an error does, so that the next ones begin with the files that are there.
func (v *volume) forget() error {
	for _, p := range []*pool{v.index, v.text} {
		for _, s := range p.free {
			if err := s.close(); err != nil {
				return err
			}
		}
		p.free = nil
		p.db.SetMaxIdleConns(0)
	}
	return nil
}

// TestRoom: volumes share the memory of one, keep a twelfth of it each, and give it back when they close.
func TestRoom(t *testing.T) {
	const size = 100 * bytesPerVersion
	var all atomic.Int64
	caches := make([]columnCache, 3)
	for i := range caches {
		caches[i].room = room{limit: 24 * size, all: &all}
	}
	fill := func(i int) {
		for n := range 40 {
			caches[i].keep(columns{first: uint32(100 * n), rows: 100})
		}
	}
	for i, want := range []int64{24, 2, 2} { // the first has all of it
		if fill(i); caches[i].bytes != want*size || int64(len(caches[i].kept)) != want {
			t.Errorf("cache %d has %d bytes, want %d", i, caches[i].bytes, want*size)
		}
	}
	for range 2 {
		caches[0].close()
	}
	fill(0) // it is closed
	if fill(1); all.Load() != 24*size || caches[1].bytes != 22*size || caches[0].bytes != 0 {
		t.Errorf("after the first is closed: %d, %d and %d bytes", all.Load(), caches[0].bytes, caches[1].bytes)
	}
}

// TestRoom_ofVolumes: what an index kept is free after it is closed, and after another took its place.
func TestRoom_ofVolumes(t *testing.T) {
	before, counted := columnBytes.Load(), countedBytes.Load()
	s := newShelf(t)
	s.put(t, 0, manyDocs(0))
	x, err := Open(t.Context(), s.folder(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := x.Rebuild(t.Context(), s.part(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Facets(t.Context(), query.Query{}, []string{"host"}, 0, nil); err != nil {
			t.Fatal(err)
		}
		own := x.volumes[0].kept.columns.bytes
		if columns := columnBytes.Load() - before; own < 200*bytesPerVersion || columns != own ||
			countedBytes.Load() == counted {
			t.Errorf("%d bytes of columns and %d of counted values", columns, countedBytes.Load()-counted)
		}
	}
	if err := x.Close(); err != nil || columnBytes.Load() != before || countedBytes.Load() != counted {
		t.Errorf("after Close: %d and %d bytes, %v", columnBytes.Load()-before, countedBytes.Load()-counted, err)
	}
}
