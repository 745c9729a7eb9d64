package crypt

import (
	"bytes"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"encoding/binary"
)

// blockSize is the number of bytes of a workbook's stream after which the key changes ([MS-XLS], section 2.2.10).
const blockSize = 1024

// keyed is RC4 with a separate key for each block of the stream. The key stream of a block is made once. Its bytes for
// unencrypted bytes are skipped.
type keyed struct {
	key   func(block int) []byte
	block int // block of added, -1 for none yet
	added [blockSize]byte
}

func (k *keyed) Decrypt(b []byte, at, _ int) {
	for i := range b {
		if block := (at + i) / blockSize; block != k.block {
			k.block, k.added = block, [blockSize]byte{}
			k.cipher(block).XORKeyStream(k.added[:], k.added[:])
		}
		b[i] ^= k.added[(at+i)%blockSize]
	}
}

func (k *keyed) cipher(block int) *rc4.Cipher {
	c, err := rc4.NewCipher(k.key(block))
	if err != nil {
		panic(err) // keys are made in this file, with 5 to 16 bytes
	}
	return c
}

// opens reports whether the key is right. A document holds a random number and its hash, both encrypted.
func (k *keyed) opens(verifier, hash []byte, sum func([]byte) []byte) bool {
	if len(verifier) == 0 || len(hash) == 0 {
		return false
	}
	c := k.cipher(0)
	plain, want := make([]byte, len(verifier)), make([]byte, len(hash))
	c.XORKeyStream(plain, verifier)
	c.XORKeyStream(want, hash)
	return bytes.Equal(sum(plain), want)
}

// Lengths of the fields of heads (sections 2.3.5.1 and 2.3.6.1).
const (
	saltSize     = 16
	verifierSize = 16
)

// newRC4 reads the head of section 2.3.6.1: salt, verifier, hash. The key has 40 bits (section 2.3.6.2).
func newRC4(head []byte) Stream {
	salt := cut(head, 0, saltSize)
	first := md5.Sum(password)
	second := md5.Sum(bytes.Repeat(append(first[:5:5], salt...), 16))
	k := &keyed{block: -1, key: func(block int) []byte {
		sum := md5.Sum(binary.LittleEndian.AppendUint32(second[:5:5], uint32(block)))
		return sum[:]
	}}
	sum := func(b []byte) []byte { s := md5.Sum(b); return s[:] }
	at := saltSize + verifierSize
	if !k.opens(cut(head, saltSize, at), cut(head, at, at+md5.Size), sum) {
		return nil
	}
	return k
}

// newCryptoAPI reads the head of section 2.3.5.1. The head gives the key's length (section 2.3.5.2). Length 0 means 40
// bits, and a key of 40 bits is padded with zeroes.
func newCryptoAPI(head []byte) Stream {
	h, ok := readHeader(head)
	size := h.keyBits / 8
	if size == 0 {
		size = 5
	}
	if !ok || size < 5 || size > 16 {
		return nil
	}
	first := sha1.Sum(append(bytes.Clone(h.salt), password...))
	k := &keyed{block: -1, key: func(block int) []byte {
		sum := sha1.Sum(binary.LittleEndian.AppendUint32(first[:len(first):len(first)], uint32(block)))
		if size == 5 {
			return append(sum[:5:5], make([]byte, 11)...)
		}
		return sum[:size]
	}}
	if !k.opens(h.verifier, cut(h.hash, 0, sha1.Size), sha1Sum) {
		return nil
	}
	return k
}

func sha1Sum(b []byte) []byte { s := sha1.Sum(b); return s[:] }

// header holds the fields that RC4 by CryptoAPI and the standard encryption of packages share. They come from an
// EncryptionHeader (section 2.3.2) and an EncryptionVerifier (2.3.3).
type header struct {
	keyBits              int
	salt, verifier, hash []byte
}

// readHeader reads the head after its version: flags, a length, a header of that length, the verifier.
func readHeader(b []byte) (header, bool) {
	const start = 8
	h := header{keyBits: u32(b, start+16)}
	v := cut(b, start+u32(b, 4), len(b))
	// The length of the salt is before it and always 16. The hash has a length too, but is padded.
	const salt = 4
	h.salt = cut(v, salt, salt+saltSize)
	h.verifier = cut(v, salt+saltSize, salt+saltSize+verifierSize)
	h.hash = cut(v, salt+saltSize+verifierSize+4, len(v))
	return h, u32(v, 0) == saltSize && h.salt != nil && h.verifier != nil && h.hash != nil
}
