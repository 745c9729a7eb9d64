package digest_test

import (
	"crypto/sha1"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/digest"
)

// sha1Of returns the digest of data.
func sha1Of(t testing.TB, data []byte) digest.Digest {
	t.Helper()
	sum := sha1.Sum(data)
	return parse(t, "sha1:"+hex.EncodeToString(sum[:]))
}

func parse(t testing.TB, label string) digest.Digest {
	t.Helper()
	d, err := digest.Parse(label)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Lengths around one, two and three blocks, and where the padding needs a block of its own.
func TestMatchPair_lengths(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 5000)
	_, _ = random.Read(data) // it never fails
	lengths := []int{0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 191, 192, 193, 1024, 4099}
	for _, n := range lengths {
		for _, m := range lengths {
			x, y := data[:n], data[len(data)-m:]
			a, b := sha1Of(t, x), sha1Of(t, y)
			if ofX, ofY := digest.MatchPair(a, x, b, y); !ofX || !ofY {
				t.Errorf("MatchPair of %d and %d bytes = %v, %v, want true for both", n, m, ofX, ofY)
			}
			if ofX, ofY := digest.MatchPair(b, x, a, y); (ofX || ofY) && a != b {
				t.Errorf("MatchPair of %d and %d bytes with each other's digests = %v, %v, want false", n, m, ofX, ofY)
			}
		}
	}
}

func TestMatchPair_otherDigests(t *testing.T) {
	block := make([]byte, 200)
	a := sha1Of(t, block)
	md5 := parse(t, "md5:"+"00000000000000000000000000000000")
	for _, other := range []digest.Digest{{}, md5} {
		if ofX, ofY := digest.MatchPair(a, block, other, block); !ofX || ofY {
			t.Errorf("MatchPair(SHA-1, %v) = %v, %v, want true, false", other, ofX, ofY)
		}
		if ofX, ofY := digest.MatchPair(other, block, a, block); ofX || !ofY {
			t.Errorf("MatchPair(%v, SHA-1) = %v, %v, want false, true", other, ofX, ofY)
		}
	}
}

// FuzzMatchPair compares with Matches, with one bit changed in one of the two.
func FuzzMatchPair(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\nbody"), 19, 3)
	f.Add(make([]byte, 300), 100, 2400)
	f.Fuzz(func(t *testing.T, data []byte, head, bit int) {
		body := data[min(max(head, 0), len(data)):]
		a, b := sha1Of(t, body), sha1Of(t, data)
		if i := bit / 8; bit >= 0 && i < len(data) {
			data[i] ^= 1 << (bit % 8)
		}
		ofBody, ofData := digest.MatchPair(a, body, b, data)
		if ofBody != a.Matches(body) || ofData != b.Matches(data) {
			t.Errorf("MatchPair = %v, %v, want %v, %v", ofBody, ofData, a.Matches(body), b.Matches(data))
		}
	})
}

func BenchmarkMatchPair(b *testing.B) {
	block := make([]byte, 280_000)
	body := block[417:]
	x, y := sha1Of(b, body), sha1Of(b, block)
	for _, bb := range []struct {
		name  string
		match func() (bool, bool)
	}{
		{"pair", func() (bool, bool) { return digest.MatchPair(x, body, y, block) }},
		{"apart", func() (bool, bool) { return x.Matches(body), y.Matches(block) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(body) + len(block)))
			for b.Loop() {
				if ofBody, ofBlock := bb.match(); !ofBody || !ofBlock {
					b.Fatal("no match")
				}
			}
		})
	}
}
