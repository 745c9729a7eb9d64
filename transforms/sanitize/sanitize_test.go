package sanitize

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// clean sanitises the parse of src.
func clean(t testing.TB, src string) string {
	t.Helper()
	p := page.Parse([]byte(src), page.Options{URL: pageURL})
	return HTML(p.Root(), Options{Base: p.Base})
}

func TestHTML_writes(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"paragraphs", "<p>a<p>b", "<p>a</p><p>b</p>"},
		{"formatting", "<p><b>a</b> <i>b</i> <u>c</u></p>", "<p><b>a</b> <i>b</i> <u>c</u></p>"},
		{"link made absolute", `<a href="../x y" title="t" class=c>a</a>`, `<a href="https://example.org/x%20y" title="t">a</a>`},
		{"mail", `<a href="mailto:a@b.example">a</a>`, `<a href="mailto:a@b.example">a</a>`},
		{"link without target", `<a name=x>a</a>`, "a"},
		{"image", `<img src=/i.png alt='a "b"' width=10 height=x srcset=y>`, `<img src="https://example.org/i.png" alt="a &#34;b&#34;" width="10">`},
		{"image without source", `a<img alt=b>c`, "ac"},
		{"nested list", "<ul><li>a<ul><li>b</ul><li>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
		{"item outside a list", "<li>a", "<div>a</div>"},
		{"definitions", "<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"},
		{
			"table", "<table><caption>c</caption><tr><th colspan=2>a<td>b</table>",
			`<table><caption>c</caption><tbody><tr><th colspan="2">a</th><td>b</td></tr></tbody></table>`,
		},
		{"text escaped", "a &lt;b&gt; &amp;amp; \"c\"", "a &lt;b&gt; &amp;amp; &#34;c&#34;"},
		{"unknown element", "<x-y>a<article>b</article></x-y>", "ab"},
		{"script", "a<script>b</script>c", "ac"},
		{"control characters", "a\x01b\u0085c\x7fd", "abcd"},
		{"newlines that begin a pre", "<pre>\n\na\n b</pre>", "<pre>a\n b</pre>"},
		{"language and direction", `<p lang=de-AT dir=RTL>a<p lang="x y" dir=up>b`, `<p lang="de-AT" dir="rtl">a</p><p>b</p>`},
		{"time", `<time datetime="2020-01-02T03:04Z" x=y>a</time>`, `<time datetime="2020-01-02T03:04Z">a</time>`},
		{"details", "<details open><summary>a</summary>b</details>", "<details><summary>a</summary>b</details>"},
		{"hidden", "a<p hidden>b</p>c", "ac"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clean(t, tt.src); got != tt.want {
				t.Errorf("HTML(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func elem(name string, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// Trees that no parser makes: extractors move elements about.
func TestHTML_oddTrees(t *testing.T) {
	tests := []struct {
		name string
		n    *html.Node
		want string
	}{
		{"nil", nil, ""},
		{"paragraph in paragraph", elem("p", text("a"), elem("b", elem("p", text("b")), text("c"))), "<p>a<b></b></p><p>b</p>c"},
		{
			"text in table", elem("table", text("a"), elem("tr", elem("td", text("b")))),
			"<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>",
		},
		{"cell alone", elem("td", text("a")), "<div>a</div>"},
		{
			"cell in table", elem("table", elem("td", text("a")), elem("td", text("b"))),
			"<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>",
		},
		{"link in link", link("https://a.example/", text("a"), link("https://b.example/", text("b"))), `<a href="https://a.example/">ab</a>`},
		{"heading in heading", elem("h1", elem("div", elem("h2", text("a")))), "<h1><div>a</div></h1>"},
		{"item in item", elem("ul", elem("li", elem("li", text("a")))), "<ul><li><div>a</div></li></ul>"},
		{"name that is no name", elem("b><script", text("a")), "a"},
		{"comment", &html.Node{Type: html.CommentNode, Data: "--><script>a</script>"}, ""},
		{"raw node", &html.Node{Type: html.RawNode, Data: "<script>a</script>"}, ""},
		{"text in script", elem("script", text("</script><img>")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := HTML(tt.n, Options{})
			if got != tt.want {
				t.Errorf("HTML = %q, want %q", got, tt.want)
			}
			checkSafe(t, got)
		})
	}
}

func link(href string, children ...*html.Node) *html.Node {
	n := elem("a", children...)
	n.Attr = []html.Attribute{{Key: "href", Val: href}}
	return n
}

func TestHTML_limits(t *testing.T) {
	deep := strings.Repeat("<div>", 300) + "a"
	root, err := html.Parse(strings.NewReader(deep))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := HTML(root, Options{MaxDepth: 3}), "<div><div><div>a</div></div></div>"; got != want {
		t.Errorf("depth: HTML = %q, want %q", got, want)
	}
	root, err = html.Parse(strings.NewReader("<p>" + strings.Repeat("<b>&amp;x</b>", 100)))
	if err != nil {
		t.Fatal(err)
	}
	for limit := range 200 {
		got := HTML(root, Options{MaxBytes: limit + 1})
		if len(got) > limit+1 {
			t.Fatalf("HTML with MaxBytes %d gave %d bytes", limit+1, len(got))
		}
		checkSafe(t, got)
	}
}

func TestHTML_corpus(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "corpora", "maintext", "readability")
	files, err := filepath.Glob(filepath.Join(folder, "*", "source.html.gz"))
	if err != nil || len(files) == 0 {
		t.Skip("no pages in ../shared/corpora/maintext/readability, relative to the repository")
	}
	for _, f := range files {
		root, err := html.Parse(bytes.NewReader(unzip(t, f)))
		if err != nil {
			continue // deeper than 512 elements
		}
		out := HTML(root, Options{Base: "https://example.org/a/b"})
		if out == "" {
			t.Errorf("%s: nothing left", f)
		}
		checkSafe(t, out)
	}
}

func unzip(t *testing.T, file string) []byte {
	t.Helper()
	zipped, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func BenchmarkHTML(b *testing.B) {
	src := strings.Repeat("<div><p>Some text &amp; <a href=/x>a link</a>, <b>bold</b>.</p><table><tr><td>x</table></div>", 500)
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		HTML(root, Options{Base: "https://example.org/"})
	}
}
