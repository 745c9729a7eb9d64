package zstd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
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
		{"behind a window less two", frameOf(plain, rawOf(0, big[:1022]), match(10, 3+4)), big[:1022] + "ab" + "6789", io.EOF},
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
