package crypt

import (
	"encoding/hex"
	"testing"
)

// TestWorkbook_xor: msoffcrypto-tool 6.1.0 decrypts it in the same way.
func TestWorkbook_xor(t *testing.T) {
	b, err := hex.DecodeString("62b70e13e7eb4e90c5d864b4e090eec9c7574ff34d8b6f")
	if err != nil {
		t.Fatal(err)
	}
	s := Workbook([]byte{0, 0, 0x59, 0xB3, 0x0A, 0x9A})
	if s == nil {
		t.Fatal("the default password does not open it")
	}
	const at = 10 // offset of the record's body
	// It is decrypted in two parts, like a record whose beginning is readable.
	s.Decrypt(b[:5], at, len(b))
	s.Decrypt(b[5:], at+5, len(b))
	if want := "High water at Wrenmouth"; string(b) != want {
		t.Errorf("decrypted %q, want %q", b, want)
	}
}

// TestWorkbook_none: headers of other passwords, headers of unknown kinds, and truncated ones.
func TestWorkbook_none(t *testing.T) {
	rc4 := make([]byte, 54)
	rc4[0], rc4[2], rc4[4] = 1, 1, 1
	api := make([]byte, 200)
	api[0], api[2], api[4], api[6] = 1, 2, 2, 0
	for _, b := range [][]byte{nil, {0}, {0, 0, 1, 2, 3, 4}, {2, 0, 0, 0}, rc4, rc4[:20], api, api[:9]} {
		if Workbook(b) != nil {
			t.Errorf("Workbook(% x) opens it", b)
		}
	}
}

// FuzzPackage: with any keys, nothing is read after the end.
func FuzzPackage(f *testing.F) {
	f.Add([]byte("\x04\x00\x04\x00\x40\x00\x00\x00<encryption><keyData/></encryption>"), make([]byte, 40))
	f.Add([]byte("\x03\x00\x02\x00"), make([]byte, 40))
	f.Fuzz(func(t *testing.T, info, body []byte) {
		if plain := Package(info, body); len(plain) > len(body) {
			t.Errorf("%d bytes out of %d", len(plain), len(body))
		}
		Workbook(info)
	})
}
