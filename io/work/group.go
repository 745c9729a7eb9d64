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

// groupRead reads the small files of a range, one after the other.
type groupRead struct {
	*Reader
	in    *schemas.Range
	paths func() (string, error, bool)
	stop  func()
	read  int64  // bytes of the files that were read
	why   string // a file, or the rest of them, cannot be read

	// The file that is read, when there is one.
	file   source
	member schemas.Range
}

func newGroup(ctx context.Context, r *Reader, in *schemas.Range) *groupRead {
	g := &groupRead{Reader: r, in: in}
	g.paths, g.stop = iter.Pull2(r.store.Members(ctx, in.File, *in.Group, archive.InTree))
	return g
}

func (g *groupRead) close() {
	if g.file != nil {
		g.file.close()
	}
	g.stop()
}

func (g *groupRead) next(ctx context.Context) (archive.Item, error) {
	for {
		if g.file == nil {
			path, err, ok := g.paths()
			said, bad := blob.Unreadable(err)
			switch {
			case !ok:
				return archive.Item{}, g.end()
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
		g.file.close()
		g.file = nil
		if err != io.EOF {
			return archive.Item{}, fmt.Errorf("%s: %w", g.member.File, err)
		}
		g.read, g.why = g.read+g.member.End, cmp.Or(g.why, g.member.Unreadable)
	}
}

// begin begins to read a file. One that cannot even be opened has no size.
func (g *groupRead) begin(ctx context.Context, path string) error {
	format, size, err := g.detect(ctx, path)
	said, bad := blob.Unreadable(err)
	g.member = schemas.Range{File: path, End: size, Unreadable: said}
	switch {
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
	f, err = archive.Detect(path, o, o.Size())
	return f, o.Size(), errors.Join(err, o.Close())
}

// end says in the range what was read of it.
func (g *groupRead) end() error {
	g.in.Next = g.in.End
	if g.why == "" {
		return cmp.Or(checkRange(*g.in, g.read), io.EOF)
	}
	g.in.Unreadable = g.why
	if lost := g.in.End - g.read; lost > 0 { // of files whose size nobody tells any more
		g.counts.BytesRead += lost
		g.counts.BytesLost += lost
	}
	return io.EOF
}
