// Package memory implements [rowstore.Store] in memory: the reference for other stores, and for tests and tools.
//
//	s := memory.New()
//	err := s.Put(ctx, rows)
package memory

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Store is a table in memory. It accepts every family.
type Store struct {
	mu   sync.RWMutex
	rows []rowstore.Row // by key; cells in order
}

// New returns an empty table.
func New() *Store { return &Store{} }

var _ rowstore.Store = (*Store)(nil)

// find returns the place of a key, or its place if it were added. The caller holds mu.
func (s *Store) find(key string) (int, bool) {
	return slices.BinarySearchFunc(s.rows, key, func(r rowstore.Row, k string) int { return strings.Compare(r.Key, k) })
}

// Put writes cells.
func (s *Store) Put(ctx context.Context, rows []rowstore.Row) error {
	if err := rowstore.Check(rows); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range rows {
		at, found := s.find(r.Key)
		if !found {
			s.rows = slices.Insert(s.rows, at, rowstore.Row{Key: r.Key})
		}
		// A new slice, because scans hold the old one: a returned row never changes.
		s.rows[at].Cells = merge(s.rows[at].Cells, r.Cells)
	}
	return ctx.Err()
}

// merge returns the cells of a row with others written over them.
func merge(old, more []rowstore.Cell) []rowstore.Cell {
	all := slices.Clone(old)
	for _, c := range more {
		c.Time, c.Value = rowstore.At(rowstore.Millis(c.Time)), bytes.Clone(c.Value)
		at, found := slices.BinarySearchFunc(all, c, rowstore.Cell.Compare)
		if found {
			all[at] = c
		} else {
			all = slices.Insert(all, at, c)
		}
	}
	return all
}

// Get returns a row.
func (s *Store) Get(ctx context.Context, key string, r rowstore.Range) (rowstore.Row, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	at, found := s.find(key)
	if !found {
		return rowstore.Row{Key: key}, ctx.Err()
	}
	return r.Take(s.rows[at]), ctx.Err()
}

// Scan returns rows. Others may write at the same time. It holds the lock for one row at a time and finds its place by
// key. So a receiver may write to the table during the scan.
func (s *Store) Scan(ctx context.Context, r rowstore.Range) iter.Seq2[rowstore.Row, error] {
	return func(yield func(rowstore.Row, error) bool) {
		taken := 0
		for key := r.From; ; {
			row, ok := s.next(key)
			if !ok || !r.Has(row.Key) {
				return
			}
			key = row.Key + "\x00" // the next possible key
			if err := ctx.Err(); err != nil {
				yield(rowstore.Row{}, err)
				return
			}
			if !r.HasKey(row.Key) || !r.Takes(row) {
				continue
			}
			if row = r.Take(row); len(row.Cells) == 0 {
				continue
			}
			if taken++; !yield(row, nil) || taken == r.Limit {
				return
			}
		}
	}
}

// next returns the first row at key or after.
func (s *Store) next(key string) (rowstore.Row, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	at, _ := s.find(key)
	if at == len(s.rows) {
		return rowstore.Row{}, false
	}
	return s.rows[at], true
}

// Delete removes versions.
func (s *Store) Delete(ctx context.Context, key string, till time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, found := s.find(key)
	if !found {
		return ctx.Err()
	}
	var left []rowstore.Cell
	for _, c := range s.rows[at].Cells {
		if !till.IsZero() && !c.Time.Before(till) {
			left = append(left, c)
		}
	}
	if s.rows[at].Cells = left; len(left) == 0 {
		s.rows = slices.Delete(s.rows, at, at+1)
	}
	return ctx.Err()
}

// Splits returns the keys that divide the table into four parts, which is enough to test the reading of parts.
func (s *Store) Splits(ctx context.Context) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var keys []string
	for part := 1; part < 4 && len(s.rows) >= 4; part++ {
		keys = append(keys, s.rows[len(s.rows)*part/4].Key)
	}
	return keys, ctx.Err()
}
