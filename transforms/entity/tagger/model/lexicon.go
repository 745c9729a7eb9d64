package model

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// What lists say of a word, in lower case. A word may have several.
const (
	GivenName    uint8 = 1 << iota // a usual given name
	RareGiven                      // any given name
	Surname                        // one of the usual surnames
	RareSurname                    // any surname
	PlaceWord                      // a name, of one word, of a country, state or large city
	Common                         // a word of the dictionary
	Organisation                   // a word that names of organisations are made of
	Title                          // a word before a person's name
)

// The kinds of phrases. They are seven bits, which leaves 25 of a phrase's 32 for its hash.
const (
	Country uint8 = 1 << iota // countries, states, continents
	City
	Place   // other places
	Brand   // shops, services, companies
	Group   // other organisations
	Famous  // people
	College // universities and schools
)

// Clusters is how many of a lexicon's rows are those of clusters of rare words; row 0 is of words that are in none.
const Clusters = 1024

// MaxPhrase is how many tokens a phrase of the lexicon has at most.
const MaxPhrase = 6

// An entry is what the lexicon says of a word: 39 bits of the word's hash, 17 of its row, and 8 flags. 0 stands for a
// word that is not in it; one of some hundred billions of those passes for one that is.
type entry uint64

// Entry makes an entry of its parts.
func Entry(hash uint64, row int, flags uint8) uint64 {
	return hash>>hashAt<<hashAt | uint64(row)<<8 | uint64(flags)
}

const hashAt = 8 + 17

// Phrase makes an entry of a phrase of its parts. Seven bits of kinds and 25 of the hash.
func Phrase(hash uint64, kinds uint8) uint64 { return hash>>39<<7 | uint64(kinds) }

func (e entry) row() uint32  { return uint32(e>>8) & (1<<17 - 1) }
func (e entry) flags() uint8 { return uint8(e) }

// A Lexicon knows words and phrases. It is used as it lies in its file. Row 0 is of words without one.
type Lexicon struct {
	words   []byte   // open addressing: entries of eight bytes, their number a power of two
	phrases []byte   // the same of four bytes: 25 bits of the hash, 7 of the kinds
	rows    int      // of the net's table that words have
	names   []uint64 // bits by the upper nameBits of the hashes of names: see mayBegin
	listed  []uint64 // likewise by phraseBits of the hashes of phrases
}

// HashWord returns the hash of a word in lower case. FNV-1a over letters, not bytes, in lower case; the typographic
// apostrophe counts as the plain one. Words are hashed each time that a text is read, so nothing is allocated.
func HashWord(w string) uint64 {
	h := uint64(hashBasis)
	for i := 0; i < len(w); {
		if c := w[i]; c < utf8.RuneSelf {
			h = hashByte(h, c)
			i++
			continue
		}
		// What is not UTF-8 counts as U+FFFD, one byte at a time.
		r, n := utf8.DecodeRuneInString(w[i:])
		h = hashRune(h, r)
		i += n
	}
	return mix(h)
}

const hashBasis = 14695981039346656037

// hashByte adds a letter or sign of ASCII to the hash of a word that is not yet mixed.
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
	return (h ^ uint64(unicode.ToLower(r))) * 1099511628211
}

// mix spreads what differs in h over all its bits. FNV leaves its lowest bits weak, and tables use them.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// join returns the hash of a phrase and one token more.
func join(h, token uint64) uint64 { return mix(h*31 + token) }

// HashPhrase returns the hash of the tokens of text and how many they are. The lists of phrases and the texts are cut
// in the same way, so that they agree.
func HashPhrase(text string) (hash uint64, tokens int) {
	ts := tokenize(text, 0, nil)
	for _, t := range ts {
		hash = join(hash, t.hash)
	}
	return hash, len(ts)
}

// word returns the entry of the word with this hash.
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

// phraseBits are the bits of a hash that phrase looks at first: of some 100,000 phrases one in eleven others passes for
// one. The bits take 128 KiB.
const phraseBits = 20

// phrase returns the kinds of the phrase with this hash. Most are none, and need no look into the table, in which
// they would be compared with some seven others.
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

// NewLexicon returns a lexicon of its tables, whose words have so many rows.
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

// anyName are the flags of names that one in lower case may be.
const anyName = PlaceWord | GivenName | Surname

// isName reports whether a word has one of the flags and is none of the dictionary's: a name that is also one would
// make candidates of half the text.
func (e entry) isName(flags uint8) bool { return e.flags()&flags != 0 && e.flags()&Common == 0 }

// nameBits are the bits of a hash that mayBegin looks at: some 6,500 words are names, and one in twenty of the others
// passes for one. The bits take 16 KiB.
const nameBits = 17

// mayBegin reports whether the word with this hash may be a name in lower case. Most words are none, and need not be
// looked up in a table that is larger than a processor's caches.
func (l *Lexicon) mayBegin(hash uint64) bool {
	bit := hash >> (64 - nameBits)
	return l.names[bit/64]>>(bit%64)&1 != 0
}
