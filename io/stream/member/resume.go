package member

import (
	"errors"
	"fmt"
	"io"
)

// Point is a place in a gzip member between two blocks of its deflate stream. With the 32 KiB that were decoded before
// it, decoding can begin there.
type Point struct {
	Member  int64  // start of the member, in bytes from the file's start
	At      int64  // of the next byte to read, likewise
	Bits    uint8  // number of bits of the byte before At that belong to the next block, 0 to 7
	Decoded int64  // bytes of the member before the point, decoded
	CRC     uint32 // CRC-32 of these bytes
}

// Marks collects the points of the members that a Reader reads. After damage, a member may be read twice.
type Marks interface {
	// Due reports whether a point is wanted soon. The member starts at byte member of the file. Reading has come to
	// byte at, and has decoded that many bytes of the member.
	Due(member, at, decoded int64) bool
	// Mark gets a point. history is the decoded bytes before it, and next the file's bytes after it: KeyBytes, or all
	// if there are fewer. Both are valid during the call.
	Mark(p Point, history, next []byte)
}

// KeyBytes is the number of the file's bytes after a point that Mark gets.
const KeyBytes = 4 << 10

// decode is the decoder's append, up to the next point that is due or to be checked.
func (r *Reader) decode(dst []byte) ([]byte, error) {
	d, ok := r.dec.(*gzipDecoder)
	if !ok {
		return r.dec.append(dst)
	}
	if r.from != nil && len(r.from.Checks) > 0 {
		room := min(int64(cap(dst)-len(dst)), r.from.Checks[0].Decoded-r.size)
		dst = dst[: len(dst) : len(dst)+int(room)]
	}
	d.pause = r.o.Marks != nil && r.from == nil && r.o.Marks.Due(r.start, r.in.pos(), r.size)
	return d.append(dst)
}

// paused reports whether append stopped where a block ends.
func (d *gzipDecoder) paused() bool {
	_, between := d.inf.AtBlock()
	return d.pause && between
}

// mark marks the current position if a point is due there. dst is what Append returned.
func (r *Reader) mark(dst []byte) {
	d, ok := r.dec.(*gzipDecoder)
	if !ok || !d.paused() {
		return
	}
	bits, _ := d.inf.AtBlock()
	history := int(min(r.size, gzipHistory))
	if history > len(dst) {
		return
	}
	p := Point{Member: r.start, At: r.in.pos(), Bits: uint8(bits), Decoded: r.size, CRC: d.crc}
	next := r.in.peek(KeyBytes)
	r.o.Marks.Mark(p, dst[len(dst)-history:], next[:min(len(next), KeyBytes)])
}

// From is a place at which reading begins inside a gzip member.
type From struct {
	Point
	// History is the bytes before the point, decoded: 32 KiB, or all if there are fewer.
	History []byte
	// Checks are points after this one, in order. Reading compares its own checksum with theirs.
	Checks []Point

	confirmed int64 // decoded bytes of the member that a checksum confirmed
}

// ErrPoint means that a file cannot be read from a point on: one of the two was changed, or the file is damaged there.
// Reading the member from its start shows which.
var ErrPoint = errors.New("the file does not fit its seek points")

// Resume returns a reader inside the member of a point, without any call of Next before Append. The first call of
// Append gets the history in its buffer. Anything wrong in the rest of the member is ErrPoint.
func Resume(src io.ReaderAt, size int64, from From, o Options) (*Reader, error) {
	if !from.valid(size) {
		return nil, fmt.Errorf("%w: no such point", ErrPoint)
	}
	r, err := NewReader(src, Range{Start: from.Member, End: from.Member + 1, Size: size}, Gzip, o)
	if err != nil {
		return nil, err
	}
	r.in.seek(from.At - 1)
	last := r.in.peek(1)
	if len(last) == 0 {
		return nil, errors.Join(fmt.Errorf("%w: it has become shorter", ErrPoint), r.in.err())
	}
	r.in.advance(1)
	d := r.dec.(*gzipDecoder) // NewReader makes it for Gzip
	d.crc, d.size = from.CRC, uint32(from.Decoded)
	d.inf.Resume(uint(from.Bits), last[0], len(from.History))
	r.from, r.size, r.open = &from, from.Decoded, true
	r.from.confirmed = from.Decoded
	return r, nil
}

// valid reports whether there can be such a point in a file of size bytes.
func (f *From) valid(size int64) bool {
	if f.Member < 0 || f.At <= f.Member || f.At > size || f.Bits > 7 || f.Decoded < 0 {
		return false
	}
	last := f.Decoded
	for _, c := range f.Checks {
		if c.Decoded <= last {
			return false
		}
		last = c.Decoded
	}
	return int64(len(f.History)) == min(f.Decoded, gzipHistory)
}

// check compares the checksum at the next point of From, and returns ErrPoint for any damage.
func (r *Reader) check(err error) error {
	if failed := r.in.err(); failed != nil {
		return failed
	}
	if err == io.EOF { // and the member's own checksum is right
		r.from = nil
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPoint, err)
	}
	d := r.dec.(*gzipDecoder) // there is no From for others
	for len(r.from.Checks) > 0 && r.from.Checks[0].Decoded <= r.size {
		c := r.from.Checks[0]
		if c.Decoded != r.size || c.CRC != d.crc {
			return fmt.Errorf("%w: wrong checksum before byte %d", ErrPoint, r.in.pos())
		}
		r.from.Checks = r.from.Checks[1:]
		r.from.confirmed = r.size
	}
	return nil
}

// Confirmed reports whether checksums confirm all bytes that a reader of Resume has returned.
func (r *Reader) Confirmed() bool { return r.from == nil || r.from.confirmed == r.size }
