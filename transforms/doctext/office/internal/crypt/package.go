package crypt

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"slices"
)

// sizeBytes is the length of the size before an encrypted package (section 2.3.4.4).
const sizeBytes = 8

// Package decrypts the package of Office Open XML in a document's stream EncryptedPackage. Parameter info is the
// stream EncryptionInfo. The result is nil if the default password does not open the package. From a truncated stream
// it returns the bytes that are there.
func Package(info, encrypted []byte) []byte {
	if len(encrypted) < sizeBytes {
		return nil
	}
	var plain []byte
	body := encrypted[sizeBytes:]
	body = body[:len(body)/aes.BlockSize*aes.BlockSize]
	// This is the version: 4.4 is the agile encryption, x.2 the standard one (sections 2.3.4.5 and 2.3.4.10).
	if u16(info, 0) == 4 && u16(info, 2) == 4 {
		plain = agile(cut(info, 8, len(info)), body)
	} else if u16(info, 2) == 2 {
		plain = standard(cut(info, 4, len(info)), body)
	}
	// The bytes after the length are padding.
	if size := binary.LittleEndian.Uint64(encrypted); size < uint64(len(plain)) {
		plain = plain[:size]
	}
	return plain
}

// standardSpins is the number of times that the standard encryption hashes a password (section 2.3.4.7).
const standardSpins = 50_000

// standard decrypts with AES without chaining.
func standard(head, body []byte) []byte {
	h, ok := readHeader(head)
	if !ok {
		return nil
	}
	sum := spin(sha1Sum, h.salt, standardSpins)
	sum = sha1Sum(append(sum, 0, 0, 0, 0))
	// A key of any length is made of two hashes of the sum, with different padding.
	half := func(pad byte) []byte {
		b := bytes.Repeat([]byte{pad}, 64)
		for i := range sum {
			b[i] ^= sum[i]
		}
		return sha1Sum(b)
	}
	key := slices.Concat(half(0x36), half(0x5C))
	block, err := aes.NewCipher(cut(key, 0, h.keyBits/8))
	if err != nil {
		return nil // AES has no keys of this length
	}
	electronic := func(b []byte) []byte {
		out := make([]byte, len(b)/aes.BlockSize*aes.BlockSize)
		for at := 0; at < len(out); at += aes.BlockSize {
			block.Decrypt(out[at:], b[at:])
		}
		return out
	}
	want := electronic(h.hash)
	if len(want) < sha1.Size || !bytes.Equal(sha1Sum(electronic(h.verifier)), want[:sha1.Size]) {
		return nil
	}
	return electronic(body)
}

// spin hashes the password with a salt, then hashes the result the given number of times.
func spin(hash func([]byte) []byte, salt []byte, times int) []byte {
	sum := hash(slices.Concat(salt, password))
	buffer := make([]byte, 4, 4+len(sum))
	for i := range times {
		binary.LittleEndian.PutUint32(buffer, uint32(i))
		sum = hash(append(buffer[:4], sum...))
	}
	return sum
}

// agileInfo is the XML of the agile encryption (section 2.3.4.10). It describes the package's encryption and each way
// to its key.
type agileInfo struct {
	Data agileKey `xml:"keyData"`
	Ways []struct {
		Key agileKey `xml:"encryptedKey"`
	} `xml:"keyEncryptors>keyEncryptor"`
}

// agileKey describes how something is encrypted. Function decoded decodes the fields in base64.
type agileKey struct {
	Salt     string `xml:"saltValue,attr"`
	Cipher   string `xml:"cipherAlgorithm,attr"`
	Chaining string `xml:"cipherChaining,attr"`
	Hash     string `xml:"hashAlgorithm,attr"`
	Bits     int    `xml:"keyBits,attr"`
	Spins    int    `xml:"spinCount,attr"`
	Verifier string `xml:"encryptedVerifierHashInput,attr"`
	Sum      string `xml:"encryptedVerifierHashValue,attr"`
	Value    string `xml:"encryptedKeyValue,attr"`
}

// maxSpins bounds how often the password is hashed. Office writes 100,000, which takes some 30 ms. The specification
// allows a hundred times that, a cheap way to keep a reader busy.
const maxSpins = 1_000_000

// maxWays bounds the number of keys tried: one for the password, and possibly one for a certificate.
const maxWays = 2

// Values hashed with the password for the keys of the verifier, its hash and the key (section 2.3.4.13).
var (
	verifierKey = []byte{0xFE, 0xA7, 0xD2, 0x76, 0x3B, 0x4B, 0x9E, 0x79}
	sumKey      = []byte{0xD7, 0xAA, 0x0F, 0x6D, 0x30, 0x61, 0x34, 0x4E}
	valueKey    = []byte{0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6}
)

// segment is the number of bytes of a package after which chaining starts again (section 2.3.4.15).
const segment = 4096

// agile decrypts with AES with chaining. Its key is itself encrypted.
func agile(head, body []byte) []byte {
	var info agileInfo
	if xml.Unmarshal(head, &info) != nil {
		return nil
	}
	hash := hashes[info.Data.Hash]
	if hash == nil || !info.Data.isKnown() {
		return nil
	}
	for _, way := range info.Ways[:min(len(info.Ways), maxWays)] {
		key := way.Key.open()
		block, err := aes.NewCipher(cut(key, 0, info.Data.Bits/8))
		if err != nil {
			continue
		}
		salt, plain := decoded(info.Data.Salt), make([]byte, len(body))
		for at := 0; at < len(body); at += segment {
			start := hash(binary.LittleEndian.AppendUint32(bytes.Clone(salt), uint32(at/segment)))
			end := min(at+segment, len(body))
			cipher.NewCBCDecrypter(block, start[:aes.BlockSize]).CryptBlocks(plain[at:end], body[at:end])
		}
		return plain
	}
	return nil
}

// hashes are the hash functions that Office offers. All results have at least 16 bytes, the length of an AES block.
var hashes = map[string]func([]byte) []byte{
	"SHA1":   sha1Sum,
	"SHA256": func(b []byte) []byte { s := sha256.Sum256(b); return s[:] },
	"SHA384": func(b []byte) []byte { s := sha512.Sum384(b); return s[:] },
	"SHA512": func(b []byte) []byte { s := sha512.Sum512(b); return s[:] },
}

func (k agileKey) isKnown() bool { return k.Cipher == "AES" && k.Chaining == "ChainingModeCBC" }

// open returns the key that the password opens, or nil if the password is another.
func (k agileKey) open() []byte {
	hash, salt := hashes[k.Hash], decoded(k.Salt)
	if hash == nil || !k.isKnown() || len(salt) < aes.BlockSize || k.Spins < 0 || k.Spins > maxSpins {
		return nil
	}
	sum := spin(hash, salt, k.Spins)
	open := func(purpose []byte, secret string) []byte {
		key, b := hash(slices.Concat(sum, purpose)), decoded(secret)
		// If the hash is shorter than the key, it is padded.
		key = append(key, bytes.Repeat([]byte{0x36}, 32)...)
		block, err := aes.NewCipher(cut(key, 0, k.Bits/8))
		if err != nil || len(b)%aes.BlockSize != 0 {
			return nil
		}
		cipher.NewCBCDecrypter(block, salt[:aes.BlockSize]).CryptBlocks(b, b)
		return b
	}
	want := hash(open(verifierKey, k.Verifier))
	if got := open(sumKey, k.Sum); len(got) < len(want) || !bytes.Equal(got[:len(want)], want) {
		return nil
	}
	return open(valueKey, k.Value)
}

// decoded returns nil if s is not base64. No key opens with that.
func decoded(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	return b
}
