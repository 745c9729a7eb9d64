package parquetscan

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// place is the position of a page: a PageLocation.
type place struct {
	off, size int64 // in the file, with its header
	row       int   // first row, in the row group
}

// maxIndex limits the indexes of a chunk, in bytes.
const maxIndex = 64 << 20

// section reads a range of the file, or returns nil if it is empty.
func (f *File) section(s section) ([]byte, error) {
	// Offset 0 is the magic, never an index.
	if s.off == 0 || s.n == 0 {
		return nil, nil
	}
	// f.size-s.n cannot overflow, but off+n could.
	if s.off < 0 || s.n < 0 || s.n > maxIndex || s.off > f.size-s.n {
		return nil, fmt.Errorf("%w: an index outside of the file", ErrFormat)
	}
	b := make([]byte, s.n)
	return b, f.read(b, s.off)
}

// places reads the positions of a chunk's pages: its OffsetIndex, or nil.
func (f *File) places(c *chunk) ([]place, error) {
	b, err := f.section(c.offsetIndex)
	if b == nil || err != nil {
		return nil, err
	}
	var list []place
	d := decoder{b: b}
	d.fields(func(id int, kind byte) bool {
		if id != 1 || kind != thriftList {
			return false
		}
		// Grows with the data; list has checked the stated length.
		d.structs(func(int) { list = append(list, parsePlace(&d)) })
		return true
	})
	if d.err != nil {
		return nil, d.err
	}
	for i, p := range list {
		// Pages must be in order, by rows and bytes, and inside the chunk: seek and stretch use a binary search.
		first := i == 0 && p.row != 0
		if first || i > 0 && (p.row <= list[i-1].row || p.off < list[i-1].off+list[i-1].size) ||
			p.row >= c.rows || p.off < c.data || p.size <= 0 || p.size > c.end-p.off {
			return nil, fmt.Errorf("%w: the index of column %s has odd places", ErrFormat, c.leaf.path)
		}
	}
	return list, nil
}

func parsePlace(d *decoder) (p place) {
	d.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI64:
			p.off = d.int()
		case id == 2 && kind == thriftI32:
			p.size = d.int()
		case id == 3 && kind == thriftI64:
			p.row = int(d.int())
		default:
			return false
		}
		return true
	})
	return p
}

// bounds are the bounds of a page.
type bounds struct {
	min, max []byte // plain values; for long texts min may be lower and max higher than any value
	null     bool   // there are no values
}

// bounds reads the bounds of a chunk's pages: its ColumnIndex, or nil.
func (f *File) bounds(c *chunk, pages int) ([]bounds, error) {
	b, err := f.section(c.columnIndex)
	if b == nil || err != nil {
		return nil, err
	}
	// As many as in the OffsetIndex, which was checked.
	list := make([]bounds, pages)
	d := decoder{b: b}
	each := func(want byte, do func(i int)) {
		n, kind := d.list()
		// Writers give lists of booleans the element type 1 or 2.
		if n != pages || kind != want && (want != thriftTrue || kind != thriftFalse) {
			d.fail("bounds of other pages")
			return
		}
		for i := range n {
			do(i)
		}
	}
	found := 0
	d.fields(func(id int, kind byte) bool {
		if kind != thriftList || id < 1 || id > 3 {
			return false
		}
		// All three lists are required: null_pages, min_values and max_values.
		found++
		switch id {
		case 1:
			each(thriftTrue, func(i int) { list[i].null = d.byte() == thriftTrue })
		case 2:
			each(thriftBinary, func(i int) { list[i].min = d.bytes() })
		case 3:
			each(thriftBinary, func(i int) { list[i].max = d.bytes() })
		}
		return true
	})
	// An incomplete index is ignored.
	if d.err != nil || found < 3 {
		return nil, d.err
	}
	return list, nil
}

// maybe reports whether text may be among a chunk's values, by its bloom filter; without one it returns true. The
// filter has blocks of 32 bytes, of which one is read (BloomFilter.md of github.com/apache/parquet-format).
func (f *File) maybe(c *chunk, text string) (bool, error) {
	const head = 64 // a BloomFilterHeader has about 16 bytes
	// No filter, or an impossible offset: the footer must follow.
	if c.bloom <= 0 || c.bloom > f.size-head-8 {
		return true, nil
	}
	b := make([]byte, head)
	// Two small reads, because the filter may have a megabyte.
	if err := f.read(b, c.bloom); err != nil {
		return false, err
	}
	d := decoder{b: b}
	size := int64(0)
	d.fields(func(id int, kind byte) bool {
		if id != 1 || kind != thriftI32 {
			return false // there is one algorithm, one hash and one compression
		}
		size = d.int()
		return true
	})
	start := c.bloom + int64(d.at)
	if d.err != nil || size < 32 || size%32 != 0 || size > f.size-start {
		return true, nil // a filter that cannot be read is ignored
	}
	// XXH64 with seed 0 of the plain text.
	hash := xxhash.Sum64String(text)
	block, _ := bits.Mul64(hash>>32<<32, uint64(size/32)) // the upper half of the hash, scaled
	b = b[:32]
	if err := f.read(b, start+int64(block)*32); err != nil {
		return false, err
	}
	// One bit in each of the eight words; a 0 means that the text is not in the set.
	for i, salt := range salts {
		bit := uint32(hash) * salt >> 27
		if binary.LittleEndian.Uint32(b[4*i:])>>bit&1 == 0 {
			return false, nil
		}
	}
	return true, nil
}

// salts are defined by the format.
var salts = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}
