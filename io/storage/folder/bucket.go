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

// bucket is a folder of an object store. An object is written in one piece, so it appears whole. Objects have no
// folders of their own, so none need to be made.
type bucket struct {
	ctx    context.Context // of the run: all requests end with it
	end    context.CancelCauseFunc
	prefix string // with a final slash
	store  *blob.Store

	mu      sync.Mutex
	fresh   map[string]string // local paths of files being written, by name
	scratch string            // folder for them and for Temp; "" before the first
	remove  func() error      // removes scratch
}

func newBucket(ctx context.Context, name string, store *blob.Store) *bucket {
	// Users may write several slashes at the end of the name; the names in the folder begin with the name and one
	// slash.
	b := &bucket{prefix: strings.TrimRight(name, "/") + "/", store: store, fresh: map[string]string{}}
	// The cause tells later failures that the lock was lost.
	b.ctx, b.end = context.WithCancelCause(ctx)
	return b
}

func (b *bucket) Path(name string) string {
	if name == "" {
		return strings.TrimSuffix(b.prefix, "/")
	}
	return b.prefix + name
}

// Close removes the files that were never renamed. Uploaded files stay: an object is either complete or absent.
func (b *bucket) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	// The context is not ended here, because the lock may still have to be released.
	for name, temp := range b.fresh {
		errs = append(errs, os.Remove(temp))
		delete(b.fresh, name)
	}
	if b.scratch != "" {
		errs = append(errs, b.remove())
		b.scratch = ""
	}
	return errors.Join(errs...)
}

// room returns the folder for files that are not yet uploaded.
func (b *bucket) room() (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	if b.scratch == "" {
		b.scratch, b.remove, err = Scratch("upload")
	}
	return b.scratch, err
}

func (b *bucket) Make(string) error { return nil }

// Sync does nothing: an object is durable once the store has answered.
func (b *bucket) Sync(string) error { return nil }

// Temp uses the system's folder for temporary files, which needs enough space for all files until their upload.
func (b *bucket) Temp(string) (string, error) {
	room, err := b.room()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(room, "temp-*")
}

func (b *bucket) Sweep() error { return b.why(b.store.Sweep(b.ctx, b.prefix)) }

// Names lists a "folder" if objects lie beneath it. Compact keeps its name once.
func (b *bucket) Names(dir string) ([]string, error) {
	all, err := b.list(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, info := range all {
		name, _, _ := strings.Cut(info.Name, "/")
		// It is empty for the object that other tools make to mark an empty folder.
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// list describes all objects beneath dir, with names relative to it.
func (b *bucket) list(dir string) ([]blob.Info, error) {
	// Without dir the prefix ends in a slash already.
	prefix := b.prefix
	if dir != "" {
		prefix += dir + "/"
	}
	all, err := b.store.List(b.ctx, prefix)
	// All names begin with the prefix, because the request asked for that.
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
		// Others lie in folders of dir. Modified stays zero: see Stat.
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

// Open returns a section of the whole object, which reads in order and at any place, as a local file does.
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

// Create makes a local file that only b.fresh knows. The object does not exist before Rename.
func (b *bucket) Create(name string) (File, error) {
	room, err := b.room()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(room, "*-"+path.Base(name))
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	// This is like O_EXCL on a disk. Files in the store do not count, because they are not changed yet.
	if _, there := b.fresh[name]; there {
		return nil, errors.Join(fmt.Errorf("%s: %w", b.Path(name), fs.ErrExist), f.Close(), os.Remove(f.Name()))
	}
	b.fresh[name] = f.Name()
	return f, nil
}

// take returns the local path of a file that is being written, and removes it from b.fresh. The lock ensures that only
// one of two concurrent callers gets the file.
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

// WriteNew uses a condition of the store, so it holds between machines.
func (b *bucket) WriteNew(name string, data []byte) error {
	_, err := b.store.Put(b.ctx, b.Path(name), bytes.NewReader(data), int64(len(data)), blob.Absent)
	// The store's error is kept, but callers test for fs.ErrExist, as on a disk.
	if errors.Is(err, blob.ErrChanged) {
		return fmt.Errorf("%w: %w", fs.ErrExist, err)
	}
	return b.why(err)
}

// Rename uploads a file that was written here. It copies any other file.
func (b *bucket) Rename(from, to string) error {
	if temp, fresh := b.take(from); fresh {
		// The local file is removed even if the upload failed: Put has tried often enough, and a failed run starts
		// again.
		return errors.Join(b.upload(temp, to), os.Remove(temp))
	}
	if err := b.store.Copy(b.ctx, b.Path(from), b.Path(to)); err != nil {
		return b.why(err)
	}
	// A kill between these two steps leaves both names, as the interface says.
	return b.Remove(from)
}

func (b *bucket) upload(temp, to string) error {
	f, err := os.Open(temp)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		// This reads from a newly opened file, because the writer has closed the one from Create.
		_, err = b.store.Put(b.ctx, b.Path(to), f, info.Size(), "")
	}
	return errors.Join(b.why(err), f.Close())
}

func (b *bucket) Remove(name string) error {
	// It was never uploaded, so the store has nothing to remove.
	if temp, fresh := b.take(name); fresh {
		return os.Remove(temp)
	}
	return b.why(b.store.Remove(b.ctx, b.Path(name)))
}

// Hold only tests that the object exists: nothing can prevent its removal.
func (b *bucket) Hold(name string) (io.Closer, error) {
	_, err := b.Size(name)
	return io.NopCloser(nil), err
}

// Retire also works after an interruption of the run, because workers have to learn of it.
func (b *bucket) Retire(name string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), closeWithin)
	defer cancel()
	return b.why(b.store.Remove(ctx, b.Path(name)))
}

// why maps the store's errors to those of this package.
func (b *bucket) why(err error) error {
	switch {
	case err == nil:
		return nil
	// All requests fail once the context has ended. The lost lock is the reason, and the failure only a symptom.
	case errors.Is(context.Cause(b.ctx), ErrBusy):
		return context.Cause(b.ctx) // the lock was lost
	case errors.Is(err, blob.ErrNotFound):
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}
