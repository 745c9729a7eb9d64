// Package minhash computes hashes that find near-duplicates of a text. Two texts share a hash with a probability that
// grows steeply with their similarity.
//
// A text is the set of its sequences of five words, in lower case and without signs. If words are not spaced, it is
// the set of its sequences of five characters. Under a random function, two sets have the same smallest hash with a
// probability equal to their Jaccard similarity. (Broder, "On the resemblance and containment of documents", 1997.)
// Eight such minima are a band. Two texts are candidates if one of their fourteen bands is equal. For similarity s the
// probability of that is 1-(1-s⁸)¹⁴: .99 for .85, .5 for .69 and .05 for .5. Fourteen bands of eight over 5-grams are
// the parameters of FineWeb (Penedo et al. 2024, arXiv 2406.17557, 3.4).
//
//	var m minhash.Maker
//	bands, ok := m.Bands(text, false)
//
// The functions are multiply-shift hashing of 64 bits (Dietzfelbinger et al., 1997) with fixed odd factors. The same
// text gives the same bands in every process and version.
package minhash

import (
	"unicode"
	"unicode/utf8"
)

// Version is the version of the bands. Bands of different versions must not be compared.
const Version = "1"

// The parameters. They are constants, so that signatures of different corpora can be compared.
const (
	NumBands = 14
	Rows     = 8
	Shingle  = 5
)

// Bands are the hashes of a text's bands.
type Bands [NumBands]uint64

// Maker makes bands of one text after the other, and reuses its memory. The zero value is ready. It is not safe for
// concurrent use.
type Maker struct {
	words []uint64
	mins  [NumBands * Rows]uint32 // high halves
}

// Bands returns the bands of text. Result ok is false if it has no letter or digit. With characters set each letter is
// a word, for languages written without spaces. A text of fewer than five words is one sequence.
func (m *Maker) Bands(text string, characters bool) (b Bands, ok bool) {
	m.split(text, characters)
	if len(m.words) == 0 {
		return b, false
	}
	// The hash of a sequence overwrites its first word, which later sequences do not contain.
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
			h = mix(h*prime + uint64(v))
		}
		b[i] = h
	}
	return b, true
}

// minimaGeneric computes the minima of all functions. Multiply-shift compares the high halves of products. Four
// functions at a time stay in registers, with their minima.
func (m *Maker) minimaGeneric(sequences []uint64) {
	for i := 0; i < len(factors); i += 4 {
		f := factors[i : i+4 : i+4]
		a, b, c, d := ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
		for _, h := range sequences {
			a, b = min(a, f[0].odd*h+f[0].add), min(b, f[1].odd*h+f[1].add)
			c, d = min(c, f[2].odd*h+f[2].add), min(d, f[3].odd*h+f[3].add)
		}
		for j, v := range [4]uint64{a, b, c, d} {
			m.mins[i+j] = uint32(v >> 32)
		}
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

// Constants of FNV-1a.
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

// asciiFold maps letters to lower case and digits to themselves; other characters are 0.
var asciiFold = func() (t [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()
