package shelf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Sources is a Source DB that is watched. Its index is made again when a run has written a new generation.
type Sources struct {
	path string
	f    folder.Folder
	// It is local, as SQLite needs a file; the folder of the Source DB may be a bucket.
	file string // of the index
	stop context.CancelFunc
	done sync.WaitGroup

	mu sync.Mutex
	// It is nil until the first generation exists.
	now *held
	err string
}

// held is an index that may be in use.
type held struct {
	x *sourceindex.Index
	// uses counts the requests that use it now. It is closed after the last of them.
	uses sync.WaitGroup
}

// OpenSources begins to watch the Source DB in a folder. Its index is kept in dir, a local folder. If no run has
// finished in the folder, the Source DB is shown as soon as one has.
func OpenSources(ctx context.Context, name, dir string, store *blob.Store, o Options) (*Sources, error) {
	// An invalid folder name is reported at once, and not by a watcher in the log.
	if err := folder.Check(name); err != nil {
		return nil, fmt.Errorf("shelf: %w", err)
	}
	s := &Sources{path: name, f: folder.Open(ctx, name, store), file: filepath.Join(dir, "sources.sqlite")}
	ctx, s.stop = context.WithCancel(ctx)
	poll := o.Poll
	if poll == 0 {
		poll = pollOf(name)
	}
	// Opening reads a whole generation, so it is not waited for. Meanwhile pages say that it is being opened.
	s.done.Go(func() {
		tick := time.NewTicker(poll)
		defer tick.Stop()
		for {
			s.look(ctx)
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
	return s, nil
}

// File is the database of the index.
func (s *Sources) File() string { return s.file }

// Path is the folder as it was named.
func (s *Sources) Path() string { return s.path }

// Generation identifies what the index has, or is "" before it is opened.
func (s *Sources) Generation() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return ""
	}
	return s.now.x.Generation()
}

// Hold returns the index, which stays open until release is called. Without an index, why is the reason.
func (s *Sources) Hold() (x *sourceindex.Index, release func(), why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.now != nil:
		// The lock is held for the same reason as in Collection.Hold.
		s.now.uses.Add(1)
		return s.now.x, sync.OnceFunc(s.now.uses.Done), ""
	case s.err != "":
		return nil, nil, s.err
	}
	return nil, nil, "The Source DB is being opened, or no run has written it yet."
}

// look opens the newest generation if it has changed.
func (s *Sources) look(ctx context.Context) {
	// Only look and Close change now, and never at the same time. So the lock need not be held while the index is
	// made.
	s.mu.Lock()
	now := s.now
	s.mu.Unlock()
	if now != nil {
		// This is cheap compared with opening: it only finds the newest generation.
		behind, err := now.x.Outdated(s.f)
		if err != nil || !behind {
			return // a run is just finishing; the next look sees the result
		}
	}
	x, err := sourceindex.Open(ctx, s.f, s.file)
	switch {
	// No generation exists yet, or the server ends: neither needs a warning.
	case errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil:
		return
	case err != nil:
		slog.Warn("read the Source DB", "folder", s.path, "error", err)
		// Pages show it until a look succeeds; an earlier generation continues to answer.
		s.mu.Lock()
		s.err = err.Error()
		s.mu.Unlock()
		return
	}
	s.publish(&held{x: x})
}

// publish publishes another index, and closes the previous one when nobody uses it any more.
func (s *Sources) publish(next *held) {
	s.mu.Lock()
	old := s.now
	s.now, s.err = next, ""
	s.mu.Unlock()
	if old == nil {
		return
	}
	// This is a goroutine, so that a long download does not delay the new generation.
	go func() {
		old.uses.Wait()
		_ = old.x.Close() // it was only read
	}()
}

// Close ends the watching.
func (s *Sources) Close() error {
	s.stop()
	s.done.Wait()
	// The index is released; requests that still use it close it.
	s.publish(nil)
	return s.f.Close()
}
