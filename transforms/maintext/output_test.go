package maintext

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func parse(src string) *page.Page {
	return page.Parse([]byte(src), page.Options{URL: "https://example.org/bees"})
}

// whole is the result that keeps every block of a page.
func whole(p *page.Page) Result {
	r := Result{Page: p, Source: SourceHTML}
	for i := range p.Blocks {
		r.Blocks = append(r.Blocks, int32(i))
	}
	r.Text, _ = join(p, r.Blocks, 1<<20)
	return r
}

// markdownOf is the Markdown of r, without a limit that these tests reach.
func markdownOf(r Result) string {
	text, _ := Markdown(r, 8<<20)
	return text
}

func TestMarkdown(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"paragraphs", "<p>a<p>b", "a\n\nb"},
		{"headings", "<h1>a</h1><h3>b <b>c</b></h3>", "# a\n\n### b c"},
		{
			"inline", `<p>a <b>b</b> <code>c*d</code> <a href=/x(1)>e f</a>, g`,
			"a **b** `c*d` [e f](https://example.org/x%281%29), g",
		},
		{"signs are escaped", "<p>a*b_c [d] &lt;e>", `a\*b\_c \[d\] \<e>`},
		{"a number at a line's beginning", "<p>1986. What a season<p>5) a", "1986\\. What a season\n\n5\\) a"},
		{"numbers that are no items", "<p>3.5 a<p>1234567890. b<p>7.a", "3.5 a\n\n1234567890. b\n\n7.a"},
		{"a number in an item", "<ul><li>1986. a</ul>", "- 1986\\. a"},
		{"a number in a heading", "<h2>1. a</h2>", "## 1. a"},
		{"bullets at a line's beginning", "<p>- a<p>+ b<p>-5 c<p>a<br>- d", "\\- a\n\n\\+ b\n\n-5 c\n\na\n\\- d"},
		{"signs of headings", "<p># a<p>#b<p>####### c", "\\# a\n\n#b\n\n####### c"},
		{"quotes and rules", "<p>&gt; a<p>---<p>== b", "\\> a\n\n\\---\n\n== b"},
		{"references", "<p>&amp;lt; &amp;nbsp; &amp; b; &amp;x;", "\\&lt; \\&nbsp; & b; &x;"},
		{"waves", "<p>좋아~~ 정말~~ a~b", "좋아\\~~ 정말\\~~ a~b"},
		{"list", "<ul><li>a<li>b<ul><li>c</ul></ul><p>d", "- a\n- b\n  - c\n\nd"},
		{"numbers", "<ol><li>a<li><p>b<p>c</ol>", "1. a\n2. b\n\n   c"},
		{"numbers from a start", "<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c"},
		{"values", "<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"},
		{"reversed", "<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"},
		{"reversed from a start", "<ol reversed start=2><li>a<li>b<li>c<li>d</ol>", "2. a\n1. b\n0. c\n0. d"},
		{"a start that is none", "<ol start=x><li>a</ol>", "1. a"},
		{"a list in a numbered item", "<ol><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ol>", "1. a\n   - b\n     1. c\n2. d"},
		{
			"numbers go on behind an inner list", "<ol><li>a<ol><li>b<li>c</ol><p>d</p><li>e</ol>",
			"1. a\n   1. b\n   2. c\n\n   d\n2. e",
		},
		{"an item that begins with a list", "<ol><li><ul><li>a<li>b</ul></ol>", "1. - a\n   - b"},
		{"code in an item", "<ol><li>a<pre>b\nc</pre></ol>", "1. a\n\n   ```\n   b\n   c\n   ```"},
		{"a list without items between", "<ul><ul><li>a</ul></ul>", "  - a"},
		{"code of a language", "<pre><code class='language-python'>x</code></pre>", "```python\nx\n```"},
		{"highlight.js", "<pre><code class='hljs c++'>x</code></pre>", "```c++\nx\n```"},
		{"GitHub", "<div class='highlight highlight-source-js'><pre>x</pre></div>", "```js\nx\n```"},
		{"Hugo", "<pre><code data-lang=Go class=chroma>x</code></pre>", "```go\nx\n```"},
		{"a brush", "<pre class='brush: java; gutter: true'>x</pre>", "```java\nx\n```"},
		{"Pandoc", "<pre class='sourceCode haskell'>x</pre>", "```haskell\nx\n```"},
		{
			"Rouge", "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>x</code>" +
				"</pre></div></div>",
			"```ruby\nx\n```",
		},
		{"Hexo", "<figure class='highlight js'><div><div class=code><pre>x</pre></div></div></figure>", "```js\nx\n```"},
		{"WP-Syntax", "<pre lang=php>x</pre>", "```php\nx\n```"},
		{"a short language", "<pre lang=go><code>x</code></pre>", "```go\nx\n```"},
		{"a human language", "<pre lang=de>x</pre>", "```\nx\n```"},
		{"likewise, of a country", "<pre lang=en-US>x</pre>", "```\nx\n```"},
		{"Confluence", "<pre data-syntaxhighlighter-params='brush: bash; gutter: false'>x</pre>", "```bash\nx\n```"},
		{"EnlighterJS", "<pre data-enlighter-language=kotlin>x</pre>", "```kotlin\nx\n```"},
		{"Crayon", "<pre class='lang:sql decode:true'>x</pre>", "```sql\nx\n```"},
		{"Org", "<pre class='src src-lisp'>x</pre>", "```lisp\nx\n```"},
		{"no language", "<pre class='language-none x`y'>x</pre>", "```\nx\n```"},
		{"quote", "<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"},
		{"code", "<pre>a\n  b``` c\n</pre>", "````\na\n  b``` c\n````"},
		{"table", "<table><tr><th>a<th>b<tr><td>c|d<td><b>e</b></table>", "| a | b |\n| --- | --- |\n| c\\|d | **e** |"},
		{
			"holes in a table", "<table><tr><td>a<td>b<td>c<tr><td><td>d</table>",
			"| a | b | c |\n| --- | --- | --- |\n| | d | |",
		},
		{
			"cells over rows", "<table><tr><td>a<td>b<tr><td rowspan=2>c<td>d<tr><td>e</table>",
			"| a | b |\n| --- | --- |\n| c | d |\n| | e |",
		},
		{
			"cells over columns", "<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>",
			"| a | | b |\n| --- | --- | --- |\n| c | d | e |",
		},
		{
			"a foot first, with a formula",
			"<p>\\(x_0\\)<table><tfoot><tr><td>\\(s_1\\)<td>3<tbody><tr><td>\\(a_2\\)<td>3_4</table>\\(y_5\\)",
			"$x_0$\n\n| $a_2$ | 3\\_4 |\n| --- | --- |\n| $s_1$ | 3 |\n\n$y_5$",
		},
		{"formulae", `<p>a*b <math><msub><mi>x</mi><mn>1</mn></msub></math> \(y_2 * z\) c_d`, `a\*b $x_{1}$ $y_2 * z$ c\_d`},
		{
			"a formula in a cell", "<table><tr><td>a<td>b<tr><td>c<td>\\(|x|\\)</table>",
			"| a | b |\n| --- | --- |\n| c | $\\vert x\\vert $ |",
		},
		{
			"a hostile formula", "<p>\\(<\\) <math alttext='^<img src=x onerror=f()> [a](javascript:f()) `'><mi>x</mi></math>",
			"$\\lt $ $^\\lt img src=x onerror=f()> \\lbrack a](javascript:f()) '$",
		},
		{"a formula of a script", `<p>a <b><script type="math/tex">x_1</script></b>`, "a **$x_1$**"},
		{"a picture of an emoji", "<p>a <b><img alt='😀'> b</b>", "a **😀 b**"},
		{"power", "10<sup>6</sup> m<sup>2</sup>", "10<sup>6</sup> m<sup>2</sup>"},
		{"cents", "<p>$11<sup>99</sup> or <b>11<sup>99</sup></b> €", "$11<sup>99</sup> or **11<sup>99</sup>** €"},
		{"index", "H<sub>2</sub>O, x<sub>1</sub><sup>2</sup>", "H<sub>2</sub>O, x<sub>1</sub><sup>2</sup>"},
		{"ordinal", "le 1<sup>er</sup> mai", "le 1<sup>er</sup> mai"},
		{"note", "in 50<sup><a href=/n>3</a></sup> b", "in 50 [<sup>3</sup>](https://example.org/n) b"},
		{"table of one column", "<table><tr><td>a<tr><td>b</table>", "a\n\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdownOf(whole(parse(tt.src))); got != tt.want {
				t.Errorf("Markdown(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	long := strings.Repeat("word ", 100)
	tests := []struct{ name, src, want string }{
		{"inline elements", "a  <b> b</b>c", "a bc"},
		{"code", "<pre>a\n  b</pre>c", "a\n  b\nc"},
		{"rows", "<table><tr><td>a<td><p>b<p>c<tr><td>d</table>e", "a\tb c\nd\ne"},
		{
			"empty cells", "<table><tr><td>a<td>b<td>c<tr><td>d<td><td>e<tr><td><td><td>f</table>g",
			"a\tb\tc\nd\t\te\n\t\tf\ng",
		},
		{"an empty corner", "<table><tr><td><th>2022<tr><th>a<td>1</table>", "\t2022\na\t1"},
		{"a column that is empty everywhere", "<table><tr><td>a<td><td>b<tr><td>c<td><img src=x><td>d</table>", "a\tb\nc\td"},
		{
			"cells over rows", "<table><tr><td rowspan=2>a<td>b<td rowspan=0>x<tr><td>c<tr><td>d<td>e</table>",
			"a\tb\tx\n\tc\nd\te",
		},
		{"cells over columns", "<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>", "a\t\tb\n1\t2\t3"},
		{"rows end with their section", "<table><thead><tr><th rowspan=9>a<th>b<tbody><tr><td>1<td>2</table>", "a\tb\n1\t2"},
		{"both", "<table><tr><td colspan=2 rowspan=2>a<td>b<tr><td>c<tr><td>1<td>2<td>3</table>", "a\t\tb\n\t\tc\n1\t2\t3"},
		{"a hidden cell", "<table><tr><td>a<td>b<tr><td>1<td style='display:none'><td>2</table>", "a\tb\n1\t2"},
		{"a cell that a span hides", "<table><tr><td rowspan=2>a<td>b<tr><td hidden><td>2</table>", "a\tb\n\t2"},
		{"a cell for the eye", "<table><tr><td>a<td>b<tr><td aria-hidden=true><td>2</table>", "a\tb\n\t2"},
		{"spans that are none", "<table><tr><td colspan=x rowspan=-1>a<td colspan=0>b<tr><td>1<td>2</table>", "a\tb\n1\t2"},
		{"a table in a cell", "<table><tr><td>a<td><table><tr><td colspan=3>b</table><tr><td>1<td>2</table>", "a\nb\n1\t2"},
		{"lines in a cell", "<table><tr><th>a<th>b<tr><td>1<br>2<td>3</table>c<br>d", "a\tb\n1 2\t3\nc\nd"},
		{"a row alone", "<table><tr><td>a<td><td>b</table>", "a\tb"},
		{"a table that lays out", "<table><tr><td>a<td><p>" + long + "</table>", "a\n" + strings.TrimSpace(long)},
		{"no spaces between words", "日<b>本</b>語", "日本語"},
		{
			"a foot first", "<table><thead><tr><th>a<th>b<tfoot><tr><td>sum<td>3<tbody><tr><td>c<td>1<tr><td>d<td>2</table>e",
			"a\tb\nc\t1\nd\t2\nsum\t3\ne",
		},
		{
			"feet of two tables", "<table><tfoot><tr><td>s<td>1<tbody><tr><td>a<td>1</table><table><tfoot><tr><td>t<td>" +
				"2<tbody><tr><td>b<td>2</table>",
			"a\t1\ns\t1\nb\t2\nt\t2",
		},
		{"a foot last", "<table><tbody><tr><td>a<td>1<tfoot><tr><td>s<td>1</table>b", "a\t1\ns\t1\nb"},
		{
			"a foot of several rows", "<table><tfoot><tr><td>s<td>1<tr><td>t<td>2<tbody><tr><td>a<td>3</table>",
			"a\t3\ns\t1\nt\t2",
		},
		{
			"a table by its roles", "<div role=table><div role=row><span role=columnheader>a</span><span role=columnheader>" +
				"b</span></div>" +
				"<div role=row><span role=cell>1</span><span role=cell>2</span></div></div>c", "a\tb\n1\t2\nc",
		},
		{
			"a grid with groups of rows", "<div role=grid><div role=rowgroup><div role=row><div role=columnheader>a</div>" +
				"<div role=columnheader>b</div>" +
				"</div></div><div role=rowgroup><div role=row><div role=gridcell></div><div role=gridcell>2</div></div></div>" +
				"</div>", "a\tb\n\t2",
		},
		{
			"a grid of trees, in lists", "<ul role=treegrid><li role=row><a role=rowheader>a</a><a role=gridcell>1</a><li " +
				"role=row><a role=rowheader>b</a><a role=gridcell>2</a></ul>",
			"a\t1\nb\t2",
		},
		{
			"a table by classes", "<div class='table wide'><div class=tr><div class=th>a</div><div class=th>b</div></div>" +
				"<div class='tr odd'><div class=td>1</div><div class=td>2</div></div></div>c", "a\tb\n1\t2\nc",
		},
		{
			"a table by an editor's classes", "<div class=divTable><div class=divTableBody><div class=divTableRow><div " +
				"class=divTableCell>a</div>" +
				"<div class=divTableCell></div></div><div class=divTableRow><div class=divTableCell></div><div " +
				"class=divTableCell>2</div></div></div></div>",
			"a\n\t2",
		},
		{
			"rows by classes in a list, without a table", "<ul><li class=table-row><span class='table-cell x'>a</span><span " +
				"class=table-cell>1</span>" +
				"<li class=table-row><span class=table-cell>b</span><span class=table-cell>2</span></ul>", "a\t1\nb\t2",
		},
		{
			"a head in a section", "<div class=rt-table><div class=rt-thead><div class=rt-tr><div class=rt-th>a</div><div " +
				"class=rt-th>b</div>" +
				"</div></div><div class=rt-tbody><div><div class=rt-tr><div class=rt-td></div><div class=rt-td>2</div></div>" +
				"</div></div></div>", "a\tb\n\t2",
		},
		{"columns of a layout", "<div class=row><div class=col>a</div><div class=col>b</div></div><div class=row><div " +
			"class=col>c</div>" +
			"<div class=col>d</div></div>", "a\nb\nc\nd"},
		{"cells by classes without rows", "<div><div class=td>a</div><div class=td>b</div></div>", "a\nb"},
		{"a grid of one column", "<div role=grid><div role=row><p role=gridcell>a</div><div role=row><p role=gridcell>" +
			"b</div></div>", "a\nb"},
		{"cells without a row", "<div role=table><i role=cell>a</i><i role=cell>b</i></div>", "a\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := whole(parse(tt.src)).Text; got != tt.want {
				t.Errorf("join(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func TestJoin_limit(t *testing.T) {
	p := parse("<p>aaaa<p>ßßßß<p>cccc")
	for limit, want := range map[int]string{8: "aaaa\nß", 0: "", 4: "aaaa", 5: "aaaa\n", 18: "aaaa\nßßßß\ncccc"} {
		text, whole := join(p, []int32{0, 1, 2}, limit)
		if text != want || whole != (limit == 18) {
			t.Errorf("join to %d bytes = %q, whole %t, want %q", limit, text, whole, want)
		}
	}
}

func TestRanges_closeGapsBetweenNeighbours(t *testing.T) {
	p := parse("<p>a<p>b<img src=x><p>c<p>d<p>e")
	got := ranges(p, []int32{0, 1, 2, 4})
	if len(got) != 2 || got[0].End != p.Blocks[2].Last || got[1].Start != p.Blocks[4].First {
		t.Errorf("ranges = %v", got)
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a\r\nb\rc\n\n\nd \t\n", "a\nb\nc\n\n\nd"},
		{"\ufeffa\x00\x1b[1mb\u0085", "a[1mb"},
		{"a\fb\xffc\tд", "a\nb\uFFFDc\tд"},
		{"\n\r\n", ""},
	}
	for _, tt := range tests {
		r := Plain([]byte(tt.text))
		if r.Text != tt.want || (r.Source == SourcePlain) != (tt.want != "") {
			t.Errorf("Plain(%q) = %q, %q, want %q", tt.text, r.Text, r.Source, tt.want)
		}
	}
}

func TestFromScripts(t *testing.T) {
	const ld, state = `<script type="application/ld+json">`, `<script id=__NEXT_DATA__ type="application/json">`
	body := strings.TrimSpace(strings.Repeat("A sentence of the article. ", 20))
	tests := []struct{ name, src, source, text string }{
		{"article", ld + `{"@graph":[{"articleBody":"` + body + `"}]}</script>`, SourceJSONLD, body},
		{"longest of several", ld + `{"articleBody":"a","b":{"ArticleBody":"one\ntwo"}}</script>`, SourceJSONLD, "one\ntwo"},
		{"HTML in JSON", ld + `{"articleBody":"<p>a</p><p>b<script>c<\\/script></p>"}</script>`, SourceJSONLD, "a\nb"},
		{"JSON breaks off", ld + `{"articleBody":"one", oops`, SourceJSONLD, "one"},
		{"value that is no key", ld + `{"x":"articleBody","y":"no"}</script>`, SourceJSONLD, ""},
		{
			"state", state + `{"a":[{"html":"<p>` + body + `</p>"},"` + body + `x","` + body + `x"],"b":"id-1"}</script>`,
			SourceJSON, body + "\n" + body + "x",
		},
		{"state without prose", state + `{"a":"` + strings.Repeat("M10 20L30 ", 20) + `"}</script>`, SourceJSONLD, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, source, _ := fromScripts(parse(tt.src).Scripts(), 1<<20)
			if source != tt.source || text != tt.text {
				t.Errorf("fromScripts = %q, %q, want %q, %q", source, text, tt.source, tt.text)
			}
		})
	}
}
