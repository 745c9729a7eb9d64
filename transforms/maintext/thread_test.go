package maintext

import (
	"strings"
	"testing"
)

func TestCompleteThread(t *testing.T) {
	const long = "I have thought about this for a while and I think that you should try " +
		"the other one first, as I did with the old one years ago."
	post := func(class string) string { return "<div class=post><div class=" + class + ">" + long + "</div></div>" }
	in := func(begin, end string) string {
		return "<div class=post><div class=body>" + begin + long + end + "</div></div>"
	}
	tests := []struct {
		name, src string
		score     float32 // of all but the first block
		want      int     // number of blocks
	}{
		{"posts like the first", strings.Repeat(post("body"), 4), .2, 4},
		{"paragraphs of posts", strings.Repeat("<article><div class=b><p>"+long+"<p>Yes.</div></article>", 3), .1, 6},
		{"lists in posts", post("body") + strings.Repeat(in("<ul><li>", "</ul>"), 3), .1, 4},
		{"cells of old forums", "<table>" + strings.Repeat("<tr><td>Ann<td class=msg>"+long, 3) + "</table>", .1, 3},
		{"others than the first", post("a") + strings.Repeat(post("b"), 3), .2, 1},
		{"two alone", post("body") + post("body"), .2, 1},
		{"names", strings.Repeat("<div class=name>Ann</div>", 5), .2, 1},
		{"what readers do not see", strings.Repeat(post("body"), 4), 0, 1},
		{
			"quotes", post("body") + strings.Repeat(in("<blockquote>", "</blockquote>"), 3), .2, 1,
		},
		{"signatures", strings.Repeat(in("<aside class=Message-Signature>", "</aside>"), 3), .9, 0},
		{"links", post("body") + strings.Repeat(in("<a href=/x>", "</a>"), 3), .2, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			scores, kept := make([]float32, len(p.Blocks)), make([]bool, len(p.Blocks))
			for i := range scores {
				scores[i] = tt.score
			}
			// The first block is kept, or the first long one if names precede it.
			for i := range p.Blocks {
				if i == len(p.Blocks)-1 || p.Blocks[i].Words > 2 || tt.name == "names" {
					scores[i], kept[i] = .9, true
					break
				}
			}
			completeThread(p, scores, kept)
			got := 0
			for _, k := range kept {
				if k {
					got++
				}
			}
			if got != tt.want {
				t.Errorf("%d blocks of %d are kept, want %d", got, len(kept), tt.want)
			}
		})
	}
}
