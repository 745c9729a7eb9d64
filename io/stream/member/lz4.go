package member

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/pierrec/lz4/v4"
)

// lz4Magic begins an LZ4 frame (LZ4 Frame Format Description, version 1.6.1). Skippable frames are those of zstd.
const lz4Magic = 0x184D2204

func isLZ4(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b) == lz4Magic
}

// lz4Decoder decodes LZ4 frames one by one.
type lz4Decoder struct {
	in    *input
	dec   *lz4.Reader
	frame lz4Frame
	ended error
}

func newLZ4Decoder(in *input) *lz4Decoder {
	d := &lz4Decoder{in: in, frame: lz4Frame{in: in}}
	d.dec = lz4.NewReader(&d.frame)
	return d
}

func (d *lz4Decoder) gap() (int64, error) { return skipStructure(d.in) }

func (d *lz4Decoder) open() bool {
	if !isLZ4(d.in.peek(4)) {
		return false
	}
	// A new frame with zero counts; the decoder keeps its tables.
	d.frame = lz4Frame{in: d.in}
	d.ended = nil
	d.dec.Reset(&d.frame)
	return true
}

func (d *lz4Decoder) append(dst []byte) ([]byte, error) {
	if d.ended != nil {
		return dst, d.ended
	}
	n, err := d.dec.Read(dst[len(dst):cap(dst)])
	dst = dst[:len(dst)+n]
	switch {
	case err == nil:
		return dst, nil
	// The frame is read to its end: err stays io.EOF.
	case err == io.EOF && d.frame.state == lz4End && d.frame.left == 0:
	// The decoder ends early where the file does.
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	// Only for the checksum of the content at the very end; a wrong checksum of a block is damage.
	case errors.Is(err, lz4.ErrInvalidFrameChecksum) && d.frame.state == lz4End && d.frame.left == 0:
		err = ErrChecksum
	}
	d.ended = err
	return dst, err
}

const (
	lz4Header = iota
	lz4Block
	lz4Tail // the content checksum
	lz4End
)

// lz4Frame reads exactly one frame's bytes, so that the decoder cannot read into the next one.
type lz4Frame struct {
	in                    *input
	left                  int64
	state                 uint8
	blockSums, contentSum bool
}

var errLZ4 = errors.New("lz4: no frame header")

// Read returns pieces whose sizes come from the frame itself.
func (f *lz4Frame) Read(p []byte) (int, error) {
	for f.left == 0 {
		if f.state == lz4End {
			return 0, io.EOF
		}
		if err := f.advance(); err != nil {
			return 0, err
		}
	}
	n := f.in.read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	if n == 0 && len(p) > 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

// advance sizes the next piece without consuming it.
func (f *lz4Frame) advance() error {
	switch f.state {
	case lz4Header:
		return f.header()
	case lz4Block:
		return f.block()
	// The frame's content checksum, four bytes, if the header has its flag.
	default:
		f.state = lz4End
		if f.contentSum {
			f.left = 4
		}
		return nil
	}
}

func (f *lz4Frame) header() error {
	h := f.in.peek(5)
	if len(h) < 5 {
		return io.ErrUnexpectedEOF
	}
	flags := h[4]
	// Version 1, the only one there is (bits 6 and 7).
	if flags>>6 != 1 {
		return errLZ4
	}
	// Magic 4, flags 1, block descriptor 1, header checksum 1.
	f.left, f.state = 7, lz4Block
	if flags&8 != 0 { // content size
		f.left += 8
	}
	if flags&1 != 0 { // dictionary id
		f.left += 4
	}
	f.blockSums, f.contentSum = flags&16 != 0, flags&4 != 0
	return nil
}

func (f *lz4Frame) block() error {
	h := f.in.peek(4)
	if len(h) < 4 {
		return io.ErrUnexpectedEOF
	}
	// The highest bit marks an uncompressed block.
	size := int64(binary.LittleEndian.Uint32(h) &^ (1 << 31))
	f.left = 4 + size
	// A size of zero ends the blocks, without a checksum.
	if size == 0 {
		f.state = lz4Tail
	} else if f.blockSums {
		f.left += 4
	}
	return nil
}
