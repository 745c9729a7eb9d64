package word

import (
	"testing"
	"unicode"
)

// TestClassOf: the fast classOf gives the same classes as classify, which uses the lists and Unicode's tables.
func TestClassOf(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := classOf(r), classify(r); got != want {
			t.Fatalf("classOf(%U) = %b, want %b", r, got, want)
		}
	}
}
