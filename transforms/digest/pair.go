package digest

import (
	"crypto/sha1"
	"encoding"
	"encoding/binary"
	"hash"
)

// MatchPair returns a.Matches(x) and b.Matches(y). If both are SHA-1, as for the payload and the block of a record,
// both take the time of one on many processors.
func MatchPair(a Digest, x []byte, b Digest, y []byte) (ofX, ofY bool) {
	n := min(len(x), len(y)) / sha1.BlockSize
	if !hasPair || n == 0 || !a.isSHA1() || !b.isSHA1() {
		return a.Matches(x), b.Matches(y)
	}
	start := [8]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	states := [2][8]uint32{start, start}
	blockPair(&states, &x[0], &y[0], n)
	done := n * sha1.BlockSize
	return a.continues(states[0], done, x), b.continues(states[1], done, y)
}

func (d Digest) isSHA1() bool { return d.algorithm != 0 && algorithms[d.algorithm-1].size == sha1.Size }

// continues reports whether d is the SHA-1 of data. Parameter state is that after its first done bytes.
func (d Digest) continues(state [8]uint32, done int, data []byte) bool {
	h, ok := resume(state, done)
	if !ok {
		return d.Matches(data)
	}
	h.Write(data[done:])
	return [sha1.Size]byte(h.Sum(nil)) == [sha1.Size]byte(d.sum[:])
}

// resume returns a hash in the state after done bytes, whole blocks. Package crypto/sha1 writes a state as a constant,
// the words, a block that is not full, and the length.
func resume(state [8]uint32, done int) (hash.Hash, bool) {
	h := sha1.New()
	form, err := h.(encoding.BinaryAppender).AppendBinary(nil)
	words := len(form) - 8 - sha1.BlockSize - sha1.Size
	if err != nil || words < 0 {
		return nil, false
	}
	for i, word := range state[:sha1.Size/4] {
		binary.BigEndian.PutUint32(form[words+4*i:], word)
	}
	binary.BigEndian.PutUint64(form[len(form)-8:], uint64(done))
	return h, h.(encoding.BinaryUnmarshaler).UnmarshalBinary(form) == nil
}
