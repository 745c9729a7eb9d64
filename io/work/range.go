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
// If the file is unreadable at some place, the bytes before it are read as if the file ended there. Readers handle
// files that end too early. For that the range is read again without repeating the earlier items. These depend only on
// bytes before that place.
type rangeRead struct {
	*Reader
	in     *schemas.Range // gets Next, and Unreadable if it cannot be read to its end
	format archive.Format
	o      archive.Options // the same for each pass
	pass   *pass           // the current one, or nil
	passes int
	size   int64  // bytes of the file that are read; negative for all
	why    string // reason why the range cannot be read to its end
	told   told
	done   bool
}

func (r *Reader) newRange(in *schemas.Range, f archive.Format) *rangeRead {
	o := r.o
	// The remaining segments of this unit; -1 because 0 would mean no limit.
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
			// On a disk that fails more and more, this ends the reading.
			if a.passes++; a.passes > maxPasses {
				return archive.Item{}, fmt.Errorf("other bytes are unreadable each time: %s", a.why)
			}
			// The first pass does not watch: nearly all files are readable, and watching costs a call for each read.
			a.pass = &pass{rangeRead: a, size: a.size, watch: a.why != ""}
		}
		item, err := a.pass.next(ctx)
		if err == nil {
			return item, nil
		}
		p := a.pass
		// Closed first, because only then the counts are known.
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

// after decides how to continue after a pass that ended with err: with the end, maybe with a reject, or with another
// pass.
func (a *rangeRead) after(ctx context.Context, p *pass, err error) (archive.Item, error) {
	said, bad := blob.Unreadable(err)
	switch {
	case err == io.EOF:
		// This time the whole file was readable.
		if a.size < 0 {
			a.why = "" // it was readable after all
		}
		return a.end(p)
	case ctx.Err() != nil:
		return archive.Item{}, ctx.Err()
	// An error that says nothing of this file ends the run.
	case !bad && a.why == "":
		return archive.Item{}, err
	case !bad, !p.opened, p.watch && (p.at <= a.in.Start || p.at >= p.size):
		// The rest is useless, or it needs another file that is unreadable.
		p.counts.BytesRead, p.counts.BytesLost = 0, 0
		if a.why = said; !bad {
			a.why = err.Error()
		}
		return a.end(p)
	}
	a.why = said
	// The second pass has found where it fails: the third ends there.
	if p.watch {
		a.size = p.at
	}
	return archive.Item{}, nil
}

// end counts the bytes of the last pass, and rejects the rest.
func (a *rangeRead) end(p *pass) (archive.Item, error) {
	a.done = true
	a.counts.Add(p.counts)
	// arrived may be after the range's end if the last record goes beyond it.
	a.in.Next, a.in.Unreadable = p.arrived, a.why
	if a.why == "" {
		// All bytes are counted, or the file has changed.
		return archive.Item{}, checkRange(*a.in, p.counts.BytesRead)
	}
	// The unreadable rest counts as done, and is one reject.
	a.in.Next = a.in.End
	rest := max(0, a.in.End-a.in.Start-p.counts.BytesRead)
	return a.unreadable(a.in.File, a.in.End-rest, rest, a.why), nil
}
