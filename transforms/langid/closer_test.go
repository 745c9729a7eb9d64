package langid

import (
	"math"
	"testing"
)

// number returns the table's number of a language.
func number(t *testing.T, code string) int {
	t.Helper()
	for i, l := range models().Languages {
		if l.Code == code {
			return i
		}
	}
	t.Fatalf("the table does not have %s", code)
	return -1
}

func TestAddRelativeWords(t *testing.T) {
	tests := []struct {
		name, text, a, b string
		want             float64 // nats by which a is ahead of b
	}{
		{"a word of one language counts four times, and at most 2 nats", "ikkje", "nn", "nb", 8},
		{"in capitals at the start", "Ikkje", "nn", "nb", 8},
		{"capitalised behind the start it may be a name", "qq Ikkje", "nn", "nb", 4},
		{"twice", "ikkje ikkje", "nn", "nb", 16},
		{"a word of two", "ikke", "da", "nb", 0},
		{"words of no list", "qqq xyzzy", "nn", "da", 0},
		{"of another set", "kerana", "nn", "nb", 0},
		{"Malay", "kerana", "ms", "id", 8},
		{"less frequent, but both have it", "sangat", "ms", "id", -2.8},
		{"Serbian begins behind", "", "hr", serbianLatin, 3},
	}
	for _, tt := range tests {
		a, b := number(t, tt.a), number(t, tt.b)
		var s sample
		s.addRelativeWords(tt.text, near(relatives, latin, a))
		if got := s.nats(a, b); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %s is %v nats ahead of %s in %q, want %v", tt.name, tt.a, got, tt.b, tt.text, tt.want)
		}
	}
}

// Each relative has words: the lists here and in gen/relatives are the same.
func TestRelatives_haveWords(t *testing.T) {
	seen := map[int]bool{}
	for _, weights := range readWords(relativeData()) {
		for _, w := range weights {
			seen[w.language] = true
		}
	}
	n := 0
	for _, set := range relatives {
		for _, code := range set {
			if n++; !seen[number(t, code)] {
				t.Errorf("relatives.tsv has no word of %s", code)
			}
		}
	}
	if n != len(seen) {
		t.Errorf("relatives.tsv has %d languages, want %d", len(seen), n)
	}
}

// These are headlines that we wrote. By n-grams alone, some of them would be assigned to a relative.
func TestDetect_tellsRelatives(t *testing.T) {
	byDefault, high := New(Options{}), New(Options{Accuracy: High})
	for _, tt := range []struct{ want, text string }{
		{"nn", "Ho fekk ikkje svar frå kommunen om den nye vegen"},
		{"nb", "Hun fikk ikke svar fra kommunen om den nye veien"},
		{"da", "Hun fik ikke svar fra kommunen om den nye vej"},
		{"ms", "Kerajaan negeri tidak akan menaikkan harga bas kerana hujan"},
		{"id", "Pemerintah kota tidak akan menaikkan harga bus karena hujan"},
		{"sr", "Vreme je bilo lepo, deca su htela da vide belu reku"},
		{"hr", "Tko je prošli tjedan vidio vlak u općini kod tisuću jezera"},
		{"hr", "Kina i Rusija potpisale sporazum o suradnji"},
	} {
		for _, d := range []*Detector{byDefault, high} {
			got := d.Detect(tt.text)
			if len(got) != 1 || got[0].Code != tt.want || got[0].Confidence < minConfidence || got[0].Confidence > 1 {
				t.Errorf("Detect(%q) = %v, want %s", tt.text, got, tt.want)
			}
		}
	}
}

// TestDetect_namesInAnotherScript: names in Latin letters do not decide a text's script, even if they have more
// letters than the other words. A Latin text that quotes a foreign word stays Latin.
func TestDetect_namesInAnotherScript(t *testing.T) {
	for _, tt := range []struct{ want, text string }{
		{"th", "รีวิว Samsung Galaxy S24 Ultra กล้องสวยมาก"},
		{"th", "Manchester City ชนะ Arsenal สองประตูต่อหนึ่ง"},
		{"ja", "iPhone 15 Pro Maxを買いました"},
		{"ko", "Netflix Original 추천 목록입니다"},
		{"zh", "Microsoft Windows Server 安装使用教程和常见问题"},
		{"el", "Η Google ανακοίνωσε το Android Studio"},
		{"he", "Apple משיקה את MacBook Pro החדש"},
		{"hi", "भारत में Samsung Galaxy का नया मॉडल आज लॉन्च हुआ"},
		{"en", "The Thai word for thank you is ขอบคุณ, and it is used by everybody every day"},
		{"de", "Der Film „기생충“ gewann in Cannes die Goldene Palme und viele andere Preise"},
	} {
		if got := New(Options{}).Detect(tt.text); len(got) == 0 || got[0].Code != tt.want {
			t.Errorf("Detect(%q) = %v, want %s", tt.text, got, tt.want)
		}
	}
}

// If words do not distinguish relatives either, the declared language decides.
func TestDetect_highAccuracyTakesTheDeclaredOfATie(t *testing.T) {
	const tie = "Hvor er du? Jeg er her."
	for _, want := range []string{"da", "nb"} {
		if got := New(Options{Accuracy: High}).Detect(tie, want); len(got) != 1 || got[0].Code != want {
			t.Errorf("Detect(%q), declared %s = %v", tie, want, got)
		}
	}
}
