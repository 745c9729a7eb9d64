package zstd

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	// maxWrongBits is in how many bits the ID of a frame's dictionary may differ from that of the one that is there.
	maxWrongBits = 2

	frameMagic = 0xFD2FB528 // RFC 8878 section 3.1.1
	minHeader  = 5          // magic number and descriptor, in bytes
)

// frame is what a frame's header says (RFC 8878 section 3.1.1.1).
type frame struct {
	window   int64 // bytes that matches may reach back
	blockMax int   // bytes that a block may have, compressed or decoded
	content  int64 // bytes that the frame decodes to; -1 when that is not said
	checksum bool
	id       uint32 // of the dictionary; 0 when that is not said
}

// header reads a frame's header. It returns false, with nothing used, when src does not hold all of it.
func (d *Decoder) header(c *cursor) (whole bool, err error) {
	if !d.has(c, minHeader) {
		return false, nil
	}
	b := c.src[c.pos:]
	if binary.LittleEndian.Uint32(b) != frameMagic {
		return false, errMagic
	}
	flags := b[4]
	single := flags>>5&1 != 0
	idSize := [4]int{0, 1, 2, 4}[flags&3]
	contentSize := [4]int{0, 2, 4, 8}[flags>>6]
	if single && contentSize == 0 {
		contentSize = 1
	}
	total := minHeader + idSize + contentSize
	if !single {
		total++
	}
	if !d.has(c, total) {
		return false, nil
	}
	if flags>>3&1 != 0 {
		return false, errReserved
	}
	d.frame = frameHeader(b[minHeader:total], single, idSize)
	d.frame.checksum = flags>>2&1 != 0
	if d.frame.window > d.maxWindow {
		return false, ErrWindow
	}
	if size := d.frame.content; size >= 0 {
		d.frame.window = min(d.frame.window, size) // no match can reach back further
	}
	c.pos += total
	d.hash.Reset()
	d.state = inBlockHeader
	id := d.frame.id
	// A wrong bit in either ID makes others of them: what was decoded is proven by its checksum.
	d.guessed = d.dictionary != nil && d.frame.checksum && id != 0 && d.dictionary.id != 0 && id != d.dictionary.id &&
		bits.OnesCount32(id^d.dictionary.id) <= maxWrongBits
	if d.guessed {
		id = d.dictionary.id
	}
	return true, d.block.reset(d.dictionary, id)
}

// frameHeader reads the fields after the descriptor, of which b has no more and no less.
func frameHeader(b []byte, single bool, idSize int) (f frame) {
	f.content = -1
	if !single {
		f.window = windowSize(b[0])
		b = b[1:]
	}
	f.id = uint32(littleEndian(b[:idSize]))
	b = b[idSize:]
	if len(b) > 0 {
		f.content = int64(min(littleEndian(b), math.MaxInt64))
	}
	if len(b) == 2 {
		f.content += 256
	}
	if single {
		f.window = f.content
	}
	f.blockMax = int(min(f.window, maxBlock))
	return f
}

// windowSize returns what a window descriptor says (RFC 8878 section 3.1.1.1.2).
func windowSize(descriptor byte) int64 {
	base := int64(1) << (10 + descriptor>>3)
	return base + base/8*int64(descriptor&7)
}

// littleEndian returns the number of up to 8 bytes.
func littleEndian(b []byte) (v uint64) {
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v
}
