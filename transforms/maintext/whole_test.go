package maintext

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// The scores of the blocks are given, so that the rule is tested and not the model. Each block has one score.
func TestChooser_level(t *testing.T) {
	long := strings.Repeat("some words ", 80)
	tests := []struct {
		name, src string
		scores    []float32
		want      string // of the blocks from .5 on, by their numbers
	}{
		{"a row that loses a cell", "<table><tr><td>a<td>b<td>c", []float32{.9, .1, .9}, "012"},
		{"a row of which one cell is sure", "<table><tr><td>a<td>b<td>c", []float32{.9, .2, .1}, ""},
		{"rows by themselves", "<table><tr><td>a<td>b<tr><td>c<td>d", []float32{.9, .6, .1, .2}, "01"},
		{"heads and cells", "<table><tr><th>a<td>b<td>c", []float32{.2, .9, .9}, "012"},
		{"two lines in a cell", "<table><tr><td><p>a<p>b<td>c", []float32{.9, .3, .9}, "012"},
		{"a list that loses its middle", "<ul><li>a<li>b<li>c<li>d", []float32{.9, .1, .4, .9}, "0123"},
		{"a numbered list", "<ol><li>a<li>b<li>c", []float32{.9, .1, .9}, "012"},
		{"a list of which one item is sure", "<ul><li>a<li>b<li>c", []float32{.9, .1, .1}, ""},
		{"long items count more", "<ul><li>one two three four five six<li>b", []float32{.7, .1}, "01"},
		{"terms and definitions", "<dl><dt>a<dd>b<dt>c<dd>d", []float32{.9, .9, .1, .9}, "0123"},
		{"terms in boxes", "<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>", []float32{.9, .9, .1, .9}, "0123"},
		{"a list within an item", "<ul><li>a<ul><li>b<li>c</ul><li>d", []float32{.9, .1, .1, .9}, "03"},
		{"items of elements", "<ul><li><a href=x>a</a><li><span>b</span><li><p>c", []float32{.9, .9, .1}, "012"},
		{"what is dropped stays so", "<ul><li>a<li>b<li>c", []float32{.9, 0, .9}, "02"},
		{"a column of a layout", "<table><tr><td>a<td>" + long, []float32{.1, .9}, "1"},
		{"cards", "<ul><li><p>a<p>b<p>c<p>d<li><p>e", []float32{.9, .1, .1, .1, .9}, "04"},
		{"paragraphs", "<p>a<p>b<p>c", []float32{.9, .1, .9}, "02"},
		{"a cell without a row", "<div><td>a<td>b</div>", []float32{.9}, "0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			if len(p.Blocks) != len(tt.scores) {
				t.Fatalf("%d blocks, want %d", len(p.Blocks), len(tt.scores))
			}
			scores := slices.Clone(tt.scores)
			new(chooser).level(p, scores)
			got := ""
			for i, s := range scores {
				if s >= .5 {
					got += string(rune('0' + i))
				}
			}
			if got != tt.want {
				t.Errorf("level(%q, %v) = %v, which keeps %q, want %q", tt.src, tt.scores, scores, got, tt.want)
			}
		})
	}
}

// The kept blocks are given, and all have a score except those listed in hidden.
func TestChooser_complete(t *testing.T) {
	long := strings.Repeat("some words ", 80)
	card := "<li><p class=t>a<p class=p>b<p class=s>c<p class=x>Buy"
	tests := []struct {
		name, src    string
		kept, hidden string // blocks by their numbers
		want         string
	}{
		{"a reply of a thread", "<ol><li>" + long + "<li>" + long + "<li>" + long + "</ol>", "02", "", "012"},
		{"the first of many replies", "<ol>" + strings.Repeat("<li>"+long, 5) + "</ol>", "0", "", ""},
		{"cards, without their buttons", "<ul>" + card + card + "</ul>", "012", "", "012456"},
		{"cards of other classes", "<ul><li class=odd><p class=t>a<p>b<li class=even><p class=t>a<p>b</ul>", "0", "", "02"},
		{"an item that looks like none", "<ul><li><p class=t>a<li><p class=t>b<li>c</ul>", "01", "", "012"},
		{"terms of long definitions", "<dl><dt>a<dd>" + long + "<dt>b<dd>" + long + "</dl>", "13", "", "0123"},
		{"a cell of many lines", "<table><tr><td>a b c d<td><p>d<p>e<p>f<p>g<p>h</table>", "0", "", "012345"},
		{"items in a cell, without a list", "<table><tr><td>a b<td><li>c<li>d</table>", "0", "", "012"},
		{"a column of a layout", "<table><tr><td>a<td>" + long + "</table>", "1", "", "1"},
		{"what is hidden", "<ul><li>a<li>b<li>c</ul>", "0", "1", "02"},
		{"a list in an item", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "13", "", "0123"},
		{"other lists", "<ul><li>a<li>b</ul><ul><li>c<li>d</ul>", "0", "", "01"},
		{"an item far above its text", "<ul><li><p>a<li>" + strings.Repeat("<div>", 9) + "b</ul>", "0", "", "01"},
		{"whole lists", "<ul><li>a<li>b</ul><p>c", "01", "", "01"},
		{"no lists", "<p>a<p>b", "1", "", "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			scores, keep := make([]float32, len(p.Blocks)), make([]bool, len(p.Blocks))
			for i := range p.Blocks {
				if keep[i] = strings.ContainsRune(tt.kept, rune('0'+i)); !strings.ContainsRune(tt.hidden, rune('0'+i)) {
					scores[i] = .1
				}
			}
			var c chooser
			c.level(p, scores)
			c.complete(p, scores, keep)
			got := ""
			for i, k := range keep {
				if k {
					got += string(rune('0' + i))
				}
			}
			if got != tt.want {
				t.Errorf("complete(%q, %q) keeps %q, want %q", tt.src, tt.kept, got, tt.want)
			}
		})
	}
}

func TestIsListing(t *testing.T) {
	tests := []struct {
		name, src string
		score     float32
		behind    int
		want      bool
	}{
		{"behind a kept block", "<pre>x = 1", .2, 1, true},
		{"in a figure's table", "<figure class=highlight><table><tr><td class=code><pre>x = 1</table></figure>", .2, 2, true},
		{"in elements of its lines", "<pre><code><div>x = 1</div></code></pre>", .2, 3, true},
		{"far behind", "<pre>x = 1", .2, 4, false},
		{"not likely at all", "<pre>x = 1", .05, 1, false},
		{"hidden", "<pre hidden>x = 1", .2, 1, false},
		{"not code", "<p>x = 1", .2, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := isListing(parse(tt.src), 0, tt.score, tt.behind); got != tt.want {
				t.Errorf("isListing(%q, %v, %d) = %v, want %v", tt.src, tt.score, tt.behind, got, tt.want)
			}
		})
	}
}

func TestExtract_code(t *testing.T) {
	lines := func(n int) string {
		return strings.Repeat("<p>The hive is read with a small program that counts who comes in and who goes out "+
			"of it all day.", n)
	}
	const code = "for bee in hive:\n    bee.dance()\n    print(bee.name)"
	hexo := `<figure class="highlight python"><table><tr><td class="gutter">` +
		`<pre><span>1</span><br><span>2</span><br><span>3</span></pre></td><td class="code"><pre>` + code +
		`</pre></td></tr></table></figure>`
	for name, block := range map[string]string{
		"pre":       "<pre>" + code + "</pre>",
		"pre, code": `<div class="highlight"><pre><code class="language-python">` + code + "</code></pre></div>",
		"Hexo":      hexo,
		"in a list": "<ol><li><p>Run this.</p><pre>" + code + "</pre></li><li>Count them.</li></ol>",
	} {
		t.Run(name, func(t *testing.T) {
			src := site("On bees", "<article class=post><h1>On bees</h1>"+lines(3)+block+lines(3)+block+lines(2)+"</article>")
			r := Extract(parse(src), Options{})
			if got := strings.Count(r.Text, code); got != 2 {
				t.Errorf("%v: Text = %q, has %d of 2 listings", r.Type, r.Text, got)
			}
			if r.Type != Article {
				t.Errorf("type %v of a post with code, want article", r.Type)
			}
		})
	}
}

// Scripts fill shells; their initial content belongs to the site.
func TestExtract_shell(t *testing.T) {
	const cookies = `<div class="cookie-banner"><p>We use cookies.</p><button>Accept</button></div>`
	for name, src := range map[string]string{
		"skip link and menu": `<a class="skip-link" href=#main>Skip to main content</a>` + menu + `<div id=root></div>`,
		"cookies":            menu + `<main id=app></main>` + cookies + footer,
		"a list of places": `<header><a href=/>Logo</a><a href=/l>Sign in</a></header><div id=__next></div>` +
			menu + footer,
	} {
		t.Run(name, func(t *testing.T) {
			if r := Extract(parse("<title>App</title>"+src), Options{}); r.Text != "" || r.Source != "" || r.Page != nil {
				t.Errorf("Extract = %q of %q, want nothing", r.Text, r.Source)
			}
		})
	}
	r := Extract(page.Parse([]byte("<p>Hello"), page.Options{}), Options{})
	if r.Text != "Hello" {
		t.Errorf("Text = %q of a page that has nothing else, want Hello", r.Text)
	}
}

func TestParseProfile(t *testing.T) {
	for _, want := range []Profile{Balanced, Precision, Recall} {
		if got, err := ParseProfile(want.String()); err != nil || got != want {
			t.Errorf("ParseProfile(%q) = %v, %v", want.String(), got, err)
		}
	}
	if got, err := ParseProfile(""); err != nil || got != Balanced {
		t.Errorf(`ParseProfile("") = %v, %v, want balanced`, got, err)
	}
	if _, err := ParseProfile("exact"); err == nil {
		t.Error(`ParseProfile("exact") has no error`)
	}
}
