package work

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Reader reads what is in one unit. It is not safe for concurrent use.
type Reader struct {
	store    *blob.Store
	unit     schemas.Unit
	o        archive.Options
	counts   schemas.Counts
	kept     dump.Kept
	open     func(ctx context.Context, name string) (blob.Object, error)
	at       int    // the input that is read
	now      source // what reads it, or nil
	segments int    // that were told
}

// source reads one input of a unit.
type source interface {
	// next returns the next item, or io.EOF once the input's range says where reading has arrived.
	next(ctx context.Context) (archive.Item, error)
	close()
}

// NewReader returns a reader of u.
// Nothing is opened before the first call of Next.
func NewReader(s *blob.Store, u schemas.Unit, o archive.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // Next writes to it
	return &Reader{store: s, unit: u, o: o, open: s.Open}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns what was seen; it is complete once Next has returned io.EOF. Documents are not counted here.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// Close closes the files that are open. [Reader.All] and [Reader.Captures] do so themselves.
func (r *Reader) Close() {
	if r.now != nil {
		r.now.close()
		r.now = nil
	}
	// Behind the last input: a reader that is closed gives io.EOF.
	r.at = len(r.unit.Inputs)
}

// Next returns the next item, or io.EOF. Items come in the order of the unit's inputs, and in each as [archive.Reader]
// has them. What is damaged in the archives, and what cannot be read of them, is a reject. An error is one of a server
// that does not answer or of a file that was replaced, or the context's, and final.
func (r *Reader) Next(ctx context.Context) (archive.Item, error) {
	for r.at < len(r.unit.Inputs) {
		in := &r.unit.Inputs[r.at]
		var item archive.Item
		var err error
		// The source of an input is made when its turn comes.
		if r.now == nil {
			r.now, err = r.begin(ctx, in)
		}
		if err == nil {
			item, err = r.now.next(ctx)
		}
		switch {
		case err == io.EOF:
			r.now.close()
			r.now = nil
			// An input without items is gone over.
			r.at++
			continue
		case err != nil:
			// Errors are final, so files are closed at once.
			r.Close()
			return archive.Item{}, fmt.Errorf("%s: %w", in.File, err)
		case item.Segment != nil:
			r.segments++
		}
		return item, nil
	}
	return archive.Item{}, io.EOF
}

// All returns the items and, last, the error that ended reading, if it was not the end.
func (r *Reader) All(ctx context.Context) iter.Seq2[archive.Item, error] {
	return func(yield func(archive.Item, error) bool) {
		defer r.Close()
		// defer closes as well where the caller breaks off.
		dump.All(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// Captures is All for those who want captures alone. Rejects are in Counts.
func (r *Reader) Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		defer r.Close()
		dump.Captures(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// begin returns what reads an input.
// The plan tells most of it: nothing is looked at twice.
func (r *Reader) begin(ctx context.Context, in *schemas.Range) (source, error) {
	switch {
	case in.Unreadable != "": // the plan knows it
		in.Next = in.End
		return once(r.unreadable(in.File, in.Start, in.End-in.Start, in.Unreadable)), nil
	case in.Group != nil:
		return newGroup(ctx, r, in), nil
	case in.Lookup != nil:
		return r.lookUp(ctx, in)
	// It was not an archive when the plan was made.
	case in.Format == "":
		in.Next = in.End
		return once(r.reject(in.File, in.End, archive.ErrUnsupported.Error())), nil // whole, if its name says what it is
	}
	format, err := archive.ParseFormat(in.Format)
	if err != nil {
		return nil, err
	}
	if !r.wanted(format) {
		in.Next = in.End
		return once(r.leaveOut(in.File, in.Start, in.End-in.Start, format)), nil
	}
	return r.newRange(in, format), nil
}

// single is a source of one item.
type single struct {
	item archive.Item
	told bool
}

func once(item archive.Item) *single { return &single{item: item} }

func (s *single) next(context.Context) (archive.Item, error) {
	if s.told {
		return archive.Item{}, io.EOF
	}
	s.told = true
	return s.item, nil
}

func (*single) close() {}

// input is a range of a file, for a reader of it.
// Formats in which files belong together read others by it, from the same store.
func (r *Reader) input(ctx context.Context, name string, size, start, end int64) archive.Input {
	in := archive.Input{Name: name, Size: size, Start: start, End: end, Kept: &r.kept}
	in.ReadFile = func(path string) ([]byte, error) {
		// One byte more than may be read, by which a longer file is noticed.
		b, err := r.store.ReadFile(ctx, path, dump.MaxNeighbor+1)
		if errors.Is(err, blob.ErrNotFound) {
			return nil, fs.ErrNotExist
		}
		if err == nil && len(b) > dump.MaxNeighbor {
			err = fmt.Errorf("%s: %w of %d bytes", path, dump.ErrLimit, dump.MaxNeighbor)
		}
		return b, err
	}
	// Opening is the only question that all services answer alike.
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

// checkRange compares what was read with the range: reading must arrive at its end, where the neighbour begins.
func checkRange(in schemas.Range, read int64) error {
	// A capture that is read twice or left out between two ranges would show here.
	if read != in.End-in.Start {
		return fmt.Errorf("range %d to %d: %d bytes were accounted for; was the file changed while it was read?", in.Start,
			in.End, read)
	}
	return nil
}

// wanted reports whether files of this format are read.
func (r *Reader) wanted(f archive.Format) bool {
	return len(r.o.Only) == 0 || slices.Contains(r.o.Only, f.Name)
}

// leaveOut reports bytes of a file that the user did not ask for. They are not read, and so not lost.
// Lost stays zero, so that the statistics show no damage.
func (r *Reader) leaveOut(name string, at, length int64, f archive.Format) archive.Item {
	why := "its format is " + f.Name + ", which was not asked for"
	return r.lose(schemas.Reject{File: name, Offset: at, Length: length, Kind: schemas.KindLeftOut, Message: why})
}

// reject reports a file that is not read, and why. Those of its bytes that are of the range are lost.
func (r *Reader) reject(name string, lost int64, why string) archive.Item {
	return r.lose(schemas.Reject{File: name, Length: lost, Lost: lost, Kind: schemas.KindUnsupported, Message: why})
}

// unreadable reports bytes of a file that cannot be read.
func (r *Reader) unreadable(name string, at, length int64, why string) archive.Item {
	return r.lose(schemas.Reject{
		File: name, Offset: at, Length: length, Lost: length, Kind: schemas.KindUnreadable, Message: why,
	})
}

// lose counts bytes that are not read, and says so.
func (r *Reader) lose(j schemas.Reject) archive.Item {
	j.Stage = "read"
	r.counts.Rejects++
	r.counts.BytesRead += j.Lost
	r.counts.BytesLost += j.Lost
	schemas.Count(&r.counts.ByReject, string(j.Kind), 1)
	return archive.Item{Reject: &j}
}
