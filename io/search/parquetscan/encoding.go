package parquetscan

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// The encodings (Encodings.md of github.com/apache/parquet-format). They are decoded here and not by parquet-go, since
// some bytes of hostile runs or deltas ask for gigabytes: each of these makes as many values as the page has, or fails.
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

// values are decoded ones: of a page, without nulls, or of a dictionary. Which slice is set follows from the type.
type values struct {
	// The three slices are reused from page to page: what is taken from them lasts until the next decode.
	n int
	// Whatever the width in the file is: one type makes comparisons one piece of code.
	ints    []int64   // of booleans, integers and moments
	reals   []float64 // of floats and doubles
	data    []byte    // of texts, one after the other,
	offsets []uint32  // where each begins, and where the last one ends
}

// text is the i-th text. It is a part of the page, and lasts until the next one is read.
func (v *values) text(i int) []byte { return v.data[v.offsets[i]:v.offsets[i+1]] }

func errShort(what string) error { return fmt.Errorf("%w: short %s", ErrFormat, what) }

// decode reads n values.
func (v *values) decode(l *leaf, encoding int64, n int, b []byte) error {
	// data is cut by those who fill it.
	v.n, v.ints, v.reals, v.offsets = n, v.ints[:0], v.reals[:0], v.offsets[:0]
	switch encoding {
	case encodingPlain:
		return v.plain(l, n, b)
	case encodingRLE:
		// RLE is an encoding of values for booleans alone (Encodings.md); levels and indexes have it
		// always.
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
	// BYTE_STREAM_SPLIT; which types may have it is asked there.
	case encodingSplit:
		return v.split(l, n, b)
	}
	return fmt.Errorf("%w: encoding %d of column %s", ErrUnsupported, encoding, l.path)
}

// width is how many bytes a plain value takes, 0 for texts and booleans.
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

// plain reads values as they are, little-endian.
func (v *values) plain(l *leaf, n int, b []byte) error {
	// Asked once, so that the loops below need no test. n is at most maxEntries and a width at most 64
	// KiB: the product fits into 64 bits.
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
		// A copy, as of all texts: the page's bytes are overwritten by the next page, and a dictionary is kept
		// longer.
		v.data = append(v.data[:0], b[:n*l.length]...)
		for i := range n + 1 {
			v.offsets = append(v.offsets, uint32(i*l.length))
		}
	default:
		return v.plainTexts(n, b)
	}
	return nil
}

// int96 is a moment as Impala and older Sparks wrote it: nanoseconds of the day, then the Julian day.
func int96(b []byte) int64 {
	// The Julian day of 1 January 1970, and nanoseconds of a day. What is hostile may overflow: it gives
	// some other moment.
	const epoch, day = 2440588, 24 * 3600 * 1e9
	return int64(binary.LittleEndian.Uint64(b)) + (int64(binary.LittleEndian.Uint32(b[8:]))-epoch)*day
}

// plainTexts reads texts that have their length before them.
func (v *values) plainTexts(n int, b []byte) error {
	v.data = v.data[:0]
	for range n {
		if len(b) < 4 {
			return errShort("page")
		}
		size := binary.LittleEndian.Uint32(b)
		// As 64 bits without sign: a length of 2^31 and more must not become negative.
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

// split reads values whose first bytes stand together, then their second ones, and so on.
func (v *values) split(l *leaf, n int, b []byte) error {
	width := l.width()
	if width == 0 || l.kind == kindInt96 {
		return fmt.Errorf("%w: split bytes of column %s", ErrUnsupported, l.path)
	}
	if len(b) < n*width {
		return errShort("page")
	}
	// Put together again, so that plain reads them. Bounded by the page, since n*width is at most its
	// length.
	joined := make([]byte, n*width)
	for k := range width {
		for i, x := range b[k*n : (k+1)*n] {
			joined[i*width+k] = x
		}
	}
	return v.plain(l, n, joined)
}

// rleBooleans reads booleans as runs, which their length is before.
func (v *values) rleBooleans(n int, b []byte) error {
	if len(b) < 4 {
		return errShort("page")
	}
	// The length in the first four bytes is not needed: n tells where to end.
	levels, err := appendLevels(nil, n, 1, b[4:])
	// One bit a value; the levels' decoder has bounded how many there are.
	for _, x := range levels {
		v.ints = append(v.ints, int64(x))
	}
	return err
}

// maxMiniBlocks are those of a block of deltas: writers make 4.
const maxMiniBlocks = 1 << 10

// delta reads DELTA_BINARY_PACKED, and returns what follows it.
func (v *values) delta(n int, b []byte, narrow bool) (rest []byte, err error) {
	d := decoder{b: b}
	// The header: values of a block, miniblocks in it, how many values there are, and the first one.
	block, minis, total, value := d.uvarint(), d.uvarint(), d.uvarint(), d.int()
	// Both numbers are in the file; n is what the levels say, and is bounded already.
	if d.err != nil || total != uint64(n) {
		return nil, fmt.Errorf("%w: deltas of another number of values", ErrFormat)
	}
	// A miniblock has a multiple of 32 values by the format, so that packed widths end at whole bytes.
	if minis == 0 || minis > maxMiniBlocks || block > maxPage || block%(minis*32) != 0 {
		return nil, fmt.Errorf("%w: deltas in odd blocks", ErrFormat)
	}
	if n > 0 {
		v.ints = append(v.ints, value)
	}
	for len(v.ints) < n && d.err == nil {
		// The least delta of the block: what is packed is how much each delta is above it.
		least := d.int()
		// A byte of width for each miniblock.
		if d.err != nil || len(d.b)-d.at < int(minis) {
			return nil, errShort("deltas")
		}
		// A part of the page and no copy: it is read before the decoder goes on.
		widths := d.b[d.at : d.at+int(minis)]
		d.at += int(minis)
		for _, width := range widths {
			if len(v.ints) == n {
				break // the widths of blocks that are not needed mean nothing
			}
			if width > 64 {
				return nil, fmt.Errorf("%w: deltas of %d bits", ErrFormat, width)
			}
			value = v.miniBlock(&d, int(block/minis), n, uint(width), least, value, narrow)
		}
	}
	return d.b[min(d.at, len(d.b)):], d.err
}

// miniBlock reads one block of deltas of a width, and returns the last value.
func (v *values) miniBlock(d *decoder, size, n int, width uint, least, value int64, narrow bool) int64 {
	// size is a multiple of 32, so that size/8*width is the exact number of bytes.
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
		// Wraps around by intent: writers take differences modulo 2^64.
		value += least + int64(x)
		if narrow {
			value = int64(int32(value)) // 32 bits wrap around, as they did when it was written
		}
		v.ints = append(v.ints, value)
	}
	return value
}

// unpack reads the i-th number of so many bits, the lowest bits first.
func unpack(b []byte, i int, width uint) (x uint64, ok bool) {
	if width == 0 {
		return 0, true
	}
	// i is below maxEntries and width at most 64, so that this does not overflow.
	bit := i * int(width)
	at, shift := bit>>3, uint(bit&7)
	// The common case: up to 64 bits that begin anywhere in a byte lie within nine bytes.
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
	// Within nine bytes of the end, bit by bit: rare, and it never reads after the page.
	for k := uint(0); k < width; k++ {
		p := bit + int(k)
		x |= uint64(b[p>>3]>>(p&7)&1) << k
	}
	return x, true
}

// deltaLength reads DELTA_LENGTH_BYTE_ARRAY: the lengths of all texts, then the texts.
func (v *values) deltaLength(n int, b []byte) error {
	rest, err := v.delta(n, b, true)
	if err != nil {
		return err
	}
	at := int64(0)
	v.offsets = append(v.offsets, 0)
	for _, length := range v.ints {
		// Compared with what is left, so that at never overflows.
		if length < 0 || length > int64(len(rest))-at {
			return errShort("texts")
		}
		at += length
		v.offsets = append(v.offsets, uint32(at))
	}
	v.ints = v.ints[:0]
	// The lengths were only lent this slice: a column of texts has no ints.
	v.data = append(v.data[:0], rest[:at]...)
	return nil
}

// deltaBytes reads DELTA_BYTE_ARRAY: how much of the text before each one begins with, then what follows that. Texts
// that repeat each other can become much longer than the page: they are bounded as a page is.
func (v *values) deltaBytes(n int, b []byte) error {
	rest, err := v.delta(n, b, true)
	if err != nil {
		return err
	}
	// A copy: v.delta would write the suffixes' lengths over them.
	prefixes := append([]int64(nil), v.ints...)
	v.ints = v.ints[:0]
	var suffixes values
	if err := suffixes.deltaLength(n, rest); err != nil {
		return err
	}
	v.data = v.data[:0]
	v.offsets = append(v.offsets, 0)
	last := 0 // where the text before begins
	for i, prefix := range prefixes {
		suffix := suffixes.text(i)
		// The text before is v.data[last:], whole.
		if prefix < 0 || prefix > int64(len(v.data)-last) {
			return fmt.Errorf("%w: a text begins with more than the one before", ErrFormat)
		}
		start := len(v.data)
		if start+int(prefix)+len(suffix) > maxPage {
			return fmt.Errorf("%w: texts of more than %d bytes", ErrFormat, maxPage)
		}
		// Append of a slice to itself is safe: the source is read before, or from, the old array.
		v.data = append(v.data, v.data[last:last+int(prefix)]...)
		v.data = append(v.data, suffix...)
		v.offsets = append(v.offsets, uint32(len(v.data)))
		last = start
	}
	return nil
}

// bitWidth is how many bits levels up to max take.
func bitWidth(max uint8) uint { return uint(bits.Len8(max)) }

// appendLevels reads n numbers of up to 8 bits in runs and packed groups of eight (the "RLE/bit-packing hybrid").
func appendLevels(out []uint8, n int, width uint, b []byte) ([]uint8, error) {
	d := decoder{b: b}
	for len(out) < n {
		head := d.uvarint()
		if d.err != nil || head>>1 == 0 {
			return nil, errShort("levels")
		}
		if head&1 == 0 {
			// One byte, since levels have at most eight bits.
			value := d.byte()
			for k := min(head>>1, uint64(n-len(out))); k > 0; k-- {
				out = append(out, value)
			}
			continue
		}
		// The last group may have room for more than n, filled up with zeros.
		packed, count := d.group(head>>1, width)
		count = min(count, n-len(out))
		i := 0
		// Groups of eight, as they are packed: levels have eight bits at most, and a group 64.
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

// group takes the bytes of so many groups of eight packed numbers, as far as they are there.
func (d *decoder) group(groups uint64, width uint) (packed []byte, count int) {
	// Bounded before it is multiplied: it is any number of 64 bits that the file says.
	groups = min(groups, maxEntries/8+1)
	n := min(int(groups)*int(width), len(d.b)-d.at)
	packed = d.b[d.at : d.at+n]
	d.at += n
	return packed, int(groups) * 8
}

// appendIndexes reads n numbers of up to 32 bits below limit likewise: the places of values in a dictionary.
func appendIndexes(out []uint32, n, limit int, b []byte) ([]uint32, error) {
	if len(b) == 0 && n > 0 {
		return nil, errShort("page")
	}
	if n == 0 {
		return out, nil
	}
	// The page of indexes begins with their width, which levels take from the schema instead.
	width := uint(b[0])
	if width > 32 {
		return nil, fmt.Errorf("%w: indexes of %d bits", ErrFormat, width)
	}
	d := decoder{b: b[1:]}
	// Only the greatest is compared with the dictionary, at the end: one test a page, and users of indexes
	// need none.
	highest := uint32(0)
	for len(out) < n {
		head := d.uvarint()
		if d.err != nil || head>>1 == 0 {
			return nil, errShort("indexes")
		}
		if head&1 == 0 {
			value := uint32(0)
			// A run's value has as many whole bytes as the width needs, little-endian.
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
