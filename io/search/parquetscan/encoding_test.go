package parquetscan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// packed writes numbers of width bits, the lowest bits first, as Encodings.md describes it.
func packed(numbers []uint64, width int) []byte {
	b := make([]byte, (len(numbers)*width+7)/8)
	for i, x := range numbers {
		for k := range width {
			if x>>k&1 != 0 {
				b[(i*width+k)/8] |= 1 << ((i*width + k) % 8)
			}
		}
	}
	return b
}

// deltas encodes numbers as DELTA_BINARY_PACKED, in blocks of a number of miniblocks of 32 values.
func deltas(numbers []int64, minis int) []byte {
	b := binary.AppendUvarint(nil, uint64(32*minis))
	b = binary.AppendUvarint(b, uint64(minis))
	b = binary.AppendUvarint(b, uint64(len(numbers)))
	first := int64(0)
	if len(numbers) > 0 {
		first = numbers[0]
	}
	b = binary.AppendVarint(b, first)
	for at := 1; at < len(numbers); at += 32 * minis {
		block := numbers[at:min(at+32*minis, len(numbers))]
		least := int64(math.MaxInt64)
		for i := range block {
			least = min(least, block[i]-numbers[at+i-1])
		}
		b = binary.AppendVarint(b, least)
		var widths, data []byte
		for k := range minis {
			list := make([]uint64, 32)
			width := 0
			for i := range list {
				if j := 32*k + i; j < len(block) {
					list[i] = uint64(block[j] - numbers[at+j-1] - least)
					width = max(width, bitsOf(list[i]))
				}
			}
			if 32*k >= len(block) {
				width = 0
			} else {
				data = append(data, packed(list, width)...)
			}
			widths = append(widths, byte(width))
		}
		b = append(append(b, widths...), data...)
	}
	return b
}

func bitsOf(x uint64) (n int) {
	for ; x > 0; x >>= 1 {
		n++
	}
	return n
}

// TestDecode_deltas: numbers of all widths are read as they were written, with what follows them.
func TestDecode_deltas(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 31, 32, 33, 128, 129, 500} {
		for _, span := range []int64{1, 2, 300, 1 << 31, math.MaxInt64} {
			for _, minis := range []int{1, 4, 7} {
				want := make([]int64, n)
				for i := range want {
					want[i] = rnd.Int64N(span) - span/2
				}
				if n > 2 && span > 1<<40 {
					want[0], want[1] = math.MinInt64, math.MaxInt64 // their difference wraps around
				}
				b := append(deltas(want, minis), "rest"...)
				var v values
				rest, err := v.delta(n, b, false)
				if err != nil || string(rest) != "rest" || !slices.Equal(v.ints, want) && n > 0 {
					t.Fatalf("%d numbers below %d in %d miniblocks: %v, %q", n, span, minis, err, rest)
				}
				// A page that is cut anywhere is an error or has all numbers.
				for at := range len(b) - len("rest") {
					var v values
					if _, err := v.delta(n, b[:at], false); err == nil && !slices.Equal(v.ints, want) {
						t.Fatalf("%d numbers, cut at %d of %d: others are read", n, at, len(b))
					}
				}
			}
		}
	}
}

// TestDecode_texts: texts are read in each of their encodings, and lengths that do not fit are refused.
func TestDecode_texts(t *testing.T) {
	texts := []string{"", "harbour", "harbour bridge", "harbours", "", "é", strings.Repeat("x", 300)}
	var plain, joined, suffixes []byte
	var lengths, prefixes, rests []int64
	before := ""
	for _, s := range texts {
		plain = append(binary.LittleEndian.AppendUint32(plain, uint32(len(s))), s...)
		joined, lengths = append(joined, s...), append(lengths, int64(len(s)))
		n := 0
		for n < min(len(s), len(before)) && s[n] == before[n] {
			n++
		}
		prefixes, rests = append(prefixes, int64(n)), append(rests, int64(len(s)-n))
		suffixes, before = append(suffixes, s[n:]...), s
	}
	l := &leaf{kind: kindBytes}
	for encoding, b := range map[int64][]byte{
		encodingPlain: plain, encodingDeltaLength: append(deltas(lengths, 4), joined...),
		encodingDeltaBytes: slices.Concat(deltas(prefixes, 4), deltas(rests, 1), suffixes),
	} {
		var v values
		for range 2 { // the slices are used again
			if err := v.decode(l, encoding, len(texts), b); err != nil {
				t.Fatalf("encoding %d: %v", encoding, err)
			}
			for i, want := range texts {
				if got := string(v.text(i)); got != want {
					t.Errorf("encoding %d: text %d is %q, want %q", encoding, i, got, want)
				}
			}
		}
		for at := range b {
			if err := v.decode(l, encoding, len(texts), b[:at]); err == nil {
				t.Errorf("encoding %d, cut at %d of %d: no error", encoding, at, len(b))
			}
		}
	}
	for name, b := range map[string][]byte{
		"a negative length":       deltas([]int64{-1}, 1),
		"a long length":           append(deltas([]int64{1 << 40}, 1), "x"...),
		"another number of texts": append(deltas([]int64{1, 1}, 1), "xy"...),
	} {
		if err := new(values).decode(l, encodingDeltaLength, 1, b); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := new(values).decode(l, encodingDeltaBytes, 1,
		slices.Concat(deltas([]int64{1}, 1), deltas([]int64{0}, 1))); !errors.Is(err, ErrFormat) {
		t.Errorf("a prefix of nothing: %v", err)
	}
	// Each text has all of the one before: a page of some bytes would be gigabytes.
	growing, ones := make([]int64, 100_000), make([]int64, 100_000)
	for i := range growing {
		growing[i], ones[i] = int64(i), 1
	}
	bomb := slices.Concat(deltas(growing, 4), deltas(ones, 4), make([]byte, len(ones)))
	if err := new(values).decode(l, encodingDeltaBytes, len(ones), bomb); !errors.Is(err, ErrFormat) {
		t.Errorf("a bomb of prefixes: %v", err)
	}
}

// TestDecode_numbers: values of each type are read plainly, and with their bytes apart.
func TestDecode_numbers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		l     leaf
		b     string
		ints  []int64
		reals []float64
	}{
		{"booleans", leaf{kind: kindBoolean}, "\x05\x01", []int64{1, 0, 1, 0, 0, 0, 0, 0, 1}, nil},
		{"32 bits", leaf{kind: kindInt32}, "\x01\x00\x00\x00\xff\xff\xff\xff", []int64{1, -1}, nil},
		{"64 bits", leaf{kind: kindInt64}, "\x00\x00\x00\x00\x00\x00\x00\x80", []int64{math.MinInt64}, nil},
		{
			"a moment of 96 bits",
			leaf{kind: kindInt96},
			"\x01\x00\x00\x00\x00\x00\x00\x00\x8d\x3d\x25\x00",
			[]int64{24*3600*1e9 + 1},
			nil,
		},
		{"float", leaf{kind: kindFloat}, "\x00\x00\x80\x3f", nil, []float64{1}},
		{"double", leaf{kind: kindDouble}, "\x00\x00\x00\x00\x00\x00\xf0\xbf", nil, []float64{-1}},
	} {
		n := len(tt.ints) + len(tt.reals)
		var v values
		if err := v.decode(&tt.l, encodingPlain, n, []byte(tt.b)); err != nil || !slices.Equal(v.ints, tt.ints) ||
			!slices.Equal(v.reals, tt.reals) {
			t.Errorf("%s: %v, %v, %v", tt.name, v.ints, v.reals, err)
		}
		if err := v.decode(&tt.l, encodingPlain, n, []byte(tt.b)[1:]); !errors.Is(err, ErrFormat) {
			t.Errorf("%s, a byte less: %v", tt.name, err)
		}
		err := v.decode(&tt.l, encodingSplit, n, []byte(tt.b))
		if width := tt.l.width(); width == 0 || tt.l.kind == kindInt96 {
			if !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s, split: %v", tt.name, err)
			}
		} else if err != nil || n == 1 && !slices.Equal(v.ints, tt.ints) {
			t.Errorf("%s, split: %v, %v", tt.name, v.ints, err)
		}
	}
	fixed := leaf{kind: kindFixed, length: 2}
	var v values
	if err := v.decode(&fixed, encodingSplit, 2, []byte("acbd")); err != nil || string(v.text(0)) != "ab" ||
		string(v.text(1)) != "cd" {
		t.Errorf("fixed texts, split: %q, %v", v.data, err)
	}
}

// TestAppendLevels: runs and packed groups of any width are read, and no more than the page has.
func TestAppendLevels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for width := uint(1); width <= 8; width++ {
		var b []byte
		var want []uint8
		for range 20 {
			if rnd.IntN(2) == 0 {
				n, x := 1+rnd.IntN(40), uint8(rnd.IntN(1<<width))
				b = append(binary.AppendUvarint(b, uint64(n)<<1), x)
				want = append(want, slices.Repeat([]uint8{x}, n)...)
				continue
			}
			groups := 1 + rnd.IntN(4)
			list := make([]uint64, 8*groups)
			for i := range list {
				list[i] = rnd.Uint64N(1 << width)
				want = append(want, uint8(list[i]))
			}
			b = append(binary.AppendUvarint(b, uint64(groups)<<1|1), packed(list, int(width))...)
		}
		for _, n := range []int{len(want), len(want) - 1, len(want) / 2, 1} {
			got, err := appendLevels(nil, n, width, b)
			if err != nil || !slices.Equal(got, want[:n]) {
				t.Errorf("%d of %d levels of %d bits: %v", n, len(want), width, err)
			}
			indexes, err := appendIndexes(nil, n, 256, append([]byte{byte(width)}, b...))
			if err != nil || len(indexes) != n || uint8(indexes[n-1]) != want[n-1] {
				t.Errorf("%d of %d indexes of %d bits: %v", n, len(want), width, err)
			}
		}
		if _, err := appendLevels(nil, len(want)+1, width, b); !errors.Is(err, ErrFormat) {
			t.Errorf("one more level than there are: %v", err)
		}
	}
	for name, b := range map[string]string{
		"nothing": "", "an empty run": "\x00\x01", "an empty group": "\x01", "a run without a value": "\x08",
		"a run of 2^63": "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a number above 64 bits": strings.Repeat("\xff", 11),
		"groups beyond the page": "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
	} {
		if got, err := appendLevels(nil, 1000, 1, []byte(b)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %d levels, %v", name, len(got), err)
		}
	}
	for name, b := range map[string]string{
		"no width": "", "33 bits": "\x21\x02\x00", "an index beyond the dictionary": "\x08\x08\x05", "cut": "\x10\x08\x01",
	} {
		if got, err := appendIndexes(nil, 4, 5, []byte(b)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := appendIndexes(nil, 0, 0, nil); len(got) > 0 || err != nil {
		t.Errorf("no index: %v, %v", got, err)
	}
}

// TestRowSet compares sets of rows with maps.
func TestRowSet(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, rows := range []int{0, 1, 63, 64, 65, 200} {
		a, b := newRowSet(rows), newRowSet(rows)
		ina, inb := map[int]bool{}, map[int]bool{}
		for range rows / 3 {
			x, y := rnd.IntN(rows), rnd.IntN(rows)
			a.add(x)
			b.add(y)
			ina[x], inb[y] = true, true
		}
		union := slices.Clone(a)
		union.or(b)
		next := -1
		for row := rows - 1; row >= 0; row-- {
			if ina[row] {
				next = row
			}
			if a.next(row) != next || a.has(row) != ina[row] || a.and(b).has(row) != (ina[row] && inb[row]) ||
				a.without(b).has(row) != (ina[row] && !inb[row]) || union.has(row) != (ina[row] || inb[row]) ||
				a.within(row, row+1) != ina[row] || a.within(row, row) {
				t.Fatalf("row %d of %d", row, rows)
			}
		}
		all := allRows(rows)
		if a.count() != len(ina) || a.empty() != (len(ina) == 0) || all.count() != rows || all.next(rows) != -1 ||
			all.without(a).count() != rows-len(ina) {
			t.Errorf("%d rows: %d of %d, all %d", rows, a.count(), len(ina), all.count())
		}
	}
}

// TestDecoder_skip: a value of any type is skipped as a whole, and a hostile one ends with an error.
func TestDecoder_skip(t *testing.T) {
	for _, tt := range []struct {
		kind byte
		b    string
		left int // bytes after the value; -1 for an error
	}{
		{thriftTrue, "x", 1},
		{thriftByte, "\x01x", 1},
		{thriftI64, "\x80\x80\x01x", 1},
		{thriftI32, "\x80", -1},
		{thriftDouble, "12345678x", 1},
		{thriftDouble, "1234567", -1},
		{thriftBinary, "\x03abcx", 1},
		{thriftBinary, "\x04abc", -1},
		{thriftBinary, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", -1},
		{thriftList, "\x21\x01\x02x", 1},
		{thriftList, "\xf5\x02\x01\x02x", 1},
		{thriftList, "\xf5\xff\xff\xff\xff\x0f", -1},
		{thriftSet, "\x18\x01ax", 1},
		{thriftMap, "\x00x", 1},
		{thriftMap, "\x01\x85\x01a\x02x", 1},
		{thriftMap, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x11", -1},
		{thriftStruct, "\x15\x02\x18\x01a\x00x", 1},
		{thriftStruct, "\x05\x0e\x02\x00x", 1},
		{thriftStruct, "\x15\x02", -1},
		{13, "x", -1},
		{0, "x", -1},
		{thriftStruct, strings.Repeat("\x1c", 1000), -1},
		{thriftList, strings.Repeat("\x19", 1000), -1},
	} {
		d := decoder{b: []byte(tt.b)}
		d.skip(tt.kind, false, 0)
		left := len(d.b) - d.at
		if d.err != nil {
			left = -1
		}
		if left != tt.left || d.err != nil && !errors.Is(d.err, ErrFormat) {
			t.Errorf("skipping %d in %.20q leaves %d, %v; want %d", tt.kind, tt.b, left, d.err, tt.left)
		}
	}
	var got []string
	d := decoder{b: []byte("\x15\x02\x25\x04\x05\x02\x06\x00")}
	d.fields(func(id int, kind byte) bool {
		got = append(got, fmt.Sprint(id, kind))
		return false
	})
	if want := "1 5,3 5,1 5"; strings.Join(got, ",") != want || d.err != nil {
		t.Errorf("fields %q, %v, want %s", got, d.err, want)
	}
}
