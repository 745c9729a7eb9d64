package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
)

// group is shards that are committed together. A shard's rows are spread over all of the B-trees, so that of a large
// volume a commit writes most pages again: for a few shards at a time that is done less often, and so is to merge what
// each commit leaves of the full text, and to change the bitmap of a host that every shard has.
//
// A group is there as a whole or not at all, and so is each of its shards.
type group struct {
	shards    int
	rows      int64
	termBytes int64
	bits      map[value]*roaring.Bitmap // that are not written yet
}

// add adds what a shard added.
func (g *group) add(b *batch) {
	g.rows += b.next - b.first
	g.termBytes += b.termBytes
	if g.bits == nil {
		g.bits = map[value]*roaring.Bitmap{}
	}
	for v, set := range b.bits {
		if have := g.bits[v]; have != nil {
			// The batch's bitmaps are nobody else's, so that they may be kept and changed.
			have.Or(set)
		} else {
			g.bits[v] = set
		}
	}
}

// groupTerms is at how many bytes of terms a group is committed: as much as FTS5 gathers in memory.
const groupTerms = 32 << 20

// full reports whether a group is to be committed: what is not yet is lost when the process is killed.
func (w *writer) full() bool {
	return w.group.rows >= w.limits.groupRows || w.group.termBytes >= groupTerms
}

// errGroup says that all shards of a group are lost, and not the one alone that an error is about.
var errGroup = errors.New("index: the shards that were added with it are left out, too")

// lost ends the group after an error that leaves nothing of it.
func (w *writer) lost(err error) error {
	if err == nil {
		return nil
	}
	err = errors.Join(explain(err), w.rollback())
	// Others that were whole go with it, and their count has to be taken back: see noted.
	if w.group.shards > 0 {
		err = fmt.Errorf("%w; %w", err, errGroup)
	}
	w.group = group{}
	return err
}

// save begins a group if none is under way, and notes what there is, for undo. It returns the number of the next
// version.
func (w *writer) save(ctx context.Context, s schemas.Shard) (next int64, err error) {
	if w.indexTx == nil {
		if err := w.begin(ctx); err != nil {
			return 0, err
		}
	}
	var id int64
	known, err := w.one(ctx, []any{&id}, "select id from shard where name = ?", s.Name)
	if err == nil && known { // to take it out is to look at all bitmaps
		err = w.write(ctx, w.group.bits)
		w.group.bits = nil
	}
	if err == nil {
		next, err = w.next(ctx)
	}
	if err == nil {
		_, err = w.exec(ctx, "savepoint shard")
	}
	return next, err
}

// undo takes a shard out of the group that could not be added as a whole, because of failed. text.db has no savepoint:
// FTS5 would write what it has gathered at each.
func (w *writer) undo(ctx context.Context, first int64, failed error) error {
	w.forget()
	_, err := w.exec(ctx, "rollback to shard")
	if err == nil {
		_, err = w.exec(ctx, "release shard") // which is still there after a rollback
	}
	if err == nil {
		err = removeTexts(ctx, w.textTx, first)
	}
	if err != nil {
		return w.lost(errors.Join(failed, err))
	}
	return failed
}

// next is the number of the next version.
func (w *writer) next(ctx context.Context) (n int64, err error) {
	found, err := w.one(ctx, []any{&n}, "select value from state where key = 'next'")
	if err == nil && !found {
		err = fmt.Errorf("%w: no next", ErrDamaged)
	}
	return n, err
}
