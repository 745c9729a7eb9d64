package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
)

// group is a set of shards that are committed together. A shard's rows are spread over all B-trees, so a commit to a
// large volume rewrites most pages. Committing several small shards together does that less often, and merges the full
// text and changes the bitmaps of common hosts less often, too.
//
// A group is added completely or not at all, and so is each of its shards.
type group struct {
	shards    int
	rows      int64
	termBytes int64
	bits      map[value]*roaring.Bitmap // not written yet
}

// add adds the result of a shard.
func (g *group) add(b *batch) {
	g.rows += b.next - b.first
	g.termBytes += b.termBytes
	if g.bits == nil {
		g.bits = map[value]*roaring.Bitmap{}
	}
	for v, set := range b.bits {
		if have := g.bits[v]; have != nil {
			// The batch's bitmaps are not shared, so they may be kept and changed.
			have.Or(set)
		} else {
			g.bits[v] = set
		}
	}
}

// groupTerms is the size of terms, in bytes, at which a group is committed: as much as FTS5 holds in memory.
const groupTerms = 32 << 20

// full reports whether to commit the group. Until then its work is lost if the process is killed.
func (w *writer) full() bool {
	return w.group.rows >= w.limits.groupRows || w.group.termBytes >= groupTerms
}

// errGroup means that all shards of a group are lost, not only the one that the error is about.
var errGroup = errors.New("index: the shards that were added with it are left out, too")

// lost ends the group after an error that invalidates all of it.
func (w *writer) lost(err error) error {
	if err == nil {
		return nil
	}
	err = errors.Join(explain(err), w.rollback())
	// Complete shards are lost as well, and their count must be corrected: see noted.
	if w.group.shards > 0 {
		err = fmt.Errorf("%w; %w", err, errGroup)
	}
	w.group = group{}
	return err
}

// ready begins a group if none is under way, and prepares it for a change of a shard.
func (w *writer) ready(ctx context.Context, s schemas.Shard) error {
	if w.indexTx == nil {
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	var id int64
	known, err := w.one(ctx, []any{&id}, "select id from shard where name = ?", s.Name)
	if err == nil && known { // removing it reads all bitmaps
		err = w.writeGroup(ctx)
	}
	return err
}

// writeGroup writes the bitmaps of the group.
func (w *writer) writeGroup(ctx context.Context) error {
	err := w.write(ctx, w.group.bits)
	w.group.bits = nil
	return err
}

// next returns the number of the next version.
func (w *writer) next(ctx context.Context) (n int64, err error) {
	found, err := w.one(ctx, []any{&n}, "select value from state where key = 'next'")
	if err == nil && !found {
		err = fmt.Errorf("%w: no next", ErrDamaged)
	}
	return n, err
}
