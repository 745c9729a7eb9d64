// Package zstd decodes zstd frames (RFC 8878).
//
// A [Decoder] decodes from one slice into another, which suits a reader of archives: frames of some kilobytes lie in
// one buffer and are wanted in one window, and nothing is copied in between. Dictionaries, raw or with tables, are in
// [Dictionary]. Content checksums are compared. There is no encoder, and skippable frames are left to the caller.
//
//	d := zstd.NewDecoder(zstd.Options{})
//	d.Reset()
//	out, used, err := d.Decode(make([]byte, 0, 1<<20), frame)
//	if err == io.EOF {
//		// out is all there is, and frame[used:] is what follows
//	}
//
// What the RFC calls invalid is refused. A frame that does not name its dictionary may refer to the one that is there,
// as the reference decoder has it too.
//
// Literals are decoded four streams at a time, and sequences are executed as they are decoded, with copies that may
// write past their end. That takes pointers without bounds checks, all of them in fast.go and, for amd64, in
// literals_amd64.s and sequences_amd64.s. Near the ends of the buffers and streams, and everywhere with the build tag
// purego, huffman.go and careful.go decode instead.
package zstd

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// The kinds of errors about a frame.
var (
	ErrCorrupt    = errors.New("zstd: corrupt frame")
	ErrChecksum   = errors.New("zstd: wrong checksum")          // all else of the frame is right
	ErrWindow     = errors.New("zstd: window over the limit")   // of Options.MaxWindow
	ErrDictionary = errors.New("zstd: no such dictionary here") // the frame asks for another one
)

var (
	errMagic      = fmt.Errorf("%w: no frame begins here", ErrCorrupt)
	errReserved   = fmt.Errorf("%w: reserved bit or block type", ErrCorrupt)
	errBlockSize  = fmt.Errorf("%w: block larger than the frame allows", ErrCorrupt)
	errContent    = fmt.Errorf("%w: content shorter than its size", ErrCorrupt)
	errShort      = fmt.Errorf("%w: section longer than its block", ErrCorrupt)
	errTable      = fmt.Errorf("%w: counts or weights make no table", ErrCorrupt)
	errNoTable    = fmt.Errorf("%w: a table is repeated that there is not", ErrCorrupt)
	errBits       = fmt.Errorf("%w: bits missing or left over", ErrCorrupt)
	errLiterals   = fmt.Errorf("%w: more literals are used than there are", ErrCorrupt)
	errDistance   = fmt.Errorf("%w: offset beyond the window or what was decoded", ErrCorrupt)
	errNoDistance = fmt.Errorf("%w: offset of 0", ErrCorrupt)
)

// maxBlock is the size in bytes that no block exceeds, compressed or decoded (RFC 8878 section 3.1.1.2.4).
const maxBlock = 128 << 10

// Options of a Decoder; the zero value has defaults.
type Options struct {
	MaxWindow  int64       // bytes that a frame may ask to be kept; 8 MiB, as the RFC recommends
	Dictionary *Dictionary // that frames may refer to; none
}

// state is what a Decoder is in front of, or in the middle of.
type state uint8

const (
	inHeader state = iota
	inBlockHeader
	inRaw        // a raw block, of which left bytes are to come
	inRLE        // a block of left times one byte
	inCompressed // a compressed block of left bytes, all of which are still to be used
	inTrailer
)

// Decoder decodes one frame at a time. [NewDecoder] makes one. It holds about 150 KiB, is not safe for concurrent use,
// and keeps no reference to the slices it is given.
type Decoder struct {
	maxWindow  int64
	dictionary *Dictionary

	state state
	need  int
	err   error // that ended the frame
	frame frame
	made  int64 // bytes decoded of the frame
	hash  xxhash.Digest

	guessed bool // the frame names another dictionary, by some wrong bits

	last  bool // the block is the frame's last one
	left  int
	room  int  // bytes that the block may still decode to
	begun bool // the block's sections have been read
	block block
}

// NewDecoder returns a Decoder that is ready for a frame.
func NewDecoder(o Options) *Decoder {
	d := &Decoder{maxWindow: cmp.Or(o.MaxWindow, 8<<20), dictionary: o.Dictionary}
	d.Reset()
	return d
}

// Reset begins a new frame. Nothing of the previous one is kept.
func (d *Decoder) Reset() {
	d.state, d.need, d.err = inHeader, minHeader, nil
	d.frame, d.made = frame{}, 0
	d.begun = false
}

// Need returns how many bytes src must have for Decode to go on: 128 KiB at most.
func (d *Decoder) Need() int { return d.need }

// Window returns how many of the bytes decoded last Decode wants to find at the end of dst, in bytes; 0 before the
// frame's header has been decoded.
func (d *Decoder) Window() int { return int(d.frame.window) }

// Checked reports whether the frame has a checksum, once its header has been decoded.
func (d *Decoder) Checked() bool { return d.frame.checksum }

// Decode goes on decoding the frame. It appends to dst within its capacity, and returns the longer slice and how many
// bytes of src it has used. The error is
//
//   - io.EOF at the end of the frame; src[used:] is what follows it;
//   - nil when dst is full, or when src has less than [Decoder.Need] bytes. Call again with room in dst, and with
//     src[used:] and what comes after it;
//   - one of the kinds of this package when the frame is invalid; what was decoded before the fault is in the slice,
//     and src[:used] has the faulty block. The frame cannot be decoded further.
//
// Matches are copied from the end of dst. So when Decode is called again, dst must end with the bytes that this Decoder
// appended last, as many as [Decoder.Window] says, or with everything since Reset if that is less. They may have been
// moved to another buffer. Otherwise the output is wrong or the error is ErrCorrupt. Bytes between the end of the
// returned slice and its capacity may be overwritten; no other memory is.
func (d *Decoder) Decode(dst, src []byte) (out []byte, used int, err error) {
	c := cursor{dst: dst, src: src, low: len(dst) - int(min(d.made, int64(len(dst))))}
	for more := true; more && d.err == nil; {
		c.from = len(c.dst)
		switch d.state {
		case inHeader:
			more, d.err = d.header(&c)
		case inBlockHeader:
			more, d.err = d.blockHeader(&c)
		case inRaw:
			more = d.raw(&c)
		case inRLE:
			more = d.rle(&c)
		case inCompressed:
			more, d.err = d.compressed(&c)
		case inTrailer:
			more, d.err = d.trailer(&c)
		}
		d.account(c.dst[c.from:])
	}
	return c.dst, c.pos, d.err
}

// cursor is how far a call of Decode has come.
type cursor struct {
	dst []byte // decoded so far; never reallocated
	low int    // where in dst the frame begins, as far as it is there
	src []byte
	pos int // in src

	from  int // where in dst that begins which is not in Decoder.made yet
	limit int // where in dst the block must end at the latest
}

// has reports whether there are n bytes in src, and asks for them when there are not.
func (d *Decoder) has(c *cursor, n int) bool {
	d.need = n
	return len(c.src)-c.pos >= n
}

func (d *Decoder) account(made []byte) {
	if len(made) == 0 {
		return
	}
	d.made += int64(len(made))
	d.room -= len(made)
	if d.frame.checksum {
		_, _ = d.hash.Write(made) // cannot fail
	}
}

// blockHeader reads the header of RFC 8878 section 3.1.1.2.
func (d *Decoder) blockHeader(c *cursor) (more bool, err error) {
	if !d.has(c, 3) {
		return false, nil
	}
	b := c.src[c.pos:]
	c.pos += 3
	v := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	d.last, d.left = v&1 != 0, v>>3
	d.room = d.frame.blockMax
	if size := d.frame.content; size >= 0 {
		d.room = int(min(int64(d.room), size-d.made))
	}
	limit := d.room
	switch v >> 1 & 3 {
	case 0:
		d.state = inRaw
	case 1:
		d.state = inRLE
	case 2:
		d.state, limit = inCompressed, d.frame.blockMax
	default:
		return false, errReserved
	}
	if d.left > limit {
		return false, errBlockSize
	}
	return true, nil
}

// endBlock goes on after a block.
func (d *Decoder) endBlock() {
	d.state = inBlockHeader
	if d.last {
		d.state = inTrailer
	}
}

// raw copies the rest of a raw block. It returns false when dst or src does not suffice.
func (d *Decoder) raw(c *cursor) (more bool) {
	if d.left > 0 && !d.has(c, 1) {
		return false
	}
	n := min(d.left, cap(c.dst)-len(c.dst), len(c.src)-c.pos)
	c.dst = append(c.dst, c.src[c.pos:c.pos+n]...)
	c.pos += n
	d.left -= n
	if d.left > 0 {
		return len(c.dst) < cap(c.dst)
	}
	d.endBlock()
	return true
}

// rle repeats the byte of an RLE block. It returns false when dst or src does not suffice.
func (d *Decoder) rle(c *cursor) (more bool) {
	if !d.has(c, 1) {
		return false
	}
	n := min(d.left, cap(c.dst)-len(c.dst))
	end := len(c.dst)
	c.dst = c.dst[:end+n]
	repeatByte(c.dst[end:], c.src[c.pos])
	d.left -= n
	if d.left > 0 {
		return false
	}
	c.pos++
	d.endBlock()
	return true
}

func repeatByte(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// compressed decodes the rest of a compressed block. It returns false when dst or src does not suffice.
func (d *Decoder) compressed(c *cursor) (more bool, err error) {
	if !d.has(c, d.left) {
		return false, nil
	}
	src := c.src[c.pos : c.pos+d.left]
	if !d.begun {
		err = d.block.begin(src, d.frame.blockMax)
	}
	if err == nil {
		d.begun = true
		c.limit = c.from + d.room
		more, err = d.execute(c, src)
	}
	if more || err != nil {
		c.pos += d.left
		d.begun = false
		d.endBlock()
	}
	return more, err
}

// trailer compares the content's size and checksum, and returns io.EOF.
func (d *Decoder) trailer(c *cursor) (more bool, err error) {
	if d.frame.content > d.made {
		return false, errContent
	}
	if !d.frame.checksum {
		return false, io.EOF
	}
	if !d.has(c, 4) {
		return false, nil
	}
	sum := binary.LittleEndian.Uint32(c.src[c.pos:])
	c.pos += 4
	if sum != uint32(d.hash.Sum64()) {
		if d.guessed { // then it was another one after all
			return false, ErrDictionary
		}
		return false, ErrChecksum
	}
	return false, io.EOF
}
