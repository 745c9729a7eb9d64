package work

import (
	"io"
)

// Records that stand near each other are read in one request: what is between them costs less than another one.
const (
	maxGap    = 64 << 10 // bytes between two records
	maxWindow = 8 << 20  // bytes of a request
)

// window is an archive of which a piece is in memory, once it was asked for.
type window struct {
	src        io.ReaderAt
	start, end int64
	buf        []byte // nil before the first read
}

// begin moves the window to the first of some records of one archive, which are in order, and those near to it.
func (w *window) begin(src io.ReaderAt, list []wanted) {
	first := list[0]
	// A length of 0 is not known: then the window is empty, and ReadAt asks the archive.
	*w = window{src: src, start: first.Offset, end: first.Offset + min(first.Length, maxWindow)}
	for _, next := range list[1:] {
		end := next.Offset + min(next.Length, maxWindow)
		// The bounds are looked at before the window grows, so it never exceeds maxWindow.
		if next.file != first.file || next.Offset > w.end+maxGap || end-w.start > maxWindow {
			break
		}
		w.end = max(w.end, end)
	}
}

// ReadAt reads from memory what is there, and the rest from the archive.
func (w *window) ReadAt(p []byte, off int64) (int, error) {
	// Not in the window: what begins elsewhere is read by itself.
	if off < w.start || off >= w.end {
		return w.src.ReadAt(p, off)
	}
	// Read when it is first needed: the first record may turn out to be left out.
	if w.buf == nil {
		w.buf = make([]byte, w.end-w.start)
		n, err := w.src.ReadAt(w.buf, w.start)
		if err != nil && err != io.EOF {
			return 0, err
		}
		// The archive ends in the window.
		w.buf = w.buf[:n]
		w.end = w.start + int64(n)
	}
	n := 0
	if off < w.end {
		n = copy(p, w.buf[off-w.start:])
	}
	// All of it was there. Otherwise the rest lies after the window.
	if n == len(p) {
		return n, nil
	}
	more, err := w.src.ReadAt(p[n:], off+int64(n))
	return n + more, err
}
