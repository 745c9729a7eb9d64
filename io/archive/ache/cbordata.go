package ache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// This is the part of CBOR (RFC 8949) that ACHE's files need. It reads all types, skips tags, and writes maps, texts,
// whole numbers and null.

// maxDepth limits the nesting of items; ACHE's are 4 deep.
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

// In place of a length, indefinite means that a break code ends the item (RFC 8949, section 3.2).
const (
	indefinite = 31
	breakCode  = 0xff
)

var errCBOR = errors.New("not CBOR")

// decodeCBOR reads one item: nil, a bool, float64, int64, uint64, string (of text or bytes), []any or map[string]any.
// It ignores what follows the item, and entries whose keys are not text. The result shares no memory with b.
func decodeCBOR(b []byte) (any, error) {
	d := cborReader{b: b}
	return d.item(0)
}

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

func (d *cborReader) item(depth int) (any, error) {
	// Depth is checked first, because it bounds the stack.
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
		// A negative item means -1-n (section 3.1); numbers below int64 become its minimum.
		return -1 - int64(min(n, math.MaxInt64)), nil
	case majorBytes, majorText:
		return d.text(major, info, n)
	case majorArray:
		return d.array(info, n, depth)
	case majorMap:
		return d.pairs(info, n, depth)
	case majorTag:
		// Tags are not needed, but each counts as a level, so that they cannot nest without end.
		return d.item(depth + 1)
	}
	return d.simple(info, n)
}

// text reads a string of bytes or text, in one or several pieces of the same type.
func (d *cborReader) text(major, info byte, n uint64) (string, error) {
	if info != indefinite {
		// Checked before allocating: n may be any 64 bits.
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
		// Each piece must have a length, so strings do not nest (section 3.2.3).
		if m != major || i == indefinite {
			return "", fmt.Errorf("%w: a piece of a string is of another type", errCBOR)
		}
		s, err := d.text(m, i, n)
		if err != nil {
			return "", err
		}
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

// more reports whether an array or map has more items after the n that were read.
func (d *cborReader) more(info byte, size, n uint64) bool {
	if info == indefinite {
		return !d.ended()
	}
	return n < size
}

// array reads an array. It grows with the items read, because the stated length may be anything.
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

// pairs reads a map. It grows with the entries read, because the stated size may be anything.
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
	return nil, nil // null, undefined and undefined codes
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

func appendText(b []byte, s string) []byte {
	return append(appendHead(b, majorText, uint64(len(s))), s...)
}

// beginMap and endMap begin and end a map of indefinite length.
const (
	beginMap = majorMap<<5 | indefinite
	endMap   = breakCode
	cborNull = 0xf6
)
