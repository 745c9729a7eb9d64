package unit

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/schemas"
)

// Reader reads the captures of one unit. It is not safe for concurrent use.
type Reader struct {
	store  *blob.Store
	unit   schemas.Unit
	o      capture.Options
	counts schemas.Counts
}

// NewReader returns a reader of u's captures.
func NewReader(s *blob.Store, u schemas.Unit, o capture.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // All writes to it
	return &Reader{store: s, unit: u, o: o}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns what was seen; it is complete once All has ended. Documents are not counted here.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// All returns the unit's captures in order and, last, the error that ended reading, if any: one of a file that could
// not be read, or the context's. What is damaged in the archives goes to OnReject.
func (r *Reader) All(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		for i, in := range r.unit.Inputs {
			more, err := r.file(ctx, i, yield)
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

// file yields the captures of one range, the i-th.
func (r *Reader) file(ctx context.Context, i int, yield func(*schemas.Capture, error) bool) (bool, error) {
	in := r.unit.Inputs[i]
	if in.Format == "" {
		r.reject(in)
		return true, nil
	}
	format, err := capture.ParseFormat(in.Format)
	if err != nil {
		return false, err
	}
	o, err := r.store.Open(ctx, in.File)
	if err != nil {
		return false, err
	}
	defer o.Close()
	c, err := capture.NewReader(o, capture.Input{Name: in.File, Size: o.Size(), Start: in.Start, End: in.End}, format, r.o)
	if err != nil {
		return false, err
	}
	defer c.Close()
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		next, err := c.Next()
		if err == io.EOF {
			r.counts.Add(c.Counts())
			r.unit.Inputs[i].Next = c.Arrived()
			return true, checkRange(in, c.Counts())
		}
		if err != nil || !yield(next, nil) {
			r.counts.Add(c.Counts())
			return false, err
		}
	}
}

// checkRange compares what was read with the range: reading must arrive at its end, where the neighbour begins.
func checkRange(in schemas.Range, c schemas.Counts) error {
	if c.BytesRead != in.End-in.Start {
		return fmt.Errorf("range %d to %d: %d bytes were accounted for; was the file changed while it was read?", in.Start, in.End, c.BytesRead)
	}
	return nil
}

// reject reports a file that is no archive.
func (r *Reader) reject(in schemas.Range) {
	r.counts.Rejects++
	schemas.Count(&r.counts.ByReject, string(schemas.KindUnsupported), 1)
	if r.o.OnReject != nil {
		r.o.OnReject(schemas.Reject{File: in.File, Stage: "read", Kind: schemas.KindUnsupported, Message: capture.ErrUnsupported.Error()})
	}
}
