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
	"github.com/gleaner-web/gleaner/io/search/meaningmodel"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Collection is a folder that is watched.
type Collection struct {
	name, path string
	f          folder.Folder
	o          Options
	warmed     string // ID of the last snapshot that was warmed; used only by watch
	linked     string // ID of the last snapshot whose links were indexed; used only by watch
	caches     index.Caches

	looking sync.Mutex // held by look
	mu      sync.Mutex
	seen    stamp // of the last manifest that was read
	// It is the snapshot that Hold returns, or nil until a run has finished.
	now   *Snapshot
	order int64 // of now
	state State
}

// State is the state of a collection and its index.
type State struct {
	Ready  bool // the index is up to date with this manifest, and answers
	Stale  int  // shards that the index lacks
	Shards int  // shards that it should have
	Note   string
	Err    string // why the collection cannot be read; "" if it can, or if there is none yet
}

// Name is the collection's name on the server.
func (c *Collection) Name() string { return c.name }

// Path is the folder as it was named.
func (c *Collection) Path() string { return c.path }

// Folder returns the folder.
func (c *Collection) Folder() folder.Folder { return c.f }

// State returns the state of the collection and its index.
func (c *Collection) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Hold returns the current snapshot, which stays open until release is called. Until a run has finished, ok is false.
func (c *Collection) Hold() (now *Snapshot, release func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return nil, nil, false
	}
	// The lock is held: publish replaces the snapshot under the same lock before it waits, so no use can be added
	// later.
	c.now.held.Add(1)
	// It works only once, so that a second call cannot close a snapshot that another user still holds.
	return c.now, sync.OnceFunc(c.now.held.Done), true
}

// publish makes a snapshot the one that Hold returns, together with a change of the state. It closes the previous one
// when nobody holds it any more.
func (c *Collection) publish(next *Snapshot, change func(*State)) {
	c.mu.Lock()
	change(&c.state)
	old := c.now
	if c.now = next; next != nil {
		c.order++
		next.Order = c.order
	}
	c.mu.Unlock()
	if old == nil {
		return
	}
	// This is a goroutine, since a request may hold the old one for as long as an export takes.
	go func() {
		old.held.Wait()
		if err := old.close(); err != nil {
			slog.Warn("close a collection", "collection", c.name, "error", err)
		}
	}()
}

// IsCurrent reports whether a snapshot is still the state of the folder. It looks at the folder itself.
func (c *Collection) IsCurrent(s *Snapshot) bool {
	found, err := c.stamp()
	c.mu.Lock()
	defer c.mu.Unlock()
	return err == nil && found == c.seen && c.now == s.Whole()
}

// Renew reads the folder now, after an answer has failed. It reports whether the snapshot differs from before.
func (c *Collection) Renew(ctx context.Context, before *Snapshot) bool {
	c.look(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now != before
}

// last returns the stamp of the last manifest that was read.
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

// watch checks the folder until the context ends, and keeps the index up to date.
func (c *Collection) watch(ctx context.Context) {
	tick := time.NewTicker(c.o.Poll)
	defer tick.Stop()
	for {
		// The index comes first: Open has already read the folder, and readers wait for the index.
		c.index(ctx)
		c.warm(ctx)
		c.links(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.look(ctx)
		}
	}
}

// warm prepares a new snapshot for the usual first requests. It skips a snapshot without an index: counts made from
// shards would soon be made again.
func (c *Collection) warm(ctx context.Context) {
	if c.o.Warm == nil || !c.State().Ready && !c.o.NoIndex {
		return
	}
	now, release, ok := c.Hold()
	if !ok {
		return
	}
	defer release()
	// Only the ID is compared: a snapshot kept for comparison would stay in memory.
	if now.ID != "" && now.ID == c.warmed {
		return
	}
	c.warmed = now.ID
	c.o.Warm(ctx, c, now)
}

// stamp distinguishes manifests without reading them, if the file system has modification times. Otherwise it is the
// hash.
type stamp struct {
	size     int64
	modified time.Time
	hash     string
}

func (c *Collection) stamp() (stamp, error) {
	// For a local file, size and time are enough, and cost only one stat.
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
	// Object stores need not provide times. A manifest is small enough to be read once a minute.
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return stamp{}, err
	}
	return stamp{size: r.Size(), hash: hex.EncodeToString(h.Sum(nil))}, nil
}

// look opens the folder's collection if its manifest has changed.
func (c *Collection) look(ctx context.Context) {
	c.looking.Lock()
	defer c.looking.Unlock()
	s, err := c.stamp()
	if errors.Is(err, fs.ErrNotExist) {
		// A run that begins again (--fresh) removes the manifest. The old collection is shown until the next one
		// exists.
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
	// It is opened in its present state, with an incomplete index or with shards. The new collection should be visible
	// at once, and is indexed afterwards.
	if err == nil {
		next, err = c.open(ctx, true)
	}
	if err != nil {
		// The old collection is still shown, together with the error. The next look tries again, since seen is
		// unchanged.
		c.setState(func(st *State) { st.Err = err.Error() })
		slog.Warn("read a collection", "collection", c.name, "error", err)
		return
	}
	// The state is new, since the state of the last manifest's index no longer applies.
	c.publish(next, func(st *State) { *st, c.seen = State{Shards: len(next.Part.DocumentShards())}, s })
}

// open opens the collection, with the index in its present state or with an up-to-date one. If the collection changes
// meanwhile, it is opened again.
func (c *Collection) open(ctx context.Context, asItIs bool) (next *Snapshot, err error) {
	for range 5 {
		if next, err = c.openOnce(ctx, asItIs); !errors.Is(err, errChanging) {
			break
		}
	}
	return next, err
}

// errChanging means that the manifest was replaced while its files were being opened.
var errChanging = errors.New("shelf: the collection is changing")

func (c *Collection) openOnce(ctx context.Context, asItIs bool) (*Snapshot, error) {
	part, m, err := holdings.Whole(c.f)
	if err != nil {
		return nil, err
	}
	pins := pin(c.f, part.Shards)
	part.Folder = pins
	o := contentdb.Options{NoIndex: c.o.NoIndex || asItIs, Meaning: meaningmodel.Opener(c.o.Meaning), Caches: &c.caches}
	db, err := contentdb.Open(ctx, pins, o)
	if err != nil {
		return nil, errors.Join(err, pins.close())
	}
	next := newSnapshot(db, part, m)
	next.pins = pins
	// Files that are open now stay readable, even if they are removed later. Files that were already removed belong to
	// an older manifest.
	if now, err := holdings.ReadManifest(c.f); err != nil || idOf(now) != next.ID {
		return nil, errors.Join(errChanging, err, next.close())
	}
	return next, nil
}

// index brings the index up to date, and publishes the collection with it. If another process is doing this, the next
// look tries again.
func (c *Collection) index(ctx context.Context) {
	// In these cases nothing is done: the index is not wanted, is complete or cannot be read, or nothing exists yet.
	if st := c.State(); c.o.NoIndex || st.Ready || st.Err != "" || c.last() == (stamp{}) {
		return
	}
	progress, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	// The other goroutine only reads the index, to report its progress.
	watching.Go(func() { c.progress(progress) })
	next, err := c.open(ctx, false)
	stop()
	// It is waited for, so that it cannot change the state after Ready is set.
	watching.Wait()
	switch {
	case ctx.Err() != nil:
	// The error is logged, and the next look tries again. It may be a full disk, or another process.
	case err != nil:
		c.setState(func(st *State) { st.Note = err.Error() })
		slog.Warn("index a collection", "collection", c.name, "error", err)
		return
	case c.publishIndexed(next):
		return
	}
	if next != nil {
		// Nobody has received it: the server ends, or a newer manifest exists.
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
	c.publish(next, func(st *State) {
		// A note is the reason why the index does not answer, for example that another process holds its lock. One is
		// enough for a line on the page.
		st.Ready, st.Note = len(notes) == 0, fmt.Sprint(append(notes, "")[0])
		if st.Ready {
			st.Stale = 0
		}
	})
	return true
}

// progress reports how many shards the index lacks while it is updated.
func (c *Collection) progress(ctx context.Context) {
	part, m, err := holdings.Whole(c.f)
	if err != nil {
		return // index reports it
	}
	// It checks once a second, which is as often as pages that show it ask.
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		x, err := index.Open(ctx, c.f, index.Options{NoRevisits: !revisit.Has(m)})
		if err == nil {
			var n int
			if n, err = x.Stale(ctx, part); err == nil {
				c.setState(func(st *State) { st.Stale = n })
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
