package index

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Caches keep parts of an index in memory, for callers that open it again after each update. The parts of shards that
// are as before are used again. The zero value is empty. Close frees the memory.
type Caches struct {
	mu     sync.Mutex
	of     map[string]*lasting // by the folder of a volume
	closed bool
}

// lasting are the caches of one database that are right for any of its states.
type lasting struct {
	born    int64
	file    os.FileInfo // of index.db
	columns columnCache
	counted valueColumns
	orders  orders
}

func newLasting(born, cacheBytes int64) *lasting {
	return &lasting{
		born:    born,
		columns: columnCache{room: room{limit: 6 * cacheBytes, all: &columnBytes}},
		counted: valueColumns{room: room{limit: 4 * cacheBytes, all: &countedBytes}, making: make(chan struct{}, 1)},
		orders:  orders{room: room{limit: 4 * cacheBytes, all: &countedBytes}},
	}
}

func (l *lasting) close() {
	l.columns.close()
	l.counted.close()
	l.orders.close()
}

// lastingOf returns the caches of the database with this birth number in a folder. A copy of the database has the same
// number, so it must be the same file, too.
func (c *Caches) lastingOf(dir string, born, cacheBytes int64) *lasting {
	// Without a file, nothing is found again.
	file, err := os.Stat(filepath.Join(dir, indexFile))
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.of[dir]
	if old != nil && err == nil && old.born == born && os.SameFile(old.file, file) {
		return old
	}
	l := newLasting(born, cacheBytes)
	l.file = file
	if old != nil {
		old.close()
	}
	if c.closed {
		l.close()
	}
	if c.of == nil {
		c.of = map[string]*lasting{}
	}
	c.of[dir] = l
	return l
}

// only drops the caches of other folders than these.
func (c *Caches) only(dirs []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for dir, l := range c.of {
		if !slices.Contains(dirs, dir) {
			l.close()
			delete(c.of, dir)
		}
	}
}

// Close frees the memory. An index that is still open works without it.
func (c *Caches) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.of {
		l.close()
	}
	c.of, c.closed = nil, true
}
