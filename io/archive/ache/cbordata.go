package ache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// This is the part of CBOR (RFC 8949) that ACHE's files need: all types are read, tags are skipped, and maps, texts,
// whole numbers and null are written. There is no module for it: the usual one could not be had.

// maxDepth bounds how deep items may be nested; ACHE's are 4 deep.
const maxDepth = 32

// The major types, RFC 8949 section 3.1.
const (
	majorUint = iota
	majorNegative
	majorBytes
	majorText
	majorArray
	majorMap
	majorTag
	majorSimple
)

// The additional information that says that no length is given and a break code ends the item (RFC 8949, section
// 3.2).
const (
	indefinite = 31
	breakCode  = 0xff
)

var errCBOR = errors.New("ache: not CBOR")

// decodeCBOR reads one item, which is nil, a bool, float64, int64, uint64, string (of text and of bytes), []any or
// map[string]any. What follows it is not looked at. Entries whose keys are not text are left out.
// The strings copy b's bytes, so b need not be kept.
func decodeCBOR(b []byte) (any, error) {
	d := cborReader{b: b}
	return d.item(0)
}

// cborReader reads from b.
type cborReader struct{ b []byte }

// head reads an item's first byte and the number after it.
func (d *cborReader) head() (major, info byte, n uint64, err error) {
	if len(d.b) == 0 {
		return 0, 0, 0, io.ErrUnexpectedEOF
	}
	// Three bits of major type, five of additional information (section 3).
	major, info = d.b[0]>>5, d.b[0]&31
	d.b = d.b[1:]
	// Small numbers are in the first byte itself; 24 to 27 announce 1, 2, 4 or 8 further bytes.
	if info < 24 {
		return major, info, uint64(info), nil
	}
	if info > 27 {
		// Strings, arrays and maps may have no length; the break code itself is major type 7.
		if info == indefinite && major >= majorBytes && major != majorTag {
			return major, info, 0, nil
		}
		// 28 to 30 are reserved.
		return 0, 0, 0, fmt.Errorf("%w: additional information %d", errCBOR, info)
	}
	size := 1 << (info - 24)
	if len(d.b) < size {
		return 0, 0, 0, io.ErrUnexpectedEOF
	}
	for _, c := range d.b[:size] {
		n = n<<8 | uint64(c)
	}
	d.b = d.b[size:]
	return major, info, n, nil
}

// item reads an item.
func (d *cborReader) item(depth int) (any, error) {
	// Before anything is read: the depth is what the stack grows by.
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: nested deeper than %d", errCBOR, maxDepth)
	}
	major, info, n, err := d.head()
	if err != nil {
		return nil, err
	}
	switch major {
	case majorUint:
		return n, nil
	case majorNegative:
		// A negative item stands for -1-n (section 3.1); numbers below int64 become its smallest.
		return -1 - int64(min(n, math.MaxInt64)), nil
	case majorBytes, majorText:
		return d.text(major, info, n)
	case majorArray:
		return d.array(info, n, depth)
	case majorMap:
		return d.pairs(info, n, depth)
	case majorTag:
		// A tag says what kind of thing follows; its number is not needed, and its content counts as one level, so
		// that tags cannot nest without end either.
		return d.item(depth + 1)
	}
	return d.simple(info, n)
}

// text reads a string of bytes or text, in one piece or in pieces of the same type.
func (d *cborReader) text(major, info byte, n uint64) (string, error) {
	if info != indefinite {
		// Compared before anything is made of it: n may be any 64 bits.
		if n > uint64(len(d.b)) {
			return "", io.ErrUnexpectedEOF
		}
		s := string(d.b[:n])
		d.b = d.b[n:]
		return s, nil
	}
	var whole []byte
	for !d.ended() {
		m, i, n, err := d.head()
		if err != nil {
			return "", err
		}
		// Pieces must have a length each, so strings do not nest (section 3.2.3).
		if m != major || i == indefinite {
			return "", fmt.Errorf("%w: a piece of a string is of another type", errCBOR)
		}
		s, err := d.text(m, i, n)
		if err != nil {
			return "", err
		}
		// It grows with the bytes read, never by a stated length.
		whole = append(whole, s...)
	}
	return string(whole), nil
}

// ended skips the code that ends an item of indefinite length, if it is next.
func (d *cborReader) ended() bool {
	if len(d.b) > 0 && d.b[0] == breakCode {
		d.b = d.b[1:]
		return true
	}
	return false
}

// more reports whether an array or map goes on that n items of have been read.
func (d *cborReader) more(info byte, size, n uint64) bool {
	if info == indefinite {
		return !d.ended()
	}
	return n < size
}

// array reads an array. It grows with the items read, whatever its stated length: an item takes at least a byte.
func (d *cborReader) array(info byte, size uint64, depth int) (any, error) {
	var list []any
	for n := uint64(0); d.more(info, size, n); n++ {
		v, err := d.item(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// pairs reads a map.
// No capacity is asked for: the announced size may be anything.
func (d *cborReader) pairs(info byte, size uint64, depth int) (any, error) {
	m := map[string]any{}
	for n := uint64(0); d.more(info, size, n); n++ {
		key, err := d.item(depth + 1)
		if err != nil {
			return nil, err
		}
		v, err := d.item(depth + 1)
		if err != nil {
			return nil, err
		}
		// A later entry of the same key replaces the earlier one.
		if s, ok := key.(string); ok {
			m[s] = v
		}
	}
	return m, nil
}

// simple reads a boolean, null or a number with a fraction (RFC 8949, section 3.3).
func (d *cborReader) simple(info byte, n uint64) (any, error) {
	switch info {
	// 20 is false and 21 true; 26 and 27 are floats of 4 and 8 bytes.
	case 20, 21:
		return info == 21, nil
	case 26:
		return float64(math.Float32frombits(uint32(n))), nil
	// A float of 2 bytes, 25, has no use here and is read as nil.
	case 27:
		return math.Float64frombits(n), nil
	case indefinite:
		return nil, fmt.Errorf("%w: an end without a beginning", errCBOR)
	}
	return nil, nil // null, undefined, and what nobody has a meaning for
}

// appendHead appends an item's first byte and its number in the shortest form.
func appendHead(b []byte, major byte, n uint64) []byte {
	m := major << 5
	switch {
	case n < 24:
		return append(b, m|byte(n))
	case n <= math.MaxUint8:
		return append(b, m|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, m|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, m|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, m|27), n)
}

// appendText appends a text.
func appendText(b []byte, s string) []byte {
	return append(appendHead(b, majorText, uint64(len(s))), s...)
}

// beginMap and endMap append what surrounds the entries of a map of indefinite length; cborNull is null.
const (
	beginMap = majorMap<<5 | indefinite
	endMap   = breakCode
	cborNull = 0xf6
)
