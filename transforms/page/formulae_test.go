package page

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/formula"
)

// TestParse_formulaeOfWriters reads a hundred formulae as KaTeX 0.16, MathJax 2, 3 and 4 and MediaWiki write them into
// pages, and with delimiters. The text has the page's original TeX, and nothing of the drawing.
func TestParse_formulaeOfWriters(t *testing.T) {
	f, err := os.Open("testdata/formulae.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it is only read
	all, right := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); all++ {
		fields := strings.SplitN(s.Text(), "\t", 4)
		sign := map[string]string{"0": "$", "1": "$$"}[fields[1]]
		tex := formula.Tidy(fields[2])
		want := "so " + sign + tex + sign + " it is"
		if strings.Trim(tex, `0123456789.\%`) == "" {
			want = "so " + strings.ReplaceAll(tex, `\%`, "%") + " it is"
		}
		p := Parse([]byte("<p>so "+fields[3]+" it is"), Options{})
		if got := strings.ReplaceAll(strings.Join(blockTexts(p), " "), "\n", " "); got == want {
			right++
		} else {
			t.Logf("writer %s: %q, want %q", fields[0], got, want)
		}
	}
	t.Logf("%d of %d", right, all)
	if all < 100 || right*100 < all*98 {
		t.Errorf("%d of %d formulae are read as the page has them, want 98 of 100", right, all)
	}
}

// Signs are found anywhere in a text. A run of signs counts as many as fit.
func TestParse_signs(t *testing.T) {
	for n := range 40 {
		filler := strings.Repeat("a ", n)
		for _, src := range []string{filler + `\(x\)`, filler + `\(x\)` + filler, "é" + filler + `\(x\)`, filler + "&amp;" +
			`\(x\)`} {
			text := string(Parse([]byte("<p>"+src), Options{}).Text)
			if want := strings.ReplaceAll(strings.ReplaceAll(src, `\(x\)`, "$x$"), "&amp;",
				"&"); strings.TrimSpace(text) != strings.TrimSpace(want) {
				t.Fatalf("text of %q = %q, want %q", src, text, want)
			}
		}
	}
	for _, n := range []int{2047, 2048, 4096} {
		src := strings.Repeat("$", n) + ` \(x\)`
		if text := string(Parse([]byte("<p>"+src), Options{}).Text); !strings.HasSuffix(strings.TrimSpace(text), " $x$") {
			t.Errorf("text of %d signs and a formula ends in %q", n, text[max(0, len(text)-20):])
		}
	}
}
