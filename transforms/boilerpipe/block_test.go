package boilerpipe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestBlocksOf(t *testing.T) {
	ten := "123456789 "
	eighty := strings.Repeat(ten, 8) // 79 characters on the line, since the last space does not count
	one := func(text string, words, linked, inFull, lines int) block {
		return block{texts: []string{text}, words: words, linked: linked, inFull: inFull, lines: lines}
	}
	for _, test := range []struct {
		name, html string
		want       []block
	}{
		{"a line of 80", eighty[:70] + "123456789x", []block{one(eighty[:70]+"123456789x", 8, 0, 8, 1)}},
		{"a line of 81", eighty[:70] + "123456789xy", []block{one(eighty[:70]+"123456789xy", 8, 0, 7, 1)}},
		{"UTF-16", eighty[:70] + "12345678\U00010400", []block{one(eighty[:70]+"12345678\U00010400", 8, 0, 8, 1)}},
		{
			"UTF-16 beyond the line", eighty[:70] + "123456789\U00010400",
			[]block{one(eighty[:70]+"123456789\U00010400", 8, 0, 7, 1)},
		},
		{"a mark on a letter", "cafe\u0301s", []block{one("cafe\u0301s", 1, 0, 1, 1)}},
		{"words and others", "a.b c|d - 5 \u00a0", []block{one("a.b c|d - 5 \u00a0", 4, 0, 4, 1)}},
		{"links", "a <a>b c</a>d", []block{one("a b c d", 4, 2, 4, 1)}},
		{"a link over blocks", "<a>b<p>c</p></a>d", []block{
			one("b", 1, 1, 1, 1), one("c", 1, 1, 1, 1),
			one("d", 1, 0, 1, 1),
		}},
		{
			"white space around abbr and acronym", "a<abbr>b</abbr>c<acronym>d</acronym>e",
			[]block{one("a b c d e", 5, 0, 5, 1)},
		},
		{"white space inside", "a\n\t b<b> c</b>", []block{one("a   b c", 3, 0, 3, 1)}},
		{"no tokens", "<p> <p>\u00a0", []block{one("\u00a0", 0, 0, 0, 1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := blocksOf(page.Parse([]byte("<body>"+test.html), page.Options{}))
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(block{})); diff != "" {
				t.Errorf("blocksOf(%q) (-want +got):\n%s", test.html, diff)
			}
		})
	}
}
