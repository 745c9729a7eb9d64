// Package ngram holds what language models know about n-grams of letters in one inverted table: for each n-gram the
// languages that have it, with a weight. A text is scored for all languages of its script with one look-up for each
// n-gram. The weights are integers, so that sums do not depend on the order of additions.
//
//	table, err := ngram.Open(data)
//	var scores ngram.Scores
//	key := ngram.Key(0).Append(table.Letter('é')).Append(table.Letter('t'))
//	table.Add(&scores, table.Script('é'), []ngram.Key{key})
//
// A table is made by Encode, from a list of postings, and used where its bytes lie: Open reads its header and copies
// nothing of the rest.
//
// The layout: the magic, the length of the header (32 bits, like all numbers little endian), the header as JSON; 2^18+1
// offsets (32 bits) of buckets; the buckets. An n-gram of four letters is in the bucket of its first three, since a
// text that has one is about to ask for the other: the table is larger than the processor's caches. The number of the
// script and three letters make 26 bits. They are mixed by a bijection; 18 of them choose the bucket, and 8 are kept in
// it together with the fourth letter, so that no n-gram is taken for another. A bucket has the number of its entries
// (16 bits), their heads (the kept bits and the fourth letter, 16, and the size of its weights in pairs of bytes, 8, of
// which the highest bit says that they are a row), and then the weights of one entry after the other. Where few
// languages have an n-gram they are a list: a language's number (8) and its weight (8, signed). Otherwise they are a
// row, which is shorter and adds up faster: the weight of each language of the script, in the order of their numbers,
// plus 128 (8), and bytes of 128 up to a multiple of eight.
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

	magic      = "n-grams\x02"
	maxScripts = 4
	groupBits  = 8*(MaxOrder-1) + 2 // of what chooses the bucket
	bucketBits = groupBits - 8
	headSize   = 3
	rowFlag    = 0x80   // of the third byte of a head
	lastLetter = 0x2000 // letters at and above it have no number
)

// ErrFormat is the error of bytes that are not a table.
var ErrFormat = errors.New("ngram: not a table of n-grams")

// A Key is an n-gram of up to MaxOrder letters: their numbers, the last letter's lowest.
type Key uint32

// Append returns the key of the n-gram with one letter more. Of more than MaxOrder letters the last ones count.
// The number of a letter has eight bits, so the fifth letter back falls out of the 32 bits by itself.
func (k Key) Append(letter uint8) Key { return k<<8 | Key(letter) }

// Last returns the key of the n-gram's last n letters, 1 to MaxOrder.
// Bits that are shifted out at the top are those of earlier letters.
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
	scripts [lastLetter]int8 // -1 for what is not a letter of a script
	data    []byte           // offsets and buckets

	languages [maxScripts][]int // the numbers of each script's languages, in the order of rows
}

// Open returns the table that data holds. It keeps data, which must not change.
func Open(data []byte) (*Table, error) {
	// Data that is too short leaves nothing, and is refused in the next line.
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
	t.languages = t.Header.byScript()
	// Zero is the number of a script, so "no script" has to be set.
	for i := range t.scripts {
		t.scripts[i] = -1
	}
	for script, alphabet := range t.Alphabets {
		number := uint8(0)
		for _, letter := range alphabet {
			number++
			t.setLetter(letter, script, number)
			// Capital and title letters get the number of the small one: a text need not be made small first.
			t.setLetter(unicode.ToUpper(letter), script, number)
			t.setLetter(unicode.ToTitle(letter), script, number)
		}
	}
	return t, nil
}

// byScript returns the numbers of the languages of each script.
func (h *Header) byScript() (of [maxScripts][]int) {
	for i, l := range h.Languages {
		of[l.Script] = append(of[l.Script], i)
	}
	return of
}

func (h *Header) check() error {
	if len(h.Languages) > MaxLanguages || len(h.Alphabets) > maxScripts {
		return fmt.Errorf("%w: %d languages, %d scripts", ErrFormat, len(h.Languages), len(h.Alphabets))
	}
	for _, l := range h.Languages {
		if l.Script < 0 || l.Script >= len(h.Alphabets) {
			return fmt.Errorf("%w: %s has script %d", ErrFormat, l.Code, l.Script)
		}
	}
	return nil
}

func (t *Table) check() error {
	if err := t.Header.check(); err != nil {
		return err
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

// Letter returns the number of a letter, in whatever case, or 0 for what is not a letter of the table.
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

// batch is how many n-grams are looked up together.
const batch = 32

// Add adds to scores the weights of n-grams of a script. The table is larger than the processor's caches: the buckets
// of a batch are all asked for before the first is read, so that the waits for memory overlap.
func (t *Table) Add(scores *Scores, script int, keys []Key) {
	var lists [batch][]byte
	var ids, sizes [batch]uint16
	var rows rowSum
	for len(keys) > 0 {
		n := min(len(keys), batch)
		for i, k := range keys[:n] {
			var bucket uint32
			bucket, ids[i] = place(script, k)
			lists[i] = t.data[t.offset(bucket):t.offset(bucket+1)]
		}
		for i, list := range lists[:n] {
			sizes[i] = 0
			if len(list) >= 2 {
				sizes[i] = binary.LittleEndian.Uint16(list)
			}
		}
		if rows.rows+n > maxRows {
			rows.moveTo(scores, t.languages[script])
		}
		for i, list := range lists[:n] {
			if weights, isRow := find(list, int(sizes[i]), ids[i]); isRow {
				rows.add(weights)
			} else {
				scores.add(weights)
			}
		}
		keys = keys[n:]
	}
	rows.moveTo(scores, t.languages[script])
}

// find returns the weights of the entry id of a bucket of some entries, a row or a list: none if it is not there.
func find(bucket []byte, entries int, id uint16) (weights []byte, isRow bool) {
	if entries == 0 {
		return nil, false
	}
	heads := bucket[2 : 2+headSize*entries]
	first := 2 + len(heads)
	for ; len(heads) >= headSize; heads = heads[headSize:] {
		size := 2 * int(heads[2]&^rowFlag)
		if binary.LittleEndian.Uint16(heads) == id {
			return bucket[first : first+size], heads[2]&rowFlag != 0
		}
		first += size
	}
	return nil, false
}

// add adds the weights of a list.
func (s *Scores) add(list []byte) {
	for ; len(list) >= 2; list = list[2:] {
		s[list[0]%MaxLanguages] += int32(int8(list[1]))
	}
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
