package index

import (
	"context"
	"iter"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// ShardRows are rows of a shard, ascending.
type ShardRows struct {
	Shard string
	Rows  []int64
}

// Rows yields the rows of every version that matches a filter, shard by shard. It is for callers that read many
// documents in any order: each shard is then read once, from beginning to end. The index must decide the whole filter:
// see Split. It ends after an error.
func (x *Index) Rows(ctx context.Context, where query.Expr) iter.Seq2[ShardRows, error] {
	return func(yield func(ShardRows, error) bool) {
		w, err := x.view(ctx, query.Query{Where: where, AllVersions: true}, nil)
		if err != nil {
			yield(ShardRows{}, x.noted(err))
			return
		}
		defer w.close()
		sets, err := w.chosen(ctx)
		more := true
		for i := 0; err == nil && more && i < len(sets); i++ {
			more, err = w.list[i].shardRows(ctx, sets[i], func(r ShardRows) bool { return yield(r, nil) })
		}
		if err != nil && more {
			yield(ShardRows{}, x.noted(err))
		}
	}
}

// shardRows yields the rows of a set of versions, by shard.
func (s *snapshot) shardRows(
	ctx context.Context, set *roaring.Bitmap, yield func(ShardRows) bool,
) (more bool, err error) {
	shards, err := s.shards(ctx)
	if err != nil {
		return true, err
	}
	ids := set.Iterator()
	for _, r := range shards {
		ids.AdvanceIfNeeded(r.first)
		found := ShardRows{Shard: r.name}
		// Versions of a shard are numbered from first on, in the order of its rows.
		for ids.HasNext() && uint64(ids.PeekNext()) < r.end() {
			found.Rows = append(found.Rows, int64(ids.Next()-r.first))
		}
		if len(found.Rows) > 0 && !yield(found) {
			return false, nil
		}
	}
	return true, nil
}
