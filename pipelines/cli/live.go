package cli

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/report"
)

// Counters show the progress of a process and are safe for concurrent use. Counts that change with each capture are
// atomic; the tables have a lock.
type Counters struct {
	Bytes     atomic.Int64 // of the archives, compressed
	Captures  atomic.Int64
	Documents atomic.Int64
	Units     atomic.Int64 // finished
	Queued    atomic.Int64 // captures that were read but not yet written

	mu      sync.Mutex
	rejects map[string]int64 // by kind
	names   []string         // of extractors
	spent   []report.Spent   // by extractor
	reading map[*Reading]bool
	taken   map[string]int64 // of TakeNew
}

// Reading is a unit that is being read, for the display. Its file changes as the unit moves to the next one.
type Reading struct {
	counters *Counters
	file     string
	since    time.Time
}

// Begin notes the start of reading a file.
func (c *Counters) Begin(file string) *Reading {
	r := &Reading{counters: c, file: file, since: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reading == nil {
		c.reading = map[*Reading]bool{}
	}
	c.reading[r] = true
	return r
}

// At sets the file that is being read. It is for one goroutine.
func (r *Reading) At(file string) {
	// Only this goroutine changes file, so it may read it without the lock. Others read it under the lock.
	if file == r.file {
		return
	}
	r.counters.mu.Lock()
	defer r.counters.mu.Unlock()
	r.file, r.since = file, time.Now()
}

// End notes that reading has ended.
func (r *Reading) End() {
	r.counters.mu.Lock()
	defer r.counters.mu.Unlock()
	delete(r.counters.reading, r)
}

// longest returns the file that has been read for the longest time, or "".
func (c *Counters) longest() (file string, since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// There are few, as many as units under way. Names decide between equal times.
	for r := range c.reading {
		if file == "" || r.since.Before(since) || r.since.Equal(since) && r.file < file {
			file, since = r.file, r.since
		}
	}
	return file, since
}

// Live are the counters of this process, for display only. A pipeline's functions reach them if the runner calls them
// in this process (direct, prism, LOOPBACK). Exact counts are in the units' results.
var Live Counters

// Reset resets the counters for another run of the process. Nobody may be counting.
func (c *Counters) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	// No files are read between two runs, so reading stays.
	for _, n := range []*atomic.Int64{&c.Bytes, &c.Captures, &c.Documents, &c.Units, &c.Queued} {
		n.Store(0)
	}
	c.rejects, c.names, c.spent, c.taken = nil, nil, nil, nil
}

func (c *Counters) Reject(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rejects == nil {
		c.rejects = map[string]int64{}
	}
	c.rejects[kind]++
}

// Rejected returns the number of rejects.
func (c *Counters) Rejected() (n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.rejects {
		n += k
	}
	return n
}

// TakeNew returns by how much the counts of bytes, captures, documents and rejects have changed since its last call. A
// count falls when a unit is repeated.
func (c *Counters) TakeNew() map[string]int64 {
	now := map[string]int64{
		"bytes": c.Bytes.Load(), "captures": c.Captures.Load(), "documents": c.Documents.Load(), "rejects": c.Rejected(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := map[string]int64{}
	for name, n := range now {
		if n != c.taken[name] {
			changed[name] = n - c.taken[name]
		}
	}
	c.taken = now
	return changed
}

// Spend adds the time that extractors took for a capture. All calls must have the same names.
func (c *Counters) Spend(names []string, spent []report.Spent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names == nil {
		c.names, c.spent = names, make([]report.Spent, len(names))
	}
	for i, d := range spent {
		c.spent[i].Wall += d.Wall
		c.spent[i].CPU += d.CPU
	}
}

// Tables returns copies of the counts by name.
func (c *Counters) Tables() (rejects map[string]int64, spent map[string]report.Spent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	spent = map[string]report.Spent{}
	for i, name := range c.names {
		spent[name] = c.spent[i]
	}
	return maps.Clone(c.rejects), spent
}
