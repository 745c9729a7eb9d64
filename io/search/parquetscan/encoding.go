package parquetscan

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// The encodings (Encodings.md of github.com/apache/parquet-format). Each decoder here returns as many values as the
// page has, or fails. With parquet-go, a few bytes of hostile runs or deltas allocate gigabytes.
const (
	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingDelta           = 5
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingDictionary      = 8
	encodingSplit           = 9
)

// values are decoded values: of a page, without nulls, or of a dictionary. The type determines which slice is set.
type values struct {
	// The slices are reused: their content is valid until the next decode.
	n int
	// One type for all widths, so that comparisons need no variants.
	ints    []int64   // booleans, integers and moments
	reals   []float64 // floats and doubles
	data    []byte    // texts, concatenated
	offsets []uint32  // where each text begins, and where the last one ends
}

// text returns the i-th text. It is part of the page, and valid until the next page is read.
func (v *values) text(i int) []byte { return v.data[v.offsets[i]:v.offsets[i+1]] }

func errShort(what string) error { return fmt.Errorf("%w: short %s", ErrFormat, what) }

// decode decodes n values.
func (v *values) decode(l *leaf, encoding int64, n int, b []byte) error {
	// data is reset where it is used.
	v.n, v.ints, v.reals, v.offsets = n, v.ints[:0], v.reals[:0], v.offsets[:0]
	switch encoding {
	case encodingPlain:
		return v.plain(l, n, b)
	case encodingRLE:
		// RLE is an encoding of values only for booleans (Encodings.md); levels and indexes always use it.
		if l.kind == kindBoolean {
			return v.rleBooleans(n, b)
		}
	case encodingDelta:
		if l.kind == kindInt32 || l.kind == kindInt64 {
			_, err := v.delta(n, b, l.kind == kindInt32)
			return err
		}
	case encodingDeltaLength:
		if l.kind == kindBytes {
			return v.deltaLength(n, b)
		}
	case encodingDeltaBytes:
		if l.kind == kindBytes {
			return v.deltaBytes(n, b)
		}
	// BYTE_STREAM_SPLIT; split checks the type.
	case encodingSplit:
		return v.split(l, n, b)
	}
	return fmt.Errorf("%w: encoding %d of column %s", ErrUnsupported, encoding, l.path)
}

// width returns the size of a plain value in bytes, or 0 for texts and booleans.
func (l *leaf) width() int {
	switch l.kind {
	case kindInt32, kindFloat:
		return 4
	case kindInt64, kindDouble:
		return 8
	case kindInt96:
		return 12
	case kindFixed:
		return l.length
	}
	return 0
}

// plain decodes little-endian values.
func (v *values) plain(l *leaf, n int, b []byte) error {
	// Checked once for the loops below. n is at most maxEntries and a width at most 64 KiB, so the product does not
	// overflow.
	if len(b) < n*l.width() || l.kind == kindBoolean && len(b) < (n+7)/8 {
		return errShort("page")
	}
	switch l.kind {
	case kindBoolean:
		for i := range n {
			// Bit-packed, the lowest bit first.
			v.ints = append(v.ints, int64(b[i>>3]>>(i&7)&1))
		}
	case kindInt32:
		for i := range n {
			v.ints = append(v.ints, int64(int32(binary.LittleEndian.Uint32(b[4*i:]))))
		}
	case kindInt64:
		for i := range n {
			v.ints = append(v.ints, int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
	case kindInt96:
		for i := range n {
			v.ints = append(v.ints, int96(b[12*i:]))
		}
	case kindFloat:
		for i := range n {
			v.reals = append(v.reals, float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))))
		}
	case kindDouble:
		for i := range n {
			v.reals = append(v.reals, math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
	case kindFixed:
		// A copy, because the page is overwritten by the next, and dictionaries are kept longer.
		v.data = append(v.data[:0], b[:n*l.length]...)
		for i := range n + 1 {
			v.offsets = append(v.offsets, uint32(i*l.length))
		}
	default:
		return v.plainTexts(n, b)
	}
	return nil
}

// int96 converts a moment of Impala and older Sparks: nanoseconds of the day, then the Julian day.
func int96(b []byte) int64 {
	// The Julian day of 1 January 1970, and nanoseconds of a day. Hostile values may overflow to some other moment.
	const epoch, day = 2440588, 24 * 3600 * 1e9
	return int64(binary.LittleEndian.Uint64(b)) + (int64(binary.LittleEndian.Uint32(b[8:]))-epoch)*day
}

// plainTexts decodes texts, each after its length.
func (v *values) plainTexts(n int, b []byte) error {
	v.data = v.data[:0]
	for range n {
		if len(b) < 4 {
			return errShort("page")
		}
		size := binary.LittleEndian.Uint32(b)
		// As unsigned 64 bits, so that lengths from 2^31 on do not become negative.
		if b = b[4:]; uint64(size) > uint64(len(b)) {
			return errShort("page")
		}
		v.offsets = append(v.offsets, uint32(len(v.data)))
		v.data = append(v.data, b[:size]...)
		b = b[size:]
	}
	v.offsets = append(v.offsets, uint32(len(v.data)))
	return nil
}

// split decodes values whose first bytes are stored together, then their second bytes, and so on.
func (v *values) split(l *leaf, n int, b []byte) error {
	width := l.width()
	if width == 0 || l.kind == kindInt96 {
		return fmt.Errorf("%w: split bytes of column %s", ErrUnsupported, l.path)
	}
	if len(b) < n*width {
		return errShort("page")
	}
	// Joined for plain. n*width is at most the length of the page.
	joined := make([]byte, n*width)
	for k := range width {
		for i, x := range b[k*n : (k+1)*n] {
			joined[i*width+k] = x
		}
	}
	return v.plain(l, n, joined)
}

// rleBooleans decodes booleans as runs, after their length.
func (v *values) rleBooleans(n int, b []byte) error {
	if len(b) < 4 {
		return errShort("page")
	}
	// The length is not needed, because n determines the end.
	levels, err := appendLevels(nil, n, 1, b[4:])
	// appendLevels has limited the number of values.
	for _, x := range levels {
		v.ints = append(v.ints, int64(x))
	}
	return err
}

// maxMiniBlocks limits the miniblocks of a block of deltas; writers make 4.
const maxMiniBlocks = 1 << 10

// delta decodes DELTA_BINARY_PACKED, and returns what follows it.
func (v *values) delta(n int, b []byte, narrow bool) (rest []byte, err error) {
	d := decoder{b: b}
	// The header: values in a block, miniblocks in it, number of values, and the first value.
	block, minis, total, value := d.uvarint(), d.uvarint(), d.uvarint(), d.int()
	// total comes from the file; n comes from the levels, and is limited already.
	if d.err != nil || total != uint64(n) {
		return nil, fmt.Errorf("%w: deltas of another number of values", ErrFormat)
	}
	// The format requires a multiple of 32 values in a miniblock, so that packed values end at whole bytes.
	if minis == 0 || minis > maxMiniBlocks || block > maxPage || block%(minis*32) != 0 {
		return nil, fmt.Errorf("%w: deltas in odd blocks", ErrFormat)
	}
	if n > 0 {
		v.ints = append(v.ints, value)
	}
	for len(v.ints) < n && d.err == nil {
		// The smallest delta of the block; the packed numbers are relative to it.
		least := d.int()
		// A byte of width for each miniblock.
		if d.err != nil || len(d.b)-d.at < int(minis) {
			return nil, errShort("deltas")
		}
		widths := d.b[d.at : d.at+int(minis)]
		d.at += int(minis)
		for _, width := range widths {
			if len(v.ints) == n {
				break // widths of unused miniblocks have no meaning
			}
			if width > 64 {
				return nil, fmt.Errorf("%w: deltas of %d bits", ErrFormat, width)
			}
			value = v.miniBlock(&d, int(block/minis), n, uint(width), least, value, narrow)
		}
	}
	return d.b[min(d.at, len(d.b)):], d.err
}

// miniBlock decodes one miniblock, and returns the last value.
func (v *values) miniBlock(d *decoder, size, n int, width uint, least, value int64, narrow bool) int64 {
	// size is a multiple of 32, so size/8*width is the exact number of bytes.
	packed := d.b[d.at:]
	if need := size / 8 * int(width); len(packed) >= need {
		packed = packed[:need]
		d.at += need
	} else {
		d.at = len(d.b) // the last block may end early
	}
	for i := range min(size, n-len(v.ints)) {
		x, ok := unpack(packed, i, width)
		if !ok {
			d.fail("short deltas")
			return value
		}
		// Wraps around on purpose: writers compute differences modulo 2^64.
		value += least + int64(x)
		if narrow {
			value = int64(int32(value)) // 32 bits wrap around, as when they were written
		}
		v.ints = append(v.ints, value)
	}
	return value
}

// unpack returns the i-th number of width bits, the lowest bits first.
func unpack(b []byte, i int, width uint) (x uint64, ok bool) {
	if width == 0 {
		return 0, true
	}
	// i is below maxEntries and width at most 64, so this does not overflow.
	bit := i * int(width)
	at, shift := bit>>3, uint(bit&7)
	// The common case: 64 bits from any bit of a byte fit in nine bytes.
	if at+9 <= len(b) {
		x = binary.LittleEndian.Uint64(b[at:]) >> shift
		if shift > 0 {
			x |= uint64(b[at+8]) << (64 - shift)
		}
		return x & (^uint64(0) >> (64 - width)), true
	}
	if (bit+int(width)+7)>>3 > len(b) {
		return 0, false
	}
	// Near the end, bit by bit, to stay within the page.
	for k := uint(0); k < width; k++ {
		p := bit + int(k)
		x |= uint64(b[p>>3]>>(p&7)&1) << k
	}
	return x, true
}

// deltaLength decodes DELTA_LENGTH_BYTE_ARRAY: the lengths of all texts, then the texts.
func (v *values) deltaLength(n int, b []byte) error {
	rest, err := v.delta(n, b, true)
	if err != nil {
		return err
	}
	at := int64(0)
	v.offsets = append(v.offsets, 0)
	for _, length := range v.ints {
		// So that at does not overflow.
		if length < 0 || length > int64(len(rest))-at {
			return errShort("texts")
		}
		at += length
		v.offsets = append(v.offsets, uint32(at))
	}
	v.ints = v.ints[:0]
	// The lengths only borrowed this slice: a column of texts has no ints.
	v.data = append(v.data[:0], rest[:at]...)
	return nil
}

// deltaBytes decodes DELTA_BYTE_ARRAY: the length of the prefix shared with the previous text, then the rest. Repeated
// prefixes can make texts much longer than the page, so their size is limited like a page's.
func (v *values) deltaBytes(n int, b []byte) error {
	rest, err := v.delta(n, b, true)
	if err != nil {
		return err
	}
	// A copy, because deltaLength overwrites them.
	prefixes := append([]int64(nil), v.ints...)
	v.ints = v.ints[:0]
	var suffixes values
	if err := suffixes.deltaLength(n, rest); err != nil {
		return err
	}
	v.data = v.data[:0]
	v.offsets = append(v.offsets, 0)
	last := 0 // start of the previous text
	for i, prefix := range prefixes {
		suffix := suffixes.text(i)
		if prefix < 0 || prefix > int64(len(v.data)-last) {
			return fmt.Errorf("%w: a text begins with more than the one before", ErrFormat)
		}
		start := len(v.data)
		if start+int(prefix)+len(suffix) > maxPage {
			return fmt.Errorf("%w: texts of more than %d bytes", ErrFormat, maxPage)
		}
		// Appending a slice to itself is safe.
		v.data = append(v.data, v.data[last:last+int(prefix)]...)
		v.data = append(v.data, suffix...)
		v.offsets = append(v.offsets, uint32(len(v.data)))
		last = start
	}
	return nil
}

// bitWidth returns the number of bits for levels up to max.
func bitWidth(max uint8) uint { return uint(bits.Len8(max)) }

// appendLevels decodes n numbers of up to 8 bits in runs and packed groups of eight (the "RLE/bit-packing hybrid").
func appendLevels(out []uint8, n int, width uint, b []byte) ([]uint8, error) {
	d := decoder{b: b}
	for len(out) < n {
		head := d.uvarint()
		if d.err != nil || head>>1 == 0 {
			return nil, errShort("levels")
		}
		if head&1 == 0 {
			// One byte, because levels have at most eight bits.
			value := d.byte()
			for k := min(head>>1, uint64(n-len(out))); k > 0; k-- {
				out = append(out, value)
			}
			continue
		}
		// The last group may be padded with zeros.
		packed, count := d.group(head>>1, width)
		count = min(count, n-len(out))
		i := 0
		// Groups of eight numbers, at most 64 bits.
		for g := packed; i+8 <= count && len(g) >= int(width); i += 8 {
			x, mask := uint64(0), uint64(1)<<width-1
			for k, c := range g[:width] {
				x |= uint64(c) << (8 * k)
			}
			for range 8 {
				out = append(out, uint8(x&mask))
				x >>= width
			}
			g = g[width:]
		}
		for ; i < count; i++ {
			x, ok := unpack(packed, i, width)
			if !ok {
				return nil, errShort("levels")
			}
			out = append(out, uint8(x))
		}
	}
	return out, d.err
}

// group takes the bytes of groups of eight packed numbers, as far as they exist.
func (d *decoder) group(groups uint64, width uint) (packed []byte, count int) {
	// Limited before the multiplication, because the file may state any number.
	groups = min(groups, maxEntries/8+1)
	n := min(int(groups)*int(width), len(d.b)-d.at)
	packed = d.b[d.at : d.at+n]
	d.at += n
	return packed, int(groups) * 8
}

// appendIndexes decodes n numbers of up to 32 bits, below limit, in the same form: indexes of values in a dictionary.
func appendIndexes(out []uint32, n, limit int, b []byte) ([]uint32, error) {
	if len(b) == 0 && n > 0 {
		return nil, errShort("page")
	}
	if n == 0 {
		return out, nil
	}
	// A page of indexes begins with their width; that of levels follows from the schema.
	width := uint(b[0])
	if width > 32 {
		return nil, fmt.Errorf("%w: indexes of %d bits", ErrFormat, width)
	}
	d := decoder{b: b[1:]}
	// Only the greatest index is compared with the dictionary, once a page.
	highest := uint32(0)
	for len(out) < n {
		head := d.uvarint()
		if d.err != nil || head>>1 == 0 {
			return nil, errShort("indexes")
		}
		if head&1 == 0 {
			value := uint32(0)
			// A run's value has as many bytes as its width needs, little-endian.
			for k := uint(0); k < width; k += 8 {
				value |= uint32(d.byte()) << k
			}
			highest = max(highest, value)
			for k := min(head>>1, uint64(n-len(out))); k > 0; k-- {
				out = append(out, value)
			}
			continue
		}
		packed, count := d.group(head>>1, width)
		for i := range min(count, n-len(out)) {
			x, ok := unpack(packed, i, width)
			if !ok {
				return nil, errShort("indexes")
			}
			highest = max(highest, uint32(x))
			out = append(out, uint32(x))
		}
	}
	if d.err == nil && int64(highest) >= int64(limit) {
		return nil, fmt.Errorf("%w: an index beyond the dictionary", ErrFormat)
	}
	return out, d.err
}
