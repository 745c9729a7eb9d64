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
	Bytes int64 // approximate number of compressed bytes
}

// Pieces chooses parts of the units' input, spread evenly over all their bytes. It takes about size bytes at each of
// count places, or everything if there is not more. It depends only on the units. It works for archives, not for their
// indexes.
func Pieces(units []schemas.Unit, count int, size int64) (pieces []Piece) {
	// Summed first, so that the places spread evenly over bytes and not over files.
	var all, done int64
	for _, u := range units {
		all += u.Bytes()
	}
	next, left := int64(0), int64(0) // next place, and remaining bytes of this one
	for _, u := range units {
		for _, in := range u.Inputs {
			n := in.End - in.Start
			// The next place is at or before this range, or within it if nothing of an earlier one remains.
			for next <= done && next < all || next < done+n && left <= 0 {
				// The rest of a place that was too small is added to the next one. At least one byte further, so that
				// the loop ends.
				left, next = left+size, next+max(all/int64(count), 1)
			}
			// An unreadable range is skipped, and the next one replaces it.
			if n > 0 && left > 0 && in.Unreadable == "" {
				pieces = append(pieces, Piece{in, min(n, left)})
				left -= min(n, left)
			}
			done += n
		}
	}
	return pieces
}

// Read calls each with the captures of the piece, and returns the number of their bytes in the archive. It may exceed
// the requested number by one capture, or by the read-ahead if a file is compressed as a whole.
func (p Piece) Read(
	ctx context.Context, s *blob.Store, o archive.Options, each func(*schemas.Capture) error,
) (bytes int64, err error) {
	r := NewReader(s, schemas.Unit{Inputs: []schemas.Range{p.Range}}, o)
	var at farthest
	// Files are opened through this function, which measures the progress of reading.
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
		// Each file of a group is the origin of its own capture.
		case p.Range.Group != nil:
			bytes += c.Origin.Length
		// The origin is the whole file, so the progress of reading says more.
		case end >= p.Range.End: // one member for all, or the last
			bytes = min(int64(at)-p.Range.Start, size)
		default:
			bytes = end - p.Range.Start
		}
		// Enough bytes. At the end of the range the whole of it counts, as below.
		if bytes >= p.Bytes && bytes < size {
			return bytes, nil
		}
	}
	return size, nil
}

// farthest is the largest offset that was read, in bytes.
type farthest int64

// measured is a file that records its largest read offset.
type measured struct {
	blob.Object
	at *farthest
}

// ReadAt reads from the file.
func (m *measured) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.Object.ReadAt(b, off)
	// One goroutine reads a piece, so a plain number is enough.
	*m.at = max(*m.at, farthest(off+int64(n)))
	return n, err
}
