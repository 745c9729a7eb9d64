package maintext

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestMarkdown_structure(t *testing.T) {
	const u = "https://example.org"
	tests := []struct{ name, src, want string }{
		{"a sign beside a heading", "<h2 id=x>a<a class=headerlink href='#x'>¶</a></h2><p>b", "## a\n\nb"},
		{"a sign of an icon font", "<h2 id=x>a <a href='#x'>\uf0c1</a></h2>", "## a"},
		{"a sign before a heading", "<h2 id=x><a href='#x'>#</a> a</h2>", "## a"},
		{"a link to a number sign", "<p>a <a href='/c'>C#</a>", "a [C#](" + u + "/c)"},
		{"italic type", "<p>a <em>b</em> <i>c</i>d <b><i>e</i></b>", "a *b* *c*d **e**"},
		{"backticks in code", "<p><code>a`b</code> <code>`</code>", "`` a`b `` `` ` ``"},
		{"a quote in an item", "<ul><li>a<blockquote>b</blockquote></ul>", "- a\n\n  > b"},
		{"a list in a quote", "<blockquote><p>a<ul><li>b<li>c</ul></blockquote>", "> a\n>\n> - b\n> - c"},
		{"two quotes", "<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"},
		{
			"a table in an item", "<ol><li>a<table><tr><td>b<td>c<tr><td>d<td>e</table><li>f</ol>",
			"1. a\n\n   | b | c |\n   | --- | --- |\n   | d | e |\n2. f",
		},
		{
			"a list of tasks", "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox></label>b</ul>",
			"- [x] a\n- [ ] b",
		},
		{"definitions", "<dl><dt>a<dd>b<dd>c<dt>d<dd><p>e<p>f</dl>g", "a\n:   b\n:   c\n\nd\n:   e\n\n    f\n\ng"},
		{"definitions in boxes", "<dl><div><dt>a<dd>b</div></dl>", "a\n:   b"},
		{"a definition without a term", "<dl><dd>a</dl>", "a"},
		{
			"lines of code",
			"<pre><code><div>a</div><div>  b</div><div></div><div>c</div></code></pre>", "```\na\n  b\n\nc\n```",
		},
		{"cents", "<p>$11<small>99</small> or <b>12</b><span class=cents>50</span> €", "$11.99 or **12**.50 €"},
		{"raised cents", "<p>$11<sup>99</sup>", "$11<sup>99</sup>"},
		{"a formula in an attribute", `<p>is <span data-tex="a^2+b">a2+b</span>.`, "is $a^2+b$."},
		{"a formula without text", `<p>is <span class=ql-formula data-value="c^2"></span>.`, "is $c^2$."},
		{
			"a protected address", `<p>to <a href="/cdn-cgi/l/email-protection" data-cfemail="00616461406578616d706c652e6f7267">` +
				`[email&#160;protected]</a>.`, "to ada@example.org.",
		},
		{
			"a protected address in bold type", `<p>to <b data-cfemail="00616461406578616d706c652e6f7267">` +
				`[email&#160;protected]</b>`, "to ada@example.org",
		},
		{"two listings", "<pre>a</pre><pre>b</pre>", "```\na\n```\n\n```\nb\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdownOf(whole(parse(tt.src))); got != tt.want {
				t.Errorf("Markdown(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

// Long URLs take no room from the text: all of it is there, or Markdown says that it is not.
func TestMarkdown_whole(t *testing.T) {
	long := strings.Repeat("some-long-name-", 20)
	item := "<a href=/" + long + ">item</a>"
	for _, tt := range []struct{ name, src string }{
		{"a list of links", "<ul>" + strings.Repeat("<li>"+item, 400) + "</ul>"},
		{"pictures between lines", strings.Repeat("<p>item</p><p><img alt=photo src=/"+long+".jpg></p>", 400)},
		{"a table of links", "<table>" + strings.Repeat("<tr><td>"+item+"<td>2", 400) + "</table>"},
		{"links in one line", "<p>" + strings.Repeat(item+" ", 400)},
		{"quotes", strings.Repeat("<blockquote>"+item+"</blockquote>", 400)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := whole(parse(tt.src))
			text, all := Markdown(r, 1<<20)
			if n := strings.Count(text, "item"); n != 400 || !all {
				t.Errorf("%d of 400 items in %d bytes, whole %t", n, len(text), all)
			}
			for _, limit := range []int{0, 1, 100, len(text) / 2, len(text) - 1} {
				if cut, all := Markdown(r, limit); len(cut) > limit || all {
					t.Errorf("%d bytes, whole %t, at a limit of %d", len(cut), all, limit)
				}
			}
			if same, all := Markdown(r, len(text)+2); same != text || !all {
				t.Errorf("whole %t with room for the text", all)
			}
		})
	}
	if text, all := Markdown(Result{Text: "äöü"}, 3); text != "ä" || all {
		t.Errorf("Markdown of a text without blocks = %q, whole %t", text, all)
	}
}

func TestMarkdown_pictures(t *testing.T) {
	const u = "https://example.org"
	tests := []struct{ name, src, want string }{
		{"in a line", "<p>a <img src=/b.png alt='c [d]'> e", `a ![c \[d\]](` + u + "/b.png) e"},
		{"before a line", "<p><img src=/b.png> a", "![](" + u + "/b.png) a"},
		{"on a line", "<p>a<p><img src=/b.png alt=c><p>d", "a\n\n![c](" + u + "/b.png)\n\nd"},
		{
			"two on a line",
			"<p>a<p><img src=/b.png> <img src=/c.png><p>d", "a\n\n![](" + u + "/b.png) ![](" + u + "/c.png)\n\nd",
		},
		{"with a link", "<p>a <a href=/d><img src=/b.png alt=c></a>", "a [![c](" + u + "/b.png)](" + u + "/d)"},
		{
			"with a caption", "<p>a<figure><img src=/b.png alt=c><figcaption>d</figcaption></figure>e",
			"a\n\n![c](" + u + "/b.png)\n\nd\n\ne",
		},
		{"at the end", "<div><p>a<p><img src=/b.png></div>", "a\n\n![](" + u + "/b.png)"},
		{"in an item", "<ul><li>a<p><img src=/b.png></p><li>c</ul>", "- a\n\n  ![](" + u + "/b.png)\n- c"},
		{"that loads late", "<p>a <img src='data:image/gif;base64,R0' data-src=/b.png>", "a ![](" + u + "/b.png)"},
		{"a spacer", "<p>a <img src=/b.gif width=1 height=1> b", "a b"},
		{"hidden", "<p>a <span hidden><img src=/b.png></span> b", "a b"},
		{"in the page's data", "<p>a <img src='data:image/gif;base64,R0'> b", "a b"},
		{"of a script", "<p>a <img src='javascript:f()' alt=b>", "a"},
		{
			"a hostile name",
			"<p>a <img src='/b) [c](x' alt='](javascript:f())'>", `a ![\](javascript:f())](` + u + "/b%29%20[c]%28x)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdownOf(whole(parse(tt.src))); got != tt.want {
				t.Errorf("Markdown(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

// footnoted are pages with the same footnote, as programs write it.
var footnoted = map[string]string{
	"Python-Markdown": `<p>a<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup> b<div ` +
		`class="footnote"><hr><ol>` +
		`<li id="fn:1"><p>Note&nbsp;<a class="footnote-backref" href="#fnref:1">&#8617;</a></p></li></ol></div>`,
	"Pandoc": `<p>a<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> b<section ` +
		`class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>Note<a ` +
		`href="#fnref1">↩︎</a></p></li></ol></section>`,
	"remark": `<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup> ` +
		`b<section>` +
		`<ol><li id="user-content-fn-1"><p>Note <a href="#user-content-fnref-1">↩</a></p></li></ol></section>`,
	"Sphinx": `<p>a<a class="footnote-reference brackets" href="#id2" id="id1" ` +
		`role="doc-noteref"><span>[</span>1<span>]</span></a> b` +
		`<aside class="footnote-list"><aside class="footnote" id="id2" role="doc-footnote"><span ` +
		`class="label"><span>[</span>` +
		`<a role="doc-backlink" href="#id1">1</a><span>]</span></span><p>Note</p></aside></aside>`,
	"Sphinx with terms": `<p>a<a class="footnote-reference" href="#id2" id="id1">[1]</a> b<dl ` +
		`class="footnote"><dt id="id2">` +
		`<span>[<a class="fn-backref" href="#id1">1</a>]</span></dt><dd><p>Note</p></dd></dl>`,
	"docutils": `<p>a<a class="footnote-reference" href="#id2" id="id1">[1]</a> b<table class="docutils ` +
		`footnote" id="id2"><tbody>` +
		`<tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>Note</td></tr></tbody></table>`,
	"MediaWiki": `<p>a<sup id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup> b<ol class="references"><li ` +
		`id="cite_note-1">` +
		`<span><b><a href="#cite_ref-1">^</a></b></span> <span>Note</span></li></ol>`,
}

func TestMarkdown_footnotes(t *testing.T) {
	for name, src := range footnoted {
		t.Run(name, func(t *testing.T) {
			if got, want := markdownOf(whole(parse(src))), "a[^1] b\n\n[^1]: Note"; got != want {
				t.Errorf("Markdown(%q) = %q, want %q", src, got, want)
			}
		})
	}
}

func TestMarkdown_linksThatAreNoFootnotes(t *testing.T) {
	tests := []struct{ name, src string }{
		{"no link back", "<p>a<a href='#x' id=y>1</a><p id=x>Note"},
		{"a note before its mark", "<p id=x>Note <a href='#y'>1</a><p>a<a href='#x' id=y>2</a>"},
		{"a long link", "<p>a <a href='#x' id=y>the chapter on bees</a><h2 id=x>b <a href='#y'>back</a></h2>"},
		{"no such element", "<p>a<a href='#x' id=y>1</a>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdownOf(whole(parse(tt.src))); strings.Contains(got, "[^") {
				t.Errorf("Markdown(%q) = %q, want no footnote", tt.src, got)
			}
		})
	}
}

// Footnotes whose text was dropped stay links.
func TestMarkdown_marksWithoutNotes(t *testing.T) {
	r := whole(parse(footnoted["Pandoc"]))
	r.Blocks = r.Blocks[:1]
	if got, want := markdownOf(r), "a [<sup>1</sup>](https://example.org/bees#fn1) b"; got != want {
		t.Errorf("Markdown = %q, want %q", got, want)
	}
}

func TestKeepNotes(t *testing.T) {
	text := strings.Repeat("word ", 50)
	tests := []struct {
		name, src string
		want      bool
	}{
		{"a short note", strings.Replace(footnoted["Pandoc"], "<p>a", "<p>"+text, 1), true},
		{"as long as the text", footnoted["Pandoc"], false},
		{"a long note", strings.NewReplacer("<p>a", "<p>"+strings.Repeat(text, 9), "Note", text+text).
			Replace(footnoted["Pandoc"]), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			keep, scores := make([]bool, len(p.Blocks)), make([]float32, len(p.Blocks))
			keep[0] = true
			for i := range scores {
				scores[i] = .05
			}
			if keepNotes(p, scores, keep); keep[len(keep)-1] != tt.want {
				t.Errorf("note kept: %v, want %v", keep[len(keep)-1], tt.want)
			}
		})
	}
}

func TestKeepHeadings(t *testing.T) {
	tests := []struct {
		name, src string
		score     float32
		want      bool
	}{
		{"before a kept block", "<h2>a</h2><p>b", .2, true},
		{"in a box", "<header><h2>a</h2></header><p>b", .2, true},
		{"unlikely", "<h2>a</h2><p>b", .1, false},
		{"far from it", "<div><div><div><div><h2>a</h2></div></div></div></div><p>b", .2, false},
		{"no heading", "<p>a<p>b", .2, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse("<main><section>" + tt.src)
			keep := []bool{false, true}
			if keepHeadings(p, []float32{tt.score, 1}, keep); keep[0] != tt.want {
				t.Errorf("heading kept: %v, want %v", keep[0], tt.want)
			}
		})
	}
}

// FuzzMarkdown looks for panics, and for output beyond all measure.
func FuzzMarkdown(f *testing.F) {
	for _, src := range footnoted {
		f.Add(src)
	}
	f.Add("<dl><dt>a<dd><ul><li><blockquote><pre><p>b</pre><img src=/c><table>" +
		"<tr><td>a<td>b<tr><td>c<td><img src=d></table>")
	f.Add("<ol reversed start=3><li><input type=checkbox>a<a href='#x' id=y><img src=/b></a><dd id=x>c<a href='#y'>d</a>")
	f.Fuzz(func(t *testing.T, src string) {
		r := whole(page.Parse([]byte(src), page.Options{URL: "https://example.org/", MaxNodes: 5000}))
		if out := markdownOf(r); len(out) > 1<<16+64*len(src) {
			t.Errorf("%d bytes of Markdown from %d of HTML", len(out), len(src))
		}
		const limit = 100
		if out, whole := Markdown(r, limit); len(out) > limit || whole && out != markdownOf(r) {
			t.Errorf("%d bytes, whole %t, at a limit of %d bytes", len(out), whole, limit)
		}
	})
}

func BenchmarkMarkdown(b *testing.B) {
	var src strings.Builder
	for range 50 {
		src.WriteString("<h2>Bees</h2><p>Some <b>bees</b> <a href=/a>fly</a> <code>far</code>." +
			"<ul><li>a<li>b</ul><img src=/c.png>")
	}
	r := whole(parse(src.String()))
	b.SetBytes(int64(src.Len()))
	b.ReportAllocs()
	for b.Loop() {
		markdownOf(r)
	}
}
