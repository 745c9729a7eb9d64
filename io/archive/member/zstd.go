package member

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

const (
	frameMagic      = 0xFD2FB528 // RFC 8878, section 3.1.1
	skippableMagic  = 0x184D2A50 // to …5F, section 3.1.2
	dictionaryFrame = 0x184D2A5D // the WARC zstd convention: the first frame may hold the dictionary

	// maxDictionary bounds a dictionary in bytes: archives use some 100 kB.
	maxDictionary = 16 << 20
)

func isFrame(b []byte) bool {
	// Skippable frames share 28 of the 32 bits.
	return len(b) >= 4 && binary.LittleEndian.Uint32(b) == frameMagic
}

func isSkippable(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b)&^0xf == skippableMagic
}

// zstdDecoder decodes zstd frames one by one, straight into the caller's window.
type zstdDecoder struct {
	in    *input
	dec   *zstd.Decoder
	ended error // what append returns once the frame is through
}

func newZstdDecoder(src io.ReaderAt, in *input, size, maxWindow int64) (*zstdDecoder, error) {
	// A dictionary is read whichever part of the file is read: frames anywhere may need it.
	content, err := dictionary(src, size)
	if err != nil {
		return nil, err
	}
	dict, err := zstd.ParseDictionary(content)
	if err != nil {
		dict = nil // the frames that need it will not decode
	}
	return &zstdDecoder{in: in, dec: zstd.NewDecoder(zstd.Options{MaxWindow: maxWindow, Dictionary: dict})}, nil
}

// plainZstdDecoder decodes frames that need no dictionary.
func plainZstdDecoder(in *input, maxWindow int64) *zstdDecoder {
	return &zstdDecoder{in: in, dec: zstd.NewDecoder(zstd.Options{MaxWindow: maxWindow})}
}

// dictionary reads the dictionary frame that may stand at the file's start, itself compressed or not. One that is cut,
// damaged or over the limit is as none; an error is the file's own.
func dictionary(src io.ReaderAt, size int64) ([]byte, error) {
	var h [8]byte
	// Fewer than eight bytes are no error: so short a file has none.
	if n, err := src.ReadAt(h[:], 0); n < len(h) || binary.LittleEndian.Uint32(h[:]) != dictionaryFrame {
		if err != nil && err != io.EOF {
			return nil, err
		}
		return nil, nil
	}
	n := int64(binary.LittleEndian.Uint32(h[4:]))
	// A length that the file contradicts: then it is no dictionary.
	if n > maxDictionary || n > size-8 {
		return nil, nil
	}
	raw := make([]byte, n)
	if k, err := src.ReadAt(raw, 8); int64(k) < n {
		return nil, fmt.Errorf("reading the zstd dictionary: %w", err)
	}
	d, err := ParseDictionary(bytes.NewReader(raw))
	if err != nil {
		return nil, nil // not an error of the file
	}
	return d, nil
}

// ParseDictionary reads the content of a dictionary frame: a dictionary, or a zstd frame that holds one.
func ParseDictionary(r io.Reader) ([]byte, error) {
	// One byte more, so that a raw dictionary over the limit can be told by its length.
	raw, err := io.ReadAll(io.LimitReader(r, maxDictionary+1))
	if err != nil {
		return nil, err
	}
	// The convention allows a dictionary that is stored as it is.
	if !isFrame(raw) {
		return raw, nil
	}
	return decompress(raw)
}

// decompress decodes a frame of maxDictionary bytes at most.
func decompress(frame []byte) (out []byte, err error) {
	d := zstd.NewDecoder(zstd.Options{MaxWindow: maxDictionary})
	for err == nil {
		// It grows from four times the frame, doubling, up to the limit.
		size := min(max(2*len(out), 4*len(frame)), maxDictionary)
		if len(out) == cap(out) && size == len(out) {
			return nil, fmt.Errorf("zstd dictionary: over %d bytes", maxDictionary)
		}
		// Copied, because the decoder looks back at what it has made.
		out = append(make([]byte, 0, size), out...)
		var used int
		out, used, err = d.Decode(out, frame)
		frame = frame[used:]
		if err == nil && len(out) < cap(out) {
			err = io.ErrUnexpectedEOF
		}
	}
	if err != io.EOF {
		return nil, fmt.Errorf("zstd dictionary: %w", err)
	}
	return out, nil
}

func (d *zstdDecoder) gap() (int64, error) { return skipStructure(d.in) }

// skipStructure goes over zeros, or over one skippable frame, and returns how many bytes that were.
func skipStructure(in *input) (int64, error) {
	// Zeros first, then one frame at a time, so that the caller can look between them.
	n, err := skipZeros(in)
	if n > 0 || err != nil {
		return n, err
	}
	h := in.peek(8)
	if len(h) < 8 || !isSkippable(h) {
		return 0, in.err()
	}
	// A length that leads beyond the file ends at the file.
	length := min(8+int64(binary.LittleEndian.Uint32(h[4:])), in.size-in.pos())
	in.skip(length)
	return length, nil
}

func (d *zstdDecoder) open() bool {
	if !isFrame(d.in.peek(4)) {
		return false
	}
	d.dec.Reset()
	d.ended = nil
	return true
}

func (d *zstdDecoder) append(dst []byte) ([]byte, error) {
	if d.ended != nil {
		return dst, d.ended
	}
	// Need tells how much the next step takes as a whole: a header or a block.
	src := d.in.peek(d.dec.Need())
	if len(src) < d.dec.Need() {
		d.in.advance(len(src))
		d.ended = io.ErrUnexpectedEOF
		return dst, d.ended
	}
	// dst holds what matches look back at, as far as the window.
	out, used, err := d.dec.Decode(dst, src)
	d.in.advance(used)
	// The reader knows one error for all kinds.
	if err == zstd.ErrChecksum {
		err = ErrChecksum
	}
	d.ended = err
	return out, err
}
