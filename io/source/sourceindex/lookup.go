package sourceindex

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
)

// ErrOther is a database of another generation than the one that was asked for.
var ErrOther = errors.New("the database of sources is of another generation than when the run was planned: " +
	"run the command again")

// Lookup finds the sources of pages in a database, whole. It may be used by several goroutines.
type Lookup struct {
	x     *Index
	mu    sync.Mutex
	found map[string]*schemas.Source // by id
}

// mostFound bounds what a Lookup keeps: of some 2 KB each. Pages of one site come one after the other.
const mostFound = 4096

// GenerationOf reads which generation of a Source DB the database at path is of: two of one generation say the same.
func GenerationOf(ctx context.Context, path string) (string, error) {
	x, err := OpenFile(ctx, path)
	if err != nil {
		return "", err
	}
	return x.generation, x.Close()
}

// OpenLookup opens the database at path, which has to be of a generation: see GenerationOf. Without a path the Lookup
// is nil, and finds nothing.
func OpenLookup(ctx context.Context, path, generation string) (*Lookup, error) {
	if path == "" {
		return nil, nil
	}
	x, err := OpenFile(ctx, path)
	if err != nil {
		return nil, err
	}
	if x.generation != generation {
		_ = x.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", path, ErrOther)
	}
	return &Lookup{x: x, found: map[string]*schemas.Source{}}, nil
}

// Of is the source that the page of a URL is of, and nil when it is of none. It must not be changed.
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
	// Two may read one source at once, which costs less than to wait for each other.
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
