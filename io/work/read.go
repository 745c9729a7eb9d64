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

// Reader reads the content of one unit. It is not safe for concurrent use.
type Reader struct {
	store    *blob.Store
	unit     schemas.Unit
	o        archive.Options
	counts   schemas.Counts
	kept     dump.Kept
	open     func(ctx context.Context, name string) (blob.Object, error)
	at       int    // the current input
	now      source // its source, or nil
	segments int    // returned so far
}

// source reads one input of a unit.
type source interface {
	// next returns the next item, or io.EOF once the input's range has its Next.
	next(ctx context.Context) (archive.Item, error)
	close()
}

// NewReader returns a reader of u. It opens nothing before the first call of Next.
func NewReader(s *blob.Store, u schemas.Unit, o archive.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // Next writes to it
	return &Reader{store: s, unit: u, o: o, open: s.Open}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns the counters, which are complete once Next has returned io.EOF. They do not include documents.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// Close closes the open files. [Reader.All] and [Reader.Captures] do so themselves.
func (r *Reader) Close() {
	if r.now != nil {
		r.now.close()
		r.now = nil
	}
	// After the last input: a closed reader returns io.EOF.
	r.at = len(r.unit.Inputs)
}

// Next returns the next item, or io.EOF. Items come in the order of the unit's inputs, and within each in the order of
// [archive.Reader]. Damaged and unreadable parts of archives are rejects. An error is final. It comes from the context,
// a silent server or a file that was replaced.
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
			// An input without items is skipped.
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

// All returns the items and, last, the error that ended reading, except io.EOF.
func (r *Reader) All(ctx context.Context) iter.Seq2[archive.Item, error] {
	return func(yield func(archive.Item, error) bool) {
		defer r.Close()
		// The deferred Close also runs when the caller stops early.
		dump.All(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// Captures is All for captures alone. Rejects are in Counts.
func (r *Reader) Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		defer r.Close()
		dump.Captures(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// begin returns a source for an input. The plan has most of the information, so nothing is examined twice.
func (r *Reader) begin(ctx context.Context, in *schemas.Range) (source, error) {
	switch {
	case in.Unreadable != "": // known from the plan
		in.Next = in.End
		return once(r.unreadable(in.File, in.Start, in.End-in.Start, in.Unreadable)), nil
	case in.Group != nil:
		return newGroup(ctx, r, in), nil
	case in.Lookup != nil:
		return r.lookUp(ctx, in)
	// It was not an archive when the plan was made.
	case in.Format == "":
		in.Next = in.End
		return once(r.reject(in.File, in.End, archive.ErrUnsupported.Error())), nil // all of it, if named as an archive
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

// input returns a range of a file for a reader. Formats with several related files use it to read the others from the
// same store.
func (r *Reader) input(ctx context.Context, name string, size, start, end int64) archive.Input {
	in := archive.Input{Name: name, Size: size, Start: start, End: end, Kept: &r.kept}
	in.ReadFile = func(path string) ([]byte, error) {
		// One byte more than allowed, so that a longer file is noticed.
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

// checkRange compares the read bytes with the range: reading must end at its end, where the next range begins.
func checkRange(in schemas.Range, read int64) error {
	// This detects a capture that is read twice or left out between two ranges.
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

// leaveOut reports bytes of a file that the user did not request. They are unread but not lost, so Lost stays zero and
// the statistics show no damage.
func (r *Reader) leaveOut(name string, at, length int64, f archive.Format) archive.Item {
	why := "its format is " + f.Name + ", which was not asked for"
	return r.lose(schemas.Reject{File: name, Offset: at, Length: length, Kind: schemas.KindLeftOut, Message: why})
}

// reject reports an unread file with the reason. Its bytes in the range are lost.
func (r *Reader) reject(name string, lost int64, why string) archive.Item {
	return r.lose(schemas.Reject{File: name, Length: lost, Lost: lost, Kind: schemas.KindUnsupported, Message: why})
}

// unreadable reports unreadable bytes of a file.
func (r *Reader) unreadable(name string, at, length int64, why string) archive.Item {
	return r.lose(schemas.Reject{
		File: name, Offset: at, Length: length, Lost: length, Kind: schemas.KindUnreadable, Message: why,
	})
}

// lose counts and reports unread bytes.
func (r *Reader) lose(j schemas.Reject) archive.Item {
	j.Stage = "read"
	r.counts.Rejects++
	r.counts.BytesRead += j.Lost
	r.counts.BytesLost += j.Lost
	schemas.Count(&r.counts.ByReject, string(j.Kind), 1)
	return archive.Item{Reject: &j}
}
