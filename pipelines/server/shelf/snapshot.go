package shelf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/schemas"
)

// Snapshot is a collection as described by one manifest. Several goroutines may use it.
type Snapshot struct {
	DB       *contentdb.DB
	Part     holdings.Part
	Manifest schemas.Manifest
	// ID changes with the manifest: it is the beginning of its hash, for ETags.
	ID string
	// Order grows with each snapshot of the collection that is published. It is 0 in views of a part.
	Order int64

	pins *pinned // its shards that stay open; nil if there are none

	// held counts the users. DB is closed when none is left and a newer snapshot exists.
	held sync.WaitGroup
	mu   sync.Mutex
	memo map[string]*memo
	// limited are the views of readers who see a part of it, by their keys; whole is the snapshot of such a view.
	limited map[string]*limited
	whole   *Snapshot
}

// Each key has its own lock, so that a slow answer does not block others.
type memo struct {
	mu    sync.Mutex
	done  bool
	value any
}

func newSnapshot(db *contentdb.DB, part holdings.Part, m schemas.Manifest) *Snapshot {
	return &Snapshot{DB: db, Part: part, Manifest: m, ID: idOf(m), memo: map[string]*memo{}}
}

// idOf returns an identifier of a manifest. If it cannot be made, it is "", and there are no ETags.
func idOf(m schemas.Manifest) string {
	data, err := ledger.EncodeManifest(m)
	if err != nil {
		return ""
	}
	// 64 bits are enough to distinguish manifests of one server; this is not a check of integrity.
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// maxLimited limits how many views of a snapshot are kept. Each has the counts that were made for its readers.
const maxLimited = 64

// Limited returns the view of a reader who sees a part of the collection; key identifies that part, and "" is all of
// it. The view has its own results of Once, and its own ID. Its Part and Manifest are empty, since they do not know the
// limits. It can be used as long as the snapshot is held.
func (s *Snapshot) Limited(ctx context.Context, key string, by contentdb.Limits) (*Snapshot, error) {
	if key == "" {
		return s, nil
	}
	s.mu.Lock()
	if s.limited[key] == nil {
		if len(s.limited) >= maxLimited || s.limited == nil {
			s.limited = map[string]*limited{}
		}
		s.limited[key] = &limited{}
	}
	l := s.limited[key]
	s.mu.Unlock()
	// Other readers of the same part wait here, and those of other parts do not.
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.view != nil {
		return l.view, nil
	}
	// The first reader may leave; the view is for all of them.
	db, err := s.DB.Limited(context.WithoutCancel(ctx), by)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(s.ID + "\x00" + key))
	l.view = &Snapshot{DB: db, ID: hex.EncodeToString(sum[:8]), memo: map[string]*memo{}, whole: s}
	return l.view, nil
}

// limited is a view that is made when it is first needed.
type limited struct {
	mu   sync.Mutex
	view *Snapshot
}

// Whole returns the snapshot of the whole collection, for questions that reveal nothing about captures.
func (s *Snapshot) Whole() *Snapshot {
	if s.whole != nil {
		return s.whole
	}
	return s
}

// close closes everything that the snapshot has opened.
func (s *Snapshot) close() error {
	err := s.DB.Close()
	if x, opened := Known[*linkindex.Index](s, linksKey); opened {
		err = errors.Join(err, x.Close())
	}
	if s.pins != nil {
		err = errors.Join(err, s.pins.close())
	}
	return err
}

// Forget removes the result of Once for a key, so that it is made again.
func (s *Snapshot) Forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.memo, key)
}

// Once calls make once for a key of the snapshot, and returns the result to all callers. Other callers with the same
// key wait. An error is not kept: the next caller tries again.
func Once[T any](s *Snapshot, key string, make func() (T, error)) (T, error) {
	// This lock is only held to find the entry, never while make runs.
	s.mu.Lock()
	m := s.memo[key]
	if m == nil {
		m = &memo{}
		s.memo[key] = m
	}
	s.mu.Unlock()
	// Callers that come meanwhile wait here, and then find the result.
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		// Callers use each key with one type only.
		return m.value.(T), nil
	}
	v, err := make()
	// Results belong to the snapshot, so nothing outlives a manifest. Keys are from a fixed set, or limited by the
	// caller.
	if err == nil {
		m.value, m.done = v, true
	}
	return v, err
}

// Known returns the result of Once for a key, without waiting for it.
func Known[T any](s *Snapshot, key string) (v T, known bool) {
	s.mu.Lock()
	m := s.memo[key]
	s.mu.Unlock()
	if m == nil || !m.mu.TryLock() {
		return v, false
	}
	defer m.mu.Unlock()
	if m.done {
		v, known = m.value.(T)
	}
	return v, known
}
