package wordlist_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/.tools/gen/wordlist"
)

func TestList_Bytes(t *testing.T) {
	l := wordlist.List{}
	l.Add("og", "nn", 5.04)
	l.Add("og", "da", 6)
	l.Add("ikkje", "nn", 5.25)
	if got, want := string(l.Bytes()), "ikkje\tnn=5.2\nog\tnn=5.0 da=6.0\n"; got != want {
		t.Errorf("the list is %q, want %q", got, want)
	}
}

func TestIsBetweenWords(t *testing.T) {
	for r, want := range map[rune]bool{
		'a': false, 'љ': false, '\u093f': false, '\'': true, '-': true, '7': true,
		' ': true,
	} {
		if got := wordlist.IsBetweenWords(r); got != want {
			t.Errorf("IsBetweenWords(%q) = %t, want %t", r, got, want)
		}
	}
}
