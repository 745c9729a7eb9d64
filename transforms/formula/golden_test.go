package formula

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"
)

// alike are equivalent notations: the second is accepted for the first.
var alike = strings.NewReplacer(
	`\left`, "", `\right`, "", " ", "", `\le`, `\leq`, `\leqq`, `\leq`, `\ge`, `\geq`, `\geqq`, `\geq`, `\neq`, `\ne`,
	`\lbrace`, `\{`, `\rbrace`, `\}`, `\bigl`, "", `\limits`, "", `\mathrm`, "", `\text`, "", `\rightarrow`, `\to`,
	`\operatorname`, "",
	`\dots`, `\ldots`, `\displaystyle`, "", `\,`, "", `\quad`, "", `\ `, "", `\|`, `\parallel`, `\ast`, "*", `\emptyset`,
	`\varnothing`,
)

var oneSign = regexp.MustCompile(`\{(\\[a-zA-Z]+|[^{}\\])\}`)

func plain(tex string) string {
	tex = alike.Replace(tex)
	return oneSign.ReplaceAllString(tex, "$1")
}

// TestTeX_asOthers converts MathML that KaTeX 0.16 made from TeX. It compares the result with that TeX, and with the
// result of npm's mathml-to-latex 1.5.
func TestTeX_asOthers(t *testing.T) {
	f, err := os.Open("testdata/mathml.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it is only read
	all, right := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); all++ {
		fields := strings.Split(s.Text(), "\t")
		got := TeX(parse(t, fields[1]))
		if p := plain(got); p == plain(fields[0]) || p == plain(fields[2]) {
			right++
		} else {
			t.Logf("%s: %s, other: %s", fields[0], got, fields[2])
		}
	}
	t.Logf("%d of %d", right, all)
	if all < 100 || right*100 < all*95 {
		t.Errorf("%d of %d formulae are as others have them, want 95 of 100", right, all)
	}
}
