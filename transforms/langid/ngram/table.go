// Package ngram holds the knowledge of language models about n-grams of letters in one inverted table. For each n-gram
// the table has the languages that use it, with weights. One look-up for each n-gram scores a text for all languages
// of its script. Weights are integers, so sums do not depend on the order of additions.
//
//	table, err := ngram.Open(data)
//	var scores ngram.Scores
//	key := ngram.Key(0).Append(table.Letter('é')).Append(table.Letter('t'))
//	table.Add(&scores, table.Script('é'), []ngram.Key{key})
//
// Encode makes a table from a list of postings. Open reads only its header and uses the rest in place.
//
// Numbers have 32 bits and are little endian, unless stated otherwise. A table consists of:
//
//   - the magic, the length of the header, and the header as JSON;
//   - 2^18+1 offsets of buckets;
//   - the buckets.
//
// An n-gram of four letters is in the bucket of its first three. A text needs both, and the table is larger than the
// processor's caches. The number of the script and three letters make 26 bits. A bijection mixes them. Then 18 bits
// choose the bucket. The other 8 are kept in it together with the fourth letter, so that no n-gram is taken for
// another.
//
// A bucket begins with the number of its entries (16 bits) and their heads. A head holds the kept bits and the fourth
// letter (16), and the size of the weights in pairs of bytes (8). The highest bit of the size marks a row. After the
// heads come the weights of one entry after the other. If few languages have an n-gram, its weights are a list: a
// language's number (8) and its weight (8, signed). Otherwise they are a row, which is shorter and faster to add. A
// row has the weight of each language of the script plus 128 (8), in the order of their numbers. It is padded with
// bytes of 128 to a multiple of eight.
package ngram

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
)

const (
	// MaxOrder is the number of letters of the longest n-grams.
	MaxOrder = 4
	// MaxLanguages is the maximum number of languages in a table.
	MaxLanguages = 128
	// MaxLetters is the maximum number of letters in a script.
	MaxLetters = 255

	magic      = "n-grams\x02"
	maxScripts = 4
	groupBits  = 8*(MaxOrder-1) + 2 // bits that choose the bucket
	bucketBits = groupBits - 8
	headSize   = 3
	rowFlag    = 0x80   // of the third byte of a head
	lastLetter = 0x2000 // letters at and above it have no number
)

// ErrFormat is the error of bytes that are not a table.
var ErrFormat = errors.New("ngram: not a table of n-grams")

// A Key is an n-gram of up to MaxOrder letters, as their numbers with the last letter in the lowest bits.
type Key uint32

// Append returns the key of the n-gram with one letter more. Only the last MaxOrder letters count. A letter's number
// has eight bits, so the fifth letter from the end falls out of the 32 bits.
func (k Key) Append(letter uint8) Key { return k<<8 | Key(letter) }

// Last returns the key of the n-gram's last n letters, 1 to MaxOrder. The shift removes the bits of earlier letters.
func (k Key) Last(n int) Key { return k << (8 * (MaxOrder - n)) >> (8 * (MaxOrder - n)) }

// Scores holds the sum of weights of each language, by the language's number.
type Scores [MaxLanguages]int32

// A Header describes a table.
type Header struct {
	Source    string     // how the weights were computed
	Step      float64    // weights are multiples of this, in nats
	Languages []Language // by number
	Alphabets []string   // letters of each script in lower case; a letter's number is its position, from 1
}

// A Language is a language of a table.
type Language struct {
	Code   string  // BCP 47
	Script int     // number of its alphabet
	Bias   float64 // nats added to its score for each letter of a text
}

// A Table is an inverted table of n-grams. It is read-only and safe for concurrent use.
type Table struct {
	Header
	letters [lastLetter]uint8
	scripts [lastLetter]int8 // -1 for other characters
	data    []byte           // offsets and buckets

	languages [maxScripts][]int // the numbers of each script's languages, in the order of rows
}

// Open returns the table in data. It keeps data, which must not change.
func Open(data []byte) (*Table, error) {
	// If data is too short, nothing is left, and the next line refuses it.
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
	// Zero is the number of a script, so "no script" must be set.
	for i := range t.scripts {
		t.scripts[i] = -1
	}
	for script, alphabet := range t.Alphabets {
		number := uint8(0)
		for _, letter := range alphabet {
			number++
			t.setLetter(letter, script, number)
			// Capital and title letters get the number of the small one, so texts need no conversion to lower case.
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

// setLetter gives letter its number if it has none: a capital may belong to two small letters.
func (t *Table) setLetter(letter rune, script int, number uint8) {
	if letter < lastLetter && t.scripts[letter] < 0 {
		t.scripts[letter], t.letters[letter] = int8(script), number
	}
}

// Letter returns the number of a letter in any case, or 0 for other characters.
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

// batch is the number of n-grams looked up together.
const batch = 32

// Add adds the weights of n-grams of a script to scores. The table is larger than the processor's caches. So all
// buckets of a batch are requested before the first is read, and the waits for memory overlap.
func (t *Table) Add(scores *Scores, script int, keys []Key) {
	var lists [batch][]byte
	var ids, sizes [batch]uint16
	var isRow [batch]bool
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
		// Weights may be beyond the line of memory that the bucket begins in.
		for i, list := range lists[:n] {
			lists[i], isRow[i] = find(list, int(sizes[i]), ids[i])
			if n := len(lists[i]); n > 0 {
				rows.touched ^= lists[i][0] ^ lists[i][n-1]
			}
		}
		for i, weights := range lists[:n] {
			if isRow[i] {
				rows.add(weights)
			} else {
				scores.add(weights)
			}
		}
		keys = keys[n:]
	}
	rows.moveTo(scores, t.languages[script])
}

// find returns the weights of the entry id in a bucket with the given number of entries. They are a row, a list, or
// nil if there is no such entry.
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

// offset returns the start of a bucket.
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

// mix is a bijection on numbers of groupBits bits. Its steps, multiplying by an odd number and adding the upper half
// to the lower one, can both be undone.
func mix(group uint32) uint32 {
	const mask = 1<<groupBits - 1
	group = group * 0x9E3779B1 & mask
	group ^= group >> (groupBits / 2)
	return group * 0x85EBCA6B & mask
}
