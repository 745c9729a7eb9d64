package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Absent replaces a version's stamp for a file that does not exist. No service has such a stamp: entity tags have
// quotes, and generations are numbers.
const Absent = "absent"

// writer returns the service for name, if it can be written to.
func (s *services) writer(ctx context.Context, name string) (Writable, error) {
	r, err := s.remote(ctx, name)
	if err != nil {
		return nil, inputError(name, err)
	}
	w, ok := r.(Writable)
	// http and https are services too, but read-only.
	if !ok {
		return nil, &InputError{name, "only local folders and buckets can be written to", errors.ErrUnsupported}
	}
	return w, nil
}

// change makes one change, with repeated attempts.
func (s *Store) change(ctx context.Context, name string, do func(context.Context, Writable) error) error {
	w, err := s.writer(ctx, name)
	if err != nil {
		return err
	}
	err = s.o.Patience.Retry(ctx, name, func(ctx context.Context, alive func()) error {
		// This prevents the message about a silent server, because a copy takes long.
		alive()
		return do(ctx, w)
	})
	if err != nil {
		return inputError(name, err)
	}
	return nil
}

// Put writes size bytes of r as the remote file called name. Readers see the whole file or none. If replaced is a stamp
// or Absent, the file must have that version; otherwise the error is ErrChanged. Since an answer may get lost, a small
// file that already holds these bytes counts as written by this call.
func (s *Store) Put(ctx context.Context, name string, r io.ReaderAt, size int64, replaced string) (Info, error) {
	w, err := s.writer(ctx, name)
	if err != nil {
		return Info{}, err
	}
	var info Info
	// Reading the source is a sign of life: a successful large upload may take longer than Stall.
	source := &watched{ReaderAt: r}
	err = s.o.Patience.Retry(ctx, name, func(ctx context.Context, alive func()) (err error) {
		source.alive = alive
		info, err = w.Put(ctx, name, io.NewSectionReader(source, 0, size), replaced)
		// The source comes first, because libraries wrap its error differently.
		if source.err != nil {
			return kinded{errSource, source.err}
		}
		// The previous attempt may have succeeded although its answer was lost. Then the condition fails because of our
		// own write.
		if errors.Is(err, ErrChanged) && size <= MaxCompared {
			if there, same := s.holds(ctx, name, r, size); same {
				info, err = there, nil
			}
		}
		return err
	})
	if err != nil {
		return Info{}, inputError(name, err)
	}
	return info, nil
}

// MaxCompared is the size up to which a file is read again to see whether it was written. Conditional writes are small:
// locks, plans and marks.
const MaxCompared = 1 << 20

// holds reports whether a file holds the first size bytes of r.
func (s *Store) holds(ctx context.Context, name string, r io.ReaderAt, size int64) (Info, bool) {
	// In any version, because the current one is unknown.
	o, err := s.At(nil).Open(ctx, name)
	if err != nil || o.Size() != size {
		return Info{}, false
	}
	defer o.Close()
	there, ours := make([]byte, size), make([]byte, size)
	if _, err := o.ReadAt(there, 0); err != nil {
		return Info{}, false
	}
	// io.EOF may come with the last byte.
	if _, err := r.ReadAt(ours, 0); err != nil && !errors.Is(err, io.EOF) {
		return Info{}, false
	}
	// Only remote files reach this point, since writer has refused others.
	return o.(*remoteObject).info, bytes.Equal(there, ours)
}

// errSource means that the source cannot be read, which is not the service's fault.
var errSource = errors.New("blob: cannot read what is to be written")

// watched is the content of an upload: each read shows that the upload makes progress.
type watched struct {
	io.ReaderAt
	alive func()
	err   error // of the source
}

func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	w.alive()
	n, err := w.ReaderAt.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// Copy copies a remote file within its service. Readers see the whole copy or none.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	return s.change(ctx, from, func(ctx context.Context, w Writable) error { return w.Copy(ctx, from, to) })
}

// Remove removes a remote file. It accepts a missing file.
func (s *Store) Remove(ctx context.Context, name string) error {
	return s.change(ctx, name, func(ctx context.Context, w Writable) error { return w.Remove(ctx, name) })
}

// Sweep removes the parts of unfinished uploads beneath prefix, which are invisible but cost money. No upload may be
// running.
func (s *Store) Sweep(ctx context.Context, prefix string) error {
	return s.change(ctx, prefix, func(ctx context.Context, w Writable) error { return w.Sweep(ctx, prefix) })
}

// Stat describes a remote file.
func (s *Store) Stat(ctx context.Context, name string) (Info, error) {
	r, err := s.remote(ctx, name)
	if err != nil {
		return Info{}, inputError(name, err)
	}
	info, err := r.Stat(ctx, name)
	if err != nil {
		return Info{}, inputError(name, err)
	}
	return info, nil
}

// List describes all remote files whose names begin with prefix, in any order.
func (s *Store) List(ctx context.Context, prefix string) ([]Info, error) {
	r, err := s.remote(ctx, prefix)
	if err != nil {
		return nil, inputError(prefix, err)
	}
	var all []Info
	if err := r.List(ctx, prefix, func(info Info) { all = append(all, info) }); err != nil {
		return nil, inputError(prefix, err)
	}
	return all, nil
}
