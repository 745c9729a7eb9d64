package cli

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/report"
)

// Counters are what a process has done so far; any goroutine may add to them.
// Numbers that each capture changes are atomic; tables have a lock.
type Counters struct {
	Bytes    atomic.Int64 // of the archives, compressed
	Captures atomic.Int64
	Units    atomic.Int64 // that were finished
	Queued   atomic.Int64 // captures that were read and are not yet written

	mu      sync.Mutex
	rejects map[string]int64 // by kind
	names   []string         // of extractors
	spent   []report.Spent   // by each of them
	reading map[*Reading]bool
}

// Reading is a piece of work that is under way, for the eyes of callers that wait: it tells the file that it reads.
// One unit is one Reading, and its file changes when it goes on to the next.
type Reading struct {
	counters *Counters
	file     string
	since    time.Time
}

// Begin notes that somebody begins to read a file.
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

// At notes which file is read now. It is for one goroutine.
func (r *Reading) At(file string) {
	// file is changed by this goroutine alone, so that it may be read without
	// the lock. Others read it under the lock, which the change takes.
	if file == r.file {
		return
	}
	r.counters.mu.Lock()
	defer r.counters.mu.Unlock()
	r.file, r.since = file, time.Now()
}

// End notes that no more is read.
func (r *Reading) End() {
	r.counters.mu.Lock()
	defer r.counters.mu.Unlock()
	delete(r.counters.reading, r)
}

// longest is the file that is being read for the longest time, "" when none is.
func (c *Counters) longest() (file string, since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// There are as many as units under way, so that they are
	// simply looked through. Names decide between equal times.
	for r := range c.reading {
		if file == "" || r.since.Before(since) || r.since.Equal(since) && r.file < file {
			file, since = r.file, r.since
		}
	}
	return file, since
}

// Live are the counters of this process. They are for the eyes only: a pipeline's functions reach them wherever the
// runner calls them in this process (direct, prism, LOOPBACK), and elsewhere they count for nobody. What must be right
// is counted in the units' results.
var Live Counters

// Reset begins again, as for another run of the process. Nobody may be counting.
func (c *Counters) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	// What is being read stays: nothing is, between two runs.
	for _, n := range []*atomic.Int64{&c.Bytes, &c.Captures, &c.Units, &c.Queued} {
		n.Store(0)
	}
	c.rejects, c.names, c.spent = nil, nil, nil
}

// Reject counts one reject.
func (c *Counters) Reject(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rejects == nil {
		c.rejects = map[string]int64{}
	}
	c.rejects[kind]++
}

// Rejected is how many rejects were counted.
func (c *Counters) Rejected() (n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.rejects {
		n += k
	}
	return n
}

// Spend counts the time that extractors took for one capture. The names are the same in each call.
func (c *Counters) Spend(names []string, spent []report.Spent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// The first call says the names.
	if c.names == nil {
		c.names, c.spent = names, make([]report.Spent, len(names))
	}
	for i, d := range spent {
		c.spent[i].Wall += d.Wall
		c.spent[i].CPU += d.CPU
	}
}

// Tables are copies of what is counted by name.
func (c *Counters) Tables() (rejects map[string]int64, spent map[string]report.Spent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	spent = map[string]report.Spent{}
	for i, name := range c.names {
		spent[name] = c.spent[i]
	}
	return maps.Clone(c.rejects), spent
}
