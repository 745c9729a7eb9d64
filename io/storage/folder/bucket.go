package folder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// bucket is a folder of an object store. An object is written in one piece, so it appears whole; objects have no
// folders of their own, so those need not be made.
type bucket struct {
	ctx    context.Context // of the run: all requests end with it
	end    context.CancelCauseFunc
	prefix string // with its slash at the end
	store  *blob.Store

	mu    sync.Mutex
	fresh map[string]string // files that are being written, by name: local paths
}

func newBucket(ctx context.Context, name string, store *blob.Store) *bucket {
	b := &bucket{prefix: strings.TrimRight(name, "/") + "/", store: store, fresh: map[string]string{}}
	b.ctx, b.end = context.WithCancelCause(ctx)
	return b
}

func (b *bucket) Path(name string) string {
	if name == "" {
		return strings.TrimSuffix(b.prefix, "/")
	}
	return b.prefix + name
}

// Close removes the files that never were renamed.
func (b *bucket) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for name, temp := range b.fresh {
		errs = append(errs, os.Remove(temp))
		delete(b.fresh, name)
	}
	return errors.Join(errs...)
}

func (b *bucket) Make(string) error { return nil }

func (b *bucket) Sync(string) error { return nil }

func (b *bucket) Temp(string) (string, error) { return os.MkdirTemp("", "gleaner-*") }

func (b *bucket) Sweep() error { return b.why(b.store.Sweep(b.ctx, b.prefix)) }

func (b *bucket) Names(dir string) ([]string, error) {
	all, err := b.list(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, info := range all {
		name, _, _ := strings.Cut(info.Name, "/")
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// list describes all objects beneath dir, with names that are relative to it.
func (b *bucket) list(dir string) ([]blob.Info, error) {
	prefix := b.prefix
	if dir != "" {
		prefix += dir + "/"
	}
	all, err := b.store.List(b.ctx, prefix)
	for i := range all {
		all[i].Name = all[i].Name[len(prefix):]
	}
	return all, b.why(err)
}

func (b *bucket) Stats(dir string) (map[string]Stat, error) {
	all, err := b.list(dir)
	if err != nil {
		return nil, err
	}
	stats := map[string]Stat{}
	for _, info := range all {
		if !strings.Contains(info.Name, "/") {
			stats[info.Name] = Stat{Size: info.Size}
		}
	}
	return stats, nil
}

func (b *bucket) Size(name string) (int64, error) {
	info, err := b.store.Stat(b.ctx, b.Path(name))
	return info.Size, b.why(err)
}

func (b *bucket) Open(name string) (Reader, error) {
	o, err := b.store.Open(b.ctx, b.Path(name))
	if err != nil {
		return nil, b.why(err)
	}
	return struct {
		*io.SectionReader
		io.Closer
	}{io.NewSectionReader(o, 0, o.Size()), o}, nil
}

func (b *bucket) Create(name string) (File, error) {
	f, err := os.CreateTemp("", "gleaner-*-"+path.Base(name))
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, there := b.fresh[name]; there {
		return nil, errors.Join(fmt.Errorf("%s: %w", b.Path(name), fs.ErrExist), f.Close(), os.Remove(f.Name()))
	}
	b.fresh[name] = f.Name()
	return f, nil
}

// take returns the local path of a file that is being written, which ceases to be.
func (b *bucket) take(name string) (temp string, fresh bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	temp, fresh = b.fresh[name]
	delete(b.fresh, name)
	return temp, fresh
}

func (b *bucket) Write(name string, data []byte) error {
	_, err := b.store.Put(b.ctx, b.Path(name), bytes.NewReader(data), int64(len(data)), "")
	return b.why(err)
}

func (b *bucket) WriteNew(name string, data []byte) error {
	_, err := b.store.Put(b.ctx, b.Path(name), bytes.NewReader(data), int64(len(data)), blob.Absent)
	if errors.Is(err, blob.ErrChanged) {
		return fmt.Errorf("%w: %w", fs.ErrExist, err)
	}
	return b.why(err)
}

// Rename uploads a file that was written here. Any other is copied.
func (b *bucket) Rename(from, to string) error {
	if temp, fresh := b.take(from); fresh {
		return errors.Join(b.upload(temp, to), os.Remove(temp))
	}
	if err := b.store.Copy(b.ctx, b.Path(from), b.Path(to)); err != nil {
		return b.why(err)
	}
	return b.Remove(from)
}

func (b *bucket) upload(temp, to string) error {
	f, err := os.Open(temp)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = b.store.Put(b.ctx, b.Path(to), f, info.Size(), "")
	}
	return errors.Join(b.why(err), f.Close())
}

func (b *bucket) Remove(name string) error {
	if temp, fresh := b.take(name); fresh {
		return os.Remove(temp)
	}
	return b.why(b.store.Remove(b.ctx, b.Path(name)))
}

// why makes the store's errors those of this package.
func (b *bucket) why(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(b.ctx), ErrBusy):
		return context.Cause(b.ctx) // the lock was lost
	case errors.Is(err, blob.ErrNotFound):
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}
