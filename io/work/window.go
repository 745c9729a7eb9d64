package work

import (
	"io"
)

// Records near each other are read in one request: the bytes between them cost less than another request.
const (
	maxGap    = 64 << 10 // bytes between two records
	maxWindow = 8 << 20  // bytes of a request
)

// window is an archive with a part in memory, which is read on first use.
type window struct {
	src        io.ReaderAt
	start, end int64
	buf        []byte // nil before the first read
}

// begin moves the window to the first of some records of one archive, which are in order, and those near to it.
func (w *window) begin(src io.ReaderAt, list []wanted) {
	first := list[0]
	// A length of 0 is unknown: then the window is empty, and ReadAt reads from the archive.
	*w = window{src: src, start: first.Offset, end: first.Offset + min(first.Length, maxWindow)}
	for _, next := range list[1:] {
		end := next.Offset + min(next.Length, maxWindow)
		// The limits are tested before the window grows, so that it never exceeds maxWindow.
		if next.file != first.file || next.Offset > w.end+maxGap || end-w.start > maxWindow {
			break
		}
		w.end = max(w.end, end)
	}
}

// ReadAt reads from memory what it can, and the rest from the archive.
func (w *window) ReadAt(p []byte, off int64) (int, error) {
	// Outside the window: this is read by itself.
	if off < w.start || off >= w.end {
		return w.src.ReadAt(p, off)
	}
	// Read on first use: the first record may be left out.
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
	// All bytes were in the window. Otherwise the rest follows it.
	if n == len(p) {
		return n, nil
	}
	more, err := w.src.ReadAt(p[n:], off+int64(n))
	return n + more, err
}
