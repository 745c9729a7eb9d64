package inflate

import (
	"bufio"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"io"
)

// ErrChecksum means that the decoded data differ from the encoded data.
var ErrChecksum = errors.New("inflate: wrong checksum")

// Format is the wrapper of a deflate stream.
type Format uint8

// The formats.
const (
	Raw  Format = iota // the stream alone
	Zlib               // RFC 1950
	Gzip               // RFC 1952
)

const (
	// inputSize and outputSize are the sizes of one read and of one decoded piece.
	inputSize  = 64 << 10
	outputSize = 64 << 10
	// minInput is more than the length of a block's header, which must be in memory as a whole.
	minInput = 1 << 10
)

// Reader decodes data from another reader. It holds buffers of 160 KiB, and is not safe for concurrent use.
//
// For a [Zlib] or [Gzip] stream it compares the checksums. It joins the members of a gzip stream, and reads nothing
// after the last one unless another's magic bytes follow. It refuses a preset dictionary.
//
// It never reads a [*bufio.Reader] with a buffer of 1 KiB or more beyond the stream's end. Of other readers it may read
// up to 64 KiB more.
type Reader struct {
	format Format
	in     *bufio.Reader
	own    *bufio.Reader // nil until it is needed
	offset int64         // position in the input, from its start

	decoder  Decoder
	inStream bool        // after the wrapper's header
	sum      hash.Hash32 // of the header, then of the decoded bytes; nil for Raw
	size     uint32      // of the decoded bytes, modulo 1<<32

	buf  []byte // the last decoded bytes
	read int    // number of returned bytes of it
	err  error  // error that follows buf
}

// NewReader returns a Reader of the stream in r.
func NewReader(r io.Reader, f Format) *Reader {
	z := &Reader{format: f, buf: make([]byte, 0, windowSize+outputSize)}
	switch f {
	case Zlib:
		z.sum = adler32.New()
	case Gzip:
		z.sum = crc32.NewIEEE()
	}
	z.Reset(r)
	return z
}

// Reset begins to read the stream in r, in the same format. It keeps the buffers.
func (z *Reader) Reset(r io.Reader) {
	in, ok := r.(*bufio.Reader)
	if !ok || in.Size() < minInput {
		if z.own == nil {
			z.own = bufio.NewReaderSize(nil, inputSize)
		}
		in = z.own
		in.Reset(r)
	}
	z.in, z.offset, z.inStream = in, 0, false
	z.buf, z.read, z.err = z.buf[:0], 0, nil
}

// Read returns the next bytes of the decoded stream. After its end, and that of the wrapper, the error is io.EOF.
// Otherwise it is of kind [ErrCorrupt], [ErrChecksum] or io.ErrUnexpectedEOF, or the input's, with the position. All
// bytes before it are returned first.
func (z *Reader) Read(p []byte) (int, error) {
	for z.read == len(z.buf) && len(p) > 0 {
		if z.err != nil {
			return 0, z.err
		}
		if err := z.next(); errors.Is(err, io.EOF) {
			z.err = io.EOF
		} else if err != nil {
			z.err = fmt.Errorf("%w, at byte %d of the stream", err, z.offset)
		}
	}
	n := copy(p, z.buf[z.read:])
	z.read += n
	return n, nil
}

// next decodes more bytes after the buffer is used up.
func (z *Reader) next() error {
	if !z.inStream {
		return z.begin()
	}
	if cap(z.buf)-len(z.buf) < windowSize {
		n := copy(z.buf, z.buf[len(z.buf)-windowSize:])
		z.buf, z.read = z.buf[:n], n
	}
	src, _ := z.in.Peek(z.in.Buffered()) // buffered bytes are always available
	out, used, err := z.decoder.Decode(z.buf, src)
	fresh := out[len(z.buf):]
	z.buf = out
	z.discard(used)
	z.size += uint32(len(fresh))
	if z.sum != nil {
		z.sum.Write(fresh)
	}
	switch {
	case errors.Is(err, io.EOF):
		return z.end()
	case err == nil && used == 0 && len(fresh) == 0:
		return z.need(len(src) + 1)
	}
	return err
}

// need reads until the input's buffer has n bytes.
func (z *Reader) need(n int) error {
	_, err := z.in.Peek(n)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// discard skips n bytes in the input's buffer.
func (z *Reader) discard(n int) {
	_, _ = z.in.Discard(n) // buffered bytes are always available
	z.offset += int64(n)
}

// take returns the next n bytes of the input, at most minInput. They are valid until the next call.
func (z *Reader) take(n int) ([]byte, error) {
	if err := z.need(n); err != nil {
		return nil, err
	}
	b, _ := z.in.Peek(n) // it is buffered now
	z.discard(n)
	return b, nil
}
