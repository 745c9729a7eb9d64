package shelf

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
)

// Snapshot is a collection as one manifest says it is. It is for several goroutines.
type Snapshot struct {
	DB       *contentdb.DB
	Part     holdings.Part
	Manifest schemas.Manifest
	// ID changes with the manifest: it is the beginning of its hash, for ETags.
	ID string

	pins *pinned // the shards of it that stay open; nil for none

	// How many use it; DB is closed when none does, and there is a newer one.
	held sync.WaitGroup
	mu   sync.Mutex
	memo map[string]*memo
}

// One lock for each key, so that a slow answer does not hold up others.
type memo struct {
	mu    sync.Mutex
	done  bool
	value any
}

func newSnapshot(db *contentdb.DB, part holdings.Part, m schemas.Manifest) *Snapshot {
	return &Snapshot{DB: db, Part: part, Manifest: m, ID: idOf(m), memo: map[string]*memo{}}
}

// idOf is what a manifest is distinguished from others by; "" where it cannot be, and then there are no ETags.
func idOf(m schemas.Manifest) string {
	data, err := collection.EncodeManifest(m)
	if err != nil {
		return ""
	}
	// 64 bits are enough to tell manifests of one server apart; this is not a check of integrity.
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// close lets go of what the snapshot has open.
func (s *Snapshot) close() error {
	err := s.DB.Close()
	if s.pins != nil {
		err = errors.Join(err, s.pins.close())
	}
	return err
}

// Forget has what Once made for a key made again.
func (s *Snapshot) Forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.memo, key)
}

// Once calls make for a key once for the snapshot, and gives what it made to all who ask. An error is not kept: the
// next one who asks tries again. Others who ask for the same key wait.
func Once[T any](s *Snapshot, key string, make func() (T, error)) (T, error) {
	// This lock is only held to find the entry, never while something is made.
	s.mu.Lock()
	m := s.memo[key]
	if m == nil {
		m = &memo{}
		s.memo[key] = m
	}
	s.mu.Unlock()
	// Those who come meanwhile wait here, and then find it done.
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		// One key is only ever used with one type: the callers choose it.
		return m.value.(T), nil
	}
	v, err := make()
	// Memos go with the snapshot, so nothing old outlives a manifest. Keys are of a fixed set, or
	// bounded by the caller.
	if err == nil {
		m.value, m.done = v, true
	}
	return v, err
}
