package member

import (
	"fmt"
	"io"
)

// input is a window on a ReaderAt that knows its position. Decoders take bytes from it where they stand, without
// a copy, and going back a little, which damage asks for again and again, reads nothing twice.
type input struct {
	src  io.ReaderAt
	size int64  // of the file
	fail error  // an error of the file, other than its end
	buf  []byte // buf[r:] is unread
	r    int
	at   int64 // of buf, bytes from the file's start
}

// readBlock is large enough for a disk's read-ahead and a range request, and small enough for a processor's cache.
const readBlock = 128 << 10

func newInput(src io.ReaderAt, start, size int64) *input {
	return &input{src: src, at: start, size: size}
}

// pos is the position of the next unread byte, from the file's start. r <= len(buf) always; at is the position of
// buf[0] in the file.
func (in *input) pos() int64 { return in.at + int64(in.r) }

func (in *input) err() error { return in.fail }

// peek returns the unread bytes that are in memory: at least n of them, unless the file ends before; n is at most
// readBlock. They are valid until the next call.
func (in *input) peek(n int) []byte {
	// After a failure nothing more is read, so that the same error does not come at each call.
	if len(in.buf)-in.r < n && in.fail == nil && in.at+int64(len(in.buf)) < in.size {
		in.load()
	}
	return in.buf[in.r:]
}

// load moves the unread bytes to the front and reads on after them.
func (in *input) load() {
	// No larger than the file, since small files are common.
	if in.buf == nil {
		in.buf = make([]byte, 0, min(readBlock, in.size))
	}
	in.buf = in.buf[:copy(in.buf[:cap(in.buf)], in.buf[in.r:])]
	in.at, in.r = in.pos(), 0
	// A ReaderAt of ours may give less than asked for: it is asked until the buffer is full.
	for end := in.at + int64(len(in.buf)); len(in.buf) < cap(in.buf) && end < in.size; end = in.at + int64(len(in.buf)) {
		n := in.readAt(in.buf[len(in.buf):cap(in.buf)], end)
		if n == 0 {
			return
		}
		in.buf = in.buf[:len(in.buf)+n]
	}
}

// readAt reads at off, within the file's size, and returns 0 at its end or at an error, which it notes.
// Never beyond size, even if the file has grown: the plan was made for this size.
func (in *input) readAt(p []byte, off int64) int {
	n, err := in.src.ReadAt(p[:min(int64(len(p)), max(in.size-off, 0))], off)
	if n == 0 && err != nil && err != io.EOF {
		in.fail = fmt.Errorf("reading at byte %d: %w", off, err)
	}
	return n
}

// advance skips n bytes that peek returned. At most as many as peek gave; nothing is tested here, in the innermost
// loops.
func (in *input) advance(n int) { in.r += n }

// skip goes n bytes on, past the file's end if need be.
func (in *input) skip(n int64) { in.seek(in.pos() + n) }

func (in *input) seek(off int64) {
	// Within the buffer only the position moves; that is what makes going back cheap.
	if off >= in.at && off <= in.at+int64(len(in.buf)) {
		in.r = int(off - in.at)
		return
	}
	in.buf, in.r, in.at = in.buf[:0], 0, off
}

// read copies unread bytes to p. Where p is large and nothing is in memory, it reads the file straight into p.
func (in *input) read(p []byte) int {
	// Large reads go around the buffer and save a copy.
	if in.r == len(in.buf) && len(p) >= readBlock && in.fail == nil {
		n := in.readAt(p, in.pos())
		in.seek(in.pos() + int64(n))
		return n
	}
	n := copy(p, in.peek(1))
	in.r += n
	return n
}
