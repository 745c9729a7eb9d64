package parquetscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

// The compressions of pages. Gleaner writes zstd, Spark snappy or zstd, others gzip. LZO, LZ4 and Brotli are
// ErrUnsupported.
const (
	// CompressionCodec of parquet.thrift.
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecZstd   = 6
)

// Pooled, because a decoder has large tables; MaxWindow limits what a hostile frame can allocate.
var zstdDecoders = sync.Pool{New: func() any { return zstd.NewDecoder(zstd.Options{MaxWindow: maxPage}) }}

// slack is additional room in the buffer, with which the zstd decoder is faster.
const slack = 64

// decompress returns the decompressed page b, in buffer if that is large enough. The stated size must be below maxPage;
// a page of another size is ErrFormat.
func decompress(buffer, b []byte, codec int64, size int) ([]byte, error) {
	// Used in place: the window is valid until the next call of bytes.
	if codec == codecNone {
		return b, sized(b, size)
	}
	if cap(buffer) < size+slack {
		buffer = make([]byte, 0, size+slack)
	}
	buffer = buffer[:0]
	switch codec {
	case codecZstd:
		d := zstdDecoders.Get().(*zstd.Decoder)
		defer zstdDecoders.Put(d)
		d.Reset()
		out, _, err := d.Decode(buffer, b)
		// io.EOF is the end of the frame; otherwise the frame is truncated or exceeds the buffer.
		if !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%w: page: %w", ErrFormat, errors.Join(err, errors.New("zstd frame")))
		}
		return out, sized(out, size)
	case codecSnappy:
		// Asked first, since Decode would allocate what the bytes say.
		if n, err := snappy.DecodedLen(b); err != nil || n != size {
			return nil, fmt.Errorf("%w: a snappy page of another size", ErrFormat)
		}
		out, err := snappy.Decode(buffer[:size], b)
		if err != nil {
			return nil, fmt.Errorf("%w: page: %w", ErrFormat, err)
		}
		return out, nil
	case codecGzip:
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("%w: page: %w", ErrFormat, err)
		}
		out := buffer[:size]
		// Exactly size bytes: the rest of the stream is not decompressed.
		if _, err := io.ReadFull(z, out); err != nil {
			return nil, fmt.Errorf("%w: page: %w", ErrFormat, err)
		}
		return out, nil
	}
	return nil, fmt.Errorf("%w: compression %d", ErrUnsupported, codec)
}

func sized(b []byte, size int) error {
	if len(b) != size {
		return fmt.Errorf("%w: a page of %d bytes, not %d", ErrFormat, len(b), size)
	}
	return nil
}
