package page

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// repeat returns s again and again, n bytes long; # in it counts up.
func repeat(s string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.ReplaceAll(s, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// Pages that would be large trees, or take quadratic time, were they parsed as they are.
func hostile(n int) map[string]string {
	pages := map[string]string{
		"attributes":                "<a " + repeat("a# ", n),
		"attributes, then tags":     "<a " + repeat("a# ", n/2) + ">" + repeat("<b c>", n/2),
		"rebuilt in paragraphs":     repeat("<b id=#>", 3500) + repeat("<p>x</p>", n),
		"rebuilt in blocks":         repeat("<p><b id=#></p>", 7000) + repeat("<div>x</div>", n),
		"text in a table":           "<table>" + repeat("x<b>", n),
		"markup only outside SVG":   "<svg><![CDATA[><!--]]></svg>" + repeat("<b>", n),
		"markup only in SVG":        "<svg><style><!--</style></svg>" + repeat("<b>", n),
		"markup only in a script":   "<svg><script><!--</script></svg>" + repeat("<i>", n),
		"properties":                "<p itemscope>" + repeat("<i itemprop=a>", n),
		"references":                "<p itemscope itemref=a>" + repeat("<p id=a itemprop=x itemscope itemref=a>", n),
		"unclosed comment":          "<!--" + repeat("a-", n),
		"properties within another": "<p itemscope>" + repeat("<div itemprop=a>text", n),
	}
	for _, unit := range []string{
		"<div>", "<a>", "<b>", "<table>", "<p><b>", "<p><b id=#>", "<!>", "&amp;", "&",
		"<select>", "<template>", "<select><option>", "<font color=#>", "<b id=#><i id=#></b>", "<b id=#><div></b>",
		"<html a#=1>", "<body a#=1>", "<table><td>", "<table><td><b id=#>", "<li>", "<ul><li>", "<svg>", "<svg><title>",
		"<p><b id=#><object></b></b></object></p>", "x<tr>", "<table><b id=#><tr>", "a", "<", "<script>",
		"<script><!--", "<br>", "<title>", "<form>", "<button>", "<h1>", "<math><mi>", "<nobr id=#>", "<frameset>",
		"<a id=#><p>", "<marquee><b id=#>", "</p>", "</br>", "<a href=x>", "<table><td><a href=x>", "<ruby><rt>",
		"<template><b id=#></template>", "<svg><foreignObject><svg><desc>", "<a#>", "<p x='#'>", "<table><caption>",
	} {
		pages[unit] = repeat(unit, n)
	}
	return pages
}

func TestParse_hostile(t *testing.T) {
	o := Options{URL: "https://example.org/", MaxNodes: 20_000, MaxBytes: 1 << 20}
	for name, src := range hostile(1 << 20) {
		t.Run(name, func(t *testing.T) {
			p := Parse([]byte(src), o)
			checkLimits(t, p, o.withDefaults())
		})
	}
}

func checkLimits(t testing.TB, p *Page, o Options) {
	t.Helper()
	nodes := 0
	for n, depth := p.Root(), 0; n != nil; n, depth = nextDepth(n, depth) {
		if n.Type == html.ElementNode || n.Type == html.TextNode {
			nodes++
		}
		if depth > o.MaxDepth || len(n.Attr) > o.MaxAttributes {
			t.Fatalf("node at depth %d with %d attributes", depth, len(n.Attr))
		}
	}
	if nodes > o.MaxNodes {
		t.Errorf("%d nodes, limit %d", nodes, o.MaxNodes)
	}
	if len(p.Anchors) > maxAnchors || len(p.Metas) > maxMetas || len(p.Links) > maxLinks || len(p.Scripts) > maxScripts {
		t.Error("more collected than the limits allow")
	}
}

func TestParse_truncated(t *testing.T) {
	tests := []struct {
		name, src string
		o         Options
		want      []string
	}{
		{"within the limits", sample, Options{}, nil},
		{"bytes", "<p>abc", Options{MaxBytes: 4}, []string{"bytes"}},
		{"nodes", repeat("<p>x", 4000), Options{MaxNodes: 100}, []string{"nodes"}},
		{"depth", repeat("<div>", 5000), Options{}, []string{"depth"}},
		{"depth below the tree builder's limit", repeat("<div>", 500), Options{MaxDepth: 50}, []string{"depth"}},
		{"attributes of one element", "<p " + repeat("a# ", 2000), Options{}, nil}, // no element: its tag does not end
		{"attributes", "<p " + repeat("a# ", 2000) + ">", Options{}, []string{"attributes"}},
		{"attributes of all", repeat("<p a b c d>", 900), Options{MaxNodes: 100}, []string{"attributes"}},
		{"formatting alone", repeat("<p><b id=#>x", 100_000), Options{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), tt.o)
			if diff := cmp.Diff(tt.want, p.Truncated); diff != "" {
				t.Errorf("Truncated (-want +got):\n%s", diff)
			}
		})
	}
}

// What is too deep loses its tags and keeps its text.
func TestParse_keepsDeepText(t *testing.T) {
	p := Parse([]byte(repeat("<div>x#", 20_000)+"<p>last"), Options{})
	if text := p.Document().Text(); !strings.HasSuffix(text, "last") || !strings.Contains(text, "x1500") {
		t.Errorf("text ends in %q", text[max(0, len(text)-20):])
	}
}

func words(root *html.Node) []string {
	text, _ := textOf(root, 1<<30, 1<<30)
	return strings.Fields(text)
}

// The filter must not lose text of pages that are no attack.
func TestFilter_keepsText(t *testing.T) {
	tests := []string{
		"<p>a<p>b<b>c<p>d</b>e", "<ul><li>a<li>b<ul><li>c</ul>d</ul>", "<table><tr><td>a<td>b<tr><th>c</table>d",
		"<title>t &lt;b></title><body>a < b <!-- x --> c", "<a href=x><div>a</div></a>b", "<select><option>a<option>b</select>",
		"<dl><dt>a<dd>b<dt>c</dl>", "<textarea>a<b>c</textarea>", "a<br/>b<img alt='\"'>c", "<p/>a<span/>b", "<</i>b>c",
		"<table>a<td>b</table>", "<pre>\n a\n</pre>", "<h1>a<h2>b</h2>", "<button>a<button>b", "<font><b>a</font>b</b>c",
	}
	for _, src := range tests {
		checkFilter(t, src, []byte(src))
	}
}

func checkFilter(t *testing.T, name string, src []byte) {
	t.Helper()
	plain, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return
	}
	out, cut := filtered(src, Options{}.withDefaults())
	again, err := html.Parse(bytes.NewReader(out))
	if err != nil || cut != (cuts{}) {
		t.Fatalf("%s: filtered: %v %v", name, cut, err)
	}
	want, got := words(plain), words(again)
	if slices.Sort(want); len(got) > 0 {
		slices.Sort(got) // text in tables outside of cells may move
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: words (-parsed +filtered):\n%s", name, diff)
	}
}

// corpusPages returns the pages of a folder of the corpora, or skips the test.
func corpusPages(t *testing.T, every int) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../../shared/corpora/maintext/*/html/*.html.gz")
	if err != nil || len(files) == 0 {
		t.Skip("no pages in ../shared/corpora/maintext, relative to the repository")
	}
	pages := map[string][]byte{}
	for i := 0; i < len(files); i += every {
		zipped, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil {
			t.Fatal(err)
		}
		if pages[files[i]], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// Real pages are neither cut nor rewritten, but for a few.
func TestParse_corpus(t *testing.T) {
	pages := corpusPages(t, 40)
	rewritten := 0
	for name, src := range pages {
		p := Parse(src, Options{URL: "https://example.org/"})
		if p.Truncated != nil || len(words(p.Root())) == 0 {
			t.Errorf("%s: truncated by %v, %d words", name, p.Truncated, len(words(p.Root())))
		}
		if !harmless(src, Options{}.withDefaults()) {
			rewritten++
		}
	}
	if rewritten*50 > len(pages) {
		t.Errorf("%d of %d pages are rewritten", rewritten, len(pages))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	for _, src := range hostile(200) {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		o := Options{URL: "https://example.org/", MaxNodes: 300, MaxDepth: 60, MaxAttributes: 5}
		checkLimits(t, Parse(src, o), o.withDefaults())
		out, _ := filtered(src, o.withDefaults())
		if root, err := html.Parse(bytes.NewReader(out)); err != nil || root == nil {
			t.Errorf("the filter's output cannot be parsed: %v", err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	_, body, _ := strings.Cut(sample, "<body>")
	src := []byte(sample + strings.Repeat(strings.TrimSuffix(body, "</body>"), 100))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(src, Options{URL: "https://example.org/"})
	}
}
