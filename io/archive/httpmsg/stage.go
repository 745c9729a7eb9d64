package httpmsg

import (
	"bufio"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// maxZstdWindow is how far back a zstd stream may refer: RFC 9659 section 3 allows 8 MB to the content coding.
// A frame that asks for more fails, before its window is allotted.
const maxZstdWindow = 8 << 20

// Decoders are reused: each holds tables and a window of 32 KiB to 16 MiB.
var (
	gzipPool   = sync.Pool{New: func() any { return inflate.NewReader(eof{}, inflate.Gzip) }}
	zlibPool   = sync.Pool{New: func() any { return inflate.NewReader(eof{}, inflate.Zlib) }}
	rawPool    = sync.Pool{New: func() any { return inflate.NewReader(eof{}, inflate.Raw) }}
	brotliPool = sync.Pool{New: func() any { return brotli.NewReader(eof{}) }}
	zstdPool   = sync.Pool{New: func() any { return mustZstd() }}
)

// eof is an empty stream.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }
func (eof) ReadByte() (byte, error)  { return 0, io.EOF }

func mustZstd() *zstd.Decoder {
	// Concurrency 1: each worker decodes by itself, and a pooled decoder must not keep goroutines.
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
		return inflated(&gzipPool, in)
	case codingDeflate:
		return inflated(&zlibPool, in)
	case codingBrotli:
		b := brotliPool.Get().(*brotli.Reader)
		err := b.Reset(in)
		// A Reset that fails puts the decoder back all the same: the next Reset starts it again.
		return stage{orError(b, err), in, func() { brotliPool.Put(b) }}
	case codingZstd:
		z := zstdPool.Get().(*zstd.Decoder)
		err := z.Reset(in)
		return stage{orError(z, err), in, func() { zstdPool.Put(z) }}
	}
	// Only deflate without a wrapper remains; sniff gives no other coding.
	return inflated(&rawPool, in)
}

// inflated reads a deflate stream in the wrapper of the pool's readers. What follows its end is left unread.
func inflated(pool *sync.Pool, in *bufio.Reader) stage {
	z := pool.Get().(*inflate.Reader)
	z.Reset(in)
	return stage{z, in, func() { pool.Put(z) }}
}

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
