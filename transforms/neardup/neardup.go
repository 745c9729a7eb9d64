// Package neardup computes a fingerprint of 64 bits for a text. The distance of two fingerprints, in differing bits,
// grows with the difference of their texts.
//
// The fingerprint is a simhash (Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002) over
// shingles of three words. Manku, Jain and Das Sarma use it in this way for web pages ("Detecting near-duplicates for
// web crawling", WWW 2007). Words are compared without case and punctuation. In scripts without spaces (Han, kana,
// Thai, Lao, Khmer, Burmese) every character counts as a word, so a shingle is three characters.
//
// The package does not group documents or keep an index. It ignores meaning: a translation is a different text.
//
//	a, ok := neardup.Simhash(first)
//	b, _ := neardup.Simhash(second)
//	if ok && neardup.Distance(a, b) <= 3 {
//		fmt.Println("near-duplicates:", neardup.Hex(a))
//	}
//
// Fingerprints of texts of fewer than about fifty words are coarse: one changed word changes many bits.
package neardup

import (
	"encoding/hex"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Version is the version of the fingerprint. Fingerprints of different versions must not be compared.
const Version = "2"

// shingle is the number of words in a shingle.
const shingle = 3

// Simhash returns the fingerprint of text. The result is false if text has neither a letter nor a digit. A text of
// fewer than three words is one shingle. Time is linear in text, without allocations.
func Simhash(text string) (uint64, bool) {
	var a accumulator
	word, inWord := uint64(0), false
	for i := 0; i < len(text); {
		for i < len(text) && asciiLetters[text[i]] != 0 { // nearly all bytes of most texts
			word, inWord = step(word, rune(asciiLetters[text[i]])), true
			i++
		}
		if i == len(text) {
			break
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		class, folded := classify(r)
		if inWord && class != letter {
			a.word(mix(word))
			word, inWord = 0, false
		}
		switch class {
		case letter:
			word, inWord = step(word, folded), true
		case ideograph:
			a.word(mix(uint64(folded)))
		}
	}
	if inWord {
		a.word(mix(word))
	}
	return a.sum()
}

// Hex returns h as 16 lower-case hexadecimal digits.
func Hex(h uint64) string {
	var b [8]byte
	for i := range b {
		b[i] = byte(h >> (56 - 8*i))
	}
	return hex.EncodeToString(b[:])
}

// Distance returns the number of bits in which a and b differ.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// A class is the role of a character in a shingle.
type class uint8

const (
	separator class = iota
	letter          // a part of a word
	ideograph       // a word of its own
)

// asciiLetters maps ASCII letters to lower case and digits to themselves; other bytes are 0.
var asciiLetters = func() (t [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-('a'-'A')] = c, c
	}
	return t
}()

// classify returns the class of r, which is not an ASCII letter or digit, and its form without case.
func classify(r rune) (class, rune) {
	switch {
	case r < utf8.RuneSelf:
		return separator, r
	case unspaced(r):
		return ideograph, r
	case unicode.IsLetter(r):
		return letter, unicode.ToLower(r)
	case unicode.IsMark(r) || unicode.IsNumber(r):
		return letter, r
	}
	return separator, r
}

// unspaced reports whether r belongs to a script without spaces between words.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00: // Thai, Lao
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case r < 0x1000:
		return false
	case r < 0x10A0, 0x1780 <= r && r < 0x17D4: // Burmese; Khmer
		return true
	}
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// step adds r to the hash h of a word, which is mixed at the word's end.
func step(h uint64, r rune) uint64 { return (bits.RotateLeft64(h, 5) ^ uint64(r)) * 0x9E3779B97F4A7C15 }

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). Every bit of x affects every bit of the
// result, as a simhash requires. Unlike hash/maphash, it is the same in every process.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
