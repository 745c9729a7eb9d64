// Package lines reads the lines of a text stream, compressed or not, with limits. The readers of JSON lines and of
// capture indexes use it. It knows nothing of the meaning of a line.
//
//	r, err := lines.NewReader(file, 1<<20)
//	for {
//		line, err := r.Next()
//		…
//	}
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory that a zstd frame can demand. The zstd command allows 8 MiB up to its level 19, so 64 MiB
// leaves room for archives made with --long.
const maxWindow = 64 << 20

const bufferBytes = 64 << 10

// ErrTooLong means that a line exceeds the reader's limit.
var ErrTooLong = errors.New("line too long")

// Error is an error in one line; the reader continues after it.
type Error struct {
	Line   int64 // from 1
	Offset int64 // of the line's first byte in the decompressed stream
	Err    error
}

// Error returns the message, with the position.
func (e *Error) Error() string { return fmt.Sprintf("line %d at byte %d: %v", e.Line, e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Reader reads lines. It is not safe for concurrent use.
type Reader struct {
	in     *bufio.Reader
	max    int
	buf    []byte // of a line longer than in's buffer
	line   int64  // number of lines begun
	offset int64  // of the last line
	next   int64  // of the line after it
	open   bool   // the last line has no line end
	err    error  // that ended the stream
}

// NewReader returns a reader of the lines of r, whose first bytes say whether it is plain, gzip or zstd. Lines longer
// than maxBytes are left out and reported.
func NewReader(r io.Reader, maxBytes int) (*Reader, error) {
	in := bufio.NewReaderSize(r, bufferBytes)
	magic, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return &Reader{in: in, err: &Error{Line: 1, Err: err}}, nil // in has forgotten it
	}
	if in, err = decompress(in, magic); err != nil {
		return nil, err
	}
	return &Reader{in: in, max: maxBytes}, nil
}

// Next returns the next line that is not empty, without its line end. The bytes are valid until the next call. For a
// line over the limit it returns an *Error that wraps ErrTooLong, and reading continues after it. Any other error is
// final, including io.EOF.
func (r *Reader) Next() ([]byte, error) {
	for r.err == nil {
		line, err := r.read()
		if err != nil {
			return nil, err
		}
		if len(line) > 0 {
			return line, nil
		}
	}
	return nil, r.err
}

// Place adds the position of the line that Next returned last to err.
func (r *Reader) Place(err error) error {
	return &Error{Line: r.line, Offset: r.offset, Err: err}
}

// Span returns the position of the line that Next returned or reported last, in the decompressed stream. end is the
// offset after its line end.
func (r *Reader) Span() (start, end int64) { return r.offset, r.next }

// Open reports whether the stream ended without a line end after the line that Next returned last.
func (r *Reader) Open() bool { return r.open }

// read returns the next line, which may be empty.
func (r *Reader) read() ([]byte, error) {
	r.line++
	r.offset = r.next
	r.buf = r.buf[:0]
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		r.next += int64(len(part))
		switch {
		case tooLong:
		case len(r.buf)+len(trimEnd(part)) > r.max:
			tooLong = true
		case err == nil && len(r.buf) == 0:
			return trimEnd(part), nil
		default:
			r.buf = append(r.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			r.err, r.open = r.final(err), true
		}
		if tooLong {
			return nil, r.Place(ErrTooLong)
		}
		return r.last(err)
	}
}

// last returns the line in buf. If damage cut it short, the line is dropped, and the error in the next call has the
// position. A line that only lacks its line end at the end of the stream is complete.
func (r *Reader) last(err error) ([]byte, error) {
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil
	}
	return trimEnd(r.buf), nil
}

func (r *Reader) final(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return r.Place(err)
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// decompress returns in, which begins with magic, or a reader of its decompressed data.
func decompress(in *bufio.Reader, magic []byte) (*bufio.Reader, error) {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		zr, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return bufio.NewReaderSize(zr, bufferBytes), nil
	case isZstd(magic):
		zr, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return bufio.NewReaderSize(zr, bufferBytes), nil
	}
	return in, nil
}

// isZstd reports whether magic begins a frame or a skippable frame: RFC 8878, section 3.1.
func isZstd(magic []byte) bool {
	return bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(magic) == 4 && magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2a, 0x4d, 0x18})
}
