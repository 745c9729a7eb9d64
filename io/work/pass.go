package work

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// told counts the captures, rejects, segments and other records that were returned.
type told [4]int

// add counts an item, and returns its kind and the count of that kind. Captures are 0.
func (t *told) add(item archive.Item) (kind, n int) {
	switch {
	case item.Reject != nil:
		kind = 1
	case item.Segment != nil:
		kind = 2
	case item.Record != nil:
		kind = 3
	}
	// Counted by kind: in a second pass a reject may replace another item, but the first ones of each kind are the
	// same.
	t[kind]++
	return kind, t[kind]
}

// maxPasses limits the reads of a range, for a disk that gets worse all the time.
const maxPasses = 8

// pass is one reading of a range.
type pass struct {
	*rangeRead
	size    int64 // bytes of the file that are read; negative for all
	watch   bool  // record the place of an error
	file    blob.Object
	reader  *archive.Reader
	opened  bool
	at      int64 // of an error, or size
	told    told
	counts  schemas.Counts // once it is closed
	arrived int64          // likewise
}

// next returns the next item that no earlier pass returned.
func (p *pass) next(ctx context.Context) (archive.Item, error) {
	if p.reader == nil {
		// Opened on first use, so that a unit with many files has one open at a time.
		if err := p.begin(ctx); err != nil {
			return archive.Item{}, err
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return archive.Item{}, err
		}
		item, err := p.reader.Next()
		if err != nil {
			return archive.Item{}, err
		}
		// Only the items beyond those of the earlier passes are new.
		if kind, n := p.told.add(item); n > p.rangeRead.told[kind] {
			p.rangeRead.told[kind] = n
			return item, nil
		}
	}
}

// begin opens the file.
func (p *pass) begin(ctx context.Context) (err error) {
	if p.file, err = p.open(ctx, p.in.File); err != nil {
		return err
	}
	p.opened = true
	if p.size < 0 {
		p.size = p.file.Size()
	}
	// No error has a place yet.
	p.at = p.size
	var src io.ReaderAt = p.file
	if p.watch {
		src = &watched{p.file, p}
	}
	in := p.input(ctx, p.in.File, p.size, p.in.Start, min(p.in.End, p.size))
	p.reader, err = archive.NewReader(src, in, p.format, p.o)
	return err
}

func (p *pass) close() {
	if p.reader != nil {
		// Read before the reader is closed.
		p.counts, p.arrived = p.reader.Counts(), p.reader.NextStart()
		p.reader.Close()
	}
	if p.file != nil {
		_ = p.file.Close() // read only
	}
}

// watched is a file that records the first place at which it cannot be read.
type watched struct {
	blob.Object
	pass *pass
}

// ReadAt reads from the file.
func (w *watched) ReadAt(b []byte, off int64) (int, error) {
	n, err := w.Object.ReadAt(b, off)
	// The file's end and its closing are not bad places. One goroutine reads a range, so there is no lock.
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		w.pass.at = min(w.pass.at, off+int64(n))
	}
	return n, err
}
