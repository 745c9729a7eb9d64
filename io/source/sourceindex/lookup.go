package sourceindex

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
)

// ErrOther means that the database is of another generation than requested.
var ErrOther = errors.New("the database of sources is of another generation than when the run was planned: " +
	"run the command again")

// Lookup finds the sources of pages in a database. Several goroutines may use it.
type Lookup struct {
	x     *Index
	mu    sync.Mutex
	found map[string]*schemas.Source // by ID
}

// mostFound limits the cache of a Lookup, about 2 KB each. Pages of one site come one after the other.
const mostFound = 4096

// GenerationOf returns the generation of a Source DB that the database at path is made from.
func GenerationOf(ctx context.Context, path string) (string, error) {
	x, err := OpenFile(ctx, path)
	if err != nil {
		return "", err
	}
	return x.generation, x.Close()
}

// Generation identifies the Source DB that x is made from.
func (x *Index) Generation() string { return x.generation }

// OpenLookup opens the database at path, which must be of a generation: see GenerationOf. Without a path the Lookup is
// nil, and finds nothing.
func OpenLookup(ctx context.Context, path, generation string) (*Lookup, error) {
	if path == "" {
		return nil, nil
	}
	x, err := OpenFile(ctx, path)
	if err != nil {
		return nil, err
	}
	if x.generation != generation {
		_ = x.Close() // only read
		return nil, fmt.Errorf("%s: %w", path, ErrOther)
	}
	return &Lookup{x: x, found: map[string]*schemas.Source{}}, nil
}

// Of returns the source to which the page of a URL belongs, or nil. It must not be changed.
func (l *Lookup) Of(ctx context.Context, url string) (*schemas.Source, error) {
	if l == nil {
		return nil, nil
	}
	id, ok, err := l.x.SourceOf(ctx, url)
	if err != nil || !ok {
		return nil, err
	}
	l.mu.Lock()
	s := l.found[id]
	l.mu.Unlock()
	if s != nil {
		return s, nil
	}
	// Two callers may read one source at once, which costs less than waiting.
	d, err := l.x.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.found) >= mostFound {
		clear(l.found)
	}
	l.found[id] = &d.Source
	return &d.Source, nil
}

// Close closes the database.
func (l *Lookup) Close() error {
	if l == nil {
		return nil
	}
	return l.x.Close()
}
