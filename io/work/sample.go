package work

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Piece is a part of a plan's input, from the beginning of a range on.
type Piece struct {
	Range schemas.Range
	Bytes int64 // about as many, compressed
}

// Pieces chooses some of what the units read, evenly over all their bytes: of each of count places about size bytes, or
// all where there is not more. It depends on the units alone. It is for archives, and not for indexes of them.
func Pieces(units []schemas.Unit, count int, size int64) (pieces []Piece) {
	// Sums first, so that the places lie evenly over bytes and not over files.
	var all, done int64
	for _, u := range units {
		all += u.Bytes()
	}
	next, left := int64(0), int64(0) // where the next place is, and what is wanted of this one yet
	for _, u := range units {
		for _, in := range u.Inputs {
			n := in.End - in.Start
			// The next place lies at or before this range, or within it when nothing is wanted of an earlier one.
			for next <= done && next < all || next < done+n && left <= 0 {
				// What is left of a place that was too small is added to the next; at least one byte on, so that
				// the loop ends.
				left, next = left+size, next+max(all/int64(count), 1)
			}
			// An unreadable range is passed over, and what was wanted is taken from the next one.
			if n > 0 && left > 0 && in.Unreadable == "" {
				pieces = append(pieces, Piece{in, min(n, left)})
				left -= min(n, left)
			}
			done += n
		}
	}
	return pieces
}

// Read gives the captures of the piece to each, and returns how many bytes of the archive they are of. It may be more
// than was asked for by what one capture has, and where all of a file is compressed as one by what is read ahead.
func (p Piece) Read(
	ctx context.Context, s *blob.Store, o archive.Options, each func(*schemas.Capture) error,
) (bytes int64, err error) {
	r := NewReader(s, schemas.Unit{Inputs: []schemas.Range{p.Range}}, o)
	var at farthest
	// Each file is opened through this, so that it is seen how far reading has come.
	r.open = func(ctx context.Context, name string) (blob.Object, error) {
		f, err := s.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		return &measured{f, &at}, nil
	}
	size := p.Range.End - p.Range.Start
	for c, err := range r.Captures(ctx) {
		if err != nil {
			return bytes, err
		}
		if err := each(c); err != nil {
			return bytes, err
		}
		end := c.Origin.Offset + c.Origin.Length
		switch {
		// Each file of a group is a capture's origin by itself.
		case p.Range.Group != nil:
			bytes += c.Origin.Length
		// The origin is the whole file, which says nothing; how far the file was read says more.
		case end >= p.Range.End: // one member for all, or the last
			bytes = min(int64(at)-p.Range.Start, size)
		default:
			bytes = end - p.Range.Start
		}
		// Enough. At the end of the range the whole of it counts, as below.
		if bytes >= p.Bytes && bytes < size {
			return bytes, nil
		}
	}
	return size, nil
}

// farthest is how far a file was read, in bytes.
type farthest int64

// measured is a file that notes how far it is read.
type measured struct {
	blob.Object
	at *farthest
}

// ReadAt reads from the file.
func (m *measured) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.Object.ReadAt(b, off)
	// One goroutine reads a piece, so a plain number will do.
	*m.at = max(*m.at, farthest(off+int64(n)))
	return n, err
}
