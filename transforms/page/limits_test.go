package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

// repeat returns n bytes of repetitions of s, in which # is replaced by a counter.
func repeat(s string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.ReplaceAll(s, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// hostile are pages of n bytes. If the rules were followed exactly, they would be large trees, or take quadratic time.
func hostile(n int) map[string]string {
	pages := map[string]string{
		"attributes":                "<a " + repeat("a# ", n),
		"attributes of a tag":       "<a " + repeat("a# ", n) + ">",
		"attributes, then tags":     "<a " + repeat("a# ", n/2) + ">" + repeat("<b c>", n/2),
		"long attribute":            "<a class='" + repeat("nav ", n) + "'>",
		"rebuilt in paragraphs":     repeat("<b id=#>", n/4) + repeat("<p>x</p>", n),
		"rebuilt in blocks":         repeat("<p><b id=#></p>", n/4) + repeat("<div>x</div>", n),
		"text in a table":           "<table>" + repeat("x<b>", n),
		"paragraphs in a table":     "<table><tr>" + repeat("<p>x</p>", n),
		"markup only outside SVG":   "<svg><![CDATA[><!--]]></svg>" + repeat("<b>", n),
		"properties":                "<p itemscope>" + repeat("<i itemprop=a>", n),
		"references":                "<p itemscope itemref=a>" + repeat("<p id=a itemprop=x itemscope itemref=a>", n),
		"unclosed comment":          "<!--" + repeat("a-", n),
		"unclosed quote":            repeat("<a b='", n),
		"properties within another": "<p itemscope>" + repeat("<div itemprop=a>text", n),
		"end tags in the depth":     repeat("<div>", 4000) + repeat("</i></p></li></td></h1>", n),
		"rows in the depth":         "<table><td>" + repeat("<div>", 4000) + repeat("<li><dd><option>", n),
		"ended early":               repeat("<b><div></b>", n),
		"long names":                repeat("<x"+strings.Repeat("a", 2000)+"#>", n/2) + repeat("</y>", n/2),
		"long names in SVG":         "<svg>" + repeat("<x"+strings.Repeat("a", 2000)+"#>", n/2) + repeat("</y>", n/2),
		"long names closed": repeat("<x"+strings.Repeat("a", 2000)+">", n/2) +
			repeat("</x"+strings.Repeat("a", 1999)+"b>", n/2),
		"NUL":               strings.Repeat("\x00", n),
		"not UTF-8":         strings.Repeat("\xff", n),
		"frameset":          repeat("<frameset>", n),
		"formula in braces": repeat(`<p>\(`+strings.Repeat("{", 9990)+"x^2"+strings.Repeat("}", 9990)+`\)</p>`, n),
		"environments in braces": repeat(
			`\begin{a}`+strings.Repeat("{", 9000)+"x"+strings.Repeat("}", 9000)+`\end{a}`, n),
		"long name in a formula":     "<math><mi>" + repeat("a", n) + "</mi></math>",
		"long operator in a formula": "<math><mo>" + repeat("ab", n) + "</mo></math>",
		"long number in a formula":   "<math><mn>" + repeat("x1", n) + "</mn></math>",
		"long text in a formula":     "<math><mtext>" + repeat("a b", n) + "</mtext></math>",
		"long name below roots":      "<math>" + strings.Repeat("<msqrt>", 190) + "<mi>" + repeat("a", n) + "</mi>",
		"long names of formulae": repeat("<math>"+strings.Repeat("<msqrt>", 100)+"<mi>"+strings.Repeat("a", 9000)+
			"</mi></math>", n),
		"late frameset": "<body>" + repeat("<p></p>", n/2) + "<br>" + repeat("<frameset>", n/2),
	}
	for _, unit := range []string{
		"<div>", "<a>", "<b>", "<table>", "<p><b>", "<p><b id=#>", "<!>", "&amp;", "&", "&a",
		"&CounterClockwiseContourIntegra",
		"&#", "&#1", "<select>", "<template>", "<select><option>", "<font color=#>", "<b id=#><i id=#></b>",
		"<b id=#><div></b>",
		"<html a#=1>", "<body a#=1>", "<table><td>", "<table><td><b id=#>", "<li>", "<ul><li>", "<svg>", "<svg><title>",
		"<p><b id=#><object></b></b></object></p>", "x<tr>", "<table><b id=#><tr>", "a", "<", "</", "<!--", "-->", "<script>",
		"<script><!--", "<script><!-->", "<script></script", "<br>", "<title>", "<form>", "<button>", "<h1>", "<math><mi>",
		"<nobr id=#>", "<a id=#><p>", "<marquee><b id=#>", "</p>", "</br>", "<a href=x>", "<table><td><a href=x>",
		"<ruby><rt>",
		"<template><b id=#></template>", "<svg><foreignObject><svg><desc>", "<a#>", "<p x='#'>", "<table><caption>",
		"<x-#></x-#>",
		`\(`, `\[`, "$$", `\[x\]\(`, `\begin{#}`, `\begin{a}`, `\begin{a}\end{a}`, `\begin{a}\(x\)`, `$a\begin{#}\[y\]`,
		"<i><b></i></b>", "<![CDATA[", "\u00e9", "\u4e2d", "\r", "\u00ad", "<table>x", "<table><tr>x<td>", "<p>",
	} {
		pages[unit] = repeat(unit, n)
	}
	return pages
}

func TestParse_hostile(t *testing.T) {
	o := Options{URL: "https://example.org/", MaxNodes: 20_000}
	var r Parser
	for name, src := range hostile(1 << 20) {
		t.Run(name, func(t *testing.T) {
			p := r.Parse([]byte(src), o)
			checkPage(t, p)
			if found := find(p); len(found.Anchors) > maxAnchors || len(found.Metas) > maxMetas || len(found.Links) > maxLinks {
				t.Error("more found than the limits allow")
			}
			p.Items()
		})
	}
}

// The time of hostile pages is limited, and grows with their size.
func TestParse_hostileTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 1 MiB and more for each hostile page")
	}
	const (
		size   = 1 << 18
		longer = 4
		limit  = 300 * time.Millisecond / 4 // 0.3 s for each MiB
		noise  = 100 * time.Millisecond
		tries  = 4 // on a busy machine, even processor time is longer
	)
	small, large := hostile(size), hostile(longer*size)
	var r Parser
	parse := func(src string) time.Duration {
		return cputime.Of(func() { r.Parse([]byte(src), Options{MaxNodes: 1 << 30}) })
	}
	for _, name := range slices.Sorted(maps.Keys(small)) {
		var a, b time.Duration
		bad := true
		for try := 0; bad && try < tries; try++ {
			a, b = parse(small[name]), parse(large[name])
			bad = a > limit || b > longer*limit || b > 3*longer*a+noise
		}
		if bad {
			t.Errorf("%s: %v for %d bytes, %v for %d times as many", name, a, size, b, longer)
		}
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
		{"depth of options", repeat("<div>", 500), Options{MaxDepth: 50}, []string{"depth"}},
		{"attributes of no element", "<p " + repeat("a# ", 2000), Options{}, nil}, // its tag does not end
		{"attributes", "<p " + repeat("a# ", 2000) + ">", Options{}, []string{"attributes"}},
		{"attributes of one name", "<p " + repeat("class=a# ", 333*10) + "CLASS>", Options{}, nil}, // only the first counts
		{
			"attributes of one name, then another", "<p " + repeat("class=a# ", 333*10) + "href=x>",
			Options{},
			[]string{"attributes"},
		},
		{"formatting alone", repeat("<p><b id=#>x", 100_000), Options{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), tt.o)
			checkPage(t, p)
			if diff := cmp.Diff(tt.want, p.Truncated); diff != "" {
				t.Errorf("Truncated (-want +got):\n%s", diff)
			}
		})
	}
}

// Text that is too deep loses its tags but stays.
func TestParse_keepsDeepText(t *testing.T) {
	p := Parse([]byte(repeat("<div>x#", 20_000)+"<p>last"), Options{})
	if text := string(p.Text); !strings.HasSuffix(text, "last\n") || !strings.Contains(text, "x1500") {
		t.Errorf("text ends in %q", text[max(0, len(text)-20):])
	}
}

// A parser releases the memory of a large page.
func TestParser_givesBackMemory(t *testing.T) {
	var r Parser
	p := r.Parse([]byte(repeat("<table><tr>x", 2<<20)+"</table>"+strings.Repeat("text ", 1<<20)),
		Options{MaxNodes: 1 << 20})
	if len(p.Nodes) < 100_000 || len(p.Text) < 3<<20 {
		t.Fatalf("%d nodes and %d bytes of text, want a large page", len(p.Nodes), len(p.Text))
	}
	p = r.Parse([]byte("<p>a"), Options{})
	if n := cap(p.Nodes) + cap(p.Text) + cap(r.order.moved) + cap(r.order.first); n > 1000 {
		t.Errorf("%d nodes, bytes and indices are kept for a page of one paragraph", n)
	}
}

func BenchmarkParse_hostile(b *testing.B) {
	pages := hostile(10 << 20)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		src := []byte(pages[name])
		b.Run(name, func(b *testing.B) {
			var r Parser
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				r.Parse(src, Options{MaxBytes: 16 << 20})
			}
		})
	}
}

// TestAttack10_repeatedAttributesAreNotCut: of attributes with the same name only the first counts, so nothing is
// lost.
func TestAttack10_repeatedAttributesAreNotCut(t *testing.T) {
	p := Parse([]byte("<html><p "+strings.Repeat("class=x ", 333)+">text</p>"), Options{})
	if len(p.Truncated) > 0 {
		t.Errorf("333 class attributes of one element: cut at %v", p.Truncated)
	}
}
