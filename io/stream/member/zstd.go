package member

import (
	"encoding/binary"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

const (
	frameMagic     = 0xFD2FB528 // RFC 8878, section 3.1.1
	skippableMagic = 0x184D2A50 // to …5F, section 3.1.2
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
	ended error // result of append after the end of the frame
}

// newZstdDecoder makes a decoder with the dictionary at the file's beginning, and reports whether there is one.
func newZstdDecoder(src io.ReaderAt, in *input, size, maxWindow int64) (d *zstdDecoder, served bool, err error) {
	// The dictionary is read for any part of the file, since frames anywhere may need it.
	content, _, err := dictionary(src, 0, size)
	if err != nil {
		return nil, false, err
	}
	dict, err := zstd.ParseDictionary(content)
	if err != nil {
		dict = nil // the frames that need it will not decode
	}
	dec := zstd.NewDecoder(zstd.Options{MaxWindow: maxWindow, Dictionary: dict})
	return &zstdDecoder{in: in, dec: dec}, len(content) > 0, nil
}

// plainZstdDecoder decodes frames that need no dictionary.
func plainZstdDecoder(in *input, maxWindow int64) *zstdDecoder {
	return &zstdDecoder{in: in, dec: zstd.NewDecoder(zstd.Options{MaxWindow: maxWindow})}
}

func (d *zstdDecoder) gap() (int64, error) { return skipStructure(d.in) }

// skipStructure skips zeros, or one skippable frame, and returns the number of bytes.
func skipStructure(in *input) (int64, error) {
	// Zeros come first, then one frame at a time, so that the caller can look between them.
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
	// Need returns the size of the whole next step: a header or a block.
	src := d.in.peek(d.dec.Need())
	if len(src) < d.dec.Need() {
		d.in.advance(len(src))
		d.ended = io.ErrUnexpectedEOF
		return dst, d.ended
	}
	// dst holds the earlier bytes to which matches refer, up to the window.
	out, used, err := d.dec.Decode(dst, src)
	d.in.advance(used)
	// The reader has one error for all kinds.
	if err == zstd.ErrChecksum {
		err = ErrChecksum
	}
	d.ended = err
	return out, err
}
