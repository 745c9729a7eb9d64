package tokenize

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// indexed returns the terms of a text for an index, separated by blanks.
func indexed(text string) string {
	var s Scanner
	var list []string
	for _, t := range s.Index(text) {
		list = append(list, string(t))
	}
	return strings.Join(list, " ")
}

// queried returns the terms of a query, with their places.
func queried(text string) string {
	var s Scanner
	var list []string
	for position, t := range s.Query(text) {
		list = append(list, fmt.Sprintf("%d:%s", position, t))
	}
	return strings.Join(list, " ")
}

func TestIndex(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", " -- ", ""},
		{"words", "The quick, brown FOX.", "the quick brown fox"},
		{"digits", "Covid19 in 2026: 3.5 %", "covid19 in 2026 3 5"},
		{"diacritics", "L'été à Łódź, Øresund, Straße, cœur, ÆGIR", "l ete a lodz oresund strasse coeur aegir"},
		{"an accent on ø", "Ǿ ǽ", "o ae"},
		{"decomposed", "e\u0301te\u0301 naïve", "ete naive"},
		{"Vietnamese", "Việt Nam đổi mới", "viet nam doi moi"},
		{"Turkish", "İstanbul ISPARTA ılık", "istanbul isparta ilik"},
		{"compatible forms", "ﬁn ＡＢＣ１ x² №", "fin abc1 x2 no"},
		{"no-break space", "10\u00a0000\u00a0€", "10 000"},
		{"soft hyphen", "Donau\u00addampf", "donaudampf"},
		{"Greek", "Ο ΟΔΟΣ της οδού ΐ", "ο οδοσ τησ οδου ι"},
		{"Russian", "Ёлка, мой и мои, за́мок", "елка мой и мои замок"},
		{"Ukrainian", "Їжак і ґанок", "їжак і ґанок"},
		{"Arabic", "السَّلَامُ عَلَيْكُمْ أحمد إلى آخر كتـــاب ١٢٣", "السلام عليكم احمد الي اخر كتاب 123"},
		{"Persian", "می\u200cخواهم کتاب", "ميخواهم كتاب"},
		{"Hebrew", "שָׁלוֹם צה״ל", "שלום צהל"},
		{"Hindi", "हिन्दी में क्या है", "हिन्दी में क्या है"},
		{"Tamil", "தமிழ் மொழி", "தமிழ் மொழி"},
		{"Korean", "한국어 문서", "한국어 문서"},
		{"Korean decomposed", norm.NFD.String("한국어"), "한국어"},
		{"Chinese", "学中文。", "学中 中文 文"},
		{"Japanese", "東京タワーへ", "東京 京タ タワ ワー ーへ へ"},
		{"half width", "ｶﾞｽ", "ガス ス"},
		{"sound marks", "か\u3099く", "がく く"},
		{"mixed", "2026年Go言語", "2026 年 go 言語 語"},
		{"one letter", "猫 cat", "猫 cat"},
		{"Thai", "ภาษาไทย", "ภา าษ ษา าไ ไท ทย ย"},
		{"Thai digits", "๑๒ บาท", "12 บา าท ท"},
		{"zero width space", "ភាសា\u200bខ្មែរ", "ភា ាស សា ាខ ខ្ ្ម មែ ែរ រ"},
		{"Lao", "ລາວ", "ລາ າວ ວ"},
		{"Myanmar", "မြန်မာ။", "မြ ြန န် ်မ မာ ာ"},
		{"not UTF-8", "a\xffb\xe4\xb8", "a b"},
		{"long", strings.Repeat("x", 100) + " y", strings.Repeat("x", 64) + " y"},
		{"long and not ASCII", strings.Repeat("я", 40) + "a", strings.Repeat("я", 32)},
		{"cut within a character", "x" + strings.Repeat("я", 40) + "a", "x" + strings.Repeat("я", 31)},
		{"emoji", "a👍🏽b", "a b"},
	} {
		if got := indexed(c.text); got != c.want {
			t.Errorf("%s: Index(%q) = %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"the fox", "0:the 1:fox"},
		{"中文", "0:中文"},
		{"中文 cat", "0:中文 2:cat"},
		{"猫", "0:猫"},
		{"学中文", "0:学中 1:中文"},
	} {
		if got := queried(c.text); got != c.want {
			t.Errorf("Query(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFold_caseAndForm: a letter has the same term in either case, composed or not.
func TestFold_caseAndForm(t *testing.T) {
	for r := rune(0x80); r < unicode.MaxRune; r++ {
		if !unicode.IsLetter(r) {
			continue
		}
		want := indexed(string(r))
		for _, other := range []rune{unicode.ToUpper(r), unicode.ToLower(r)} {
			if unicode.ToUpper(other) != r && unicode.ToLower(other) != r {
				continue // only in one direction: the other is another letter's
			}
			if got := indexed(string(other)); got != want {
				t.Errorf("%U %c is %q, %U %c is %q", r, r, want, other, other, got)
			}
		}
		if got := indexed(norm.NFD.String(string(r))); got != want {
			t.Errorf("%U %c is %q, decomposed %q", r, r, want, got)
		}
	}
}

// hostile are texts on which normalisation can take quadratic time or much memory.
var hostile = map[string]string{
	"marks":          "a" + strings.Repeat("\u0301", 1<<20),
	"marks in turn":  "a" + strings.Repeat("\u0301\u0327", 1<<19),
	"sound marks":    strings.Repeat("か\u3099", 1<<18),
	"jamo":           strings.Repeat("\u1100\u1161\u11a8", 1<<17),
	"expanding":      strings.Repeat("\ufdfa", 1<<18),
	"one word":       strings.Repeat("a", 1<<21),
	"no break space": strings.Repeat("\u00a0", 1<<20),
	"half marks":     strings.Repeat("\xcc", 1<<20),
	"Tibetan":        "\u0f40" + strings.Repeat("\u0f71\u0f72\u0f74", 1<<18),
}

func TestIndex_hostileTextsTakeLinearTime(t *testing.T) {
	for name, text := range hostile {
		start := time.Now()
		indexed(text)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(text), took)
		}
	}
}

func FuzzIndex(f *testing.F) {
	for _, s := range []string{"L'été à Łódź", "東京タワー", "ｶﾞｽ", "السَّلَامُ", "हिन्दी", "ភាសា\u200bខ្មែរ", "a\xff\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s Scanner
		var terms []string
		for position, term := range s.Index(text) {
			if len(term) == 0 || len(term) > MaxTerm || !utf8.Valid(term) || position != len(terms) {
				t.Fatalf("Index(%q): term %q at %d, want place %d", text, term, position, len(terms))
			}
			terms = append(terms, string(term))
		}
		for position, term := range s.Query(text) {
			if position >= len(terms) || !strings.HasPrefix(terms[position], string(term)) {
				t.Fatalf("Query(%q): %q at %d is not what Index has there", text, term, position)
			}
		}
		joined := strings.Join(terms, " ")
		if again := indexed(norm.NFC.String(text)); utf8.ValidString(text) && again != joined {
			t.Errorf("Index(%q) = %q, composed %q", text, joined, again)
		}
	})
}

// samples has a sentence for each of some scripts.
var samples = map[string]string{
	"English": "All human beings are born free and equal in dignity and rights. They are endowed with reason. ",
	"French":  "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison. ",
	"Russian": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом. ",
	"Arabic":  "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً. ",
	"Hindi":   "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। ",
	"Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
	"Thai":    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ",
	"Korean":  "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
}

func BenchmarkIndex(b *testing.B) {
	for name, text := range samples {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(text, 100)
			var s Scanner
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for range s.Index(text) {
				}
			}
		})
	}
}
