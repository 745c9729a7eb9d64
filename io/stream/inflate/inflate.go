// Package inflate decodes deflate streams (RFC 1951), bare or in the wrappers of zlib (RFC 1950) and gzip (RFC 1952).
//
// A [Decoder] decodes from one slice into another, which suits a reader of archives. Members of some kilobytes are in
// one buffer and go to one window without further copies. A [Reader] does the same for an io.Reader. Both accept and
// refuse the same streams as compress/flate, in less than a third of its time. There is no encoder, and no preset
// dictionary.
//
//	var d inflate.Decoder
//	d.Reset()
//	out, used, err := d.Decode(make([]byte, 0, 1<<20), stream)
//	if err == io.EOF {
//		// out is complete, and stream[used:] follows it
//	}
//
// The decoder reads ahead 56 bits and more at a time. It finds a symbol and its extra bits with one table access, and
// copies matches in chunks that may write past their end. That takes pointers without bounds checks, all of them in
// fast.go and, for amd64, fast_amd64.s. Near the ends of the buffers, and everywhere with the build tag purego,
// careful.go decodes instead.
package inflate

import (
	"errors"
	"fmt"
	"io"
)

// ErrCorrupt is the kind of all errors about an invalid stream or wrapper.
var ErrCorrupt = errors.New("inflate: corrupt stream")

var (
	errBlockType = fmt.Errorf("%w: unknown block type", ErrCorrupt)
	errStored    = fmt.Errorf("%w: stored length and its complement differ", ErrCorrupt)
	errCount     = fmt.Errorf("%w: too many codes", ErrCorrupt)
	errLengths   = fmt.Errorf("%w: code lengths make no code", ErrCorrupt)
	errRepeat    = fmt.Errorf("%w: repeated code length without a place", ErrCorrupt)
	errSymbol    = fmt.Errorf("%w: bits that are no code", ErrCorrupt)
	errDistance  = fmt.Errorf("%w: distance beyond what was decoded", ErrCorrupt)
)

// windowSize is the largest distance of a match (RFC 1951 section 2).
const windowSize = 32 << 10

// state is the position of a Decoder in the stream.
type state uint8

const (
	inHeader state = iota // at the beginning of a block
	inStored              // in a stored block, with length remaining bytes
	inCodes               // in a block of codes, before a symbol or in a match with length remaining bytes
	atEnd                 // after the final block
)

// Decoder decodes one deflate stream at a time. The zero value is ready for use. It holds 12 KiB of tables, is not safe
// for concurrent use, and keeps no reference to its arguments.
type Decoder struct {
	bits   uint64 // read and not yet used, the next one lowest
	n      uint   // number of bits; less than 8 between calls
	state  state
	final  bool // the block is the last one
	fixed  bool // the block uses the fixed codes
	length int  // remaining bytes of a stored block or of a match
	dist   int  // of the match
	window int  // bytes that a match can refer to; windowSize at most

	lengths [maxLitlen + maxDist]uint8
	precode [1 << precodeBits]entry
	dynamic tables
}

// Reset begins a new stream, and drops the previous one.
func (d *Decoder) Reset() {
	d.bits, d.n = 0, 0
	d.state = inHeader
	d.length, d.dist, d.window = 0, 0, 0
}

// Decode continues the stream. It appends to dst within its capacity, and returns the longer slice and the number of
// used bytes of src. The error is
//
//   - io.EOF at the end of the stream; src[used:] follows it;
//   - nil when dst is full, or when src ends within a symbol or a block's header. Call again with room in dst, and with
//     src[used:] and the bytes after it. The rest of src is then less than 1 KiB; with room in dst, a call without
//     progress needs more input;
//   - one of kind [ErrCorrupt] when the stream is invalid; the slice has the bytes before the fault.
//
// Matches are copied from the end of dst. So at the next call, dst must end with the 32 KiB that this Decoder appended
// last. If less was appended since Reset, it must end with all of it. They may be in another buffer. Otherwise the
// output is wrong or the error is ErrCorrupt. Decode may overwrite bytes between the end of the returned slice and its
// capacity, but no other memory.
func (d *Decoder) Decode(dst, src []byte) (out []byte, used int, err error) {
	return d.decode(dst, src, false)
}

func (d *Decoder) decode(dst, src []byte, oneBlock bool) (out []byte, used int, err error) {
	c := cursor{dst: dst, src: src, bits: d.bits, n: d.n, low: len(dst) - min(d.window, len(dst))}
	for more := true; more && err == nil; {
		switch d.state {
		case inHeader:
			more, err = d.header(&c)
		case inStored:
			more = d.stored(&c)
		case inCodes:
			more, err = d.codes(&c)
		case atEnd:
			err = io.EOF
		}
		if oneBlock && more && d.state == inHeader {
			break
		}
	}
	c.giveBack()
	d.bits, d.n = c.bits, c.n
	d.window = min(d.window+len(c.dst)-len(dst), windowSize)
	return c.dst, c.pos, err
}

// stored copies the rest of a stored block. It returns false if dst or src is too short.
func (d *Decoder) stored(c *cursor) (more bool) {
	n := min(d.length, cap(c.dst)-len(c.dst), len(c.src)-c.pos)
	c.dst = append(c.dst, c.src[c.pos:c.pos+n]...)
	c.pos += n
	d.length -= n
	if d.length > 0 {
		return false
	}
	d.endBlock()
	return true
}

func (d *Decoder) endBlock() {
	d.state = inHeader
	if d.final {
		d.state = atEnd
	}
}

// codes decodes the rest of a block of codes. It returns false if dst or src is too short.
func (d *Decoder) codes(c *cursor) (more bool, err error) {
	if err := d.copyMatch(c); err != nil || d.length > 0 {
		return false, err
	}
	t := &d.dynamic
	if d.fixed {
		t = fixedTables()
	}
	if err := t.fast(c); err != nil {
		return false, err
	}
	ended, err := d.careful(t, c)
	if ended {
		d.endBlock()
	}
	return ended, err
}

// copyMatch writes the rest of a match, as far as dst has room.
func (d *Decoder) copyMatch(c *cursor) error {
	for d.length > 0 && len(c.dst) < cap(c.dst) {
		end := len(c.dst)
		if d.dist > end-c.low {
			return errDistance
		}
		// A match may overlap its own output: then its first dist bytes are repeated.
		n := min(d.length, d.dist, cap(c.dst)-end)
		c.dst = append(c.dst, c.dst[end-d.dist:end-d.dist+n]...)
		d.length -= n
	}
	return nil
}
