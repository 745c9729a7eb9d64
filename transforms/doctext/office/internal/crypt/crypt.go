// Package crypt opens what Excel encrypts under the password that it has for all: a workbook whose structure is
// protected is encrypted too, and where its author gave no password to open it, Excel takes the default one and asks
// nobody. Of documents with a password of their own nothing is opened here.
//
// The ways of encryption are those of [MS-OFFCRYPTO]: for XLS, XOR obfuscation and RC4, both as of Office 97 and by
// CryptoAPI; for packages of Office Open XML, the standard and the agile one, with AES.
// (https://learn.microsoft.com/openspecs/office_file_formats/ms-offcrypto)
package crypt

import (
	"encoding/binary"
	"math/bits"

	"golang.org/x/text/encoding/unicode"
)

// defaultPassword is the one that Excel has for all ([MS-XLS], section 2.2.10).
const defaultPassword = "VelvetSweatshop"

// password is the default one in UTF-16, as all ways but XOR take it.
var password = wide(defaultPassword)

func wide(s string) []byte {
	b, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(s))
	if err != nil {
		panic(err) // the constant is ASCII
	}
	return b
}

// Stream decrypts the records of a workbook of Excel 97 to 2003.
type Stream interface {
	// Decrypt decrypts the body of a record, or the end of one, in place. at is where b begins in the stream, size
	// the length of the whole body, which XOR depends on. Places have to ascend.
	Decrypt(b []byte, at, size int)
}

// Kinds of encryption in a FilePass record ([MS-XLS], section 2.4.117).
const (
	kindXOR = 0
	kindRC4 = 1
)

// Workbook returns what decrypts a workbook with this body of a FilePass record, or nil if the default password does
// not.
func Workbook(filePass []byte) Stream {
	kind, head := u16(filePass, 0), cut(filePass, 2, len(filePass))
	switch {
	case kind == kindXOR && u16(head, 0) == xorKey && u16(head, 2) == xorVerifier:
		return xor{}
	case kind != kindRC4:
		return nil
	}
	// The version: 1.1 is RC4 as of Office 97, x.2 that of CryptoAPI.
	if u16(head, 0) == 1 {
		return newRC4(cut(head, 4, len(head)))
	}
	return newCryptoAPI(cut(head, 4, len(head)))
}

// What a FilePass record has for the default password, by sections 2.3.7.1 and 2.3.7.2.
const (
	xorKey      = 0xB359
	xorVerifier = 0x9A0A
)

// xorArray is the obfuscation array of the default password (section 2.3.7.2), each byte rotated to the left by 3:
// bytes are rotated first here, and then changed.
var xorArray = [16]byte{
	0x3C, 0x5B, 0xD4, 0x17, 0xF0, 0x1F, 0x28, 0x13, 0xF0, 0x4B, 0xB4, 0x03, 0xC4, 0x73, 0xA4, 0x20,
}

type xor struct{}

func (xor) Decrypt(b []byte, at, size int) {
	for i := range b {
		b[i] = bits.RotateLeft8(b[i], 3) ^ xorArray[(at+size+i)%len(xorArray)]
	}
}

// u16 and u32 are numbers in b, or 0 after its end, as in package legacy.
func u16(b []byte, at int) int {
	if at+2 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[at:]))
}

func u32(b []byte, at int) int {
	if at+4 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b[at:]))
}

// cut is b[from:to], or nil if that is not there whole.
func cut(b []byte, from, to int) []byte {
	if from < 0 || from > to || to > len(b) {
		return nil
	}
	return b[from:to]
}
