package filter

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// markdownOf returns the text and the Markdown of HTML.
func markdownOf(t *testing.T, html string) (text, markdown string) {
	t.Helper()
	var parser page.Parser
	p := parser.Parse([]byte(html), page.Options{URL: "https://a.example/"})
	var blocks []int32
	for i := range p.Blocks {
		blocks = append(blocks, int32(i))
	}
	r := maintext.Result{Page: p, Blocks: blocks}
	markdown, _ = maintext.Markdown(r, 1<<20)
	return r.TextOf(blocks, 1<<20), markdown
}

// TestChain_markdown: Markdown loses the lines and the personal data that the text loses, and nothing else.
func TestChain_markdown(t *testing.T) {
	for _, tt := range []struct{ filter, html, want string }{
		{"c4", "<h2>A head</h2><p>A b c d.</p><p>E f g h.</p><p>Read on</p>", "A b c d.\n\nE f g h."},
		{"c4", "<p><em>Five six seven eight.</em></p><p>Two <b>words</b></p>", "*Five six seven eight.*"},
		{
			"c4", "<p>A b c d.</p><p>We use cookies on this site.</p><ul><li>One item of it.</li><li>Item</li></ul>",
			"A b c d.\n\n- One item of it.",
		},
		{"c4", "<ol><li>One item of it.</li><li>Item</li></ol>", "1. One item of it."},
		{
			"c4", "<p>A head.</p><p>A head of it.</p><p>A head</p><blockquote><p>A word of him.</p></blockquote>",
			"A head of it.\n\n> A word of him.",
		},
		{"c4", "<p>It is so <sup><a href='#c'>[1]</a></sup> as said [12].</p>", "It is so  as said ."},
		{
			"c4", "<table><tr><th>Name</th><th>Says</th></tr><tr><td>Ann</td><td>It is so.</td></tr></table><p>A b c d.</p>",
			"| Ann | It is so. |\n\nA b c d.",
		},
		{"c4", "<p>A b c d.<br>Read on<br>E f g h.</p>", "A b c d.\nE f g h."},
		{
			"lines", "<ul><li><a href='https://food.example/cookies/1'>Chocolate chip</a></li><li>Read more</li></ul>",
			"- [Chocolate chip](https://food.example/cookies/1)",
		},
		{
			"lines", "<p><a href='/javascript/subscribe'>A guide</a></p><p><a href='/x'>Subscribe</a> now</p>",
			"[A guide](https://a.example/javascript/subscribe)",
		},
		{"lines", "<p>A <b>b</b></p><p>We use <em>cookies</em></p>", "A **b**"},
		{"lines", "<p><img src='/cookie.png' alt='A cookie'>Cakes</p>", "![A cookie](https://a.example/cookie.png) Cakes"},
		{"personal", "<p>Write to john_doe@example.com or <b>j_d@example.com</b>.</p>", "Write to <email> or **<email>**."},
		{
			"personal", "<p><a href='mailto:jane%40example.com'>Jane</a> <a href='mailto:j@example.com'>j@example.com</a></p>",
			"[Jane](<email>) [<email>](<email>)",
		},
		{
			"personal", "<p><a href='https://wa.me/4917012345678'>Chat</a> <a href='tel:+4917012345678'>Call</a></p>",
			"[Chat](<phone>) [Call](<phone>)",
		},
		{
			"personal", "<p><a href='/send?to=jane%40example.com'>Send</a> <a href='/@jane'>Jane</a></p>",
			"[Send](<email>) [Jane](https://a.example/@jane)",
		},
		{
			"personal", "<p>A_b * c [1] <a href='/2026/11/30/x_y'>x_y</a></p>",
			"A\\_b \\* c \\[1\\] [x\\_y](https://a.example/2026/11/30/x_y)",
		},
	} {
		c, err := Recipe{{Name: tt.filter}}.Chain(Tools{})
		if err != nil {
			t.Fatal(err)
		}
		text, markdown := markdownOf(t, tt.html)
		d := &schemas.Document{Text: text, URL: "https://a.example/", Language: "en"}
		got := c.Markdown(d, markdown, func(string) bool { return false })
		for strings.Contains(got, "\n\n\n") {
			got = strings.ReplaceAll(got, "\n\n\n", "\n\n")
		}
		if got != tt.want {
			t.Errorf("%s of %s:\n%q, want\n%q\nof %q", tt.filter, tt.html, got, tt.want, markdown)
		}
	}
	c, err := Recipe{{Name: "lines"}}.Chain(Tools{})
	if err != nil {
		t.Fatal(err)
	}
	const line = "Read our cookie policy of 2026 before you go on to the pages of this site first."
	text, markdown := markdownOf(t, "<p>A b</p><p>Read our <a href='https://a.example/c'>cookie policy</a> of 2026 "+
		"before you go on to the pages of this site first.</p>")
	d := &schemas.Document{Text: text}
	if got := c.Markdown(d, markdown, func(l string) bool { return l == line }); got != "A b" {
		t.Errorf("a shared paragraph with a link stays: %q", got)
	}
}

// TestChain_sharedMarkdown: lines with code, formulae and links are known, whatever signs are in them.
func TestChain_sharedMarkdown(t *testing.T) {
	const end = "\n\nThe end"
	for _, tt := range []struct{ html, drop, want string }{
		{`<p>So $\alpha x$ is 1</p>`, "alpha", ""},
		{`<p>So \(a &lt; b\) is 2</p>`, "is 2", ""},
		{`<p>So \(|a| [b](c) \lt d\) is 3</p>`, "is 3", ""},
		{"<p>So \\(`a` \\\\beta\\) is 4</p>", "is 4", ""},
		{`<p>So \(a &lt; b\) is 5</p>`, "other", `So $a \lt  b$ is 5`},
		{`<p>Call <code>printf("a\n")</code> now</p>`, "printf", ""},
		{`<p>Open <code>C:\temp</code> and C:\dir</p>`, "Open", ""},
		{`<p>Write <code>#include &lt;stdio.h&gt;</code> and 1 &lt; 2 &gt; 0</p>`, "Write", ""},
		{`<p>Write <code>&lt;sup&gt;a&lt;/sup&gt;</code>, a<sup>2</sup>, a<sub>b</sub></p>`, "Write", ""},
		{"<p>Write <code>a`b</code>, <code>[c](d)</code>, <code>![e](f)</code></p>", "Write", ""},
		{"<p>Write <code>a``b</code> here</p>", "Write", ""},
		{"<p><code>1. a</code> is code</p>", "is code", ""},
		{`<p>Write <code>&lt;a&gt;<br>&lt;b&gt; c</code> and</p>`, "<b> c", "Write `<a>"},
		{`<p>A [b](c) <a href="/x_y">d [e]</a> <a href="/z"><code>f</code></a></p>`, "A [b]", ""},
		{`<p><a href="/x">A <img src="/p.png" alt="pic"> b</a> c <a href="/y">d</a></p>`, "c d", ""},
		{"<pre>printf(\"a\\n\")\nb</pre>", "printf", "```\nb\n```"},
		{"<pre>C:\\temp</pre>", "temp", ""},
		{"<pre>#include &lt;stdio.h&gt;\nint a</pre>", "stdio", "```\nint a\n```"},
		{"<pre>&lt;p&gt;Hello&lt;/p&gt;\n&lt;sup&gt;a\n1. x</pre>", "Hello", "```\n<sup>a\n1. x\n```"},
		{"<pre>&lt;sup&gt;a\nb</pre>", "<sup>", "```\nb\n```"},
		{"<pre>1. x\n2. y\n![z](w)\n`v`</pre>", "y", "```\n1. x\n![z](w)\n`v`\n```"},
		{"<pre>1. x</pre>", "1. x", ""},
		{"<pre>a {\n}\nb</pre>", "}", "```\na {\nb\n```"},
		{"<pre>a ```\nb</pre>", "b", "````\na ```\n````"},
		{"<pre><code class=language-go>go\nx</code></pre>", "go", "```go\nx\n```"},
		{`<pre><code class="language-go">x</code></pre>`, "x", ""},
		{"<ul><li>a</li><li><pre>&lt;x&gt; y\nz</pre></li></ul>", "<x> y", "- a\n- ```\n  z\n  ```"},
		{"<blockquote><pre>&lt;x&gt; y\n}\nz</pre></blockquote>", "}", "> ```\n> <x> y\n> z\n> ```"},
		{"<pre>&lt;b&gt; c</pre><p>b</p>", "<b> c", "b"},
	} {
		c, err := Recipe{}.Chain(Tools{})
		if err != nil {
			t.Fatal(err)
		}
		text, markdown := markdownOf(t, tt.html+"<p>The end</p>")
		drop := func(line string) bool { return strings.Contains(line, tt.drop) }
		got := c.Markdown(&schemas.Document{Text: text}, markdown, drop)
		if want := strings.TrimSpace(tt.want + end); got != want {
			t.Errorf("%s without %q:\n%q, want\n%q\nof %q", tt.html, tt.drop, got, want, markdown)
		}
	}
}

// FuzzChain_markdown: any text and Markdown are read to their ends.
func FuzzChain_markdown(f *testing.F) {
	f.Add("A b\nc", "## A [b](mailto:x%40y.example)\n\n![c](d)\\", "en")
	f.Add("1. <", "> 1. <\n| - |\n](", "")
	f.Fuzz(func(t *testing.T, text, markdown, language string) {
		c, err := Recipe{{Name: "lines"}, {Name: "personal"}, {Name: "c4"}}.Chain(Tools{})
		if err != nil {
			t.Fatal(err)
		}
		d := &schemas.Document{Text: text, Language: language}
		if got := c.Markdown(d, markdown, func(string) bool { return false }); len(got) > 2*len(markdown)+16 {
			t.Errorf("%d bytes became %d", len(markdown), len(got))
		}
	})
}
