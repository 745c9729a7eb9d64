package zstd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	kzstd "github.com/klauspost/compress/zstd"
)

func TestParseDictionary(t *testing.T) {
	good, err := os.ReadFile("testdata/libzstd/trained.dict")
	must(err)
	content := bytes.Clone(good)
	d, err := ParseDictionary(good)
	must(err)
	at := len(good) - len(d.content) // of the content; the recent offsets are before it
	offset := func(i int, v uint32) []byte {
		b := bytes.Clone(content)
		binary.LittleEndian.PutUint32(b[at-12+4*i:], v)
		return b
	}
	for _, tt := range []struct {
		name string
		b    []byte
		bad  bool
	}{
		{"empty", nil, false},
		{"short", good[:3], false},
		{"raw", []byte("raw content"), false},
		{"whole", good, false},
		{"magic alone", good[:8], true},
		{"cut in the tables", good[:at-20], true},
		{"cut in the offsets", good[:at-1], true},
		{"offset 0", offset(1, 0), true},
		{"offset of all the content", offset(2, uint32(len(d.content))), false},
		{"offset beyond the content", offset(2, uint32(len(d.content))+1), true},
	} {
		if _, err := ParseDictionary(tt.b); errors.Is(err, ErrCorrupt) != tt.bad || !tt.bad && err != nil {
			t.Errorf("%s: ParseDictionary: %v, want an error: %v", tt.name, err, tt.bad)
		}
	}
}

// TestDecoder_dictionary decodes matches that reach back to the dictionary, as far as they may.
func TestDecoder_dictionary(t *testing.T) {
	dictionary, err := ParseDictionary([]byte("0123456789"))
	must(err)
	d := NewDecoder(Options{Dictionary: dictionary})
	match := func(code byte, extra uint) string {
		return packed(literalsOf("ab"), single("\x01", 2, code, 1, field{extra, uint(code)})) // of 4 bytes
	}
	big := strings.Repeat("x", 1024)
	for _, tt := range []cornerCase{
		{"the last byte, then the frame", frameOf(plain, match(2, 2)), "ab" + "9ab9", io.EOF},
		{"all of it", frameOf(plain, match(3, 7)), "ab" + "0123", io.EOF},
		{"beyond", frameOf(plain, match(4, 0)), "ab", errDistance},
		{"named otherwise", frameOf("\x01\x00\x07", match(3, 6)), "", ErrDictionary},
		{"behind a window", frameOf(plain, rawOf(0, big), match(10, 3+3)), big + "ab", errDistance},
		{
			"behind a window less two", frameOf(plain, rawOf(0, big[:1022]), match(10, 3+4)), big[:1022] + "ab" + "6789",
			io.EOF,
		},
		{"behind a window less two, and on", frameOf(plain, rawOf(0, big[:1022]), match(10, 3+3)), "", errDistance},
	} {
		for _, f := range []feeding{whole, {always(1), always(1), 1 << 20}} {
			got, _, err := f.decode(t, d, tt.src)
			if err != tt.err || err == io.EOF && string(got) != tt.want {
				t.Errorf("%s: Decode = %.20q of %d bytes, %v; want %.20q, %v", tt.name, got, len(got), err, tt.want, tt.err)
			}
		}
	}
}

// TestDecoder_wrongID decodes frames where bits of an id are wrong, the dictionary's or the frame's. The checksum
// proves that the dictionary is the frame's.
func TestDecoder_wrongID(t *testing.T) {
	trained, err := os.ReadFile("testdata/libzstd/trained.dict")
	must(err)
	want := strings.Repeat("the harbour of the dictionary ", 40)
	encode := func(checksum bool) []byte {
		enc, err := kzstd.NewWriter(nil, kzstd.WithEncoderDict(trained), kzstd.WithEncoderCRC(checksum))
		must(err)
		return enc.EncodeAll([]byte(want), nil)
	}
	summed, bare := encode(true), encode(false)
	id := trained[4:6] // the dictionary's is small, and two bytes hold it
	at := bytes.Index(summed[:16], id)
	if at < 0 {
		t.Fatalf("the frame %x has not the id %x", summed[:16], id)
	}
	flipped := func(b []byte, at int, bits ...int) []byte {
		b = bytes.Clone(b)
		for _, bit := range bits {
			b[at+bit/8] ^= 1 << (bit % 8)
		}
		return b
	}
	type wrong struct {
		name              string
		dictionary, frame []byte
		err               error
	}
	tests := []wrong{
		{"sound", trained, summed, io.EOF},
		{"two bits", flipped(trained, 4, 0, 31), summed, io.EOF},
		{"one in each", flipped(trained, 4, 3), flipped(summed, at, 14), io.EOF},
		{"another dictionary's", flipped(trained, 4, 1, 9, 17, 25), summed, ErrDictionary},
		{"without a checksum", flipped(trained, 4, 5), bare, ErrDictionary},
		{"and the content is another", flipped(flipped(trained, 4, 5), len(trained)-40, 0, 9, 33, 70, 120), summed, nil},
	}
	for bit := range 32 {
		name := fmt.Sprint("bit ", bit, " of the dictionary's")
		tests = append(tests, wrong{name, flipped(trained, 4, bit), summed, io.EOF})
		if bit < 16 {
			tests = append(tests, wrong{fmt.Sprint("bit ", bit, " of the frame's"), trained, flipped(summed, at, bit), io.EOF})
		}
	}
	for _, tt := range tests {
		dictionary, err := ParseDictionary(tt.dictionary)
		must(err)
		got, _, err := whole.decode(t, NewDecoder(Options{Dictionary: dictionary}), tt.frame)
		switch {
		// What the checksum does not prove is not given as sound.
		case tt.err == nil && err == io.EOF && string(got) != want:
			t.Errorf("%s: other bytes, and no error", tt.name)
		case tt.err != nil && (err != tt.err || err == io.EOF && string(got) != want):
			t.Errorf("%s: Decode = %.20q of %d bytes, %v; want %v", tt.name, got, len(got), err, tt.err)
		}
	}
}
