package zstd

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	// maxWrongBits is the number of bits in which the ID of a frame's dictionary may differ from that of the given one.
	maxWrongBits = 2

	frameMagic = 0xFD2FB528 // RFC 8878 section 3.1.1
	minHeader  = 5          // magic number and descriptor, in bytes
)

// frame is the content of a frame's header (RFC 8878 section 3.1.1.1).
type frame struct {
	window   int64 // largest distance of matches, in bytes
	blockMax int   // maximum bytes of a block, compressed or decoded
	content  int64 // decoded bytes of the frame; -1 if unknown
	checksum bool
	id       uint32 // of the dictionary; 0 if unknown
}

// header reads a frame's header. If src does not hold all of it, it returns false and uses nothing.
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
	// A wrong bit may have changed either ID. The checksum then proves the decoded data.
	d.guessed = d.dictionary != nil && d.frame.checksum && id != 0 && d.dictionary.id != 0 && id != d.dictionary.id &&
		bits.OnesCount32(id^d.dictionary.id) <= maxWrongBits
	if d.guessed {
		id = d.dictionary.id
	}
	return true, d.block.reset(d.dictionary, id)
}

// frameHeader reads the fields after the descriptor, which fill b exactly.
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

// windowSize decodes a window descriptor (RFC 8878 section 3.1.1.1.2).
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
