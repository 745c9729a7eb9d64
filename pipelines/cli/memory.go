package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// SetMemoryLimit sets a soft limit in bytes: the garbage collector rests until the process nears it. It refuses no
// allocation. A limit <= 0 changes nothing.
func SetMemoryLimit(bytes int64) {
	if bytes > 0 {
		CapMemory(bytes)
		debug.SetGCPercent(gcPercent)
	}
}

// CapMemory sets a soft limit in bytes, and leaves the garbage collector as it is below that. So a process takes less
// than the limit as long as it can.
func CapMemory(bytes int64) {
	following.Store(nil)
	debug.SetMemoryLimit(bytes)
	trimOnce()
}

// gcPercent lets the heap grow to the limit before a collection.
const gcPercent = 400

// GrowMemory sets a soft limit of least bytes that follows the heap: after a collection it is least, or twice the heap
// in use. So a run has little memory while pages are small. With large ones, the collector does not run all the time,
// as it would below a fixed limit.
func GrowMemory(least int64) {
	SetMemoryLimit(least)
	f := &follower{least: least, limit: least}
	following.Store(f)
	f.watch()
}

// A follower sets the limit of GrowMemory, until another limit is set.
type follower struct{ least, limit int64 }

// following is the follower that may set the limit, or nil.
var following atomic.Pointer[follower]

// watch calls follow after each collection.
func (f *follower) watch() {
	eachCollection(func() bool {
		if following.Load() != f {
			return false
		}
		f.follow(inUse())
		return true
	})
}

// eachCollection calls f after each collection, until f returns false. Then nothing refers to the mark.
func eachCollection(f func() bool) {
	// It has a pointer, since small objects without any may share a block and be found late.
	type mark struct{ _ *byte }
	runtime.AddCleanup(new(mark), func(f func() bool) {
		if f() {
			eachCollection(f)
		}
	}, f)
}

// follow sets the limit for the bytes that a collection left. Setting it stops the process for a moment, so small
// changes are ignored.
func (f *follower) follow(left int64) {
	limit := max(f.least, 2*left)
	if apart := limit - f.limit; apart > f.least/8 || -apart > f.least/8 || limit == f.least && apart != 0 {
		f.limit = limit
		debug.SetMemoryLimit(limit)
	}
}

// inUse returns the bytes that the last collection left.
func inUse() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
