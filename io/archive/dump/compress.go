package dump

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// compression is how a file of lines is compressed, by its first bytes.
type compression uint8

const (
	plain compression = iota
	zlibbed
	gzipped
	zstdFrames
)

const (
	headBytes = 64 << 10 // of a file, to detect its format
	// maxWindow limits the memory that a zstd frame can request; the zstd command needs 8 MiB up to its level 19.
	maxWindow = 64 << 20
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// told returns how a file that begins with head is compressed. Two bytes suffice for gzip: other content fails when it
// is read.
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

// IsZlib reports whether head begins a zlib stream (RFC 1950, section 2.2) without a dictionary. A text may begin with
// the same two bytes, for example "80", so what follows must decode.
func IsZlib(head []byte) bool {
	// Method 8, a window of at most 32 KiB, no preset dictionary, and the check bits of both bytes.
	if len(head) < 2 || head[0]&0x0f != 8 || head[0]>>4 > 7 || head[1]&0x20 != 0 ||
		(int(head[0])<<8|int(head[1]))%31 != 0 {
		return false
	}
	var d inflate.Decoder
	// A truncated head decodes without an error as far as it goes.
	out, _, err := d.Decode(make([]byte, 0, 4<<10), head[2:])
	return err == io.EOF || err == nil && len(out) > 0 && len(head) >= minZlib
}

// minZlib is how many bytes of an incomplete stream must decode: in that much text, some match refers to data before
// the beginning.
const minZlib = 32

// Head returns the first decompressed bytes of a file, for detecting its format. For formats of Lines it decodes any
// compression, for Whole formats only zlib.
func Head(src io.ReaderAt, size int64) (lines, whole []byte, err error) {
	// A ReaderAt may return io.EOF with the last bytes.
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
	// It only looks compressed, so only its raw form can be tried.
	if err != nil {
		return nil, raw, nil
	}
	lines = make([]byte, headBytes)
	n, _ = io.ReadFull(r, lines) // the head is truncated, so an error is expected
	if lines = lines[:n]; kind == zlibbed {
		return lines, lines, nil
	}
	// Formats of whole files undo gzip and zstd themselves, or are detected by them.
	return lines, raw, nil
}

func decompress(in *bufio.Reader, kind compression) (io.Reader, error) {
	switch kind {
	case zlibbed:
		return &zlibReader{in: in, z: inflate.NewReader(in, inflate.Zlib)}, nil
	case gzipped:
		return inflate.NewReader(in, inflate.Gzip), nil
	case zstdFrames:
		// One goroutine and little memory: many files may be read at once.
		return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
	}
	return in, nil
}

// zlibReader reads concatenated zlib streams.
type zlibReader struct {
	in *bufio.Reader
	z  *inflate.Reader
}

func (r *zlibReader) Read(p []byte) (int, error) {
	for {
		n, err := r.z.Read(p)
		// Another stream may follow.
		if n > 0 || err != io.EOF {
			return n, err
		}
		next, err := r.in.Peek(2)
		// The end, or an error of the source.
		if len(next) == 0 {
			return 0, endOf(err)
		}
		r.z.Reset(r.in)
	}
}

// endOf returns io.EOF, or the error of the source.
func endOf(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.EOF
	}
	return err
}
