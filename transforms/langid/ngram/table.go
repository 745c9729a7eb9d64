// Package ngram holds what language models know about n-grams of letters in one inverted table: for each n-gram the
// languages that have it, with a weight. A text is scored for all languages of its script with one look-up for each
// distinct n-gram. The weights are integers, so that sums do not depend on the order of additions.
//
//	table, err := ngram.Open(data)
//	var scores ngram.Scores
//	key := ngram.Key(0).Append(table.Letter('é')).Append(table.Letter('t'))
//	table.Add(&scores, table.Script('é'), key, 1)
//
// A table is made by Encode, from a list of postings, and used where its bytes lie: Open reads its header and copies
// nothing of the rest.
//
// The layout: the magic, the length of the header (32 bits, like all numbers little endian), the header as JSON; 2^18+1
// offsets (32 bits) of buckets; the buckets. An n-gram of four letters is in the bucket of its first three, since a text
// that has one is about to ask for the other: the table is larger than the processor's caches. The number of the script
// and three letters make 26 bits. They are mixed by a bijection; 18 of them choose the bucket, and 8 are kept in it
// together with the fourth letter, so that no n-gram is taken for another. A bucket has the number of its entries (16
// bits), their heads (the kept bits and the fourth letter, 16, and how many postings there are, 8), and then the postings
// of one entry after the other: the language's number (8) and the weight (8, signed).
package ngram

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
)

const (
	// MaxOrder is how many letters the longest n-grams have.
	MaxOrder = 4
	// MaxLanguages is how many languages a table can have.
	MaxLanguages = 128
	// MaxLetters is how many letters of a script a table can tell apart.
	MaxLetters = 255

	magic      = "n-grams\x01"
	maxScripts = 4
	groupBits  = 8*(MaxOrder-1) + 2 // of what chooses the bucket
	bucketBits = groupBits - 8
	headSize   = 3
	lastLetter = 0x2000 // letters at and above it have no number
)

// ErrFormat is the error of bytes that are no table.
var ErrFormat = errors.New("ngram: not a table of n-grams")

// A Key is an n-gram of up to MaxOrder letters: their numbers, the last letter's lowest.
type Key uint32

// Append returns the key of the n-gram with one letter more. Of more than MaxOrder letters the last ones count.
func (k Key) Append(letter uint8) Key { return k<<8 | Key(letter) }

// Last returns the key of the n-gram's last n letters, 1 to MaxOrder.
func (k Key) Last(n int) Key { return k << (8 * (MaxOrder - n)) >> (8 * (MaxOrder - n)) }

// Scores holds the sum of weights of each language of a table, by the language's number.
type Scores [MaxLanguages]int32

// A Header says what is in a table.
type Header struct {
	Source    string     // what the weights were computed from, and how
	Step      float64    // weights are multiples of this, in nats
	Languages []Language // by number
	Alphabets []string   // of each script, its letters in lower case; a letter's number is its place, from 1 on
}

// A Language is one that a table knows.
type Language struct {
	Code   string  // BCP 47
	Script int     // number of its alphabet
	Bias   float64 // nats to add to its score for each letter of a text
}

// A Table is an inverted table of n-grams. It does not change, and any number of goroutines may use it.
type Table struct {
	Header
	letters [lastLetter]uint8
	scripts [lastLetter]int8 // -1 for what is no letter of a script
	data    []byte           // offsets and buckets
}

// Open returns the table that data holds. It keeps data, which must not change.
func Open(data []byte) (*Table, error) {
	rest := data[min(len(magic)+4, len(data)):]
	if len(rest) == 0 || string(data[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	size := int(binary.LittleEndian.Uint32(data[len(magic):]))
	if size > len(rest) {
		return nil, fmt.Errorf("%w: header of %d bytes", ErrFormat, size)
	}
	t := &Table{data: rest[size:]}
	if err := json.Unmarshal(rest[:size], &t.Header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	for i := range t.scripts {
		t.scripts[i] = -1
	}
	for script, alphabet := range t.Alphabets {
		number := uint8(0)
		for _, letter := range alphabet {
			number++
			t.setLetter(letter, script, number)
			t.setLetter(unicode.ToUpper(letter), script, number)
			t.setLetter(unicode.ToTitle(letter), script, number)
		}
	}
	return t, nil
}

func (t *Table) check() error {
	if len(t.Languages) > MaxLanguages || len(t.Alphabets) > maxScripts {
		return fmt.Errorf("%w: %d languages, %d scripts", ErrFormat, len(t.Languages), len(t.Alphabets))
	}
	for _, l := range t.Languages {
		if l.Script < 0 || l.Script >= len(t.Alphabets) {
			return fmt.Errorf("%w: %s has script %d", ErrFormat, l.Code, l.Script)
		}
	}
	if len(t.data) < 4<<bucketBits+4 || len(t.data) != int(t.offset(1<<bucketBits)) {
		return fmt.Errorf("%w: %d bytes of buckets", ErrFormat, len(t.data))
	}
	return nil
}

// setLetter gives letter its number, if it has none: a capital may belong to two small letters.
func (t *Table) setLetter(letter rune, script int, number uint8) {
	if letter < lastLetter && t.scripts[letter] < 0 {
		t.scripts[letter], t.letters[letter] = int8(script), number
	}
}

// Letter returns the number of a letter, in whatever case, or 0 for what is no letter of the table.
func (t *Table) Letter(r rune) uint8 {
	if uint(r) >= lastLetter {
		return 0
	}
	return t.letters[r]
}

// Script returns the number of the script that has the letter r, or -1.
func (t *Table) Script(r rune) int {
	if uint(r) >= lastLetter {
		return -1
	}
	return int(t.scripts[r])
}

// Add adds the weights of the n-gram k of a script, times count, to scores. It reports whether any language has it.
func (t *Table) Add(scores *Scores, script int, k Key, count int32) bool {
	bucket, id := place(script, k)
	list := t.data[t.offset(bucket):t.offset(bucket+1)]
	if len(list) < 2 {
		return false
	}
	heads := list[2 : 2+headSize*int(binary.LittleEndian.Uint16(list))]
	first := 2 + len(heads)
	for ; len(heads) >= headSize; heads = heads[headSize:] {
		if binary.LittleEndian.Uint16(heads) == id {
			postings := list[first : first+2*int(heads[2])]
			for i := 1; i < len(postings); i += 2 {
				scores[postings[i-1]%MaxLanguages] += count * int32(int8(postings[i]))
			}
			return true
		}
		first += 2 * int(heads[2])
	}
	return false
}

// offset returns where a bucket begins.
func (t *Table) offset(bucket uint32) uint32 { return binary.LittleEndian.Uint32(t.data[4*bucket:]) }

// place returns the bucket of an n-gram and its identity there.
func place(script int, k Key) (bucket uint32, id uint16) {
	last := uint16(0)
	if k >= 1<<(8*(MaxOrder-1)) {
		last = uint16(k & 0xFF)
		k >>= 8
	}
	m := mix(uint32(script)<<(8*(MaxOrder-1)) | uint32(k))
	return m >> 8, uint16(m&0xFF)<<8 | last
}

// mix spreads numbers of groupBits bits, each to one of its own: multiplying by an odd number and adding the upper half
// to the lower one can both be undone.
func mix(group uint32) uint32 {
	const mask = 1<<groupBits - 1
	group = group * 0x9E3779B1 & mask
	group ^= group >> (groupBits / 2)
	return group * 0x85EBCA6B & mask
}
