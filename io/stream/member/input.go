package member

import (
	"fmt"
	"io"
)

// input is a window on a ReaderAt with a position. Decoders take bytes from it without a copy. Short steps back, which
// damage causes often, read nothing twice.
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

// pos returns the position of the next unread byte, from the file's start. r <= len(buf) always holds, and at is the
// position of buf[0].
func (in *input) pos() int64 { return in.at + int64(in.r) }

func (in *input) err() error { return in.fail }

// peek returns the unread bytes in memory: at least n of them, unless the file ends before. n is at most readBlock.
// They are valid until the next call.
func (in *input) peek(n int) []byte {
	// After a failure nothing more is read, so that the same error does not repeat.
	if len(in.buf)-in.r < n && in.fail == nil && in.at+int64(len(in.buf)) < in.size {
		in.load()
	}
	return in.buf[in.r:]
}

// load moves the unread bytes to the front and reads more after them.
func (in *input) load() {
	// No larger than the file, since small files are common.
	if in.buf == nil {
		in.buf = make([]byte, 0, min(readBlock, in.size))
	}
	in.buf = in.buf[:copy(in.buf[:cap(in.buf)], in.buf[in.r:])]
	in.at, in.r = in.pos(), 0
	// Our ReaderAts may return less than requested, so the loop continues until the buffer is full.
	for end := in.at + int64(len(in.buf)); len(in.buf) < cap(in.buf) && end < in.size; end = in.at + int64(len(in.buf)) {
		n := in.readAt(in.buf[len(in.buf):cap(in.buf)], end)
		if n == 0 {
			return
		}
		in.buf = in.buf[:len(in.buf)+n]
	}
}

// readAt reads at off, within the file's size. It returns 0 at the end or at an error, which it stores. It never reads
// beyond size, even if the file has grown: the plan was made for this size.
func (in *input) readAt(p []byte, off int64) int {
	n, err := in.src.ReadAt(p[:min(int64(len(p)), max(in.size-off, 0))], off)
	if n == 0 && err != nil && err != io.EOF {
		in.fail = fmt.Errorf("reading at byte %d: %w", off, err)
	}
	return n
}

// advance skips n bytes that peek returned. It tests nothing, because it is in the innermost loops.
func (in *input) advance(n int) { in.r += n }

// skip skips n bytes, even past the file's end.
func (in *input) skip(n int64) { in.seek(in.pos() + n) }

func (in *input) seek(off int64) {
	// Within the buffer only the position changes, which makes steps back cheap.
	if off >= in.at && off <= in.at+int64(len(in.buf)) {
		in.r = int(off - in.at)
		return
	}
	in.buf, in.r, in.at = in.buf[:0], 0, off
}

// read copies unread bytes to p. If p is large and nothing is in memory, it reads the file straight into p.
func (in *input) read(p []byte) int {
	// Large reads bypass the buffer and save a copy.
	if in.r == len(in.buf) && len(p) >= readBlock && in.fail == nil {
		n := in.readAt(p, in.pos())
		in.seek(in.pos() + int64(n))
		return n
	}
	n := copy(p, in.peek(1))
	in.r += n
	return n
}
