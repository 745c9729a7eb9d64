package page

import (
	"encoding/binary"
	"math/bits"
)

// hashBytes is a hash of b, the same on every machine. The length is part of it, so zeroes at the end count. It reads
// eight bytes at a time, since it runs for the class of every element.
func hashBytes(b []byte) uint64 {
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
	}
	var rest uint64
	for _, c := range b {
		rest = rest<<8 | uint64(c)
	}
	return mix(h ^ rest)
}

// hashName is a hash of an element's name in any case. It replaces names in the stack, which are compared only with
// each other, so 32 bits are enough.
func hashName(name []byte) uint32 {
	h := uint64(len(name))
	for _, c := range name {
		h = mix(h ^ uint64(lower(c)))
	}
	return uint32(h)
}

// mix spreads the bits of x: it multiplies by an odd number without pattern and folds the 128-bit product, as wyhash
// does.
func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	return high ^ low
}

// hashText is a hash of text without white space, with ASCII letters in lower case and all digits equal. So repeated
// paragraphs with other numbers ("3 comments") have the same hash. It is the same on every machine, as it is compared
// between pages.
func hashText(text []byte) uint64 {
	var h, word uint64
	n := 0 // bits of word
	// White space shifts by no bits and adds nothing, so the loop has no branch for it.
	for _, c := range text {
		word = word<<hashedBits[c] | uint64(hashed[c])
		// Eight bytes are full.
		if n += int(hashedBits[c]); n == 64 {
			h = mix(h ^ word)
			word, n = 0, 0
		}
	}
	// n tells a full word from a partial one.
	return mix(h ^ word ^ uint64(n))
}

// hashed is the value of a byte for hashText, in hashedBits bits: 0 for white space, 8 for others.
var hashed, hashedBits = hashTables()

// hashTables makes hashed and hashedBits. Bytes above ASCII stay as they are: letters of other scripts are not folded.
func hashTables() (hashed, size [256]uint8) {
	for i := range hashed {
		c := lower(byte(i))
		switch {
		case isSpace(c):
			continue
		case c >= '0' && c <= '9':
			c = '0'
		}
		hashed[i], size[i] = c, 8
	}
	return hashed, size
}
