// Package crypt opens documents that Excel encrypted under its default password. Excel encrypts every workbook with a
// protected structure. If the author gave no password to open it, Excel uses the default one and opens the workbook
// without asking. Documents with passwords of their own stay closed.
//
// The encryption methods are those of [MS-OFFCRYPTO]. XLS uses XOR obfuscation, RC4 of Office 97 or RC4 by CryptoAPI.
// Packages of Office Open XML use the standard or the agile encryption, both with AES.
// (https://learn.microsoft.com/openspecs/office_file_formats/ms-offcrypto)
package crypt

import (
	"encoding/binary"
	"math/bits"

	"golang.org/x/text/encoding/unicode"
)

// defaultPassword is Excel's default password ([MS-XLS], section 2.2.10).
const defaultPassword = "VelvetSweatshop"

// password is the default password in UTF-16, as all methods but XOR use it.
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
	// Decrypt decrypts the body of a record, or the end of one, in place. Parameter at is the position of b in the
	// stream. Parameter size is the length of the whole body; XOR depends on it. Positions must ascend.
	Decrypt(b []byte, at, size int)
}

// Kinds of encryption in a FilePass record ([MS-XLS], section 2.4.117).
const (
	kindXOR = 0
	kindRC4 = 1
)

// Workbook returns the decrypter for a workbook with this body of a FilePass record. It returns nil if the default
// password does not open the workbook.
func Workbook(filePass []byte) Stream {
	kind, head := u16(filePass, 0), cut(filePass, 2, len(filePass))
	switch {
	case kind == kindXOR && u16(head, 0) == xorKey && u16(head, 2) == xorVerifier:
		return xor{}
	case kind != kindRC4:
		return nil
	}
	// This is the version: 1.1 is RC4 of Office 97, x.2 is RC4 by CryptoAPI.
	if u16(head, 0) == 1 {
		return newRC4(cut(head, 4, len(head)))
	}
	return newCryptoAPI(cut(head, 4, len(head)))
}

// Contents of a FilePass record for the default password, computed by sections 2.3.7.1 and 2.3.7.2.
const (
	xorKey      = 0xB359
	xorVerifier = 0x9A0A
)

// xorArray is the obfuscation array of the default password (section 2.3.7.2), each byte rotated to the left by 3.
// This code rotates bytes first and changes them afterwards.
var xorArray = [16]byte{
	0x3C, 0x5B, 0xD4, 0x17, 0xF0, 0x1F, 0x28, 0x13, 0xF0, 0x4B, 0xB4, 0x03, 0xC4, 0x73, 0xA4, 0x20,
}

type xor struct{}

func (xor) Decrypt(b []byte, at, size int) {
	for i := range b {
		b[i] = bits.RotateLeft8(b[i], 3) ^ xorArray[(at+size+i)%len(xorArray)]
	}
}

// u16 and u32 return numbers in b, or 0 after its end, as in package legacy.
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

// cut returns b[from:to], or nil if b is too short for it.
func cut(b []byte, from, to int) []byte {
	if from < 0 || from > to || to > len(b) {
		return nil
	}
	return b[from:to]
}
