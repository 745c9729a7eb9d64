package work

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// rangeRead is the reading of one range of one archive.
//
// When the file turns out to be unreadable somewhere, what stands before that place is read as if the file ended there:
// readers know what to do with files that end too early. For that the range is read again, and what was told the first
// time is not told twice: it depends on bytes before that place alone.
type rangeRead struct {
	*Reader
	in      schemas.Range
	format  archive.Format
	arrived int64  // where reading came to
	why     string // the range cannot be read to its end

	captures, rejects int    // that were told
	segments          []bool // likewise, with the answers
}

// maxPasses bounds how often a range is read, on a disk on which ever more goes bad.
const maxPasses = 8

// read yields the captures. It returns false when no more are wanted.
func (a *rangeRead) read(ctx context.Context, yield func(*schemas.Capture, error) bool) (more bool, err error) {
	size := int64(-1)
	for range maxPasses {
		p := &pass{rangeRead: a, size: size, watch: a.why != ""}
		more, err := p.read(ctx, yield)
		if err == nil && !more {
			return false, nil
		}
		said, bad := blob.Unreadable(err)
		switch {
		case err == nil:
			if size < 0 {
				a.why = "" // it could be read after all
			}
			return true, a.end(p)
		case ctx.Err() != nil:
			return false, ctx.Err()
		case !bad && a.why == "":
			return false, err
		case !bad, !p.opened, p.watch && (p.at <= a.in.Start || p.at >= p.size):
			// Nothing can be made of what is left of it, or it is another file that it needs.
			p.counts.BytesRead, p.counts.BytesLost = 0, 0
			if a.why = said; !bad {
				a.why = err.Error()
			}
			return true, a.end(p)
		}
		a.why = said
		if p.watch {
			size = p.at
		}
	}
	return false, fmt.Errorf("other bytes are unreadable each time: %s", a.why)
}

// end counts what the last pass has read, and rejects the rest.
func (a *rangeRead) end(p *pass) error {
	a.counts.Add(p.counts)
	a.arrived = p.arrived
	if a.why == "" {
		return checkRange(a.in, p.counts.BytesRead)
	}
	a.arrived = a.in.End
	rest := max(0, a.in.End-a.in.Start-p.counts.BytesRead)
	a.unreadable(a.in.File, a.in.End-rest, rest, a.why)
	return nil
}

// pass is one reading of a range.
type pass struct {
	*rangeRead
	size    int64 // bytes of the file that are read, negative for all
	watch   bool  // for the place of an error
	opened  bool
	at      int64 // of an error, or size
	counts  schemas.Counts
	arrived int64

	captures, rejects, segments int
}

// read yields the captures that were not told yet.
func (p *pass) read(ctx context.Context, yield func(*schemas.Capture, error) bool) (more bool, err error) {
	o, err := p.open(ctx, p.in.File)
	if err != nil {
		return false, err
	}
	defer o.Close()
	p.opened = true
	if p.size < 0 {
		p.size = o.Size()
	}
	p.at = p.size
	var src io.ReaderAt = o
	if p.watch {
		src = &watched{o, p}
	}
	in := p.input(ctx, p.in.File, p.size, p.in.Start, min(p.in.End, p.size))
	c, err := archive.NewReader(src, in, p.format, p.options())
	if err != nil {
		return false, err
	}
	defer c.Close()
	defer func() { p.counts, p.arrived = c.Counts(), c.Arrived() }()
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		next, err := c.Next()
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if p.captures++; p.captures <= p.rangeRead.captures {
			continue
		}
		p.rangeRead.captures++
		if !yield(next, nil) {
			return false, nil
		}
	}
}

// options are those of the reader, which are told nothing twice.
func (p *pass) options() archive.Options {
	o := p.o
	if o.OnReject != nil {
		o.OnReject = func(j schemas.Reject) {
			if p.rejects++; p.rejects > p.rangeRead.rejects {
				p.rangeRead.rejects++
				p.o.OnReject(j)
			}
		}
	}
	if o.OnSegment != nil {
		o.OnSegment = func(s schemas.Segment) bool {
			if p.segments++; p.segments > len(p.rangeRead.segments) {
				p.rangeRead.segments = append(p.rangeRead.segments, p.o.OnSegment(s))
			}
			return p.rangeRead.segments[p.segments-1]
		}
	}
	return o
}

// watched is a file that remembers the first place at which it cannot be read.
type watched struct {
	blob.Object
	pass *pass
}

// ReadAt reads from the file.
func (w *watched) ReadAt(b []byte, off int64) (int, error) {
	n, err := w.Object.ReadAt(b, off)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		w.pass.at = min(w.pass.at, off+int64(n))
	}
	return n, err
}
