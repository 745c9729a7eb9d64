package corpora

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
)

// TestHashOfText: the hash is that of the words that strings.Fields finds, with one space between them.
func TestHashOfText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	parts := []string{
		"", " ", "\n", "\t\v\f\r", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u202f", "\u205f", "\u3000",
		"a", "é", "’", "ᚁ", "、", "\xc2", "\xe2\x80", "\xff", "\x00", "\ufeff", "😀",
	}
	var room []byte
	for range 20_000 {
		var text string
		for range r.IntN(12) {
			text += parts[r.IntN(len(parts))]
		}
		var got [idBytes]byte
		got, room = hashOfText(room, text)
		if want := hashOf([]byte(strings.Join(strings.Fields(text), " "))); got != want {
			t.Fatalf("hashOfText(%q) is not that of %q", text, strings.Fields(text))
		}
	}
}

// TestSignature_append: a signature is read as it was written, and one that is cut off is an error.
func TestSignature_append(t *testing.T) {
	for name, s := range map[string]signature{
		"empty":            {},
		"a language":       {lang: "en"},
		"bands":            {near: true, lang: "en", bands: minhash.Bands{1, 2, 3}},
		"a whole text":     {whole: 1 << 20, lang: "en"},
		"bands and a text": {near: true, whole: 1, facts: cluster.Facts{Bytes: 2, Time: -3, Quality: 4}},
	} {
		b := s.append(nil)
		if got, err := parseSignature(b); err != nil || got != s {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, s)
		}
		if _, err := parseSignature(b[:len(b)-len(s.lang)-1]); err == nil {
			t.Errorf("%s: no error when it is cut off", name)
		}
	}
}
