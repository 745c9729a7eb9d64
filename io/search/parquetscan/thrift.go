package parquetscan

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The types of Thrift's compact protocol, in which Parquet writes footers, page headers and indexes:
// github.com/apache/thrift, doc/specs/thrift-compact-protocol.md.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxThriftDepth limits the nesting of structs and lists: Parquet's are 6 deep.
const maxThriftDepth = 32

// decoder decodes values from a slice; returned texts are parts of it. After the first error it only returns zeros:
// callers check err at the end. It allocates nothing by stated lengths, and each list element takes at least a byte, so
// decoding ends.
type decoder struct {
	b   []byte
	at  int
	err error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s at byte %d of metadata", ErrFormat, what, d.at)
	}
	// Further reads fail at once, so that loops end.
	d.at = len(d.b)
}

func (d *decoder) byte() byte {
	if d.at >= len(d.b) {
		d.fail("short")
		return 0
	}
	d.at++
	return d.b[d.at-1]
}

func (d *decoder) uvarint() uint64 {
	if d.at < len(d.b) && d.b[d.at] < 0x80 { // nearly always
		d.at++
		return uint64(d.b[d.at-1])
	}
	// 0 for a truncated number, negative for one above 64 bits.
	n, size := binary.Uvarint(d.b[min(d.at, len(d.b)):])
	if size <= 0 {
		d.fail("short")
		return 0
	}
	d.at += size
	return n
}

// int decodes a number of 16, 32 or 64 bits: a zigzag varint.
func (d *decoder) int() int64 {
	n := d.uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

// bytes decodes a text.
func (d *decoder) bytes() []byte {
	n := d.uvarint()
	if n > uint64(len(d.b)-d.at) {
		d.fail("a text longer than all")
		return nil
	}
	// Full capacity, so that appending cannot overwrite the footer.
	b := d.b[d.at : d.at+int(n) : d.at+int(n)]
	d.at += int(n)
	return b
}

// list decodes the head of a list: the number and type of its elements.
func (d *decoder) list() (n int, kind byte) {
	head := d.byte()
	n, kind = int(head>>4), head&15
	// The short form has room for 14 elements.
	if n == 15 {
		long := d.uvarint()
		if long > math.MaxInt32 {
			d.fail("a long list")
			return 0, 0
		}
		n = int(long)
	}
	// Each element takes at least a byte.
	if n > len(d.b)-d.at {
		d.fail("a list longer than all")
		return 0, 0
	}
	return n, kind
}

// fields calls do for each field of a struct. do decodes the field's value, or returns false to skip it.
func (d *decoder) fields(do func(id int, kind byte) bool) {
	// Fields may come in any order, although writers sort them: a difference of 0 precedes a full number.
	id := 0
	for d.err == nil {
		head := d.byte()
		if head == 0 {
			return
		}
		// The difference to the previous field; 0 means that the number follows.
		if delta := int(head >> 4); delta != 0 {
			id += delta
		} else {
			id = int(d.int())
		}
		if d.err == nil && !do(id, head&15) {
			d.skip(head&15, false, 0)
		}
	}
}

// skip skips a value. In lists, booleans are a byte; in structs, their type is the value.
func (d *decoder) skip(kind byte, listed bool, depth int) {
	if depth > maxThriftDepth {
		d.fail("too deep")
		return
	}
	switch kind {
	case thriftTrue, thriftFalse:
		if listed {
			d.byte()
		}
	case thriftByte:
		d.byte()
	// With or without zigzag, it ends with the first byte below 128.
	case thriftI16, thriftI32, thriftI64:
		d.uvarint()
	case thriftDouble:
		if len(d.b)-d.at < 8 {
			d.fail("short")
			return
		}
		d.at += 8
	case thriftBinary:
		d.bytes()
	case thriftList, thriftSet:
		n, inner := d.list()
		for ; n > 0 && d.err == nil; n-- {
			d.skip(inner, true, depth+1)
		}
	case thriftMap:
		d.skipMap(depth)
	case thriftStruct:
		for d.err == nil {
			head := d.byte()
			if head == 0 {
				return
			}
			// The number follows; its value does not matter here.
			if head>>4 == 0 {
				d.uvarint()
			}
			d.skip(head&15, false, depth+1)
		}
	default:
		d.fail("an unknown type")
	}
}

func (d *decoder) skipMap(depth int) {
	n := d.uvarint()
	// An empty map has no byte for its types.
	if n == 0 {
		return
	}
	// Both types in one byte, the key's in the upper half.
	kinds := d.byte()
	for ; n > 0 && d.err == nil; n-- {
		d.skip(kinds>>4, true, depth+1)
		d.skip(kinds&15, true, depth+1)
	}
}

// structs calls do at the beginning of each struct of a list, with its index; do decodes it.
func (d *decoder) structs(do func(i int)) {
	n, kind := d.list()
	if n > 0 && kind != thriftStruct {
		d.fail("a list of something else")
		return
	}
	for i := 0; i < n && d.err == nil; i++ {
		do(i)
	}
}
