package work

import (
	"context"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// rangeRead is the reading of one range of one archive.
//
// When the file turns out to be unreadable somewhere, what precedes that place is read as if the file ended there:
// readers know what to do with files that end too early. For that the range is read again, and what was told the first
// time is not told twice: it depends on bytes before that place alone.
type rangeRead struct {
	*Reader
	in     *schemas.Range // which gets Next, and Unreadable when it cannot be read to its end
	format archive.Format
	o      archive.Options // the same for each pass
	pass   *pass           // that is under way, or nil
	passes int
	size   int64  // bytes of the file that are read, negative for all
	why    string // the range cannot be read to its end
	told   told
	done   bool
}

func (r *Reader) newRange(in *schemas.Range, f archive.Format) *rangeRead {
	o := r.o
	// What may still be told of segments in this unit; -1 because 0 would mean no bound.
	if o.MaxSegments > 0 && r.segments > 0 {
		if o.MaxSegments -= r.segments; o.MaxSegments <= 0 {
			o.MaxSegments = -1
		}
	}
	return &rangeRead{Reader: r, in: in, format: f, o: o, size: -1}
}

func (a *rangeRead) next(ctx context.Context) (archive.Item, error) {
	for !a.done {
		if a.pass == nil {
			// On a disk that fails further and further, something has to end it.
			if a.passes++; a.passes > maxPasses {
				return archive.Item{}, fmt.Errorf("other bytes are unreadable each time: %s", a.why)
			}
			// The first pass does not watch: nearly all files can be read, and watching costs a call for each read.
			a.pass = &pass{rangeRead: a, size: a.size, watch: a.why != ""}
		}
		item, err := a.pass.next(ctx)
		if err == nil {
			return item, nil
		}
		p := a.pass
		// Closed before anything is decided, because only then the counts are known.
		a.close()
		if item, err = a.after(ctx, p, err); err != nil || item.Reject != nil {
			return item, err
		}
	}
	return archive.Item{}, io.EOF
}

func (a *rangeRead) close() {
	if a.pass != nil {
		a.pass.close()
		a.pass = nil
	}
}

// after decides what follows a pass that ended with err: nothing, which may be a reject, or another pass.
func (a *rangeRead) after(ctx context.Context, p *pass, err error) (archive.Item, error) {
	said, bad := blob.Unreadable(err)
	switch {
	case err == io.EOF:
		// The whole file could be read this time.
		if a.size < 0 {
			a.why = "" // it could be read after all
		}
		return a.end(p)
	case ctx.Err() != nil:
		return archive.Item{}, ctx.Err()
	// An error that says nothing of this file ends the run.
	case !bad && a.why == "":
		return archive.Item{}, err
	case !bad, !p.opened, p.watch && (p.at <= a.in.Start || p.at >= p.size):
		// Nothing can be made of what is left of it, or it is another file that it needs.
		// These counts are of a pass that led to nothing.
		p.counts.BytesRead, p.counts.BytesLost = 0, 0
		if a.why = said; !bad {
			a.why = err.Error()
		}
		return a.end(p)
	}
	a.why = said
	// The second pass has told where it fails: the third ends there.
	if p.watch {
		a.size = p.at
	}
	return archive.Item{}, nil
}

// end counts what the last pass has read, and rejects the rest.
func (a *rangeRead) end(p *pass) (archive.Item, error) {
	a.done = true
	a.counts.Add(p.counts)
	// arrived may lie after the range's end, where the last record goes beyond it.
	a.in.Next, a.in.Unreadable = p.arrived, a.why
	if a.why == "" {
		// All bytes are accounted for, or the file has changed.
		return archive.Item{}, checkRange(*a.in, p.counts.BytesRead)
	}
	// What could not be read counts as done, and is told as one reject.
	a.in.Next = a.in.End
	rest := max(0, a.in.End-a.in.Start-p.counts.BytesRead)
	return a.unreadable(a.in.File, a.in.End-rest, rest, a.why), nil
}
