package sentiment

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

func scoreOf(text, language string) float64 {
	var e Extractor
	if s := e.Extract(text, language); s != nil {
		return float64(s.Score)
	}
	return 0
}

// TestExtract_sign: the first text of a pair is in favour, the second against.
func TestExtract_sign(t *testing.T) {
	for language, pairs := range map[string][][2]string{
		"en": {
			{"A wonderful film.", "A terrible film."},
			{"This is not bad at all", "This is not good at all"},
			{"They never fail", "They never win"},
			{"Good? No doubt: I love it", "Bad? I hate it"},
		},
		"de": {
			{"Ein schönes, gutes Buch.", "Das Buch gefällt mir nicht, es ist schlecht."}, {"Ein großer Erfolg", "Kein Erfolg"},
		},
		"fr": {{"Un film magnifique", "Ce n'est pas bon"}, {"Le succès du port", "La catastrophe du port"}},
		"es": {{"Una película maravillosa", "Una película terrible"}, {"No es malo", "No es bueno"}},
		"nl": {{"Een prachtig boek", "Geen goed boek"}},
		"ru": {{"Прекрасный и хороший фильм", "Ужасный, плохой фильм"}},
		"pl": {{"Wspaniały sukces", "Straszna katastrofa"}},
		"nn": {{"Ein god og vakker dag", "Ei katastrofe"}},
		"ja": {{"成功", "失敗"}},
		"tr": {{"Bu film güzel", "Bu film güzel değil"}},
	} {
		for _, pair := range pairs {
			if in, against := scoreOf(pair[0], language), scoreOf(pair[1], language); in <= 0 || against >= 0 {
				t.Errorf("%s: %q has %v, %q has %v", language, pair[0], in, pair[1], against)
			}
		}
	}
}

func TestExtract_degree(t *testing.T) {
	for _, list := range [][]string{
		{"a slightly good day", "a good day", "a very good day"},
		{"a good day", "a good day with good people", "a good day with good people and good food"},
	} {
		if !slices.IsSortedFunc(list, func(a, b string) int { return int((scoreOf(a, "en") - scoreOf(b, "en")) * 1e6) }) ||
			scoreOf(list[0], "en") >= scoreOf(list[2], "en") {
			t.Errorf("%q have not rising scores", list)
		}
	}
	if whole := scoreOf("good "+strings.Repeat("stone ", 9)+"not here", "en"); whole != scoreOf("good", "en") {
		t.Errorf("a negation far away changes the score to %v", whole)
	}
}

// TestExtract_nothing: unknown values are absent.
// Repeated words of degree count like two of them, and no score is outside of its range.
func TestExtract_repeatedDegree(t *testing.T) {
	for _, tt := range []struct{ word, end, language string }{
		{"very ", "good", "en"},
		{"so very ", "terrible", "en"},
		{"slightly ", "good", "en"},
		{"sehr ", "gut", "de"},
		{"not ", "good", "en"},
		{"très ", "mauvais", "fr"},
	} {
		for _, n := range []int{4, 10, 2110, 20_000} {
			two := scoreOf(tt.word+tt.word+tt.end, tt.language)
			got := scoreOf(strings.Repeat(tt.word, n)+tt.end, tt.language)
			if got == 0 || math.Abs(got) > 1 || tt.word != "not " && got != two {
				t.Errorf("%d times %q, then %q: %v, want %v", n, tt.word, tt.end, got, two)
			}
		}
	}
}

func TestExtract_nothing(t *testing.T) {
	var e Extractor
	for language, text := range map[string]string{"en": "The table has four legs.", "th": "good", "und": "good"} {
		if s := e.Extract(text, language); s != nil {
			t.Errorf("%q in %s has the sentiment %+v", text, language, s)
		}
	}
}

func TestNear(t *testing.T) {
	var e Extractor
	text := "Anna won a wonderful prize. Bert failed, a disaster; Anna did not see it. Carl has a table."
	if e.Extract(text, "en") == nil {
		t.Fatal("no sentiment")
	}
	near := func(name string) *schemas.Float {
		var spans []schemas.Span
		for at := 0; ; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				return e.Near(spans)
			}
			spans = append(spans, schemas.Span{Start: at + i, End: at + i + len(name)})
			at += i + 1
		}
	}
	if a, b, c := near("Anna"), near("Bert"), near("Carl"); a == nil || *a <= 0 || b == nil || *b >= 0 || c != nil {
		t.Errorf("Anna %v, Bert %v, Carl %v", a, b, c)
	}
	if e.Near([]schemas.Span{{Start: 1 << 20, End: 1 << 21}}) != nil {
		t.Error("a span after the text has a sentiment")
	}
}

// TestLexicon: each word is a term as texts have it, of one weight; modifiers too, and each language has them.
func TestLexicon(t *testing.T) {
	var s tokenize.Scanner
	if n := len(Languages()); n != 55 {
		t.Errorf("%d languages", n)
	}
	for _, language := range Languages() {
		l := lexiconOf(language)
		if len(l.weights) < 400 {
			t.Errorf("%s has %d words", language, len(l.weights))
		}
		if m, ok := modifiers[language]; !ok || m.no == "" && language != "ja" {
			t.Errorf("%s has no negations", language)
		}
		check := func(word string) {
			n := 0
			for _, term := range s.Query(word) {
				if n++; string(term) != word {
					t.Errorf("%s: %q is the term %q", language, word, term)
				}
			}
			if n != 1 {
				t.Errorf("%s: %q has %d terms", language, word, n)
			}
		}
		for word, w := range l.weights {
			if check(word); w < -5 || w > 5 || w == 0 {
				t.Errorf("%s: %q has the weight %d", language, word, w)
			}
		}
		for word := range l.modifiers {
			check(word)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("not good; very bad 。成功", 3)
	f.Add("\xff\xfe...!", 0)
	f.Fuzz(func(t *testing.T, text string, n int) {
		var e Extractor
		language := Languages()[uint(n)%uint(len(Languages()))]
		s := e.Extract(text, language)
		if s != nil && (s.Score < -1 || s.Score > 1 || s.Positive+s.Negative == 0) {
			t.Errorf("%q: %+v", text, s)
		}
		near := e.Near([]schemas.Span{{Start: 0, End: len(text)}})
		if near != nil && (*near < -1 || *near > 1) {
			t.Errorf("%q: near %v", text, *near)
		}
		end := 0
		for _, p := range e.sums {
			if p.end <= end || p.end > len(text) {
				t.Errorf("%q (%t): a sentence ends at %d after %d", text, utf8.ValidString(text), p.end, end)
			}
			end = p.end
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	var e Extractor
	text := strings.Repeat("The trust said that the wonderful old bridge, which nobody liked, will not be repaired. ", 50)
	e.Extract(text, "en")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.Extract(text, "en")
	}
}
