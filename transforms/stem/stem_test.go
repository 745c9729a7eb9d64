package stem

import (
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// TestStem: forms of a word have one stem, and other words have others.
func TestStem(t *testing.T) {
	for _, c := range []struct {
		language string
		forms    []string
		others   []string
	}{
		{"en", []string{"bridge", "bridges", "bridged"}, []string{"bride", "bridal"}},
		{"fr", []string{"climat", "climats"}, []string{"client"}},
		{"fr", []string{"responsabilité", "responsabilités"}, []string{"réponse"}},
		{"de", []string{"Brücke", "Brücken"}, []string{"Bruch"}},
		{"es", []string{"educación", "educaciones"}, []string{"edad"}},
		{"it", []string{"città", "citta"}, []string{"cito"}},
		{"pt", []string{"eleição", "eleições"}, []string{"eleito"}},
		{"nl", []string{"boek", "boeken"}, []string{"brood"}},
		{"sv", []string{"skola", "skolor"}, []string{"skal"}},
		{"nb", []string{"skole", "skolen", "skoler"}, nil},
		{"da", []string{"skole", "skolen", "skoler"}, nil},
		{"fi", []string{"talo", "talot", "talossa"}, []string{"talvi"}},
		{"ru", []string{"мост", "мосты", "мостом"}, []string{"место"}},
		{"hu", []string{"ház", "házak"}, nil},
		{"ro", []string{"școală", "școala"}, nil},
		{"tr", []string{"kitap", "kitaplar"}, nil},
		{"ar", []string{"مكتبة", "المكتبة"}, []string{"ميناء"}},
	} {
		s := New(c.language)
		stemOf := func(word string) string {
			var scan tokenize.Scanner
			for _, term := range scan.Index(word) {
				return s.Stem(string(term))
			}
			return ""
		}
		want := stemOf(c.forms[0])
		for _, form := range c.forms {
			if got := stemOf(form); got != want || got == "" {
				t.Errorf("%s: the stem of %s is %q, of %s %q", c.language, form, got, c.forms[0], want)
			}
		}
		for _, other := range c.others {
			if got := stemOf(other); got == want {
				t.Errorf("%s: %s has the stem of %s", c.language, other, c.forms[0])
			}
		}
	}
}

func TestStem_none(t *testing.T) {
	if New("ja") != nil || New("") != nil || New("und") != nil {
		t.Error("a stemmer of a language without one")
	}
	s := New("en")
	for _, term := range []string{"", "a", "it", "2026", "covid19", "x\u0301yz", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		if got := s.Stem(term); got != "" {
			t.Errorf("Stem(%q) = %q, want none", term, got)
		}
	}
}

func FuzzStem(f *testing.F) {
	for _, word := range []string{"bridges", "yyyy", "ингом", "المكتبات", "ßßß", "ning"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if !utf8.ValidString(word) {
			return
		}
		for _, language := range Languages() {
			s := New(language)
			if a, b := s.Stem(word), New(language).Stem(word); a != b || !utf8.ValidString(a) {
				t.Errorf("%s: %q has the stems %q and %q", language, word, a, b)
			}
		}
	})
}
