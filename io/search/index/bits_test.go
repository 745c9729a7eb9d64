package index

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/RoaringBitmap/roaring/v2"
)

// TestBitsCache_once: of many concurrent callers that need a set, one makes it. If it fails, another one does. Callers
// whose context ends stop waiting.
func TestBitsCache_once(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := bitsCache[string]{limit: 1 << 20}
		gate, failed, asked := make(chan struct{}), errors.New("the first one fails"), atomic.Int64{}
		ask := func(ctx context.Context) (*roaring.Bitmap, error) {
			return k.once(ctx, 1, "coffee", func() (*roaring.Bitmap, error) {
				n := asked.Add(1)
				<-gate
				if n == 1 {
					return roaring.BitmapOf(1), failed // a part of the set, as if its time had run out
				}
				return roaring.BitmapOf(7), nil
			})
		}
		var group sync.WaitGroup
		var errs, sets atomic.Int64
		for range 20 {
			group.Go(func() {
				set, err := ask(t.Context())
				if err == failed {
					errs.Add(1)
				} else if err == nil && set.Contains(7) {
					sets.Add(1)
				}
			})
		}
		synctest.Wait()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := ask(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("who is gone got %v", err)
		}
		if set, err := k.awaited(gone, 2, "coffee"); set != nil || err != nil {
			t.Errorf("another generation waited: %v, %v", set, err)
		}
		close(gate)
		group.Wait()
		if asked.Load() != 2 || errs.Load() != 1 || sets.Load() != 19 {
			t.Errorf("made %d times, %d failed, %d got it; want 2, 1, 19", asked.Load(), errs.Load(), sets.Load())
		}
		if set := k.get(1, "coffee"); set == nil || len(k.making) != 0 {
			t.Errorf("kept %v, %d under way", set, len(k.making))
		}
	})
}
