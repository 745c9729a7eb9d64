package sanitize

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// clean sanitises all of the page src.
func clean(src string) string {
	p := page.Parse([]byte(src), page.Options{URL: pageURL})
	return safe(p, whole(p), Options{})
}

// safe is the HTML of keep, whole or not.
func safe(p *page.Page, keep []page.Range, o Options) string {
	out, _ := HTML(p, keep, o)
	return out
}

func whole(p *page.Page) []page.Range { return []page.Range{{Start: 0, End: int32(len(p.Nodes))}} }

func TestHTML_writes(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"paragraphs", "<p>a<p>b", "<p>a</p><p>b</p>"},
		{"formatting", "<p><b>a</b> <i>b</i> <u>c</u></p>", "<p><b>a</b> <i>b</i> <u>c</u></p>"},
		{
			"link made absolute", `<a href="../x y" title="t" class=c>a</a>`,
			`<a href="https://example.org/x%20y" title="t">a</a>`,
		},
		{"mail", `<a href="mailto:a@b.example">a</a>`, `<a href="mailto:a@b.example">a</a>`},
		{"link without target", `<a name=x>a</a>`, "a"},
		{
			"image", `<img src=/i.png alt='a "b"' width=10 height=x srcset=y>`,
			`<img src="https://example.org/i.png" alt="a &#34;b&#34;" width="10">`,
		},
		{"image without source", `a<img alt=b>c`, "ac"},
		{"nested list", "<ul><li>a<ul><li>b</ul><li>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
		{"item outside a list", "<li>a", "<div>a</div>"},
		{"definitions", "<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"},
		{
			"table", "<table><caption>c</caption><tr><th colspan=2>a<td>b</table>",
			`<table><caption>c</caption><tbody><tr><th colspan="2">a</th><td>b</td></tr></tbody></table>`,
		},
		{"text escaped", "a &lt;b&gt; &amp;amp; \"c\"", "a &lt;b&gt; &amp;amp; &#34;c&#34;"},
		{"unknown element", "<x-y>a<font>b</font></x-y>", "ab"},
		{
			"block under a better known name", "<article>a</article><center>b</center><menu><li>c</menu>",
			"<div>a</div><div>b</div><ul><li>c</li></ul>",
		},
		{"elements with nothing in them", "<div><p></p> <b><i> </i></b>a<a href=/x></a></div><ul><li></ul>", "<div>a</div>"},
		{"white space", " <p> a <b> b</b>\n\n c<div> d </div> ", "<p>a <b>b</b>\nc</p><div>d</div>"},
		{
			"white space in a table", "<table> <caption>a</caption>\n<tr> <td>b</td> <td> </td>\n</tr> </table>",
			"<table><caption>a</caption><tbody><tr><td>b</td><td></td></tr></tbody></table>",
		},
		{"white space in pre", "<pre> a\r\n\tb </pre>", "<pre> a\n\tb </pre>"},
		{"white space in pre alone", "<pre><div> </div></pre>", "<pre><div> </div></pre>"},
		{"raw elements of old", "<xmp>&amp;<b></xmp><listing>\n c</listing>", "<pre>&amp;amp;&lt;b&gt;</pre><pre> c</pre>"},
		{"layout", "<table><tr><td><td><p> a </table>", "<table><tbody><tr><td></td><td><p>a</p></td></tr></tbody></table>"},
		{"script", "a<script>b</script>c", "ac"},
		{"control characters", "a\x01b\u0085c\x7fd", "abcd"},
		{"newlines that begin a pre", "<pre>\n\na\n b</pre>", "<pre>a\n b</pre>"},
		{
			"language and direction", `<p lang=de-AT dir=RTL>a<p lang="x y" dir=up>b`,
			`<p lang="de-AT" dir="rtl">a</p><p>b</p>`,
		},
		{"time", `<time datetime="2020-01-02T03:04Z" x=y>a</time>`, `<time datetime="2020-01-02T03:04Z">a</time>`},
		{"details", "<details open><summary>a</summary>b</details>", "<details><summary>a</summary>b</details>"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clean(tt.src); got != tt.want {
				t.Errorf("HTML(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

// odd parses src and gives each element called x-name the tag of name. This makes trees that no parser makes.
func odd(src string) *page.Page {
	p := page.Parse([]byte(src), page.Options{URL: pageURL})
	for i := range p.Nodes {
		name, ok := strings.CutPrefix(p.Name(i), "x-")
		for t := page.TagA; ok && t <= page.TagXmp; t++ {
			if t.Name() == name {
				p.Nodes[i].Tag = t
			}
		}
	}
	return p
}

func TestHTML_oddTrees(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"paragraph in paragraph", "<x-p>a<x-b><x-p>b</x-p>c</x-b></x-p>", "<p>a</p><p>b</p>c"},
		{
			"text in table", "<x-table>a<x-tr><x-td>b</x-td></x-tr></x-table>",
			"<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>",
		},
		{"cell alone", "<x-td>a</x-td>", "<div>a</div>"},
		{
			"cell in table", "<x-table><x-td>a</x-td><x-td>b</x-td></x-table>",
			"<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>",
		},
		{
			"block in row", "<x-table><x-tr><x-p>a</x-p> <x-td></x-td></x-tr></x-table>",
			"<table><tbody><tr><td><p>a</p></td><td></td></tr></tbody></table>",
		},
		{
			"link in link", "<x-a href=https://a.example/>a<x-a href=https://b.example/>b</x-a></x-a>",
			`<a href="https://a.example/">ab</a>`,
		},
		{"heading in heading", "<x-h1><x-div><x-h2>a</x-h2></x-div></x-h1>", "<h1><div>a</div></h1>"},
		{"item in item", "<x-ul><x-li><x-li>a</x-li></x-li></x-ul>", "<ul><li><div>a</div></li></ul>"},
		{
			"definition in list", "<x-ul><x-dd>a</x-dd></x-ul><x-dl><x-li>b</x-li></x-dl>",
			"<ul><div>a</div></ul><dl><div>b</div></dl>",
		},
		{"void element with content", "<x-br>a</x-br><x-hr>b</x-hr>", "<br>a<hr>b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := odd(tt.src)
			got := safe(p, whole(p), Options{})
			if got != tt.want {
				t.Errorf("HTML = %q, want %q", got, tt.want)
			}
			checkSafe(t, got)
		})
	}
}

func TestHTML_keep(t *testing.T) {
	const src = `<div><section><h1>a</h1><p>b <b>c</b> d</p><ul><li>e<li>f<li>g</ul>
		<table><tr><th>h<td>i<tr><td>j<td><tr><td>k<td>l</table></section><footer>m</footer><p><font>n</font></div>`
	tests := []struct {
		name string
		keep []string // texts whose nodes are kept
		want string
	}{
		{"nothing", nil, ""},
		{"one paragraph", []string{"b "}, "<p>b</p>"},
		{"word within a line", []string{"c"}, "<p><b>c</b></p>"},
		{"word within an unknown element", []string{"n"}, "<p>n</p>"},
		{"heading and paragraph", []string{"a", "b "}, "<div><h1>a</h1><p>b</p></div>"},
		{"two parts of one paragraph", []string{"b ", " d"}, "<p>b d</p>"},
		{"one item", []string{"f"}, "<ul><li>f</li></ul>"},
		{"two items", []string{"e", "g"}, "<ul><li>e</li><li>g</li></ul>"},
		{"cells", []string{"h", "l"}, "<table><tbody><tr><th>h</th></tr><tr><td>l</td></tr></tbody></table>"},
		{"far apart", []string{"a", "m"}, "<div><div><h1>a</h1></div><div>m</div></div>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte(src), page.Options{URL: pageURL})
			var keep []page.Range
			for i := range p.Nodes {
				if p.Nodes[i].Tag == page.TagText && slices.Contains(tt.keep, p.Content(i)) {
					keep = append(keep, page.Range{Start: int32(i), End: int32(i + 1)})
				}
			}
			got := safe(p, keep, Options{})
			if got != tt.want {
				t.Errorf("HTML = %q, want %q", got, tt.want)
			}
			checkSafe(t, got)
		})
	}
}

func TestHTML_keepsWholeElements(t *testing.T) {
	p := page.Parse([]byte("<ul><li>a<li><a href=/b>b</a></ul><table><tr><td>c<td></table>"), page.Options{URL: pageURL})
	for i := range p.Nodes {
		n := &p.Nodes[i]
		want := map[page.Tag]string{
			page.TagUl:    `<ul><li>a</li><li><a href="https://example.org/b">b</a></li></ul>`,
			page.TagA:     `<ul><li><a href="https://example.org/b">b</a></li></ul>`,
			page.TagTr:    `<table><tbody><tr><td>c</td><td></td></tr></tbody></table>`,
			page.TagTable: `<table><tbody><tr><td>c</td><td></td></tr></tbody></table>`,
		}[n.Tag]
		if got := safe(p, []page.Range{{Start: int32(i), End: n.End}}, Options{}); want != "" && got != want {
			t.Errorf("HTML of %s = %q, want %q", n.Tag.Name(), got, want)
		}
	}
}

func TestHTML_limits(t *testing.T) {
	p := page.Parse([]byte(strings.Repeat("<div>", 300)+"a"), page.Options{})
	if got, want := safe(p, whole(p), Options{MaxDepth: 3}), "<div><div><div>a</div></div></div>"; got != want {
		t.Errorf("depth: HTML = %q, want %q", got, want)
	}
	p = page.Parse([]byte("<p>"+strings.Repeat("<b>&amp;x</b>y é <img src=https://a.example/>", 50)+"<table><td><td>z"),
		page.Options{})
	for limit := range 400 {
		got, all := HTML(p, whole(p), Options{MaxBytes: limit + 1})
		if all {
			t.Fatalf("HTML with MaxBytes %d is whole", limit+1)
		}
		if len(got) > limit+1 {
			t.Fatalf("HTML with MaxBytes %d gave %d bytes", limit+1, len(got))
		}
		checkSafe(t, got)
	}
}

func TestHTML_depthKeepsText(t *testing.T) {
	p := page.Parse([]byte("<div><ul><li>a<table>b<caption>c</caption><tr><td>d<table><td><b>e</b></table>f</table>g"),
		page.Options{})
	for depth := range 12 {
		got := safe(p, whole(p), Options{MaxDepth: depth + 1})
		if letters := tags.ReplaceAllString(got, ""); len(letters) != len("abcdefg") {
			t.Errorf("HTML with MaxDepth %d = %q", depth+1, got)
		}
		checkSafe(t, got)
	}
}

var tags = regexp.MustCompile("<[^>]*>")

// TestHTML_pages: the output for our own pages is not empty, in all their languages and with all contents of the guest
// book.
func TestHTML_pages(t *testing.T) {
	files, err := filepath.Glob("../../testdata/site/*/*/*.html")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pages in testdata/site: %v", len(files), err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out := clean(string(src))
		if out == "" {
			t.Errorf("%s: nothing left", f)
		}
		checkSafe(t, out)
	}
}

func TestHTML_corpus(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "corpora", "maintext", "readability")
	files, err := filepath.Glob(filepath.Join(folder, "*", "source.html.gz"))
	if err != nil || len(files) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for _, f := range files {
		out := clean(string(unzip(t, f)))
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
	src := strings.Repeat("<div><p>Some text &amp; <a href=/x>a link</a>, <b>bold</b>.</p><table><tr><td>x</table></div>",
		500)
	p := page.Parse([]byte(src), page.Options{URL: pageURL})
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		safe(p, whole(p), Options{})
	}
}

// TestSanitizer_reuse compares with a new Sanitizer for each page.
func TestSanitizer_reuse(t *testing.T) {
	var s Sanitizer
	for _, src := range []string{
		"<p>a &amp; b<table><tr><td>c", strings.Repeat("<div><p lang=de title=a>d</p>", 50), "", "<pre>\n\na\n",
		"<ul><li>e<a href=/x>f",
		"<p>" + strings.Repeat("long &lt; ", 200_000), "<h1>g</h1>h",
	} {
		p := page.Parse([]byte(src), page.Options{URL: "https://example.org/"})
		all := whole(p)
		for _, o := range []Options{{}, {MaxBytes: 40}, {MaxDepth: 3}} {
			want, wantWhole := HTML(p, all, o)
			if got, gotWhole := s.HTML(p, all, o); got != want || gotWhole != wantWhole {
				t.Errorf("HTML of %.30q = %.40q, %v, want %.40q, %v", src, got, gotWhole, want, wantWhole)
			}
		}
		if out, ok := s.HTML(p, nil, Options{}); out != "" || !ok {
			t.Errorf("HTML of nothing = %q, %v", out, ok)
		}
	}
}
