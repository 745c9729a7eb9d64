package subword

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func parts(t testing.TB, p *pattern, text string) (list []string) {
	t.Helper()
	if err := p.each(text, func(from, to int, is bool) {
		if is {
			list = append(list, text[from:to])
		}
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

var patternTexts = []string{
	"", "a", "ab", "aab abb", "Hello, WORLD's 2026\n\n  don't", "éÉ ñandú", "日本 語", "x  \t\n y", "aaaaaaaab",
	"a1b22c333d4444",
	"\u00a0\u2003 z", "]-^[", "THEY'LL they'll",
}

// TestPattern_asRegexp: where package regexp has the same syntax, matches are the same.
func TestPattern_asRegexp(t *testing.T) {
	for _, text := range []string{
		`a`, `ab|a`, `a|ab`, `a*b`, `a+`, `(?:a|b)+`, `(?:ab?){2,3}`, `a{2}`, `a{2,}b?`, `[a-c]+`, `[^a-c ]+`, `(?:a{2})+`,
		`(?:a{2}){2}`, `(?:a+){2}`, `(?:a?){3}b`, `\p{L}+`,
		`\p{Lu}\p{Ll}*`, `\P{L}+`, `\pL+`, `(?i:they)`, `(?i:[h-l]+)`, `[\p{L}\d]+`, `\.|,`, `[\]\-^]+`, `(a|b)c?`, `.+`,
		`\x61+`,
		`[\x{61}-\x{62}]+`, `(?:a*b|a+)`, `(?:(?:a|aa)b)+`, `[^\n]`, `\d{1,3}`, `\x{e9}`,
	} {
		p, err := compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, in := range patternTexts {
			want := regexp.MustCompile(text).FindAllString(in, -1)
			want = strings.Fields(strings.Join(nonEmpty(want), "\x00 "))
			got := strings.Fields(strings.Join(parts(t, p.clone(), in), "\x00 "))
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Errorf("%s in %q: %q, want %q", text, in, got, want)
			}
		}
	}
}

func nonEmpty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestPattern_lookahead has what package regexp does not.
func TestPattern_lookahead(t *testing.T) {
	for _, tt := range []struct {
		pattern, text, want string
	}{
		{`\s+(?!\S)|\s+`, "a   b  ", `["  " " " "  "]`},
		{`a(?=b)`, "ab ac", `["a"]`},
		{`a++b|a`, "aab aa", `["aab" "a" "a"]`},
		{`a?+ab`, "aab ab", `["aab"]`},
		{`[a-z&&[^b]]+`, "abc", `["a" "c"]`},
		{`(?i:'s)`, "'S 'ſ", `["'S" "'ſ"]`},
	} {
		p, err := compile(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		if got := fmt.Sprintf("%q", parts(t, p, tt.text)); got != tt.want {
			t.Errorf("%s in %q: %s, want %s", tt.pattern, tt.text, got, tt.want)
		}
	}
}

func TestCompile_refuses(t *testing.T) {
	for _, text := range []string{
		"(", ")", "[", "a{", "a{2", "a{3,2}", "a{,2}", `\`, `\p{Nothing}`, `\p{`, "(?<a>b)", "(?<!a)b", "^a", "a$", "a*?",
		"(?:a|b)*+",
		`\b`, "[[:alpha:]]", "(?:a*)*", strings.Repeat("(", 100), "(?:(?:(?:a{1000}b){1000}c){1000}d){1000}", `\x{zz}`,
		"[b-a]",
	} {
		if _, err := compile(text); err == nil {
			t.Errorf("%.40s is not refused", text)
		}
	}
}

// TestPattern_steps: a text on which a pattern tries too much is an error, and does not take long.
func TestPattern_steps(t *testing.T) {
	p, err := compile(`(?:a+a+)+b`)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.each(strings.Repeat("a", 5000), func(int, int, bool) {}); err == nil {
		t.Error("no error")
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(`(?i:'s|t)|[^\r\n\p{L}]?\p{L}+|\s+(?!\S)`, "it's  x")
	f.Fuzz(func(t *testing.T, text, in string) {
		p, err := compile(text)
		if err != nil {
			return
		}
		end := 0
		err = p.each(in, func(from, to int, _ bool) {
			if from != end || to <= from {
				t.Fatalf("a part from %d to %d after %d", from, to, end)
			}
			end = to
		})
		if err == nil && end != len(in) {
			t.Fatalf("parts end at %d of %d", end, len(in))
		}
	})
}
