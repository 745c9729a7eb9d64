// Package minhash makes of a text what finds near-duplicates of it: hashes that two texts share with a probability that
// grows steeply with how much of them is the same.
//
// A text is the set of its sequences of five words, in lower case and without signs; where words are not spaced, of
// five characters. The smallest of the set's hashes under a random function is the same for two sets with the
// probability of their Jaccard similarity (Broder, "On the resemblance and containment of documents", 1997). Eight such
// minima are a band; two texts are candidates when one of their fourteen bands is equal: for a similarity s with the
// probability 1-(1-s⁸)¹⁴, which is .99 for .85, .5 for .69 and .05 for .5. Fourteen bands of eight over 5-grams are the
// parameters of FineWeb (Penedo et al. 2024, arXiv 2406.17557, 3.4).
//
//	var m minhash.Maker
//	bands, ok := m.Bands(text, false)
//
// The functions are multiply-shift hashing of 64 bits (Dietzfelbinger et al., 1997) with fixed odd factors: the same
// text gives the same bands in every process and version.
package minhash

import (
	"unicode"
	"unicode/utf8"
)

// Version is the version of the bands: those of different versions must not be compared.
const Version = "1"

// The parameters. They are constants, so that signatures of one corpus can be compared with those of the next.
const (
	NumBands = 14
	Rows     = 8
	Shingle  = 5
)

// Bands are the hashes of a text's bands.
type Bands [NumBands]uint64

// Maker makes bands of one text after the other, and uses its memory again. The zero value is ready. It is not safe for
// concurrent use.
type Maker struct {
	words []uint64
	mins  [NumBands * Rows]uint64
}

// Bands returns the bands of text; false, when it has no letter or digit. With characters set each letter is a word:
// for languages that are written without spaces. A text of fewer than five words is one sequence.
func (m *Maker) Bands(text string, characters bool) (b Bands, ok bool) {
	m.split(text, characters)
	if len(m.words) == 0 {
		return b, false
	}
	// The hash of a sequence takes the place of its first word, which no later sequence has.
	sequences := m.words[:max(1, len(m.words)-Shingle+1)]
	for i := range sequences {
		h := uint64(offset)
		for _, w := range m.words[i:min(i+Shingle, len(m.words))] {
			h = mix(h*prime + w)
		}
		sequences[i] = h
	}
	m.minima(sequences)
	for i := range b {
		h := uint64(offset)
		for _, v := range m.mins[i*Rows : (i+1)*Rows] {
			h = mix(h*prime + v>>32)
		}
		b[i] = h
	}
	return b, true
}

// minima takes the minima of all functions. The high halves of products are compared, as multiply-shift wants; the low
// ones come along, and are cut when the band is made. Four functions at a time stay in registers, as do their minima.
func (m *Maker) minima(sequences []uint64) {
	for i := 0; i < len(factors); i += 4 {
		f := factors[i : i+4 : i+4]
		a, b, c, d := ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
		for _, h := range sequences {
			a, b = min(a, f[0].odd*h+f[0].add), min(b, f[1].odd*h+f[1].add)
			c, d = min(c, f[2].odd*h+f[2].add), min(d, f[3].odd*h+f[3].add)
		}
		m.mins[i], m.mins[i+1], m.mins[i+2], m.mins[i+3] = a, b, c, d
	}
}

// split hashes the words of a text: runs of letters, marks and digits, in lower case.
func (m *Maker) split(text string, characters bool) {
	m.words = m.words[:0]
	h, in := uint64(offset), false
	end := func() {
		if in {
			m.words = append(m.words, mix(h))
			h, in = offset, false
		}
	}
	for i := 0; i < len(text); {
		if c := asciiFold[text[i]]; c != 0 {
			h, in = (h^uint64(c))*prime, true
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			end()
			continue
		}
		if characters {
			end()
		}
		h, in = (h^uint64(unicode.ToLower(r)))*prime, true
		if characters {
			end()
		}
	}
	end()
}

// FNV-1a's numbers.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

// mix is the finaliser of splitmix64 (Steele et al. 2014): each bit of x changes half of the bits.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

type factor struct{ odd, add uint64 }

// factors are the functions: the first numbers of splitmix64 from 1.
var factors = func() (list [NumBands * Rows]factor) {
	x := uint64(1)
	next := func() uint64 {
		x += 0x9e3779b97f4a7c15
		return mix(x)
	}
	for i := range list {
		list[i] = factor{next() | 1, next()}
	}
	return list
}()

// asciiFold has letters in lower case and digits; 0 for what is neither.
var asciiFold = func() (t [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()
