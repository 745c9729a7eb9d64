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

// told counts the captures, rejects, segments and other records that were told.
type told [4]int

// add counts an item, and returns how many of its kind there are now.
// Captures are 0.
func (t *told) add(item archive.Item) (kind, n int) {
	switch {
	case item.Reject != nil:
		kind = 1
	case item.Segment != nil:
		kind = 2
	case item.Record != nil:
		kind = 3
	}
	// Counted by kind and not together: in a second pass rejects may come where there was an item before, but of
	// each kind the first ones are the same.
	t[kind]++
	return kind, t[kind]
}

// maxPasses bounds how often a range is read, on a disk on which ever more goes bad.
const maxPasses = 8

// pass is one reading of a range.
type pass struct {
	*rangeRead
	size    int64 // bytes of the file that are read, negative for all
	watch   bool  // for the place of an error
	file    blob.Object
	reader  *archive.Reader
	opened  bool
	at      int64 // of an error, or size
	told    told
	counts  schemas.Counts // once it is closed
	arrived int64          // likewise
}

// next returns the next item that was not told yet.
func (p *pass) next(ctx context.Context) (archive.Item, error) {
	if p.reader == nil {
		// Opened when it is first asked for, so that units with many files have one open at a time.
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
		// Only what this pass tells beyond the earlier ones is new.
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
	// No place of an error yet.
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
		// Taken before the reader is closed.
		p.counts, p.arrived = p.reader.Counts(), p.reader.NextStart()
		p.reader.Close()
	}
	if p.file != nil {
		_ = p.file.Close() // it was read only
	}
}

// watched is a file that remembers the first place at which it cannot be read.
type watched struct {
	blob.Object
	pass *pass
}

// ReadAt reads from the file.
func (w *watched) ReadAt(b []byte, off int64) (int, error) {
	n, err := w.Object.ReadAt(b, off)
	// The file's end and its being closed are no bad places. Several goroutines do not read a range, so there is no
	// lock.
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		w.pass.at = min(w.pass.at, off+int64(n))
	}
	return n, err
}
