package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A check looks up terms that few texts have, whatever the language: frequent ones make it quadratic.
func TestChecker_rarest(t *testing.T) {
	for name, common := range map[string]string{
		"English": "the and of to a in is that for it with as was on",
		"Chinese": "的一是不了在人有我他这中大来上",
		"long":    "international responsibility understanding environmental administration",
	} {
		k := &checker{}
		late := 0
		for i := range 200 {
			own := fmt.Sprintf("x%d y%d z%d", i, i, i)
			terms := k.rarest(nil, common+" "+own+" "+common)
			if len(terms) != termsTried {
				t.Fatalf("%s: %d terms, want %d", name, len(terms), termsTried)
			}
			for _, term := range terms {
				if i > 0 && !strings.Contains(own, term) {
					late++
				}
			}
		}
		if late > 0 {
			t.Errorf("%s: %d frequent terms are looked up after the first text", name, late)
		}
	}
}

// The terms that a check remembers are bounded, and a text is added to those before it.
func TestChecker_rarest_bounded(t *testing.T) {
	k := &checker{}
	for i := range 3 * mostCounts / termsLooked {
		var text strings.Builder
		for n := range termsLooked {
			fmt.Fprintf(&text, "w%dq%d ", i, n)
		}
		k.rarest(nil, text.String())
		if len(k.counts) > mostCounts+termsLooked {
			t.Fatalf("%d terms are remembered", len(k.counts))
		}
	}
	if got := k.rarest([]string{"a"}, ""); !slices.Equal(got, []string{"a"}) {
		t.Errorf("rarest of no text = %q", got)
	}
}
