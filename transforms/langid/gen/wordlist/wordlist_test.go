package wordlist_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/langid/gen/wordlist"
)

func TestList_Write(t *testing.T) {
	l := wordlist.List{}
	l.Add("og", "nn", 5.04)
	l.Add("og", "da", 6)
	l.Add("ikkje", "nn", 5.25)
	name := filepath.Join(t.TempDir(), "words.tsv")
	if err := l.Write(name); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if want := "ikkje\tnn=5.2\nog\tnn=5.0 da=6.0\n"; err != nil || string(got) != want {
		t.Errorf("%v; the list is %q, want %q", err, got, want)
	}
	if err := l.Write(t.TempDir()); err == nil {
		t.Error("a list was written over a folder")
	}
}

func TestIsBetweenWords(t *testing.T) {
	for r, want := range map[rune]bool{'a': false, 'љ': false, '\u093f': false, '\'': true, '-': true, '7': true, ' ': true} {
		if got := wordlist.IsBetweenWords(r); got != want {
			t.Errorf("IsBetweenWords(%q) = %t, want %t", r, got, want)
		}
	}
}
