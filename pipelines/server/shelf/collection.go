package shelf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Collection is a folder that is watched.
type Collection struct {
	name, path string
	f          folder.Folder
	o          Options
	warmed     string // ID of the snapshot that was warmed last; of watch alone

	looking sync.Mutex // held by look
	mu      sync.Mutex
	seen    stamp // of the manifest that was looked at last
	// The snapshot that Hold gives out; nil while no run has finished.
	now   *Snapshot
	state State
}

// State says how far the index is.
type State struct {
	Ready  bool // the index is of this manifest and answers
	Behind int  // shards that the index lacks
	Shards int  // that it is to have
	Note   string
	Err    string // why the collection cannot be read; "" when it can, and when there is none yet
}

// Name is what the server calls it.
func (c *Collection) Name() string { return c.name }

// Path is the folder as it was named.
func (c *Collection) Path() string { return c.path }

// Folder is the folder.
func (c *Collection) Folder() folder.Folder { return c.f }

// State says how far the index is.
func (c *Collection) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Hold gives what is there now, for as long as release is not called; ok is false while no run has finished.
func (c *Collection) Hold() (now *Snapshot, release func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return nil, nil, false
	}
	// Under the lock: publish takes the snapshot away under the same lock before it waits, so no use
	// can be added after.
	c.now.held.Add(1)
	// Once, so that a release which is called twice does not close the snapshot under another user.
	return c.now, sync.OnceFunc(c.now.held.Done), true
}

// publish makes a snapshot the one that Hold gives, and closes the one before when nobody holds it any more.
func (c *Collection) publish(next *Snapshot) {
	c.mu.Lock()
	old := c.now
	c.now = next
	c.mu.Unlock()
	if old == nil {
		return
	}
	// In a goroutine, since a request may hold the old one for as long as an export takes.
	go func() {
		old.held.Wait()
		if err := old.close(); err != nil {
			slog.Warn("close a collection", "collection", c.name, "error", err)
		}
	}()
}

// Renew looks at the folder now, for an answer that has failed, and reports whether there is another snapshot than
// before.
func (c *Collection) Renew(ctx context.Context, before *Snapshot) bool {
	c.look(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now != before
}

// last is the stamp of the manifest that was looked at last.
func (c *Collection) last() stamp {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

func (c *Collection) setState(change func(*State)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
}

// watch looks at the folder until the context ends, and keeps the index.
func (c *Collection) watch(ctx context.Context) {
	tick := time.NewTicker(c.o.Poll)
	defer tick.Stop()
	for {
		// Index first: Open has looked already, and readers wait for it.
		c.index(ctx)
		c.warm(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.look(ctx)
		}
	}
}

// warm has what is asked first made for a snapshot that is new. One without an index is left: what is counted of shards
// would be counted again in a moment.
func (c *Collection) warm(ctx context.Context) {
	if c.o.Warm == nil || !c.State().Ready && !c.o.NoIndex {
		return
	}
	now, release, ok := c.Hold()
	if !ok {
		return
	}
	defer release()
	// Compared by its ID alone: a snapshot that is kept for that would stay in memory.
	if now.ID != "" && now.ID == c.warmed {
		return
	}
	c.warmed = now.ID
	c.o.Warm(ctx, c, now)
}

// stamp tells one manifest from another without reading it, where the file system tells times; elsewhere it is the
// hash.
type stamp struct {
	size     int64
	modified time.Time
	hash     string
}

func (c *Collection) stamp() (stamp, error) {
	// A local file is told by size and time, at the cost of one stat.
	if !blob.IsRemote(c.path) {
		info, err := os.Stat(c.f.Path(holdings.ManifestFile))
		if err != nil {
			return stamp{}, err
		}
		return stamp{size: info.Size(), modified: info.ModTime()}, nil
	}
	r, err := c.f.Open(holdings.ManifestFile)
	if err != nil {
		return stamp{}, err
	}
	defer func() { _ = r.Close() }() // it is only read
	// Stores of objects need not give times; a manifest is small enough to be read once a minute.
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return stamp{}, err
	}
	return stamp{size: r.Size(), hash: hex.EncodeToString(h.Sum(nil))}, nil
}

// look opens what is there when it is another manifest than before.
func (c *Collection) look(ctx context.Context) {
	c.looking.Lock()
	defer c.looking.Unlock()
	s, err := c.stamp()
	if errors.Is(err, fs.ErrNotExist) {
		// A run that begins again (--fresh) removes the manifest: what was there is shown until the next one.
		if _, err := os.Stat(c.f.Path("")); errors.Is(err, fs.ErrNotExist) && c.last() != (stamp{}) {
			c.setState(func(st *State) { st.Err = "its folder is not there" })
		}
		return
	}
	// Nothing is opened, and no shard is read, while the manifest is the same.
	if err == nil && s == c.last() {
		c.setState(func(st *State) {
			st.Err = "" // it is as it was, and may have been gone meanwhile
			// Another process has made the index again, or has brought it elsewhere and back.
			st.Ready = st.Ready && !(c.now != nil && c.now.DB.Lost())
		})
		return
	}
	var next *Snapshot
	// As it is: with the index so far, or the shards. The new collection is to be seen at once, and
	// indexed after.
	if err == nil {
		next, err = c.open(ctx, true)
	}
	if err != nil {
		// What was there is still shown, with the error beside it; the next look tries again, since
		// seen is as before.
		c.setState(func(st *State) { st.Err = err.Error() })
		slog.Warn("read a collection", "collection", c.name, "error", err)
		return
	}
	// A new State: what the last manifest's index said holds no more.
	c.setState(func(st *State) { *st, c.seen = State{Shards: len(next.Part.DocumentShards())}, s })
	c.publish(next)
}

// open opens the collection: with the index as far as it is, or with one that is up to date. One that is changed
// meanwhile is opened again.
func (c *Collection) open(ctx context.Context, asItIs bool) (next *Snapshot, err error) {
	for range 5 {
		if next, err = c.openOnce(ctx, asItIs); !errors.Is(err, errChanging) {
			break
		}
	}
	return next, err
}

// errChanging is a manifest that was replaced while what it names was being opened.
var errChanging = errors.New("shelf: the collection is changing")

func (c *Collection) openOnce(ctx context.Context, asItIs bool) (*Snapshot, error) {
	part, m, err := holdings.Whole(c.f)
	if err != nil {
		return nil, err
	}
	pins := pin(c.f, part.Shards)
	part.Folder = pins
	o := contentdb.Options{NoIndex: c.o.NoIndex || asItIs}
	db, err := contentdb.Open(ctx, pins, o)
	if err != nil {
		return nil, errors.Join(err, pins.close())
	}
	next := newSnapshot(db, part, m)
	next.pins = pins
	// What is open by now stays as it is, whatever is removed later. What was removed before is of an older manifest.
	if now, err := holdings.ReadManifest(c.f); err != nil || idOf(now) != next.ID {
		return nil, errors.Join(errChanging, err, next.close())
	}
	return next, nil
}

// index brings the index up to date, and publishes the collection with it. When another process is at it, the next look
// tries again.
func (c *Collection) index(ctx context.Context) {
	// Nothing to do: not wanted, done, unreadable, or nothing there yet.
	if st := c.State(); c.o.NoIndex || st.Ready || st.Err != "" || c.last() == (stamp{}) {
		return
	}
	progress, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	// The other goroutine only reads the index, and only to tell how far it is.
	watching.Go(func() { c.progress(progress) })
	next, err := c.open(ctx, false)
	stop()
	// Waited for, so that it cannot write Behind after Ready is set.
	watching.Wait()
	switch {
	case ctx.Err() != nil:
	// Written down, and tried again at the next look: a full disk, or another process.
	case err != nil:
		c.setState(func(st *State) { st.Note = err.Error() })
		slog.Warn("index a collection", "collection", c.name, "error", err)
		return
	case c.publishIndexed(next):
		return
	}
	if next != nil {
		// Nobody was given it: the server ends, or there is a newer manifest by now.
		_ = next.close() // it was only read
	}
}

// publishIndexed publishes a snapshot with its index, unless another manifest was published meanwhile.
func (c *Collection) publishIndexed(next *Snapshot) bool {
	c.looking.Lock()
	defer c.looking.Unlock()
	c.mu.Lock()
	same := c.now != nil && c.now.ID == next.ID
	c.mu.Unlock()
	if !same {
		return false
	}
	notes := next.DB.Notes()
	c.setState(func(st *State) {
		// A note says why the index does not answer, as when another process holds its lock; one
		// is enough for a line on the page.
		st.Ready, st.Note = len(notes) == 0, fmt.Sprint(append(notes, "")[0])
		if st.Ready {
			st.Behind = 0
		}
	})
	c.publish(next)
	return true
}

// progress tells how many shards the index lacks, while it is brought up to date.
func (c *Collection) progress(ctx context.Context) {
	part, m, err := holdings.Whole(c.f)
	if err != nil {
		return // index tells of it
	}
	// Once a second, which is as often as pages that show it ask.
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		x, err := index.Open(ctx, c.f, index.Options{NoRevisits: !revisit.Has(m)})
		if err == nil {
			var n int
			if n, err = x.Behind(ctx, part); err == nil {
				c.setState(func(st *State) { st.Behind = n })
			}
			_ = x.Close() // it was only read
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
