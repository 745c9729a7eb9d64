package word

import (
	"testing"
	"unicode"
)

// TestClassOf: the short ways to the classes of a character give what the lists and Unicode say.
func TestClassOf(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := classOf(r), classify(r); got != want {
			t.Fatalf("classOf(%U) = %b, want %b", r, got, want)
		}
	}
}
