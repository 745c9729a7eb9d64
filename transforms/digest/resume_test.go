package digest

import (
	"bytes"
	"crypto/sha1"
	"testing"
)

// If crypto/sha1 changed the form of its states, MatchPair would do its work twice, and nothing else would tell.
func TestResume(t *testing.T) {
	start := [8]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	h, ok := resume(start, 0)
	if !ok {
		t.Fatal("the state of crypto/sha1 cannot be set")
	}
	h.Write([]byte("abc"))
	if want := sha1.Sum([]byte("abc")); !bytes.Equal(h.Sum(nil), want[:]) {
		t.Errorf("sum of abc after the first state = %x, want %x", h.Sum(nil), want)
	}
}
