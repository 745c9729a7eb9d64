package index

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"testing"
)

// cachePages returns how many pages a connection may keep in memory.
func cachePages(t *testing.T, db *sql.DB) int64 {
	t.Helper()
	var size, page int64
	if err := db.QueryRowContext(t.Context(), "pragma page_size").Scan(&page); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRowContext(t.Context(), "pragma cache_size").Scan(&size); err != nil {
		t.Fatal(err)
	}
	if size < 0 { // in KiB, with a header of each page
		size = -size << 10 / (page + 250)
	}
	return size
}

// TestOptions_memoryBoundsPages: the pages and terms that a writer may keep take no more than MemoryBytes, as SQLite's
// allocator holds them: 7 pages in 64 KiB.
func TestOptions_memoryBoundsPages(t *testing.T) {
	for _, memory := range []int64{96 << 20, 128 << 20, 384 << 20, 1 << 30} {
		s := newShelf(t)
		s.put(t, 0, made(rand.New(rand.NewPCG(3, 3)), 20, "f0"))
		x, _ := s.open(t, Options{MemoryBytes: memory})
		w, err := openWriter(t.Context(), "", x.place.dir, x.options)
		if err != nil {
			t.Fatal(err)
		}
		pages := cachePages(t, w.volume.index.db) + cachePages(t, w.volume.text.db)
		if got := pages*(64<<10)/7 + 64<<20; got > memory || got < memory*3/4 {
			t.Errorf("of %d bytes a writer may take %d, want nearly all", memory, got)
		}
		if err := w.close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestVacuum_takesLittleMemory: two copies of each page do not fill two caches.
func TestVacuum_takesLittleMemory(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, made(rand.New(rand.NewPCG(3, 3)), 20, "f0"))
	x, _ := s.open(t, Options{})
	w, err := openWriter(t.Context(), "", x.place.dir, x.options)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.vacuum(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, db := range []*sql.DB{w.volume.index.db, w.volume.text.db} {
		if n := cachePages(t, db); n > 2048 {
			t.Errorf("vacuum may keep %d pages of each copy, want at most 2048", n)
		}
	}
	if err := w.close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}
