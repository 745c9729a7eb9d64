package parquetscan

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// several is how many columns are worth reading in parallel.
const several = 8

// ahead reads the pages of a row for several columns in parallel. A whole document has a hundred pages, each of which
// takes a request to a bucket, or decompression. The longest columns come first, so that none is waited for alone.
func (a *assembler) ahead(row int) error {
	workers := min(runtime.GOMAXPROCS(0), len(a.cursors)/several)
	if workers < 2 {
		return nil
	}
	order := slices.SortedFunc(slices.Values(a.cursors), func(a, b *cursor) int {
		return cmp.Compare(b.r.chunk.end-b.r.chunk.start, a.r.chunk.end-a.r.chunk.start)
	})
	var next atomic.Int64
	var reading sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		reading.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(order) {
					return
				}
				errs[w] = order[i].r.seek(row)
			}
		})
	}
	reading.Wait()
	return cmp.Or(errs...)
}
