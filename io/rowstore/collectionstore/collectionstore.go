// Package collectionstore presents the documents of a collection as rows of a [rowstore.Store], with the layout of
// webtable. So queries of tables work on a folder, and an export to a table can be compared with its source.
//
//	part, _, err := holdings.Whole(folder)
//	s, err := collectionstore.Open(ctx, part, collectionstore.Options{})
//
// All rows are in memory, since shards have the order of archives and rows that of keys. For a collection over the
// limit of Options use package contentdb.
package collectionstore

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
)

// Options are the options of Open. The zero value works.
type Options struct {
	ByURL    bool  // keys are URLs instead of SURTs
	MaxBytes int64 // of all values; 1 GiB
}

// Store is a collection in its state at the time of Open.
type Store struct{ rows *memory.Store }

var _ rowstore.Store = (*Store)(nil)

// Open reads a collection. For one that is too large the error is rowstore.ErrLimit.
func Open(ctx context.Context, p holdings.Part, o Options) (*Store, error) {
	left := cmp.Or(o.MaxBytes, 1<<30)
	layout := webtable.Layout{ByURL: o.ByURL}
	s := &Store{memory.New()}
	for d, err := range p.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		row, err := layout.Row(d, nil)
		if err != nil {
			return nil, err
		}
		for _, c := range row.Cells {
			left -= int64(len(c.Value))
		}
		if left < 0 {
			return nil, fmt.Errorf("collectionstore: the collection has more than %d bytes: %w", cmp.Or(o.MaxBytes, 1<<30),
				rowstore.ErrLimit)
		}
		if err := s.rows.Put(ctx, []rowstore.Row{row}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Put returns an error, because runs write a collection.
func (s *Store) Put(context.Context, []rowstore.Row) error {
	return fmt.Errorf("collectionstore: a collection is written by ingest: %w", rowstore.ErrReadOnly)
}

// Get returns a row.
func (s *Store) Get(ctx context.Context, key string, r rowstore.Range) (rowstore.Row, error) {
	return s.rows.Get(ctx, key, r)
}

// Scan returns rows.
func (s *Store) Scan(ctx context.Context, r rowstore.Range) iter.Seq2[rowstore.Row, error] {
	return s.rows.Scan(ctx, r)
}

// Delete returns an error: see the command collection.
func (s *Store) Delete(context.Context, string, time.Time) error {
	return fmt.Errorf("collectionstore: what is in a collection is taken down by the command collection: %w",
		rowstore.ErrReadOnly)
}

// Splits returns keys that divide the rows.
func (s *Store) Splits(ctx context.Context) ([]string, error) { return s.rows.Splits(ctx) }
