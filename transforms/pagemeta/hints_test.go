package pagemeta

import (
	"strings"
	"testing"
)

// TestNameHints_words: each word is found in any case, and words that only look like one are not.
func TestNameHints_words(t *testing.T) {
	for word, want := range hintWords {
		for _, w := range []string{word, strings.ToUpper(word), "x-" + word + "_y"} {
			if got := nameHints([]byte(w)); got != want {
				t.Errorf("nameHints(%q) = %b, want %b", w, got, want)
			}
		}
	}
	long := "x" + strings.Repeat("y", 2*maxWordBytes)
	for _, w := range []string{"", "d", "dat", "datf", "updatedd", "post meta", long} {
		if got := nameHints([]byte(w)); got != 0 {
			t.Errorf("nameHints(%q) = %b, want none", w, got)
		}
	}
}

// TestTrimMarks: the same as strings.Trim.
func TestTrimMarks(t *testing.T) {
	const marks = "()[]{}|;!\"'"
	for _, s := range []string{"", marks, "(a)", "[(a;b)]!", "a", "'é'", "«(a)»", "a" + marks, marks + "a"} {
		if got, want := trimMarks(s), strings.Trim(s, marks); got != want {
			t.Errorf("trimMarks(%q) = %q, want %q", s, got, want)
		}
	}
}

// TestLower: the same as bytes.ToLower.
func TestLower(t *testing.T) {
	for _, s := range []string{"", "canonical", "Canonical", "CANONİCAL", "ſhort", "é", "É", "a-z_09 @[`{"} {
		if got, want := string(lower([]byte(s))), strings.ToLower(s); got != want {
			t.Errorf("lower(%q) = %q, want %q", s, got, want)
		}
	}
}
