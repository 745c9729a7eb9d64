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

// ErrChecksum says that what was decoded is not what was encoded.
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
	// inputSize is how much is read from the input at a time, outputSize how much is decoded at a time.
	inputSize  = 64 << 10
	outputSize = 64 << 10
	// minInput is more than a block's header can be long, which must be seen whole.
	minInput = 1 << 10
)

// Reader decodes what it reads from another reader. It holds buffers of 160 KiB, and is not safe for concurrent use.
//
// Of a [Zlib] or [Gzip] stream the checksums are compared. The members of a gzip stream are joined; what follows the
// last and does not begin with the magic bytes of another is not read. A preset dictionary is refused.
//
// A [*bufio.Reader] with a buffer of 1 KiB or more is not read beyond the stream's end. Of other readers up to 64 KiB
// more may have been read.
type Reader struct {
	format Format
	in     *bufio.Reader
	own    *bufio.Reader // nil until it is needed
	offset int64         // of in, from where it was given

	decoder  Decoder
	inStream bool        // after the wrapper's header
	sum      hash.Hash32 // of the header, then of what is decoded; nil for Raw
	size     uint32      // of what is decoded, modulo 1<<32

	buf  []byte // what was decoded last
	read int    // how much of it was handed out
	err  error  // what comes then
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

// Reset begins to read the stream in r, of the same format. The buffers are kept.
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

// Read returns what follows of the decoded stream. After its end, and that of the wrapper, the error is io.EOF.
// Otherwise it is of kind [ErrCorrupt], [ErrChecksum] or io.ErrUnexpectedEOF, or what the input returned, and tells
// where that was. All that was decoded before is returned first.
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

// next decodes some more, when all of the buffer has been handed out.
func (z *Reader) next() error {
	if !z.inStream {
		return z.begin()
	}
	if cap(z.buf)-len(z.buf) < windowSize {
		n := copy(z.buf, z.buf[len(z.buf)-windowSize:])
		z.buf, z.read = z.buf[:n], n
	}
	src, _ := z.in.Peek(z.in.Buffered()) // what is buffered can always be had
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

// need reads until there are n bytes in the input's buffer.
func (z *Reader) need(n int) error {
	_, err := z.in.Peek(n)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// discard goes on by n bytes that are in the input's buffer.
func (z *Reader) discard(n int) {
	_, _ = z.in.Discard(n) // what is buffered can always be had
	z.offset += int64(n)
}

// take returns the next n bytes of the input, at most minInput. They are valid until the next call.
func (z *Reader) take(n int) ([]byte, error) {
	if err := z.need(n); err != nil {
		return nil, err
	}
	b, _ := z.in.Peek(n) // it is there now
	z.discard(n)
	return b, nil
}
