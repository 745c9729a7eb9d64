package maintext

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestDropCopies: a text that a page has in several places is kept once, and again if it is repeated on purpose.
func TestDropCopies(t *testing.T) {
	const line, div = "Bees live in colonies of many thousand members", "<div><p>"
	const card = "<p>By Ann Lee<p>2021-11-20"
	const han = "蜜蜂生活在数千成员组成的群体中，夏天它们采集花蜜"
	tests := []struct {
		name, src string
		t         PageType
		want      int
	}{
		{"boxes for two widths", "<div class=a><p>" + line + "</div><div class=b><p>" + line + "</div>", Service, 1},
		{"a carousel", "<ul><li><div>" + line + "</div><li><div>" + line + "</div></ul>", Product, 1},
		{"a post and its quotation", div + line + "</div><div><blockquote><p>" + line + "</blockquote></div>", Forum, 1},
		{"cards", "<a><h3>" + line + "</h3></a><a><h3>" + line + "</h3></a>", Listing, 1},
		{"another script", div + han + "</div>" + div + han + "</div>", Collection, 1},
		{"a teaser", "<main>" + div + line + "</div></main><aside>" + div + line + "</div></aside>", Article, 1},
		{"a refrain", div + line + "<p>Honey<p>" + line + "</div>", Listing, 2},
		{"sections", "<div><section><p>" + line + "</section><section><p>" + line + "</section></div>", Article, 2},
		{"a table", "<table><tr><td>" + line + "</tr><tr><td>" + line + "</tr></table>", Service, 2},
		{"code", "<div><pre>" + line + "</pre></div><div><pre>" + line + "</pre></div>", Article, 2},
		{"documentation", div + line + "</div>" + div + line + "</div>", Documentation, 2},
		{"a card's author and date", card + "</div><div><p>Honey" + card, Listing, 4},
		{"a label", div + "Read more</div>" + div + "Read more</div>", Listing, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte("<body>"+tt.src), page.Options{})
			c := chooser{kept: make([]bool, len(p.Blocks))}
			for i := range c.kept {
				c.kept[i] = true
			}
			c.dropCopies(p, tt.t)
			got := 0
			for i, k := range c.kept {
				b := &p.Blocks[i]
				if text := string(p.Text[b.Start:b.End]); k && text != "Honey" {
					got++
				}
			}
			if got != tt.want {
				t.Errorf("%d of the texts are kept, want %d", got, tt.want)
			}
		})
	}
}

// TestOutsideOf: text outside of an article's element needs nearly the score of text inside, and at most that of sure
// text.
func TestOutsideOf(t *testing.T) {
	long := strings.Repeat("word ", 12)
	p := page.Parse([]byte("<body><div><p>"+long+"<p>Label</div><p>"+long), page.Options{})
	home := page.Range{Start: p.Nodes[p.Blocks[0].Node].Parent, End: p.Nodes[p.Nodes[p.Blocks[0].Node].Parent].End}
	tests := []struct {
		name   string
		scores []float32
		least  float32
		want   float32
	}{
		{"an article that is sure", []float32{0.99, 0.5, 0.7}, 0.4, sure},
		{"one that is less sure", []float32{0.75, 0.5, 0.7}, 0.4, 0.6},
		{"labels do not count", []float32{0.75, 0.1, 0.7}, 0.05, 0.6},
		{"never below the threshold", []float32{0.5, 0.5, 0.7}, 0.45, 0.45},
		{"no paragraph inside", []float32{0.1, 0.9, 0.9}, 0.4, sure},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outsideOf(p, tt.scores, home, tt.least); got < tt.want-1e-6 || got > tt.want+1e-6 {
				t.Errorf("outsideOf = %v, want %v", got, tt.want)
			}
		})
	}
}
