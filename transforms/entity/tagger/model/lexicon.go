package model

import (
	"encoding/binary"
	"unicode/utf8"
)

// Flags of a word in lower case, from lists. A word may have several.
const (
	GivenName    uint8 = 1 << iota // frequent given name
	RareGiven                      // any given name
	Surname                        // frequent surname
	RareSurname                    // any surname
	PlaceWord                      // one-word name of a country, state or large city
	Common                         // a word of the dictionary
	Organisation                   // word in names of organisations
	Title                          // word before a person's name
)

// The kinds of phrases. They take seven bits, which leaves 25 of a phrase's 32 for its hash.
const (
	Country uint8 = 1 << iota // countries, states, continents
	City
	Place   // other places
	Brand   // shops, services, companies
	Group   // other organisations
	Famous  // people
	College // universities and schools
)

// Clusters is the number of a lexicon's rows for clusters of rare words; row 0 is for words in none.
const Clusters = 1024

// MaxPhrase is the most tokens of a phrase of the lexicon.
const MaxPhrase = 6

// entry is the lexicon's entry of a word: 39 bits of the word's hash, 17 of its row, and 8 flags. 0 means not looked
// up; one of some hundred billion unknown words matches by chance.
type entry uint64

// Entry makes a word's entry.
func Entry(hash uint64, row int, flags uint8) uint64 {
	return hash>>hashAt<<hashAt | uint64(row)<<8 | uint64(flags)
}

const hashAt = 8 + 17

// Phrase makes a phrase's entry of 25 bits of the hash and seven of kinds.
func Phrase(hash uint64, kinds uint8) uint64 { return hash>>39<<7 | uint64(kinds) }

func (e entry) row() uint32  { return uint32(e>>8) & (1<<17 - 1) }
func (e entry) flags() uint8 { return uint8(e) }

// Lexicon knows words and phrases. It uses the memory of its file. Row 0 is for words without one.
type Lexicon struct {
	words   []byte   // open addressing: entries of eight bytes, a power of two of them
	phrases []byte   // the same with four bytes: 25 bits of the hash, 7 of the kinds
	rows    int      // number of the words' rows in the net's table
	names   []uint64 // bits by the upper nameBits of the hashes of names: see mayBegin
	listed  []uint64 // likewise by phraseBits of the hashes of phrases
}

// HashWord returns the hash of a word: FNV-1a over its letters in lower case, with the typographic apostrophe like the
// plain one. It does not allocate, since it runs for each word of a text.
func HashWord(w string) uint64 {
	h := uint64(hashBasis)
	for i := 0; i < len(w); {
		if c := w[i]; c < utf8.RuneSelf {
			h = hashByte(h, c)
			i++
			continue
		}
		// Invalid UTF-8 counts as U+FFFD, one byte at a time.
		r, n := utf8.DecodeRuneInString(w[i:])
		h = hashRune(h, r)
		i += n
	}
	return mix(h)
}

const hashBasis = 14695981039346656037

// hashByte adds an ASCII character to the hash of a word, before mix.
func hashByte(h uint64, c byte) uint64 {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return (h ^ uint64(c)) * 1099511628211
}

// hashRune is hashByte for any character.
func hashRune(h uint64, r rune) uint64 {
	if r == '’' {
		r = '\''
	}
	return (h ^ uint64(toLower(r))) * 1099511628211
}

// mix spreads differences in h over all its bits. FNV leaves the lowest bits weak, which tables use.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// join returns the hash of a phrase extended by one token.
func join(h, token uint64) uint64 { return mix(h*31 + token) }

// HashPhrase returns the hash of the tokens of text and their number. Lists of phrases and texts are tokenized alike.
func HashPhrase(text string) (hash uint64, tokens int) {
	ts := tokenize(text, 0, nil)
	for _, t := range ts {
		hash = join(hash, t.hash)
	}
	return hash, len(ts)
}

func (l *Lexicon) word(hash uint64) entry {
	mask := uint64(len(l.words)/8 - 1)
	// The trainer leaves free slots in the table, so the search ends.
	for i := hash & mask; ; i = (i + 1) & mask {
		e := binary.LittleEndian.Uint64(l.words[i*8:])
		if e == 0 {
			return unknown
		}
		if e>>hashAt == hash>>hashAt {
			return entry(e)
		}
	}
}

// touch reads a byte of the slot where the search for a word begins. The slot is then in the cache when word needs it.
func (l *Lexicon) touch(hash uint64) byte { return l.words[hash&uint64(len(l.words)/8-1)*8] }

// phraseBits are the bits of a hash that phrase tests first. With some 100,000 phrases one in eleven others passes.
// The bits take 128 KiB.
const phraseBits = 20

// phrase returns the kinds of the phrase with this hash. The bits rule out most hashes without a search in the table,
// which compares some seven entries.
func (l *Lexicon) phrase(hash uint64) uint8 {
	if bit := hash >> (64 - phraseBits); l.listed[bit/64]>>(bit%64)&1 == 0 {
		return 0
	}
	mask := uint64(len(l.phrases)/4 - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		e := binary.LittleEndian.Uint32(l.phrases[i*4:])
		if e == 0 {
			return 0
		}
		if e>>7 == uint32(hash>>39) {
			return uint8(e & 127)
		}
	}
}

// NewLexicon returns a lexicon with these tables and so many rows of words.
func NewLexicon(words, phrases []byte, rows int) Lexicon {
	l := Lexicon{
		words: words, phrases: phrases, rows: rows,
		names: make([]uint64, 1<<nameBits/64), listed: make([]uint64, 1<<phraseBits/64),
	}
	for i := 0; i < len(words); i += 8 {
		if e := entry(binary.LittleEndian.Uint64(words[i:])); e.isName(anyName) {
			bit := uint64(e) >> (64 - nameBits)
			l.names[bit/64] |= 1 << (bit % 64)
		}
	}
	for i := 0; i < len(phrases); i += 4 {
		if e := binary.LittleEndian.Uint32(phrases[i:]); e != 0 {
			bit := e >> (32 - phraseBits)
			l.listed[bit/64] |= 1 << (bit % 64)
		}
	}
	return l
}

// anyName are the flags of names that may be in lower case.
const anyName = PlaceWord | GivenName | Surname

// isName reports whether a word has one of the flags and is not in the dictionary: such words would make half the text
// candidates.
func (e entry) isName(flags uint8) bool { return e.flags()&flags != 0 && e.flags()&Common == 0 }

// nameBits are the bits of a hash that mayBegin tests. Some 6,500 words are names, and one in twenty others passes.
// The bits take 16 KiB.
const nameBits = 17

// mayBegin reports whether the word with this hash may be a name in lower case. It spares most words a look-up in a
// table larger than processor caches.
func (l *Lexicon) mayBegin(hash uint64) bool {
	bit := hash >> (64 - nameBits)
	return l.names[bit/64]>>(bit%64)&1 != 0
}
