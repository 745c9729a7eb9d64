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

// Options of a shelf; the zero value is the default.
type Options struct {
	// A look at a bucket is a request that is paid for, hence once a minute.
	Poll    time.Duration // between two looks at a folder; 5 s, of one in a bucket a minute
	NoIndex bool          // shards are read, and no index is made
	// Warm is called with what was published, before anybody has asked for it. It is called by one goroutine of each
	// collection, which does not look at the folder meanwhile; nil for nothing.
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

// Open begins to watch folders. One that is empty or not there is a collection without a Snapshot, which gets one when
// a run has written it. It does not wait for indexes.
func Open(ctx context.Context, folders []string, store *blob.Store, o Options) (*Shelf, error) {
	if len(folders) == 0 {
		return nil, errors.New("shelf: no collection")
	}
	s := &Shelf{}
	// A clone: the names of collections are added to it.
	taken := slices.Clone(o.Reserved)
	for _, name := range folders {
		if err := folder.Check(name); err != nil {
			return nil, fmt.Errorf("shelf: %w", err)
		}
		// Opening a folder reads nothing, so a place that is not there is no error here.
		c := &Collection{name: nameOf(name, taken), path: name, f: folder.Open(ctx, name, store), o: o}
		c.o.Poll = cmp.Or(o.Poll, pollOf(name))
		taken = append(taken, c.name)
		s.list = append(s.list, c)
	}
	// Stop ends all watchers; the parent's end does, too.
	ctx, s.stop = context.WithCancel(ctx)
	for _, c := range s.list {
		// The first look is made here, so that who asks at once finds what is there.
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

// nameOf is the last part of a folder's name, made one that is in a path as it is and that no other has.
func nameOf(name string, taken []string) string {
	// Names may be paths of Windows or of buckets.
	base := path.Base(strings.TrimRight(strings.ReplaceAll(name, "\\", "/"), "/"))
	base = strings.Map(func(r rune) rune {
		// What stays needs no escape in a URL, in a file name, or in HTML.
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, base)
	// "." and ".." would be read as steps by callers that resolve the path.
	if strings.Trim(base, ".-") == "" {
		base = "collection"
	}
	unique := base
	// Of two folders named alike the first has the name, and so it is the same at each start.
	for n := 2; slices.Contains(taken, unique); n++ {
		unique = fmt.Sprintf("%s-%d", base, n)
	}
	return unique
}

// Collections are all of them, in the order of Open.
func (s *Shelf) Collections() []*Collection { return s.list }

// Find is the collection of that name, the first one for "", nil when there is none.
func (s *Shelf) Find(name string) *Collection {
	if name == "" {
		// Open refuses an empty list, so there is a first one.
		return s.list[0]
	}
	if i := slices.IndexFunc(s.list, func(c *Collection) bool { return c.name == name }); i >= 0 {
		return s.list[i]
	}
	return nil
}

// Close ends the watching, and waits for it. An index that is being made is left as far as it is.
func (s *Shelf) Close() error {
	// Watchers first: after this nobody publishes another snapshot.
	s.stop()
	s.done.Wait()
	var err error
	for _, c := range s.list {
		// Closes the database when the last request has released it.
		c.publish(nil)
		err = errors.Join(err, c.f.Close())
	}
	return err
}
