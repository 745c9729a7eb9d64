package dump

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// Compression is how a file of lines is compressed; it is recognised by the first bytes.
type compression uint8

const (
	plain compression = iota
	zlibbed
	gzipped
	zstdFrames
)

const (
	headBytes = 64 << 10 // of a file, to tell its format by
	// maxWindow bounds the memory that a zstd frame can ask for; the zstd command grants 8 MiB up to its level 19.
	maxWindow = 64 << 20
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// told returns how a file is compressed that begins with head. Two bytes are enough for gzip here: other content fails
// when it is read.
func told(head []byte) compression {
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return gzipped
	case bytes.HasPrefix(head, zstdMagic):
		return zstdFrames
	case IsZlib(head):
		return zlibbed
	}
	return plain
}

// IsZlib reports whether head begins a zlib stream (RFC 1950, section 2.2) without a dictionary. Two letters of a text
// can look like the header, as "80" does; so what follows has to decode.
func IsZlib(head []byte) bool {
	// Method 8, a window of at most 32 KiB, no preset dictionary, and the check bits of the two bytes together.
	if len(head) < 2 || head[0]&0x0f != 8 || head[0]>>4 > 7 || head[1]&0x20 != 0 ||
		(int(head[0])<<8|int(head[1]))%31 != 0 {
		return false
	}
	var d inflate.Decoder
	// A head that is cut decodes without an error as far as it goes.
	out, _, err := d.Decode(make([]byte, 0, 4<<10), head[2:])
	return err == io.EOF || err == nil && len(out) > 0 && len(head) >= minZlib
}

// minZlib is how many bytes of a stream that is not whole have to decode: in so many bytes of text, some match refers
// to what precedes the beginning.
const minZlib = 32

// Head returns the first decompressed bytes of a file, for detecting its format: those for formats of lines, of which
// any compression is decoded, and those for formats that are Whole, of which only zlib is.
func Head(src io.ReaderAt, size int64) (lines, whole []byte, err error) {
	// A ReaderAt may give io.EOF with the last bytes.
	raw := make([]byte, min(size, headBytes))
	n, err := src.ReadAt(raw, 0)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	raw = raw[:n]
	kind := told(raw)
	if kind == plain {
		return raw, raw, nil
	}
	r, err := decompress(bufio.NewReader(bytes.NewReader(raw)), kind)
	// What looks compressed and is not: only its raw form can be tried.
	if err != nil {
		return nil, raw, nil
	}
	lines = make([]byte, headBytes)
	n, _ = io.ReadFull(r, lines) // the head is cut, so an error is expected
	if lines = lines[:n]; kind == zlibbed {
		return lines, lines, nil
	}
	// Formats of whole files undo gzip and zstd themselves, or are recognised by these.
	return lines, raw, nil
}

// decompress returns a reader of what in decompresses to.
func decompress(in *bufio.Reader, kind compression) (io.Reader, error) {
	switch kind {
	case zlibbed:
		return &zlibReader{in: in, z: inflate.NewReader(in, inflate.Zlib)}, nil
	case gzipped:
		return inflate.NewReader(in, inflate.Gzip), nil
	case zstdFrames:
		// One goroutine and little memory: many files may be read at the same time.
		return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
	}
	return in, nil
}

// zlibReader reads zlib streams that stand one after the other: files of them can be joined, as those of gzip can.
type zlibReader struct {
	in *bufio.Reader
	z  *inflate.Reader
}

// Read reads from the stream, or the next one.
func (r *zlibReader) Read(p []byte) (int, error) {
	for {
		n, err := r.z.Read(p)
		// io.EOF of one stream may be the beginning of the next.
		if n > 0 || err != io.EOF {
			return n, err
		}
		next, err := r.in.Peek(2)
		// Nothing after it: the end, or why no more can be read.
		if len(next) == 0 {
			return 0, endOf(err)
		}
		r.z.Reset(r.in)
	}
}

// endOf is io.EOF, or the error of the source.
func endOf(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.EOF
	}
	return err
}
