package enrich

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestDocument_leftOut: what a page has beyond a limit is an error of the document.
func TestDocument_leftOut(t *testing.T) {
	para := "<p>A queen lays up to two thousand eggs a day; workers make honey, and keep most of it for the winter.</p>"
	post := "<div class=postbody id=post_message_%d><a class=username href=/user/1>Ann</a> <time datetime=2020-01-02>x" +
		"</time><p>Number %[1]d: you do not keep bees warm in such a long winter, please.</div>"
	for _, test := range []struct{ name, extract, page, want string }{
		{"a text", "text", "<article>" + strings.Repeat(para, 100), ""},
		{"a book", "text", "<article>" + numbered("<p>%d. "+para[3:], 45_000), "text: the text of the page"},
		{
			"markup", "text", "<article>" + strings.Repeat(para, 100) +
				"<p>" + strings.Repeat("a <a href=/"+strings.Repeat("long", 20)+">b</a> ", 50_000), "text: the HTML is cut",
		},
		{"images", "images", strings.Repeat("<img src=/a.png><img src=/b.png>", 500), ""},
		{"many images", "images", numbered("<img src=/%d.png>", 510), "images: 10 images are left out, beyond 500"},
		{"noscript", "images", numbered("<noscript><img src=/%d.png></noscript>", 256), ""},
		{"noscript without images", "images", numbered("<noscript>%d</noscript>", 300), ""},
		{
			"many noscript", "images", numbered("<noscript><img src=/%d.png></noscript>", 260),
			"images: 4 <noscript> elements are not read",
		},
		{
			"noscript with listed images", "images", strings.Repeat("<img src=/k><noscript><img src=/k></noscript>", 300),
			"images: 44 <noscript> elements are not read",
		},
		{
			"many images and noscript", "images", numbered("<img src=/%d><noscript><img src=/%[1]d></noscript>", 502),
			"images: 2 images are left out, beyond 500 that are listedimages: 246 <noscript> elements are not read",
		},
		{"posts", "text", numbered(post, 1000), ""},
		{"many posts", "text", numbered(post, 10_020), "text: 20 posts are left out, beyond 10000"},
		{"links", "links", strings.Repeat("<a href=/a>b</a><a name=c>d</a>", 15_000), ""},
		{"many links", "links", strings.Repeat("<a href=/a>b</a><a name=c>d</a>", 20_010), "links: 10 links are not counted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mustNew(t, Options{Extract: []string{test.extract}}).Document(capture("<html>"+test.page, "text/html"))
			var got string
			for _, e := range d.Errors {
				got += e.Stage + ": " + e.Message
				if e.Kind != schemas.KindLimit {
					t.Errorf("an error of kind %s", e.Kind)
				}
			}
			if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("errors %q, want %q", got, test.want)
			}
		})
	}
}

// numbered repeats a format with the numbers below n.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestDocument_dataLeftOut: structured data that a page has and its rows lack is an error of the document.
func TestDocument_dataLeftOut(t *testing.T) {
	block := func(json string) string { return `<script type="application/ld+json">` + json + "</script>" }
	product := `{"@type":"Product","name":"coat"},`
	for _, test := range []struct{ name, page, want string }{
		{"few", block("[" + product + "1]"), ""},
		{"a long block of another kind", strings.Replace(block("["+strings.Repeat(product, 40_000)+"]"), "ld+", "", 1), ""},
		{"a block of more than 1 MiB", block("[" + strings.Repeat(product, 40_000) + "]"), "1 blocks of JSON-LD are"},
		{"70 blocks", strings.Repeat(block(product), 70), "6 blocks of JSON-LD are"},
		{"12,000 products", block("[" + strings.Repeat(product, 12_000) + "]"), "7000 items"},
		{"objects in objects", block(strings.Repeat(`{"@type":"Product","isPartOf":`, 5_000)), "2 items"},
		{"a long value", block(`{"@type":"Product","name":"` + strings.Repeat("x", 70_000) + `"}`), "1 items"},
		{"a long microdata value", "<p itemscope><b itemprop=a>" + strings.Repeat("x ", 70_000) + "</b></p>", "1 items"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mustNew(t, Options{Extract: []string{"data"}}).Document(capture("<html><p>text"+test.page, "text/html"))
			var got string
			for _, e := range d.Errors {
				if e.Stage != "data" || e.Kind != schemas.KindLimit {
					t.Errorf("an error of %s: %s", e.Stage, e.Message)
				}
				got += e.Message
			}
			if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("errors %q, want %q", got, test.want)
			}
		})
	}
}
