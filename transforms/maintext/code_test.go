package maintext

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestLevelCode(t *testing.T) {
	tests := []struct {
		name, src    string
		scores, want []float32
	}{
		{
			"lines", "<p>a b<pre><div>x y z</div><div>}</div></pre><p>c",
			[]float32{.9, .5, .2, .8},
			[]float32{.9, .44, .44, .8},
		},
		{"two listings", "<pre><div>x</div><div>y</div></pre><pre>z</pre>", []float32{.4, .2, .9}, []float32{.3, .3, .9}},
		{"hidden line", "<pre><div>x</div><div>y</div><div>z</div></pre>", []float32{.4, 0, .2}, []float32{.3, 0, .3}},
		{
			"one that is not closed", "<pre>x y<div>z</div><p>a b c</p><p>d",
			[]float32{.4, .2, .9, .8},
			[]float32{.4, .2, .9, .8},
		},
		{"no code", "<p>x<p>y", []float32{.4, .2}, []float32{.4, .2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			got := slices.Clone(tt.scores)
			if len(got) != len(p.Blocks) {
				t.Fatalf("%q has %d blocks, want %d", tt.src, len(p.Blocks), len(got))
			}
			levelCode(p, got)
			near := func(a, b float32) bool { return max(a-b, b-a) < 1e-6 }
			if !slices.EqualFunc(got, tt.want, near) {
				t.Errorf("levelCode(%q, %v) = %v, want %v", tt.src, tt.scores, got, tt.want)
			}
		})
	}
}

// The test passes scores that a model might return to choose, so that it tests only the rules.
func TestChooser_choose(t *testing.T) {
	const long = "The drones, of which there are some hundreds in the hive, do no work, and are driven out in the autumn."
	const buttons = "<p>Count bees with Python</p><button>Report</button><button>Copy</button>"
	tests := []struct {
		name, src string
		scores    []float32
		of        PageType
		want      []int32
	}{
		{
			"code below buttons", "<p>" + long + buttons + "<pre>x = 1</pre>",
			[]float32{.9, .1, .1, .1, .2},
			Article,
			[]int32{0, 4},
		},
		{"hidden code", "<p>" + long + "<pre hidden>x = 1</pre>", []float32{.9, .2}, Article, []int32{0}},
		{
			"hidden code of a reference", "<p>" + long + "<pre hidden>x = 1</pre>",
			[]float32{.9, .2},
			Documentation,
			[]int32{0, 1},
		},
		{
			"much that is hidden and less likely", "<p>" + long + "<div hidden>" + strings.Repeat("<p>"+long, 6) + "</div>",
			[]float32{.8, .45, .45, .45, .45, .45, .45},
			Article,
			[]int32{0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte(tt.src), page.Options{})
			var c chooser
			if got := c.choose(p, slices.Clone(tt.scores), tt.of, Balanced); !slices.Equal(got, tt.want) {
				t.Errorf("choose(%q, %v, %v) = %v, want %v", tt.src, tt.scores, tt.of, got, tt.want)
			}
		})
	}
}
