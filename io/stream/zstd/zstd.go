// Package zstd decodes zstd frames (RFC 8878).
//
// A [Decoder] decodes from one slice into another, which suits a reader of archives. Frames of some kilobytes are in
// one buffer and go to one window without further copies. A [Dictionary] may be raw or have tables. Content checksums
// are compared. There is no encoder, and the caller handles skippable frames.
//
//	d := zstd.NewDecoder(zstd.Options{})
//	d.Reset()
//	out, used, err := d.Decode(make([]byte, 0, 1<<20), frame)
//	if err == io.EOF {
//		// out is complete, and frame[used:] follows it
//	}
//
// The package refuses everything that the RFC calls invalid. A frame that does not name its dictionary may refer to the
// given one, as in the reference decoder.
//
// Literals are decoded four streams at a time. Sequences are executed as they are decoded, with copies that may write
// past their end. That takes pointers without bounds checks, all of them in fast.go and, for amd64, in literals_amd64.s
// and sequences_amd64.s. Near the ends of the buffers and streams, and everywhere with the build tag purego, huffman.go
// and careful.go decode instead.
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
	ErrChecksum   = errors.New("zstd: wrong checksum")          // everything else in the frame is right
	ErrWindow     = errors.New("zstd: window over the limit")   // of Options.MaxWindow
	ErrDictionary = errors.New("zstd: no such dictionary here") // the frame needs another one
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

// maxBlock is the maximum size of a block in bytes, compressed or decoded (RFC 8878 section 3.1.1.2.4).
const maxBlock = 128 << 10

// Options are the options of a Decoder; the zero value has defaults.
type Options struct {
	MaxWindow  int64       // limit of the bytes that a frame may need as history; 8 MiB, as the RFC recommends
	Dictionary *Dictionary // to which frames may refer; none
}

// state is the position of a Decoder in the frame.
type state uint8

const (
	inHeader state = iota
	inBlockHeader
	inRaw        // a raw block, with left remaining bytes
	inRLE        // a block of left times one byte
	inCompressed // a compressed block of left bytes, all unused
	inTrailer
)

// Decoder decodes one frame at a time. [NewDecoder] makes one. It holds about 150 KiB, is not safe for concurrent use,
// and keeps no reference to its arguments.
type Decoder struct {
	maxWindow  int64
	dictionary *Dictionary

	state state
	need  int
	err   error // that ended the frame
	frame frame
	made  int64 // decoded bytes of the frame
	hash  xxhash.Digest

	guessed bool // the frame names another dictionary, by some wrong bits

	last  bool // the block is the frame's last one
	left  int
	room  int  // maximum of the bytes that the block still decodes to
	begun bool // the block's sections have been read
	block block
}

// NewDecoder returns a Decoder that is ready for a frame.
func NewDecoder(o Options) *Decoder {
	d := &Decoder{maxWindow: cmp.Or(o.MaxWindow, 8<<20), dictionary: o.Dictionary}
	d.Reset()
	return d
}

// Reset begins a new frame, and drops the previous one.
func (d *Decoder) Reset() {
	d.state, d.need, d.err = inHeader, minHeader, nil
	d.frame, d.made = frame{}, 0
	d.begun = false
}

// Need returns the number of bytes that src must have for Decode to continue: 128 KiB at most.
func (d *Decoder) Need() int { return d.need }

// Window returns the number of earlier bytes that Decode needs at the end of dst. It is 0 before the frame's header has
// been decoded.
func (d *Decoder) Window() int { return int(d.frame.window) }

// Checked reports whether the frame has a checksum, once its header has been decoded.
func (d *Decoder) Checked() bool { return d.frame.checksum }

// Decode continues the frame. It appends to dst within its capacity, and returns the longer slice and the number of
// used bytes of src. The error is
//
//   - io.EOF at the end of the frame; src[used:] follows it;
//   - nil when dst is full, or when src has less than [Decoder.Need] bytes. Call again with room in dst, and with
//     src[used:] and the bytes after it;
//   - one of the kinds of this package when the frame is invalid. The slice has the bytes before the fault, and
//     src[:used] has the faulty block. The frame cannot be decoded further.
//
// Matches are copied from the end of dst. So at the next call, dst must end with the bytes that this Decoder appended
// last, as many as [Decoder.Window] returns. If less was appended since Reset, it must end with all of it. They may be
// in another buffer. Otherwise the output is wrong or the error is ErrCorrupt. Decode may overwrite bytes between the
// end of the returned slice and its capacity, but no other memory.
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

// cursor is the progress of a call of Decode.
type cursor struct {
	dst []byte // decoded so far; never reallocated
	low int    // start of the frame in dst, as far as it is there
	src []byte
	pos int // in src

	from  int // start of the part of dst that Decoder.made does not count yet
	limit int // latest end of the block in dst
}

// has reports whether there are n bytes in src, and sets Need to n.
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

// endBlock continues after a block.
func (d *Decoder) endBlock() {
	d.state = inBlockHeader
	if d.last {
		d.state = inTrailer
	}
}

// raw copies the rest of a raw block. It returns false if dst or src is too short.
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

// rle repeats the byte of an RLE block. It returns false if dst or src is too short.
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

// compressed decodes the rest of a compressed block. It returns false if dst or src is too short.
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
