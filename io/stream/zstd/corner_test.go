package zstd

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

// cornerCase is a frame built by hand.
type cornerCase struct {
	name string
	src  []byte
	want string // what it decodes to
	err  error
}

// frameOf returns a frame with a header of those bytes after the magic number.
func frameOf(header string, blocks ...string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, frameMagic)
	return append(b, header+strings.Join(blocks, "")...)
}

// plain begins a frame with a window of 1 KiB and no other field.
const plain = "\x00\x00"

// blockOf returns a block whose header says that size.
func blockOf(last, kind, size int, content string) string {
	v := last | kind<<1 | size<<3
	return string([]byte{byte(v), byte(v >> 8), byte(v >> 16)}) + content
}

func rawOf(last int, s string) string { return blockOf(last, 0, len(s), s) }

// packed returns a compressed block, the last one.
func packed(sections ...string) string { return packedOf(1, sections...) }

func packedOf(last int, sections ...string) string {
	s := strings.Join(sections, "")
	return blockOf(last, 2, len(s), s)
}

// literalsOf returns a raw literals section of less than 4096 bytes.
func literalsOf(s string) string { return string([]byte{byte(4 | len(s)<<4), byte(len(s) >> 4)}) + s }

// field is a number and how many bits it has in a bitstream.
type field struct{ value, bits uint }

// stream returns a bitstream, the first field of which is read first.
func stream(fields ...field) string {
	var all []bool // the bit read last first
	for i := len(fields) - 1; i >= 0; i-- {
		for j := range fields[i].bits {
			all = append(all, fields[i].value>>j&1 != 0)
		}
	}
	all = append(all, true)
	b := make([]byte, (len(all)+7)/8)
	for i, v := range all {
		if v {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return string(b)
}

// single returns n sequences with the same codes of a literals length, an offset and a match length. Their extra bits
// follow.
func single(n string, length, offset, match byte, fields ...field) string {
	return n + "\x54" + string([]byte{length, offset, match}) + stream(fields...)
}

// Four symbols with codes of 2 bits: weights 1, 1, 1 and, not said, 1.
const fourSymbols = "\x82\x11\x10"

// fourStreams returns a literals section of "\x00\x01\x02\x03" four times over, with the code or without.
func fourStreams(kind byte, code string) string {
	one := stream(field{0, 2}, field{1, 2}, field{2, 2}, field{3, 2})
	s := code + "\x02\x00\x02\x00\x02\x00" + strings.Repeat(one, 4)
	v := uint(kind) | 1<<2 | 16<<4 | uint(len(s))<<14
	return string([]byte{byte(v), byte(v >> 8), byte(v >> 16)}) + s
}

func cornerCases() []cornerCase {
	symbols := "\x00\x01\x02\x03"
	sixteen := strings.Repeat(symbols, 4)
	kilobyte := strings.Repeat("0123456789abcdef", 64)
	return append(headerCases(), []cornerCase{
		{"raw, empty", frameOf(plain, rawOf(1, "")), "", io.EOF},
		{"raw blocks", frameOf(plain, rawOf(0, "abc"), rawOf(0, ""), rawOf(1, "def")), "abcdef", io.EOF},
		{"raw, cut", frameOf(plain, rawOf(1, "abc")[:5]), "ab", errMore},
		{"raw, larger than the window", frameOf(plain, rawOf(1, kilobyte+"x")), "", errBlockSize},
		{"RLE", frameOf(plain, blockOf(0, 1, 3, "a"), blockOf(1, 1, 1024, "b")), "aaa" + strings.Repeat("b", 1024), io.EOF},
		{"RLE, empty", frameOf(plain, blockOf(1, 1, 0, "a")), "", io.EOF},
		{"RLE, larger than the window", frameOf(plain, blockOf(1, 1, 1025, "b")), "", errBlockSize},
		{"reserved block type", frameOf(plain, blockOf(1, 3, 0, "")), "", errReserved},
		{"compressed, empty", frameOf(plain, packed()), "", errShort},
		{"compressed, cut", frameOf(plain, packed(literalsOf("abc"), "\x00")[:6]), "", errMore},
		{"literals alone", frameOf(plain, packed(literalsOf("abc"), "\x00")), "abc", io.EOF},
		{"no count of sequences", frameOf(plain, packed(literalsOf("abc"))), "", errShort},
		{"bytes behind no sequences", frameOf(plain, packed(literalsOf("abc"), "\x00\x00")), "", errBits},
		{"literals, beyond the block", frameOf(plain, packed("\xf8abc\x00")), "", errShort},
		{"literals, larger than the window", frameOf(plain, packed(literalsOf(kilobyte+"x"), "\x00")), "", errBlockSize},
		{"RLE literals", frameOf(plain, packed("\x59x", "\x00")), strings.Repeat("x", 11), io.EOF},
		{"four streams", frameOf(plain, packed(fourStreams(2, fourSymbols), "\x00")), sixteen, io.EOF},
		{
			"treeless", frameOf(plain, packedOf(0, fourStreams(2, fourSymbols), "\x00"), packed(fourStreams(3, ""), "\x00")),
			sixteen + sixteen, io.EOF,
		},
		{"treeless, of no tree", frameOf(plain, packed(fourStreams(3, ""), "\x00")), "", errNoTable},
		{"one stream", frameOf(plain, packed("\x42\x40\x01", fourSymbols, stream(field{0, 2}, field{1, 2}, field{2, 2},
			field{3, 2}), "\x00")), symbols, io.EOF},
		{"one stream, cut", frameOf(plain, packed("\x42\x00\x01", fourSymbols, stream(field{0, 2}, field{1, 2}, field{2, 2}),
			"\x00")), "", errBits},
		{"four streams of five literals", frameOf(plain, strings.Replace(packed(fourStreams(2, fourSymbols), "\x00"),
			"\x06\x41\x04", "\x56\x40\x04", 1)), "", errShort},
		{"weights: none", frameOf(plain, packed("\x42\x40\x01\x80\x00\x01\x01\x01", "\x00")), "", errTable},
		{
			"weights: the last is no power of two", frameOf(plain, packed("\x42\x40\x01\x82\x51\x10\x01\x01", "\x00")), "",
			errTable,
		},
		{"match", frameOf(plain, packed(literalsOf("ab"), single("\x01", 2, 2, 0, field{1, 2}))), "ababa", io.EOF},
		{
			"match of the longest", frameOf("\x00\x38",
				packed(literalsOf("a"), single("\x01", 1, 2, 52, field{0, 2}, field{1<<16 - 1, 16}))),
			strings.Repeat("a", 65539+65535+1), errBlockSize,
		},
		{"match of half of that", frameOf("\x00\x38",
			packed(literalsOf("a"), single("\x01", 1, 2, 52, field{0, 2}, field{0, 16}))), strings.Repeat("a", 65540), io.EOF},
		{
			"match beyond all there is", frameOf(plain, packed(literalsOf("ab"), single("\x01", 2, 2, 0, field{2, 2}))), "ab",
			errDistance,
		},
		{"match beyond the window", frameOf(plain, rawOf(0, kilobyte),
			packed(literalsOf("ab"), single("\x01", 2, 10, 0, field{4, 10}))), kilobyte + "ab", errDistance},
		{"match of all the window", frameOf(plain, rawOf(0, kilobyte),
			packed(literalsOf("ab"), single("\x01", 2, 10, 0, field{3, 10}))), kilobyte + "ab" + "234", io.EOF},
		{"recent 1, 2 and 3", frameOf(plain, rawOf(0, "0123456789"),
			packed(literalsOf("a"), single("\x01", 1, 1, 0, field{0, 1}))), "0123456789a789", io.EOF},
		{
			"recent 1", frameOf(plain, rawOf(0, "0123456789"), packed(literalsOf("a"), single("\x01", 1, 0, 0))),
			"0123456789aaaa", io.EOF,
		},
		{
			"recent 3", frameOf(plain, rawOf(0, "0123456789"), packed(literalsOf("a"), single("\x01", 1, 1, 0, field{1, 1}))),
			"0123456789a345", io.EOF,
		},
		{"recent 1 without literals is 2", frameOf(plain, rawOf(0, "0123456789"),
			packed(literalsOf(""), single("\x01", 0, 0, 0))), "0123456789678", io.EOF},
		{
			"recent 3 without literals is 1 less one: 0",
			frameOf(plain, rawOf(0, "0123456789"), packed(literalsOf(""), single("\x01", 0, 1, 0, field{1, 1}))), "0123456789",
			errNoDistance,
		},
		{
			"more literals than there are", frameOf(plain, packed(literalsOf("a"), single("\x01", 2, 2, 0, field{0, 2}))), "",
			errLiterals,
		},
		{
			"bits left over", frameOf(plain, packed(literalsOf("ab"), single("\x01", 2, 2, 0, field{1, 2}, field{0, 1}))),
			"ababa", errBits,
		},
		{"bits missing", frameOf(plain, packed(literalsOf("ab"), single("\x01", 2, 2, 0, field{1, 1}))), "", errBits},
		{"no end of bits", frameOf(plain, packed(literalsOf("ab"), "\x01\x54\x02\x02\x00", "\x00")), "", errBits},
		{"127 sequences", many("\x7f", 127), strings.Repeat("a", 1+127*3), io.EOF},
		{"128 sequences", many("\x80\x80", 128), strings.Repeat("a", 1+128*3), io.EOF},
		{"0x7eff sequences", many("\xfe\xff", 0x7eff), strings.Repeat("a", 1+0x7eff*3), io.EOF},
		{"0x7f00 sequences", many("\xff\x00\x00", 0x7f00), strings.Repeat("a", 1+0x7f00*3), io.EOF},
		{"reserved bits of modes", frameOf(plain, packed(literalsOf("ab"), "\x01\x55\x02\x02\x00\x01")), "", errReserved},
		{"repeat of no table", frameOf(plain, packed(literalsOf("ab"), "\x01\xd4\x02\x00\x01")), "", errNoTable},
		{"symbol beyond the alphabet", frameOf(plain, packed(literalsOf("ab"), single("\x01", 36, 2, 0))), "", errTable},
		{"offset of the greatest code", frameOf(plain,
			packed(literalsOf("ab"), single("\x01", 2, 31, 0, field{1<<31 - 1, 31}))), "ab", errDistance},
		{"repeat", frameOf(plain, packedOf(0, literalsOf("ab"), single("\x01", 2, 2, 0, field{1, 2})),
			packed(literalsOf("cd"), "\x01\xfc"+stream(field{1, 2}))), "ababacdcdc", io.EOF},
	}...)
}

// many returns n sequences of a recent offset and three bytes, in a frame with a window of 128 KiB.
func many(count string, n int) []byte {
	return frameOf("\x00\x38", rawOf(0, "a"),
		packed(literalsOf(""), single(count, 0, 2, 0, repeatField(field{0, 2}, n)...)))
}

func repeatField(f field, n int) (all []field) {
	for range n {
		all = append(all, f)
	}
	return all
}

// headerCases are about the headers of frames.
func headerCases() []cornerCase {
	return []cornerCase{
		{"no input", nil, "", errMore},
		{"other magic number", []byte("\x28\xb5\x2f\xfe\x00\x00"), "", errMagic},
		{"skippable frame", []byte("\x50\x2a\x4d\x18\x00\x00\x00\x00"), "", errMagic},
		{"header, cut", frameOf("\x00"), "", errMore},
		{"reserved bit", frameOf("\x08\x00", rawOf(1, "a")), "", errReserved},
		{"unused bit", frameOf("\x10\x00", rawOf(1, "a")), "a", io.EOF},
		{"single segment", frameOf("\x20\x03", rawOf(1, "abc")), "abc", io.EOF},
		{"single segment, empty", frameOf("\x20\x00", rawOf(1, "")), "", io.EOF},
		{"content longer than its size", frameOf("\x20\x02", rawOf(1, "abc")), "", errBlockSize},
		{"content shorter than its size", frameOf("\x20\x04", rawOf(1, "abc")), "abc", errContent},
		{"content of 2 bytes", frameOf("\x60\x01\x00", blockOf(1, 1, 257, "a")), strings.Repeat("a", 257), io.EOF},
		{"content of 4 bytes", frameOf("\xa0\x01\x00\x00\x00", rawOf(1, "a")), "a", io.EOF},
		{"content of 8 bytes", frameOf("\xe0\x01\x00\x00\x00\x00\x00\x00\x00", rawOf(1, "a")), "a", io.EOF},
		{
			"content of 8 bytes, the greatest", frameOf("\xc0\x00\xff\xff\xff\xff\xff\xff\xff\xff", rawOf(1, "a")), "a",
			errContent,
		},
		{"window of 8 MiB", frameOf("\x00\x68", rawOf(1, "a")), "a", io.EOF},
		{"window over 8 MiB", frameOf("\x00\x69", rawOf(1, "a")), "", ErrWindow},
		{"window of the greatest size", frameOf("\x00\xff", rawOf(1, "a")), "", ErrWindow},
		{"window over 8 MiB of less content", frameOf("\x40\x69\x01\x00", blockOf(1, 1, 257, "a")), "", ErrWindow},
		{"single segment over 8 MiB", frameOf("\xa0\x01\x00\x80\x00", rawOf(1, "a")), "", ErrWindow},
		{"dictionary 0", frameOf("\x01\x00\x00", rawOf(1, "a")), "a", io.EOF},
		{"dictionary of 1 byte", frameOf("\x01\x00\x07", rawOf(1, "a")), "", ErrDictionary},
		{"dictionary of 2 bytes", frameOf("\x02\x00\x00\x07", rawOf(1, "a")), "", ErrDictionary},
		{"dictionary of 4 bytes", frameOf("\x03\x00\x00\x00\x00\x07", rawOf(1, "a")), "", ErrDictionary},
		{"checksum", frameOf("\x04\x00", rawOf(1, ""), "\x99\xe9\xd8\x51"), "", io.EOF},
		{"checksum, wrong", frameOf("\x04\x00", rawOf(1, ""), "\x99\xe9\xd8\x50"), "", ErrChecksum},
		{"checksum, cut", frameOf("\x04\x00", rawOf(1, ""), "\x99\xe9\xd8"), "", errMore},
	}
}

func TestDecoder_corners(t *testing.T) {
	d := NewDecoder(Options{})
	for _, c := range cornerCases() {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range []feeding{whole, {always(1), always(1), 1 << 20}, {always(1), always(50), 1 << 20}} {
				if len(c.want) > 5000 && f.room() == 1 {
					continue
				}
				got, _, err := f.decode(t, d, c.src)
				if want := c.want; err != c.err || string(got) != want &&
					(err == nil || errors.Is(err, io.EOF) || !strings.HasPrefix(want, string(got))) {
					t.Errorf("Decode(%x) = %.100q of %d bytes, %v; want %.100q, %v", head(c.src), got, len(got), err, want, c.err)
				}
			}
			whole.agree(t, d, c.src)
		})
	}
}
