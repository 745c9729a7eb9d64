package query

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// marked is an excerpt with its marks in brackets.
func marked(e Excerpt) string {
	var b strings.Builder
	if e.Before {
		b.WriteString("…")
	}
	at := 0
	for _, m := range e.Marks {
		b.WriteString(e.Text[at:m.From] + "[" + e.Text[m.From:m.To] + "]")
		at = m.To
	}
	b.WriteString(e.Text[at:])
	if e.After {
		b.WriteString("…")
	}
	return b.String()
}

func TestHighlighter(t *testing.T) {
	long := strings.Repeat("nothing to see here ", 50)
	for _, c := range []struct{ filter, text, want string }{
		{`budget`, "Le Budget 2026", "Le [Budget] 2026"},
		{`vote ETE`, "Le conseil a voté le vote de l'été.", "Le conseil a [voté] le [vote] de l'[été]."},
		{`"le conseil"`, "Le budget et le conseil, le maire", "Le budget et [le conseil], le maire"},
		{`"new york"`, "New Jersey, new-york, NEW\nYORK", "New Jersey, [new-york], [NEW\nYORK]"},
		{`"new york city" OR new OR york`, "in New York City, York", "in [New York City], [York]"},
		{`gov*`, "Of govern\u00adment, mugov", "Of [govern\u00adment], mugov"},
		{`東京`, "私は東京都に住む", "私は[東京]都に住む"},
		{`東京都`, "私は東京都に住む", "私は[東京都]に住む"},
		{`都`, "私は東京都に住む", "私は東京[都に]住む"},
		{`"東京都"`, "東京と東京都", "東京と[東京都]"},
		{`ﬁne OR NOT see`, "ﬁne, fine, see", "[ﬁne], [fine], see"},
		{`status = 200`, "Le Budget", "Le Budget"},
		{
			`coffee`, long + "some coffee here " + long,
			"…nothing to see here some [coffee] here nothing to see here nothing to see here nothing…",
		},
		{
			`coffee tea`, "coffee " + long + "tea and coffee " + long,
			"…here nothing to see here [tea] and [coffee] nothing to see here nothing to see here nothing…",
		},
		{`coffee`, long + "coffee", "…nothing to see here nothing to see here nothing to see here nothing to see here " +
			"[coffee]"},
		{``, long, "nothing to see here nothing to see here nothing to see here nothing to see here nothing…"},
		{`x`, "", ""},
	} {
		e, err := Parse(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := marked(NewHighlighter(e).Excerpt(c.text, 80)); got != c.want {
			t.Errorf("%s in %q:\n%s, want\n%s", c.filter, c.text, got, c.want)
		}
	}
}

// FuzzHighlighter: an excerpt is a part of the text, and its marks are in order. If a search matches, and the whole
// text is shown, something is marked.
func FuzzHighlighter(f *testing.F) {
	f.Add("budget", "Le Budget 2026", 80)
	f.Add(`"東京都" OR x*`, "東京と東京都 ｶﾞ xX", 3)
	f.Add("a b", "a\xff b", 1)
	f.Fuzz(func(t *testing.T, filter, text string, letters int) {
		e, err := Parse(filter)
		if err != nil || letters < 0 || letters > 1<<20 {
			return
		}
		got := NewHighlighter(e).Excerpt(text, letters)
		if !strings.Contains(text, got.Text) || got.Before == (got.Text == text) && got.Before {
			t.Fatalf("%q is not of %q", got.Text, text)
		}
		if n := utf8.RuneCountInString(got.Text); n > letters+2*maxShift+2 {
			t.Errorf("%d letters, wanted %d", n, letters)
		}
		at := -1
		for _, m := range got.Marks {
			if m.From <= at || m.To <= m.From || m.To > len(got.Text) {
				t.Fatalf("marks %v of %d bytes", got.Marks, len(got.Text))
			}
			at = m.To
		}
	})
}
