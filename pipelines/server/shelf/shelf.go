package shelf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Options are the options of a shelf; the zero value is the default.
type Options struct {
	// Reading a bucket is a paid request, so buckets are checked only once a minute.
	Poll    time.Duration // time between two checks of a folder; 5 s by default, a minute for a bucket
	NoIndex bool          // shards are read, and no index is made
	Meaning string        // file of a model for searches by meaning; the standard one without it
	// Warm is called with a published snapshot before anybody has asked for it; it may be nil. Each collection calls
	// it in one goroutine, which does not check the folder meanwhile.
	Warm func(ctx context.Context, c *Collection, now *Snapshot)
	// Reserved are names that no collection may have, since they are paths of the server.
	Reserved []string
}

// Shelf is the collections of a server.
type Shelf struct {
	list []*Collection
	stop context.CancelFunc
	done sync.WaitGroup
}

// Open begins to watch folders. A folder that is empty or missing is a collection without a Snapshot. It gets one when
// a run has written it. Open does not wait for indexes.
func Open(ctx context.Context, folders []string, store *blob.Store, o Options) (*Shelf, error) {
	if len(folders) == 0 {
		return nil, errors.New("shelf: no collection")
	}
	s := &Shelf{}
	// The list is copied, since the names of collections are added to it.
	taken := slices.Clone(o.Reserved)
	for _, name := range folders {
		if err := folder.Check(name); err != nil {
			return nil, fmt.Errorf("shelf: %w", err)
		}
		// Opening a folder reads nothing, so a missing folder causes no error here.
		c := &Collection{name: nameOf(name, taken), path: name, f: folder.Open(ctx, name, store), o: o}
		c.o.Poll = cmp.Or(o.Poll, pollOf(name))
		taken = append(taken, c.name)
		s.list = append(s.list, c)
	}
	// stop ends all watchers, and so does the end of the parent context.
	ctx, s.stop = context.WithCancel(ctx)
	for _, c := range s.list {
		// The first check is made here, so that early requests find the existing collection.
		c.look(ctx)
		s.done.Go(func() { c.watch(ctx) })
	}
	return s, nil
}

func pollOf(name string) time.Duration {
	if blob.IsRemote(name) {
		return time.Minute
	}
	return 5 * time.Second
}

// nameOf makes a collection's name from the last part of a folder's name. It is unique and needs no escape in a path.
func nameOf(name string, taken []string) string {
	// Names may be paths of Windows or of buckets.
	base := path.Base(strings.TrimRight(strings.ReplaceAll(name, "\\", "/"), "/"))
	base = strings.Map(func(r rune) rune {
		// These characters need no escape in a URL, in a file name, or in HTML.
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, base)
	// Clients that resolve the path would interpret "." and "..".
	if strings.Trim(base, ".-") == "" {
		base = "collection"
	}
	unique := base
	// If two folders have the same name, the first one gets it, so names are the same at each start.
	for n := 2; slices.Contains(taken, unique); n++ {
		unique = fmt.Sprintf("%s-%d", base, n)
	}
	return unique
}

// Collections returns all collections, in the order of Open.
func (s *Shelf) Collections() []*Collection { return s.list }

// Find returns the collection of that name, the first one for "", or nil if none exists.
func (s *Shelf) Find(name string) *Collection {
	if name == "" {
		// Open refuses an empty list, so a first one exists.
		return s.list[0]
	}
	if i := slices.IndexFunc(s.list, func(c *Collection) bool { return c.name == name }); i >= 0 {
		return s.list[i]
	}
	return nil
}

// Close ends the watching, and waits for it. An unfinished index is left in its present state.
func (s *Shelf) Close() error {
	// Watchers end first: after this, nobody publishes another snapshot.
	s.stop()
	s.done.Wait()
	var err error
	for _, c := range s.list {
		// This closes the database when the last request has released it.
		c.publish(nil, func(*State) {})
		c.caches.Close()
		err = errors.Join(err, c.f.Close())
	}
	return err
}
