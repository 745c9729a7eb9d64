package maintext

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const article = `<html><head><title>On bees</title></head><body>
<nav><ul><li><a href=/>Home</a><li><a href=/x>Products</a></ul></nav>
<article><h1>On bees</h1>
<p>Bees live in <em>colonies</em>, and a colony may have more than fifty thousand members in the summer months.</p>
<p>A queen lays up to two thousand eggs a day; workers <a href="/honey">make honey</a>, of which they keep most.</p>
<table><tr><th>Month</th><th>Bees in the hive</th></tr><tr><td>January</td><td>nine thousand</td></tr></table>
<ul><li>They dance to tell each other where flowers are.</li><li>They see ultraviolet light, which we do not.</li></ul>
</article><footer>Copyright, imprint, contact</footer></body></html>`

func parse(src string) *page.Page {
	return page.Parse([]byte(src), page.Options{URL: "https://example.org/bees"})
}

func TestExtract_article(t *testing.T) {
	r := Extract(parse(article), Options{})
	if r.Source != SourceHTML || r.Node == nil {
		t.Fatalf("Extract = source %q, node %v", r.Source, r.Node)
	}
	for _, want := range []string{
		"Bees live in colonies, and a colony may have more than fifty thousand members in the summer months.\n",
		"workers make honey, of which", "January\tnine thousand", "flowers are.\nThey see",
	} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("Text = %q, want it to contain %q", r.Text, want)
		}
	}
	for _, unwanted := range []string{"Products", "imprint"} {
		if strings.Contains(r.Text, unwanted) {
			t.Errorf("Text = %q, want it without %q", r.Text, unwanted)
		}
	}
}

const ld = `<script type="application/ld+json">`

func TestExtract_source(t *testing.T) {
	body := strings.Repeat("A sentence of the article. ", 20)
	tests := []struct{ name, src, source, text string }{
		{"nothing", "<html><body> <script>x</script>", "", ""},
		{
			"script page", ld + `{"@graph":[{"articleBody":"` + body + `"}]}</script><p>Turn scripts on.`, SourceJSONLD,
			strings.TrimSpace(body),
		},
		{"longest of several", ld + `{"articleBody":"a","b":{"ArticleBody":"one\ntwo"}}</script>`, SourceJSONLD, "one\ntwo"},
		{"HTML in JSON", ld + `{"articleBody":"<p>a</p><p>b<script>c<\\/script></p>"}</script>`, SourceJSONLD, "a\nb"},
		{"JSON breaks off", ld + `{"articleBody":"one", oops`, SourceJSONLD, "one"},
		{"value that is no key", ld + `{"x":"articleBody","y":"no"}</script>`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Extract(parse(tt.src), Options{})
			if r.Source != tt.source || r.Text != tt.text {
				t.Errorf("Extract = %q, %q, want %q, %q", r.Source, r.Text, tt.source, tt.text)
			}
		})
	}
}

func TestExtract_tooLargeFallsBack(t *testing.T) {
	for _, o := range []Options{{MaxNodes: 10}, {MaxWork: 1000}} {
		r := Extract(parse(article), o)
		if r.Source != SourceFallback || r.Node != nil || !strings.HasPrefix(r.Text, "Home\nProducts\nOn bees\nBees live") {
			t.Errorf("Extract with %+v = %q, %q", o, r.Source, r.Text)
		}
	}
	if r := Extract(parse(article), Options{MaxBytes: 50}); len(r.Text) == 0 || len(r.Text) > 50+4 {
		t.Errorf("Extract with MaxBytes 50 gave %d bytes", len(r.Text))
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

func TestRender(t *testing.T) {
	tests := []struct{ src, want string }{
		{"<p>a<p>b<br>c", "a\nb\nc"},
		{"a  <b> b</b>c", "a bc"},
		{"<pre>a\n  b</pre>c", "a\n  b\nc"},
		{"<table><tr><td>a<td>b<tr><td><td>c", "a\tb\nc"},
		{"a<style>b</style><svg><text>c</text></svg><p hidden>d", "a"},
		{"日<b>本</b>語", "日本語"},
	}
	for _, tt := range tests {
		if got := render(parse(tt.src).Root(), 1<<20); got != tt.want {
			t.Errorf("render(%q) = %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestRenderExtracted_separatesWords(t *testing.T) {
	tests := []struct{ src, want string }{
		{"a<b>b</b>c", "a b c"},
		{"a<b>b</b>, (<i>c</i>).", "a b, (c)."},
		{"日<b>本</b>語", "日本語"},
		{"«<i>a</i>»", "«a»"},
	}
	for _, tt := range tests {
		if got := renderExtracted(parse(tt.src).Root(), 1<<20); got != tt.want {
			t.Errorf("renderExtracted(%q) = %q, want %q", tt.src, got, tt.want)
		}
	}
}

// checkExtract extracts twice: the results must be the same, and the page's tree what it was.
func checkExtract(t testing.TB, name string, src []byte, o Options) Result {
	t.Helper()
	p := page.Parse(src, page.Options{URL: "https://example.org/a"})
	before := markup(t, p.Root())
	first, second := Extract(p, o), Extract(p, o)
	if first.Text != second.Text || first.Source != second.Source {
		t.Errorf("%s: a second run gives another text", name)
	}
	if first.Node != nil && markup(t, first.Node) != markup(t, second.Node) {
		t.Errorf("%s: a second run gives another tree", name)
	}
	if markup(t, p.Root()) != before {
		t.Errorf("%s: Extract changed the page's tree", name)
	}
	if (first.Text == "") != (first.Source == "") {
		t.Errorf("%s: source %q of %d bytes", name, first.Source, len(first.Text))
	}
	return first
}

func markup(t testing.TB, n *html.Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Render(&b, n); err != nil {
		return err.Error() // a void element with children: x/net writes none, in the same words each time
	}
	return b.String()
}

func TestExtract_corpus(t *testing.T) {
	files, err := filepath.Glob("../../../shared/corpora/maintext/wcxb-dev/html/*.html.gz")
	if err != nil || len(files) == 0 {
		t.Skip("no pages in ../shared/corpora/maintext/wcxb-dev, relative to the repository")
	}
	for i := 0; i < len(files); i += 75 {
		if r := checkExtract(t, files[i], unzip(t, files[i]), Options{}); r.Text == "" {
			t.Errorf("%s: no text", files[i])
		}
	}
}

func unzip(t testing.TB, file string) []byte {
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

// Pages that the extractor would take minutes for, were it given them.
func TestExtract_hostile(t *testing.T) {
	words := strings.Repeat("some words here ", 60)
	for name, src := range map[string]string{
		"line breaks":        strings.Repeat("<br>", 250_000),
		"nested tables":      strings.Repeat("<table><tr><td>x", 60_000),
		"nested lists":       strings.Repeat("<ul><li>x", 90_000),
		"deep and long":      strings.Repeat("<div>"+words, 5_000),
		"deep and long, cut": strings.Repeat(strings.Repeat("<div>"+words, 100)+strings.Repeat("</div>", 100), 50),
	} {
		t.Run(name, func(t *testing.T) {
			r := checkExtract(t, name, []byte(src), Options{})
			if r.Source != "" && r.Source != SourceFallback {
				t.Errorf("source %q, want that the extractor is not asked", r.Source)
			}
		})
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(article))
	f.Add([]byte(ld + `{"articleBody":"<p>a</p>"}</script><table>a<td>b<ul><li><pre>c`))
	f.Add([]byte("<body><article><p><p><blockquote><q><code>x</code><details><summary>y"))
	f.Fuzz(func(t *testing.T, src []byte) {
		checkExtract(t, "input", src, Options{MaxNodes: 500})
	})
}

func BenchmarkExtract(b *testing.B) {
	p := parse(article)
	b.SetBytes(int64(len(article)))
	b.ReportAllocs()
	for b.Loop() {
		Extract(p, Options{})
	}
}

func TestExtract_boilerplate(t *testing.T) {
	const extra = "<p>We set two cookies, and neither of them ever leaves the office in which this was written.</p>"
	for _, tt := range []struct{ name, src, source string }{
		{"an article", strings.Replace(article, "</p>", "</p>"+extra, 1), SourceHTML},
		{"all visible text", "<p>A line that is here." + extra + strings.Repeat("<br>", 31_000), SourceFallback},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			marks := make([]bool, len(p.Blocks))
			for i, b := range p.Blocks {
				marks[i] = bytes.Contains(p.Text[b.Start:b.End], []byte("two cookies"))
			}
			all, r := Extract(p, Options{}), Extract(p, Options{Boilerplate: marks})
			if !strings.Contains(all.Text, "two cookies") || all.Source != tt.source || r.Source != tt.source {
				t.Fatalf("from %q: %q; from %q without the block", all.Source, all.Text, r.Source)
			}
			lines := strings.Split(all.Text, "\n")
			lines = slices.DeleteFunc(lines, func(s string) bool { return strings.Contains(s, "two cookies") })
			if diff := cmp.Diff(strings.Join(lines, "\n"), r.Text); diff != "" {
				t.Errorf("without the block (-want +got):\n%s", diff)
			}
			if again := Extract(p, Options{}); again.Text != all.Text {
				t.Error("the page was changed")
			}
		})
	}
}
