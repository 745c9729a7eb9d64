package filter

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestContamination_scripts: passages are found in every script, and short sequences that texts have in common are not
// passages.
func TestContamination_scripts(t *testing.T) {
	const (
		chinese = "下列关于光合作用的说法正确的是"
		long    = "在一个密闭的容器里放入绿色植物和小动物之后哪一种气体会首先减少"
		hindi   = "भारत के प्रधानमंत्री नरेंद्र मोदी ने आज कहा कि"
		thai    = "ก่อนพระอาทิตย์ขึ้นปากอ่าวยังเงียบสงบและมีหมอกบางลอยอยู่เหนือน้ำ"
		english = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
	)
	for _, tt := range []struct {
		list, page string
		want       bool
	}{
		{chinese, "第1题" + chinese + "(A)", true},
		{chinese + "?", "第1题下列关于光合作用、的说法正确的是", true},
		{chinese, "下列关于光合作用的说法错误的是", false},
		{long, "题目:" + long + "。", true},
		{long, "题目:" + long[9:] + "。", true}, // all but three signs
		{long, "在一个密闭的容器里放入绿色植物,然后等待", false},
		{hindi, "आज " + hindi + " है", true},
		{hindi, strings.Replace(hindi, "मोदी", "मादी", 1), false},
		{hindi + " " + hindi, "प्रधानमंत्री नरेंद्र मोदी ने आज कहा", false}, // six words
		{thai, "ตอนเช้า" + thai, true},
		{thai, "ก่อนพระอาทิตย์ขึ้น", false},
		{"ひらがなとカタカナ", "これはひらがなとカタカナです", true},
		{"cafe\u0301 au lait", "un café au lait", true},
		{"café au lait", "un CAFE\u0301 au lait", true},
		{"cafe au lait", "un café au lait", false},
		{"می\u200cخواهم", "من میخواهم", true},
		{"co\u00adoperate now", "they cooperate now", true},
		{"an unladen swallow", "an unladen swallows", false},
		{"12 34", "12, 34", true},
		{english, "zero " + english[:len(english)-9], true}, // thirteen of fourteen
		{english, "one two three four five six seven eight nine ten eleven twelve", false},
		{"བོད་ཡིག་ནི་", "འདི་བོད་ཡིག་ནི་ཡིན།", true},
		{"…", "…", false},
	} {
		c, err := Recipe{{Name: "contamination", Settings: lists("texts", tt.list)}}.Chain(Tools{})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Judge(NewPage(&schemas.Document{Text: tt.page})) != ""; got != tt.want {
			t.Errorf("%q in %q: %v, want %v", tt.list, tt.page, got, tt.want)
		}
	}
}

// TestContamination_passages: sequences are those of a plain loop over spaced words.
func TestContamination_passages(t *testing.T) {
	fields := strings.Fields("a b c d e f g h")
	for n := 1; n < 10; n++ {
		var want, got []string
		for i := 0; i+n <= len(fields); i++ {
			want = append(want, strings.Join(fields[i:i+n], " "))
		}
		w := plainWords("A, b. c d (e) f\ng h!")
		w.passages(n, func(p string) bool {
			got = append(got, p)
			return true
		})
		if !slices.Equal(got, want) {
			t.Errorf("passages of %d are %q, want %q", n, got, want)
		}
	}
}

// BenchmarkContamination judges a page of a MiB by 50,000 short questions.
func BenchmarkContamination(b *testing.B) {
	var questions []string
	for i := range 50_000 {
		questions = append(questions, fmt.Sprintf("what is the number %d of the river", i))
	}
	c, err := Recipe{{Name: "contamination", Settings: lists("texts", questions...)}}.Chain(Tools{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	p := NewPage(english(strings.Repeat(prose, 1<<20/len(prose))))
	b.SetBytes(int64(len(p.Text)))
	b.ReportAllocs()
	for b.Loop() {
		c.Judge(p)
	}
}

// FuzzPlainWords: the words cover their text, with one space between two.
func FuzzPlainWords(f *testing.F) {
	f.Add("Cafe\u0301 下列, กำ\u200dx\xff")
	f.Fuzz(func(t *testing.T, text string) {
		w := plainWords(text)
		if len(w.ends) != len(w.sizes) || (len(w.ends) == 0) != (w.text == "") {
			t.Fatalf("%q: %d words, %d sizes", w.text, len(w.ends), len(w.sizes))
		}
		var list []string
		for i := range w.ends {
			list = append(list, w.from(i, i+1))
		}
		if got := strings.Join(list, " "); got != w.text {
			t.Errorf("words are %q, want %q", got, w.text)
		}
	})
}
