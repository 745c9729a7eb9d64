package httpmsg

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// errSyntax is a compressed stream that is not what its format asks for.
var errSyntax = errors.New("httpmsg: damaged stream")

// maxZstdWindow is how far back a zstd stream may refer: RFC 9659 section 3 allows 8 MB to the content coding.
const maxZstdWindow = 8 << 20

// Decoders are reused: each holds tables and a window of 32 KiB to 16 MiB.
var (
	gzipPool   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	flatePool  = sync.Pool{New: func() any { return flate.NewReader(eof{}) }}
	brotliPool = sync.Pool{New: func() any { return brotli.NewReader(eof{}) }}
	zstdPool   = sync.Pool{New: func() any { return mustZstd() }}
)

// eof is an empty stream.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }
func (eof) ReadByte() (byte, error)  { return 0, io.EOF }

func mustZstd() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxZstdWindow), zstd.WithDecodeBuffersBelow(0))
	if err != nil {
		panic(fmt.Sprintf("httpmsg: options of zstd: %v", err)) // constants above: a programmer's mistake
	}
	return d
}

// stage undoes one coding.
type stage struct {
	io.Reader
	in      *bufio.Reader
	release func() // gives the decoder back; the stage must not be read afterwards
}

// open begins to undo coding. A stream that does not begin as the coding does fails when it is read.
func open(coding string, in *bufio.Reader) stage {
	switch coding {
	case codingGzip:
		z := gzipPool.Get().(*gzip.Reader)
		m := &members{in: in, z: z}
		m.next()
		return stage{m, in, func() { gzipPool.Put(z) }}
	case codingBrotli:
		b := brotliPool.Get().(*brotli.Reader)
		err := b.Reset(in)
		return stage{orError(b, err), in, func() { brotliPool.Put(b) }}
	case codingZstd:
		z := zstdPool.Get().(*zstd.Decoder)
		err := z.Reset(in)
		return stage{orError(z, err), in, func() { zstdPool.Put(z) }}
	}
	f := flatePool.Get().(io.ReadCloser)
	s := stage{f, in, func() { flatePool.Put(f) }}
	if coding == codingDeflate {
		w := &wrapped{in: in, r: f, sum: adler32.New()}
		_, w.err = in.Discard(zlibHeader)
		s.Reader = w
	}
	if err := f.(flate.Resetter).Reset(in, nil); err != nil {
		s.Reader = orError(nil, err)
	}
	return s
}

// zlibHeader is the length of a zlib header without a preset dictionary.
const zlibHeader = 2

// orError returns r, or a reader that fails with err when there is one.
func orError(r io.Reader, err error) io.Reader {
	if err != nil {
		return failing{err}
	}
	return r
}

// failing is a stream that cannot be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// members reads the members of a gzip stream one after the other (RFC 1952 section 2.2). What follows the last one and
// begins no other is left unread.
type members struct {
	in  *bufio.Reader
	z   *gzip.Reader
	err error
}

// next begins a member.
func (m *members) next() {
	m.err = m.z.Reset(m.in)
	if errors.Is(m.err, io.EOF) {
		m.err = io.ErrUnexpectedEOF
	}
	m.z.Multistream(false)
}

func (m *members) Read(p []byte) (n int, err error) {
	for n == 0 && m.err == nil {
		n, err = m.z.Read(p)
		m.err = err
		if !errors.Is(err, io.EOF) {
			break
		}
		magic, _ := m.in.Peek(len(magicGzip)) // fewer bytes begin no member, whatever the reason
		if hasMagic(magic, magicGzip) {
			m.next()
		}
	}
	return n, m.err
}

// wrapped reads the deflate stream inside a zlib wrapper and checks the wrapper's checksum.
type wrapped struct {
	in  *bufio.Reader
	r   io.Reader
	sum hash.Hash32
	err error
}

func (w *wrapped) Read(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.r.Read(p)
	w.sum.Write(p[:n])
	if errors.Is(err, io.EOF) {
		err = w.checksum()
	}
	w.err = err
	return n, err
}

// checksum returns io.EOF when the checksum in the stream is right.
func (w *wrapped) checksum() error {
	var want [4]byte
	if _, err := io.ReadFull(w.in, want[:]); err != nil {
		return fmt.Errorf("httpmsg: zlib checksum: %w", io.ErrUnexpectedEOF)
	}
	if binary.BigEndian.Uint32(want[:]) != w.sum.Sum32() {
		return fmt.Errorf("httpmsg: zlib checksum: %w", errSyntax)
	}
	return io.EOF
}
