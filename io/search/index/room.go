package index

import (
	"sync"
	"sync/atomic"
)

// Bytes in the caches of all volumes of the process.
var columnBytes, countedBytes atomic.Int64

// room is the memory of a cache. The volumes of a process share the limit of one, and each has a twelfth of it at
// least. So a server of many collections takes little more.
type room struct {
	mu     sync.Mutex // of the cache
	limit  int64      // bytes
	bytes  int64      // in this cache
	all    *atomic.Int64
	closed bool // nothing is kept any more
}

// most returns the bytes that the cache may have now. The caller has locked mu.
func (r *room) most() int64 {
	if r.closed {
		return 0
	}
	return max(r.limit-(r.all.Load()-r.bytes), r.limit/12)
}

// hasRoom reports whether n more bytes can be kept without dropping others.
func (r *room) hasRoom(n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes+n <= r.most()
}

// add counts bytes that are kept, or dropped if n is negative.
func (r *room) add(n int64) {
	r.bytes += n
	r.all.Add(n)
}
