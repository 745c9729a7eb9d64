// Package table reads and writes the gazetteer's file of names, which is used in place, without decoding.
//
// It has no names, but hashes of their folded words (see [Hash]): a look-up compares 46 bits. A name of several words
// also has the hashes of its prefixes, so the table is a trie of hashes. All numbers are little-endian:
//
//	header   "GAZ2", counts of keys, candidates, forms, masks and places (uint32 each)
//	buckets  uint32 × 16385: where the keys with the same upper 14 bits begin
//	firsts   uint32 × 16385: where the candidates of these keys begin
//	keys     uint32 × keys: the next 32 bits, ascending in each bucket
//	shapes   uint16 × keys: the form of each key
//	candidates uint16 each: places, the likeliest first, in the order of the keys
//	forms    8 bytes each: flags, number of candidates, which of them are primary names, 0, masks of the languages in
//	         which it is a word and in which it is a country's name (uint16 each)
//	masks    uint64 each: bit i is [Languages][i]
//	places   16 bytes: GeoNames id, population (uint32), parent (uint16), kind, capital, country (2 letters), padding
//
// A form is all that a key has besides its candidates. Many names have the same: one place, and no other meaning.
package table

import (
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

// Flags of a key.
const (
	Continues uint8 = 1 << iota // longer names begin so
	FirstName                   // a first name
	Surname                     // a surname
	isName                      // a whole name
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

// Entry is what the table has about a hash. The zero value is that of a hash with which no name begins.
type Entry struct {
	Flags uint8
	form  uint16
	first uint32 // its first candidate
}

// HasName reports whether the entry is of a whole name.
func (e Entry) HasName() bool { return e.Flags&isName != 0 }

// Name is a form of words with its places. Each call of Name makes it, with Candidates as a copy.
type Name struct {
	Candidates []uint16 // places, the likeliest first
	Primary    uint8    // bit i: GeoNames' main name of the i-th candidate
	Word       uint64   // mask of languages in which it is a usual word
	Native     uint64   // mask of languages in which it is a country's name
}

const (
	magic      = "GAZ2"
	headerSize = 24
	bucketBits = 14
	bucketSize = 4 * (1<<bucketBits + 1)
	formSize   = 8
	placeSize  = 16
)

// ErrFormat means that a table is damaged or of another version.
var ErrFormat = errors.New("table: not a table of names")

// Table has the parts of a file in memory, undecoded.
type Table struct {
	buckets, firsts, keys, shapes, candidates, forms, masks, places string

	listed []uint64 // bits by the upper listedBits of the hashes: see Find
}

// listedBits are the bits of a hash that Find tests first. With some 256,000 keys one in five others passes. The bits
// take 128 KiB.
const listedBits = 20

// Open returns the table in data. It checks all parts but keys, shapes and candidates, which would load the whole file.
// Look-ups check these, and find nothing where they are wrong. Open reads the keys once, in half a millisecond.
func Open(data string) (*Table, error) {
	if len(data) < headerSize || data[:4] != magic {
		return nil, ErrFormat
	}
	t, rest := &Table{}, data[headerSize:]
	count := func(i int) int { return int(u32(data, 4+4*i)) }
	for _, part := range []struct {
		to   *string
		size int
	}{
		// In the order of the file.
		{&t.buckets, bucketSize},
		{&t.firsts, bucketSize},
		{&t.keys, 4 * count(0)},
		{&t.shapes, 2 * count(0)},
		{&t.candidates, 2 * count(1)},
		{&t.forms, formSize * count(2)},
		{&t.masks, 8 * count(3)},
		{&t.places, placeSize * count(4)},
	} {
		// int has 64 bits, so counts of 32 bits times 16 do not overflow.
		if part.size < 0 || len(rest) < part.size {
			return nil, ErrFormat
		}
		*part.to, rest = rest[:part.size], rest[part.size:]
	}
	if len(rest) > 0 || !ascends(t.buckets, count(0)) || !ascends(t.firsts, count(1)) {
		return nil, ErrFormat
	}
	for at := 0; at < len(t.forms); at += formSize {
		if int(max(u16(t.forms, at+4), u16(t.forms, at+6))) >= count(3) {
			return nil, ErrFormat
		}
	}
	t.list()
	return t, nil
}

// list sets the bits of all keys.
func (t *Table) list() {
	t.listed = make([]uint64, 1<<listedBits/64)
	for bucket := range 1 << bucketBits {
		for i := int(u32(t.buckets, 4*bucket)); i < int(u32(t.buckets, 4*bucket+4)); i++ {
			bit := uint32(bucket)<<(listedBits-bucketBits) | u32(t.keys, 4*i)>>(32-(listedBits-bucketBits))
			t.listed[bit/64] |= 1 << (bit % 64)
		}
	}
}

// ascends reports whether numbers of 32 bits ascend from 0 to last.
func ascends(s string, last int) bool {
	before := uint32(0)
	for at := 0; at < len(s); at += 4 {
		n := u32(s, at)
		if n < before || at == 0 && n > 0 {
			return false
		}
		before = n
	}
	return int(before) == last
}

// place returns the bucket of a hash, and its key there.
func place(hash uint64) (bucket int, key uint32) {
	return int(hash >> (64 - bucketBits)), uint32(hash >> (32 - bucketBits))
}

// Find returns the entry of a hash. The bits rule out most words without a search, which reads three places of a file
// that is larger than the processor's caches. Buckets hold some sixteen keys, one or two cache lines, so a linear
// search is faster than a binary one.
func (t *Table) Find(hash uint64) Entry {
	if bit := hash >> (64 - listedBits); t.listed[bit/64]>>(bit%64)&1 == 0 {
		return Entry{}
	}
	bucket, key := place(hash)
	// The next bucket's start is the bucket's end.
	from, to := int(u32(t.buckets, 4*bucket)), int(u32(t.buckets, 4*bucket+4))
	// Keys ascend, so the first that is not below decides.
	for i := from; i < to; i++ {
		if k := u32(t.keys, 4*i); k >= key {
			if k == key {
				return t.entry(bucket, from, i)
			}
			break
		}
	}
	return Entry{}
}

// entry returns the entry of key i in a bucket that begins with key from. Candidates of the keys before it come first.
func (t *Table) entry(bucket, from, i int) Entry {
	e := Entry{form: u16(t.shapes, 2*i)}
	if formSize*int(e.form) >= len(t.forms) {
		return Entry{}
	}
	e.Flags = t.forms[formSize*int(e.form)]
	if !e.HasName() {
		return e
	}
	e.first = u32(t.firsts, 4*bucket)
	for k := from; k < i; k++ {
		if form := formSize * int(u16(t.shapes, 2*k)); form < len(t.forms) {
			e.first += uint32(t.forms[form+1])
		}
	}
	if 2*(int(e.first)+t.number(e)) > len(t.candidates) {
		return Entry{}
	}
	return e
}

// number returns the number of candidates of an entry.
func (t *Table) number(e Entry) int { return int(t.forms[formSize*int(e.form)+1]) }

// Name returns the name of an entry that has one.
func (t *Table) Name(e Entry) Name {
	form := t.forms[formSize*int(e.form):]
	n := Name{
		Candidates: make([]uint16, t.number(e)),
		Primary:    form[2],
		Word:       u64(t.masks, 8*int(u16(form, 4))),
		Native:     u64(t.masks, 8*int(u16(form, 6))),
	}
	for i := range n.Candidates {
		n.Candidates[i] = u16(t.candidates, 2*(int(e.first)+i))
	}
	return n
}

// Place returns a candidate's place, or none if the table is damaged.
func (t *Table) Place(i uint16) Place {
	at := int(i) * placeSize
	if at >= len(t.places) {
		return Place{Parent: NoParent}
	}
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
