package pattern_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

var wordsTests = []struct {
	text          string
	exact, folded bool
}{
	{"", false, false},
	{"c", false, false},
	{"cc", true, true},
	{"a CC b", false, true},
	{"licence", true, true},
	{"LICEnce", false, true},
	{"license", false, false},
	{"lilicence", true, true},
	{"licenc", false, false},
	{"éservé", true, true},
	{"ÉSERVÉ", false, false},
	{"\x00licence", true, true},
	{"liſence", false, false},
}

func TestWords(t *testing.T) {
	words := []string{"cc", "licence", "éserv"}
	exact, folded := pattern.Words[string](words...), pattern.WordsFold[[]byte](words...)
	for _, tt := range wordsTests {
		if got := exact(tt.text); got != tt.exact {
			t.Errorf("Words of %q: %v, want %v", tt.text, got, tt.exact)
		}
		if got := folded([]byte(tt.text)); got != tt.folded {
			t.Errorf("WordsFold of %q: %v, want %v", tt.text, got, tt.folded)
		}
	}
}

// FuzzWords compares a search for three words at once with a search for each.
func FuzzWords(f *testing.F) {
	for _, tt := range wordsTests {
		f.Add([]byte(tt.text), "cc", "licence", "éserv")
	}
	f.Fuzz(func(t *testing.T, text []byte, a, b, c string) {
		words := []string{a, b, c}
		for _, w := range words {
			if len(w) < 2 || w[0] == 0 || len(text) > 1<<16 {
				t.Skip()
			}
		}
		want := false
		for _, w := range words {
			want = want || bytes.Contains(text, []byte(w))
		}
		if got := pattern.Words[[]byte](words...)(text); got != want {
			t.Errorf("Words(%q) of %q: %v, want %v", words, text, got, want)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat("All the reasons for a notice are in the text of the article. ", 16)
	has := pattern.Words[string]("reative", "CC", "icen", "GNU", "eserved", "orbehalten", "éserv")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if has(text) {
			b.Fatal("the text has none of the words")
		}
	}
}
