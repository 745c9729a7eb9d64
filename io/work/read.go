package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Reader reads the captures of one unit. It is not safe for concurrent use.
type Reader struct {
	store  *blob.Store
	unit   schemas.Unit
	o      archive.Options
	counts schemas.Counts
	kept   shape.Kept
	open   func(ctx context.Context, name string) (blob.Object, error)
}

// NewReader returns a reader of u's captures.
func NewReader(s *blob.Store, u schemas.Unit, o archive.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // All writes to it
	return &Reader{store: s, unit: u, o: o, open: s.Open}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns what was seen; it is complete once All has ended. Documents are not counted here.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// All returns the unit's captures in order and, last, the error that ended reading, if any: one of a server that does
// not answer or of a file that was replaced, or the context's. What is damaged in the archives, and what cannot be read
// of them, goes to OnReject.
func (r *Reader) All(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		for i, in := range r.unit.Inputs {
			read := r.file
			switch {
			case in.Unreadable != "":
				read = r.known
			case in.Group != nil:
				read = r.group
			case in.Lookup != nil:
				read = r.indexed
			}
			more, err := read(ctx, i, yield)
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", in.File, err))
				return
			}
			if !more {
				return
			}
		}
	}
}

// known rejects the i-th range, of which the plan knows that it cannot be read.
func (r *Reader) known(_ context.Context, i int, _ func(*schemas.Capture, error) bool) (bool, error) {
	in := r.unit.Inputs[i]
	r.unreadable(in.File, in.Start, in.End-in.Start, in.Unreadable)
	r.unit.Inputs[i].Next = in.End
	return true, nil
}

// file yields the captures of one range, the i-th.
func (r *Reader) file(ctx context.Context, i int, yield func(*schemas.Capture, error) bool) (bool, error) {
	in := r.unit.Inputs[i]
	if in.Format == "" {
		r.reject(in.File, 0, archive.ErrUnsupported.Error())
		return true, nil
	}
	format, err := archive.ParseFormat(in.Format)
	if err != nil {
		return false, err
	}
	if !r.wanted(format) {
		r.unit.Inputs[i].Next = in.End
		r.leaveOut(in.File, in.Start, in.End-in.Start, format)
		return true, nil
	}
	a := rangeRead{Reader: r, in: in, format: format}
	more, err := a.read(ctx, yield)
	if err != nil || !more {
		return false, err
	}
	r.unit.Inputs[i].Next, r.unit.Inputs[i].Unreadable = a.arrived, a.why
	return true, nil
}

// input is a range of a file, for a reader of it.
func (r *Reader) input(ctx context.Context, name string, size, start, end int64) archive.Input {
	in := archive.Input{Name: name, Size: size, Start: start, End: end, Kept: &r.kept}
	in.ReadFile = func(path string) ([]byte, error) {
		b, err := r.store.ReadFile(ctx, path, shape.MaxNeighbor+1)
		if errors.Is(err, blob.ErrNotFound) {
			return nil, fs.ErrNotExist
		}
		if err == nil && len(b) > shape.MaxNeighbor {
			err = fmt.Errorf("%s: %w of %d bytes", path, shape.ErrLimit, shape.MaxNeighbor)
		}
		return b, err
	}
	in.Exists = func(path string) (bool, error) {
		o, err := r.store.Open(ctx, path)
		if errors.Is(err, blob.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return true, o.Close()
	}
	return in
}

// group yields the captures of the files of a range, the i-th.
func (r *Reader) group(ctx context.Context, i int, yield func(*schemas.Capture, error) bool) (bool, error) {
	in, read := r.unit.Inputs[i], int64(0)
	why := "" // why a file, or the rest of them, cannot be read
	for path, err := range r.store.Members(ctx, in.File, *in.Group, archive.InTree) {
		said, bad := blob.Unreadable(err)
		if err != nil && !bad {
			return false, err
		}
		if err != nil { // of a folder
			r.unreadable(in.File, read, 0, said)
			why = said
			break
		}
		n, said, more, err := r.member(ctx, path, yield)
		if err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
		if !more {
			return false, nil
		}
		read, why = read+n, cmp.Or(why, said)
	}
	r.unit.Inputs[i].Next = in.End
	if why == "" {
		return true, checkRange(in, read)
	}
	r.unit.Inputs[i].Unreadable = why
	if lost := in.End - read; lost > 0 { // of files whose size nobody tells any more
		r.counts.BytesRead += lost
		r.counts.BytesLost += lost
	}
	return true, nil
}

// member yields the captures of one file of a group, and returns its size, 0 for one that cannot even be opened, and why
// it cannot be read to its end.
func (r *Reader) member(
	ctx context.Context, path string, yield func(*schemas.Capture, error) bool,
) (size int64, why string, more bool, err error) {
	o, err := r.open(ctx, path)
	if err == nil {
		size = o.Size()
		defer o.Close()
	}
	var format archive.Format
	if err == nil {
		format, err = archive.Detect(path, o, size)
	}
	said, bad := blob.Unreadable(err)
	switch {
	case errors.Is(err, archive.ErrUnsupported):
		r.reject(path, size, err.Error())
		return size, "", true, nil
	case bad:
		r.unreadable(path, 0, size, said)
		return size, said, true, nil
	case err != nil:
		return 0, "", false, err
	case !r.wanted(format):
		r.leaveOut(path, 0, size, format)
		return size, "", true, nil
	}
	a := rangeRead{Reader: r, in: schemas.Range{File: path, End: size}, format: format}
	more, err = a.read(ctx, yield)
	return size, a.why, more, err
}

// checkRange compares what was read with the range: reading must arrive at its end, where the neighbour begins.
func checkRange(in schemas.Range, read int64) error {
	if read != in.End-in.Start {
		return fmt.Errorf("range %d to %d: %d bytes were accounted for; was the file changed while it was read?", in.Start, in.End, read)
	}
	return nil
}

// wanted tells whether files of this format are read.
func (r *Reader) wanted(f archive.Format) bool {
	return len(r.o.Only) == 0 || slices.Contains(r.o.Only, f.Name)
}

// leaveOut reports bytes of a file that the user did not ask for. They are not read, and so not lost.
func (r *Reader) leaveOut(name string, at, length int64, f archive.Format) {
	why := "its format is " + f.Name + ", which was not asked for"
	r.lose(schemas.Reject{File: name, Offset: at, Length: length, Kind: schemas.KindLeftOut, Message: why})
}

// reject reports a file that is not read, and why. Those of its bytes that are of the range are lost.
func (r *Reader) reject(name string, lost int64, why string) {
	r.lose(schemas.Reject{File: name, Length: lost, Lost: lost, Kind: schemas.KindUnsupported, Message: why})
}

// unreadable reports bytes of a file that cannot be read.
func (r *Reader) unreadable(name string, at, length int64, why string) {
	r.lose(schemas.Reject{File: name, Offset: at, Length: length, Lost: length, Kind: schemas.KindUnreadable, Message: why})
}

// lose counts and reports a reject of bytes that are not read.
func (r *Reader) lose(j schemas.Reject) {
	j.Stage = "read"
	r.counts.Rejects++
	r.counts.BytesRead += j.Lost
	r.counts.BytesLost += j.Lost
	schemas.Count(&r.counts.ByReject, string(j.Kind), 1)
	if r.o.OnReject != nil {
		r.o.OnReject(j)
	}
}
