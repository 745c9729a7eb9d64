package langid

import (
	"slices"
	"testing"
)

// TestWordList looks up all words of the lists, and others.
func TestWordList(t *testing.T) {
	for _, data := range []string{wordData, relativeData()} {
		l := newWordList(data)
		for word, want := range readWords(data) {
			if got := l.appendWeights(nil, word); !slices.Equal(got, want) {
				t.Fatalf("weights of %q = %v, want %v", word, got, want)
			}
		}
		for _, word := range []string{"", "a\t", "zzz", "aanbeve", "aanbeveelt", "\xff"} {
			if got := l.appendWeights(nil, word); got != nil {
				t.Errorf("weights of %q = %v, want none", word, got)
			}
		}
	}
	if got := newWordList("").appendWeights(nil, "a"); got != nil {
		t.Errorf("of an empty list %v, want none", got)
	}
}

func BenchmarkNewWordList(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newWordList(relativeData())
	}
}
