package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// groupRead reads the small files of a range, one after the other. It is a source like that of one file: the range
// counts as read when all of its files are.
type groupRead struct {
	*Reader
	in    *schemas.Range
	paths func() (string, error, bool)
	stop  func()
	read  int64  // bytes of the files read
	why   string // reason why a file, or the rest of them, is unreadable

	// The open file, if there is one.
	file   source
	member schemas.Range
}

func newGroup(ctx context.Context, r *Reader, in *schemas.Range) *groupRead {
	g := &groupRead{Reader: r, in: in}
	// Pull, since files are opened one by one between the calls for items.
	g.paths, g.stop = iter.Pull2(r.store.Members(ctx, in.File, *in.Group, archive.InTree))
	return g
}

// close stops the iterator, which holds a folder open.
func (g *groupRead) close() {
	if g.file != nil {
		g.file.close()
	}
	g.stop()
}

// next goes from file to file. At most one is open.
func (g *groupRead) next(ctx context.Context) (archive.Item, error) {
	for {
		if g.file == nil {
			path, err, ok := g.paths()
			// A member or a folder may have gone since the plan was made.
			said, bad := blob.Unreadable(err)
			switch {
			case !ok:
				return archive.Item{}, g.end()
			// The listing ends here, so end counts the rest of the group as lost.
			case bad: // of a folder
				g.stop()
				g.why = said
				return g.unreadable(g.in.File, g.read, 0, said), nil
			case err != nil:
				return archive.Item{}, err
			}
			if err := g.begin(ctx, path); err != nil {
				return archive.Item{}, fmt.Errorf("%s: %w", path, err)
			}
		}
		item, err := g.file.next(ctx)
		if err == nil {
			return item, nil
		}
		// The file has ended, well or not.
		g.file.close()
		g.file = nil
		if err != io.EOF {
			return archive.Item{}, fmt.Errorf("%s: %w", g.member.File, err)
		}
		// end compares the current sizes with that of the plan. The first reason is kept.
		g.read, g.why = g.read+g.member.End, cmp.Or(g.why, g.member.Unreadable)
	}
}

// begin begins to read a file. A file that cannot be opened has no size.
func (g *groupRead) begin(ctx context.Context, path string) error {
	format, size, err := g.detect(ctx, path)
	said, bad := blob.Unreadable(err)
	// Each file gets its own range, so that the readers of ranges can be used.
	g.member = schemas.Range{File: path, End: size, Unreadable: said}
	switch {
	// Not an error: among pages there may be files that only look like pages.
	case errors.Is(err, archive.ErrUnsupported):
		g.file = once(g.reject(path, size, err.Error()))
	case bad:
		g.file = once(g.unreadable(path, 0, size, said))
	case err != nil:
		return err
	case !g.wanted(format):
		g.file = once(g.leaveOut(path, 0, size, format))
	default:
		g.file = g.newRange(&g.member, format)
	}
	return nil
}

// detect returns the format and the size of a file.
func (g *groupRead) detect(ctx context.Context, path string) (f archive.Format, size int64, err error) {
	o, err := g.open(ctx, path)
	if err != nil {
		return f, 0, err
	}
	// The file is opened again for reading: groups hold small files.
	f, err = archive.Detect(path, o, o.Size())
	return f, o.Size(), errors.Join(err, o.Close())
}

// end records the result in the range.
func (g *groupRead) end() error {
	// The whole range is done, even if parts were unreadable.
	g.in.Next = g.in.End
	if g.why == "" {
		// If everything was readable, the bytes have to be those of the plan.
		return cmp.Or(checkRange(*g.in, g.read), io.EOF)
	}
	g.in.Unreadable = g.why
	if lost := g.in.End - g.read; lost > 0 { // of files with unknown sizes
		g.counts.BytesRead += lost
		g.counts.BytesLost += lost
	}
	return io.EOF
}
