package corpora

import (
	"math/rand/v2"
	"strings"
	"testing"
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
