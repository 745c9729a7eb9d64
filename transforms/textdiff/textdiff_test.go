package textdiff

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

// short writes changes so that tables can be read: =same, -removed, +added, and ~ with [-removed-]{+added+} words.
func short(list []Change) (texts []string) {
	for _, c := range list {
		switch c.Kind {
		case Same:
			texts = append(texts, "="+c.Text)
		case Removed:
			texts = append(texts, "-"+c.Text)
		case Added:
			texts = append(texts, "+"+c.Text)
		default:
			text := "~"
			for _, p := range c.Parts {
				text += map[Kind]string{Same: p.Text, Removed: "[-" + p.Text + "-]", Added: "{+" + p.Text + "+}"}[p.Kind]
			}
			texts = append(texts, text)
		}
	}
	return texts
}

func TestTexts(t *testing.T) {
	for _, test := range []struct {
		name, from, to string
		want           []string
	}{
		{"both empty", "", "", nil},
		{"same", "a\nb", "a\nb", []string{"=a", "=b"}},
		{"new", "", "a", []string{"+a"}},
		{"gone", "a", "", []string{"-a"}},
		{"blank lines do not count", "a\n\nb\n", "a\nb", []string{"=a", "=b"}},
		{"between", "a\nc", "a\nb\nc", []string{"=a", "+b", "=c"}},
		{"another paragraph", "one two\nx", "completely other words\nx", []string{
			"-one two", "+completely other words",
			"=x",
		}},
		{
			"a word", "the price is 5 pounds today", "the price is 7 pounds today",
			[]string{"~the price is [-5-]{+7+} pounds today"},
		},
		{"Chinese", "朝の漁港を歩く", "夜の漁港を歩く", []string{"~[-朝-]{+夜+}の漁港を歩く"}},
		{"Arabic", "في كل صباح باكر", "في كل مساء باكر", []string{"~في كل [-صباح-]{+مساء+} باكر"}},
		{"not UTF-8", "a \xff b c d", "a \xfe b c d", []string{"~a [-\xff-]{+\xfe+} b c d"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, short(Texts(test.from, test.to))); diff != "" {
				t.Errorf("Texts(%q, %q): %s", test.from, test.to, diff)
			}
		})
	}
}

func TestTexts_longTextsAreReplaced(t *testing.T) {
	var a, b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&a, "old %d\n", i)
		fmt.Fprintf(&b, "new %d\n", i)
	}
	n := map[Kind]int{}
	for _, c := range Texts("first\n"+a.String()+"last", "first\n"+b.String()+"last") {
		n[c.Kind]++
	}
	if n[Same] != 2 || n[Changed]+n[Removed] != 5000 {
		t.Errorf("%v, want the two ends the same and the rest replaced", n)
	}
}

// A long paragraph is not read again for each short one.
func TestTexts_hostileTime(t *testing.T) {
	const size = 65_000
	for name, pair := range map[string][2]string{
		"many short, one long":   {strings.Repeat("a\n", size), strings.Repeat("a ", size)},
		"one long, many short":   {strings.Repeat("a ", size), strings.Repeat("a\n", size)},
		"single signs":           {strings.Repeat("-\n", size), strings.Repeat("-", 2*size)},
		"two words, two long":    {strings.Repeat("a b\n", size/2), strings.Repeat(strings.Repeat("a b ", size/4)+"\n", 2)},
		"blanks":                 {strings.Repeat("a \n", size), strings.Repeat(" a", size)},
		"short and long in turn": {strings.Repeat("a\n", size/2) + strings.Repeat("b ", size), strings.Repeat("b\n", size)},
	} {
		start := cputime.Self()
		Texts(pair[0], pair[1])
		if took := cputime.Self() - start; took > time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func BenchmarkTexts_hostile(b *testing.B) {
	var x, y strings.Builder
	for i := range 1000 {
		x.WriteString(strings.Repeat(fmt.Sprintf("a%d ", i), 200) + "\n")
		y.WriteString(strings.Repeat(fmt.Sprintf("b%d ", i), 200) + "\n")
	}
	for b.Loop() {
		Texts(x.String(), y.String())
	}
}

// FuzzTexts: both texts can be restored from the changes, except for blank lines.
func FuzzTexts(f *testing.F) {
	f.Add("a\nb c d\ne", "a\nb x d\nf")
	f.Add("朝の漁港", "\xff\n\n朝の港")
	f.Fuzz(func(t *testing.T, from, to string) {
		var a, b []string
		for _, c := range Texts(from, to) {
			old, now := "", ""
			for _, p := range c.Parts {
				if p.Kind != Added {
					old += p.Text
				}
				if p.Kind != Removed {
					now += p.Text
				}
			}
			if c.Kind == Changed {
				a, b = append(a, old), append(b, now)
			}
			if c.Kind == Same || c.Kind == Removed {
				a = append(a, c.Text)
			}
			if c.Kind == Same || c.Kind == Added {
				b = append(b, c.Text)
			}
		}
		if diff := cmp.Diff(paragraphs(from), a); diff != "" {
			t.Errorf("the old text: %s", diff)
		}
		if diff := cmp.Diff(paragraphs(to), b); diff != "" {
			t.Errorf("the new text: %s", diff)
		}
	})
}
