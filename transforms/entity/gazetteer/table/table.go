// Package table reads and writes the gazetteer's file of names, which is used in place, without decoding.
//
// It has no names, but hashes of their folded words (see [Hash]): a look-up compares 64 bits. A name of several words
// also has the hashes of its prefixes, so the table is a trie of hashes. All numbers are little-endian:
//
//	header   "GAZ1", counts of keys, names, candidates, masks and places (uint32 each)
//	buckets  uint32 × 65537: where the keys with the same upper 16 bits begin
//	keys     uint64 × keys, ascending
//	values   uint32 × keys: 1 + index of the name, 0 for none; bits 31 to 29 are [Continues], [FirstName] and [Surname]
//	names    12 bytes each: first candidate (uint32), number of candidates, which of the first eight are primary names,
//	         masks of the languages in which it is a word and in which it is a country's name (uint16 each), 2 of padding
//	candidates uint16 each: places, the likeliest first
//	masks    uint64 each: bit i is [Languages][i]
//	places   16 bytes each: GeoNames id, population (uint32), parent (uint16), kind, capital, country (2 letters), padding
package table

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Languages are the languages of masks as ISO 639-1, in the order of the bits. Bosnian, Croatian and Serbian are one.
// The order is part of the format: a new language needs a new version of the file.
var Languages = []string{
	"ar", "ast", "az", "be", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu", "fa", "fi",
	"fr", "ga", "gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "ko", "la", "lb", "lt", "lv", "mk",
	"ml", "mr", "ms", "nb", "nl", "nn", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sv", "sw", "ta", "te", "th", "tl", "tr",
	"uk", "ur", "uz", "vi",
	"zh",
}

// Bit returns the mask of one language, or 0 for a language outside Languages.
func Bit(language string) uint64 {
	switch language {
	case "bs", "sr":
		language = "hr"
	case "no":
		language = "nb"
	}
	if i, ok := slices.BinarySearch(Languages, language); ok {
		return 1 << i
	}
	return 0
}

// Flags of a key's value, beside the index of the name, which has 29 bits.
const (
	Continues uint32 = 1 << 31 // longer names begin so
	FirstName uint32 = 1 << 30 // a first name
	Surname   uint32 = 1 << 29 // a surname
	nameBits  uint32 = 1<<29 - 1
)

const (
	Country uint8 = iota
	State
	City
)

// NoParent is the parent of a country. So there may be at most 65,535 places.
const NoParent uint16 = 0xFFFF

type Place struct {
	ID         uint32 // GeoNames
	Population uint32
	Parent     uint16 // the state of the United States, or country, around it
	Kind       uint8
	Capital    bool   // of a country
	Country    string // ISO 3166-1 alpha-2
}

// Name is a form of words with its places. Each call of Name makes it, with Candidates as a copy.
type Name struct {
	Candidates []uint16 // places, the likeliest first
	Primary    uint8    // bit i: GeoNames' main name of the i-th candidate
	Word       uint64   // mask of languages in which it is a usual word
	Native     uint64   // mask of languages in which it is a country's name
}

const (
	magic      = "GAZ1"
	headerSize = 24
	bucketSize = 4 * (1<<16 + 1)
	nameSize   = 12
	placeSize  = 16
)

// ErrFormat means that a table is damaged or of another version.
var ErrFormat = errors.New("table: not a table of names")

// Table has the parts of a file in memory, undecoded.
type Table struct {
	buckets, keys, values, names, candidates, masks, places string
}

// Open returns the table in data. It checks sizes, not contents: the file is embedded, so a wrong index is a mistake
// of the build.
func Open(data string) (*Table, error) {
	if len(data) < headerSize+bucketSize || data[:4] != magic {
		return nil, ErrFormat
	}
	t, rest := &Table{}, data[headerSize:]
	keys := int(u32(data, 4))
	for _, part := range []struct {
		to   *string
		size int
	}{
		// In the order of the file.
		{&t.buckets, bucketSize},
		{&t.keys, 8 * keys},
		{&t.values, 4 * keys},
		{&t.names, nameSize * int(u32(data, 8))},
		{&t.candidates, 2 * int(u32(data, 12))},
		{&t.masks, 8 * int(u32(data, 16))},
		{&t.places, placeSize * int(u32(data, 20))},
	} {
		// int has 64 bits, so counts of 32 bits times 16 do not overflow.
		if part.size < 0 || len(rest) < part.size {
			return nil, ErrFormat
		}
		*part.to, rest = rest[:part.size], rest[part.size:]
	}
	return t, nil
}

// Find returns the value of a hash, or 0 if no name begins so. Buckets hold a few keys each, so a linear search is
// faster than a binary one.
func (t *Table) Find(hash uint64) uint32 {
	// The next bucket's start is the bucket's end; hence 65,537 of them.
	bucket := int(hash>>48) * 4
	from, to := u32(t.buckets, bucket), u32(t.buckets, bucket+4)
	// Keys ascend, so the first that is not below decides.
	for i := int(from); i < int(to); i++ {
		if key := u64(t.keys, i*8); key >= hash {
			if key == hash {
				return u32(t.values, i*4)
			}
			return 0
		}
	}
	return 0
}

// HasName reports whether a value is of a whole name.
func HasName(value uint32) bool { return value&nameBits != 0 }

// Name returns the name of a value that has one.
func (t *Table) Name(value uint32) Name {
	// Values count names from 1.
	at := int(value&nameBits-1) * nameSize
	n := Name{
		Primary: t.names[at+5],
		Word:    u64(t.masks, 8*int(u16(t.names, at+6))),
		Native:  u64(t.masks, 8*int(u16(t.names, at+8))),
	}
	first := int(u32(t.names, at))
	n.Candidates = make([]uint16, t.names[at+4])
	for i := range n.Candidates {
		n.Candidates[i] = u16(t.candidates, 2*(first+i))
	}
	return n
}

func (t *Table) Place(i uint16) Place {
	// i comes from a candidate of the same table.
	at := int(i) * placeSize
	p := t.places[at : at+placeSize]
	return Place{
		ID: u32(p, 0), Population: u32(p, 4), Parent: u16(p, 8), Kind: p[10], Capital: p[11] != 0, Country: p[12:14],
	}
}

// u16 reads two bytes of a string; the compiler makes one load of it.
func u16(s string, i int) uint16 { return uint16(s[i]) | uint16(s[i+1])<<8 }

func u32(s string, i int) uint32 { return uint32(u16(s, i)) | uint32(u16(s, i+2))<<16 }

func u64(s string, i int) uint64 { return uint64(u32(s, i)) | uint64(u32(s, i+4))<<32 }

// Hash is the hash of a name so far: FNV-1a of 64 bits over folded letters, with a space between words. Folding is
// only to lower case: accents stay, since the table has alternate names without them.
type Hash uint64

// NewHash is the empty hash: FNV's offset basis for 64 bits.
const NewHash Hash = 0xCBF29CE484222325

// Add returns the hash with one more letter, folded to lower case.
func (h Hash) Add(r rune) Hash {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r |= 0x20
		}
		return (h ^ Hash(r)) * 0x100000001B3
	}
	var buf [utf8.UTFMax]byte
	for _, c := range buf[:utf8.EncodeRune(buf[:], unicode.ToLower(r))] {
		h = (h ^ Hash(c)) * 0x100000001B3
	}
	return h
}

// Sum returns the key. It mixes FNV's upper bits, which choose the bucket, with the lower ones. The multiplier is 2^64
// divided by the golden ratio (Knuth's multiplicative hashing).
func (h Hash) Sum() uint64 { return bits.RotateLeft64(uint64(h)*0x9E3779B97F4A7C15, 32) }

// Builder collects the contents of a table.
type Builder struct {
	Places []Place
	values map[uint64]uint32
	names  []Name
}

// Add adds flags, and a name if it is not nil, to a key. Flags of several calls add up; of several names the last
// counts.
func (b *Builder) Add(key uint64, flags uint32, name *Name) {
	if b.values == nil {
		b.values = map[uint64]uint32{}
	}
	value := b.values[key] | flags
	if name != nil {
		b.names = append(b.names, *name)
		value = value&^nameBits | uint32(len(b.names))
	}
	b.values[key] = value
}

// Bytes returns the file. The same places and names give the same bytes: keys are sorted, and names are in order of
// addition.
func (b *Builder) Bytes() []byte {
	keys := make([]uint64, 0, len(b.values))
	for key := range b.values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	names, candidates, masks := b.sections()
	out := []byte(magic)
	for _, n := range []int{len(keys), len(b.names), len(candidates) / 2, len(masks) / 8, len(b.Places)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	// One more bucket, as the end of the last.
	for bucket, i := 0, 0; bucket <= 1<<16; bucket++ {
		for i < len(keys) && int(keys[i]>>48) < bucket {
			i++
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(i))
	}
	for _, key := range keys {
		out = binary.LittleEndian.AppendUint64(out, key)
	}
	for _, key := range keys {
		out = binary.LittleEndian.AppendUint32(out, b.values[key])
	}
	out = slices.Concat(out, names, candidates, masks)
	for _, p := range b.Places {
		out = p.append(out)
	}
	return out
}

// sections returns the sections of names, candidates and masks. Masks repeat, so each is stored once.
func (b *Builder) sections() (names, candidates, masks []byte) {
	known := map[uint64]uint16{}
	mask := func(m uint64) uint16 {
		i, ok := known[m]
		if !ok {
			i = uint16(len(known))
			known[m] = i
			masks = binary.LittleEndian.AppendUint64(masks, m)
		}
		return i
	}
	for _, n := range b.names {
		names = binary.LittleEndian.AppendUint32(names, uint32(len(candidates)/2))
		names = append(names, uint8(len(n.Candidates)), n.Primary)
		names = binary.LittleEndian.AppendUint16(names, mask(n.Word))
		names = binary.LittleEndian.AppendUint16(names, mask(n.Native))
		names = append(names, 0, 0)
		for _, c := range n.Candidates {
			candidates = binary.LittleEndian.AppendUint16(candidates, c)
		}
	}
	return names, candidates, masks
}

func (p Place) append(out []byte) []byte {
	out = binary.LittleEndian.AppendUint32(out, p.ID)
	out = binary.LittleEndian.AppendUint32(out, p.Population)
	out = binary.LittleEndian.AppendUint16(out, p.Parent)
	capital := byte(0)
	if p.Capital {
		capital = 1
	}
	return append(out, p.Kind, capital, p.Country[0], p.Country[1], 0, 0)
}
