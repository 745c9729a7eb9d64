package lookup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// opened is an open archive.
type opened struct {
	file   blob.Object
	name   string // of file in the store
	format archive.Format
	users  int // number of current readers
	used   int64
}

// archive returns the archive of a name below the folder with number base, and opens it if needed. The caller calls
// done when it no longer needs the archive.
func (l *Lookup) archive(ctx context.Context, base int, name string) (f *opened, done func(), err error) {
	if base >= len(l.o.Bases) {
		return nil, nil, errBase(base)
	}
	// A hostile index must not lead to files elsewhere, on the disk or the web.
	if !fs.ValidPath(name) || blob.IsRemote(name) || !filepath.IsLocal(schemas.PathOf(name)) {
		return nil, nil, &fileset.StatusError{
			Status: fileset.StatusPetabox, Message: fmt.Sprintf("%.200q is no file below the folder of the archives", name),
		}
	}
	key := fmt.Sprint(base, ":", name)
	l.mu.Lock()
	f = l.use(key)
	l.mu.Unlock()
	if f == nil {
		found, err := l.find(ctx, l.o.Bases[base], name)
		if err != nil {
			return nil, nil, err
		}
		if f, err = l.keep(key, found); err != nil {
			l.release(f)
			return nil, nil, err
		}
	}
	return f, func() { l.release(f) }, nil
}

// use returns the archive that is open under a name with one more user, or nil. It runs under mu, together with the
// lookup in open, because an archive without a user may be closed at any moment.
func (l *Lookup) use(key string) *opened {
	f := l.open[key]
	if f != nil {
		l.tick++
		f.users, f.used = f.users+1, l.tick
	}
	return f
}

// keep stores an opened archive, and returns the one to use with one more user. If two were opened at once, it returns
// the first.
func (l *Lookup) keep(key string, found *opened) (f *opened, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f = l.use(key); f != nil {
		return f, found.file.Close()
	}
	l.open[key] = found
	f = l.use(key)
	for len(l.open) > l.o.MaxOpen {
		oldest := ""
		for name, o := range l.open {
			if o.users == 0 && (oldest == "" || o.used < l.open[oldest].used) {
				oldest = name
			}
		}
		if oldest == "" {
			break // all are in use
		}
		err = errors.Join(err, l.open[oldest].file.Close())
		delete(l.open, oldest)
	}
	return f, err
}

func (l *Lookup) release(f *opened) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f.users--
}

// find opens the archive at the given name, or else directly in the folder. Indexes have the names of crawls before
// those of their archives, which are often stored without them.
func (l *Lookup) find(ctx context.Context, base, name string) (*opened, error) {
	tried := []string{name}
	if plain := path.Base(name); plain != name {
		tried = append(tried, plain)
	}
	for _, candidate := range tried {
		file, err := l.store.Open(ctx, below(base, candidate))
		if errors.Is(err, blob.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, l.unreadable(ctx, err)
		}
		format, err := archive.Detect(name, file, file.Size())
		if err != nil {
			return nil, errors.Join(l.unreadable(ctx, err), file.Close())
		}
		return &opened{file: file, name: below(base, candidate), format: format}, nil
	}
	return nil, &fileset.StatusError{
		Status: fileset.StatusPetabox, Message: name + ": the index has it, and it is not below " + secret.Hide(base),
	}
}

// neighbors returns a function that reads files beside an archive, which may have the URLs of its captures.
func (l *Lookup) neighbors(ctx context.Context) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		b, err := l.store.ReadFile(ctx, name, dump.MaxNeighbor+1)
		if errors.Is(err, blob.ErrNotFound) {
			return nil, fs.ErrNotExist
		}
		if err == nil && len(b) > dump.MaxNeighbor {
			err = fmt.Errorf("%s: %w of %d bytes", name, dump.ErrLimit, dump.MaxNeighbor)
		}
		return b, err
	}
}

// below joins a folder and a name.
func below(base, name string) string {
	if blob.IsRemote(base) {
		return secret.Below(strings.TrimSuffix(base, "/"), path.Clean(name))
	}
	return filepath.Join(base, filepath.FromSlash(name))
}

// unreadable returns an error that ends this request only, because an archive is unreadable.
func (l *Lookup) unreadable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &fileset.StatusError{Status: fileset.StatusPetabox, Message: err.Error()}
}

// closer calls a function when a body is closed, once.
type closer struct {
	io.Reader
	done func()
}

// Close releases the archive.
func (c *closer) Close() error {
	if c.done != nil {
		c.done()
		c.done = nil
	}
	return nil
}
