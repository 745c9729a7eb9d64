package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const sample = `<!doctype html><html lang=" de-AT"><head>
<title> A &amp;
 title </title><title>second</title>
<meta charset=utf-8><meta NAME="Description" content="d &quot;e&quot;"><meta property=og:title content=t>
<meta http-equiv=Refresh content="0;url=x"><meta itemprop=datePublished content=2020>
<link rel="Alternate  FEED" type="Application/RSS+XML; charset=x" href=feed.xml title=" my
 feed "><link rel=x href=" "><link rel=icon><link rel=y href="http://[bad">
<base href="/dir/"><base href="/other/">
<script type="application/ld+json" id=ld>{"a":"</b>"}</script><script>var a</script>
<script type="application/json"></script><script type="Application/Vnd.X+JSON;v=1">[]</script>
</head><body>
<a href="x y?ü=%zz#f" rel="NoFollow ugc"> <b>one</b><script>no</script>
two</a><map><area href="//other.example/"></map><a name=n>anchor</a><a href="javascript:x()">js</a>
<a href="mailto:a@b.c">mail</a><a href="tel:+43 1">call</a><a href="\\back\slash">b</a><a href="data:,x">d</a>
<svg><title>drawing</title><a href=svg>s</a></svg><template><a href=t>t</a></template>
</body>`

// findings is what is read from a page beside its text.
type findings struct {
	Base, Lang, Title string
	Metas             []Meta
	Links             []Link
	Anchors           []Anchor
	Scripts           []Script
}

func find(p *Page) findings {
	return findings{p.Base(), p.Lang(), p.Title(), p.Metas(), p.Links(), p.Anchors(), p.Scripts()}
}

func TestParse(t *testing.T) {
	p := Parse([]byte(sample), Options{URL: "https://example.org/p/q"})
	want := findings{
		Base: "https://example.org/dir/", Lang: "de-AT", Title: "A & title",
		Metas: []Meta{{"description", `d "e"`}, {"og:title", "t"}, {"refresh", "0;url=x"}, {"datepublished", "2020"}},
		Links: []Link{{
			Rel: []string{"alternate", "feed"}, Href: "https://example.org/dir/feed.xml",
			Type: "application/rss+xml", Title: "my feed",
		}},
		Anchors: []Anchor{
			{Href: "https://example.org/dir/x%20y?%C3%BC=%zz#f", Rel: "nofollow ugc", Text: "one two"},
			{Href: "https://other.example/"},
			{Href: "mailto:a@b.c", Text: "mail"},
			{Href: "tel:+43 1", Text: "call"},
			{Href: "https://back/slash", Text: "b"},
		},
		Scripts: []Script{{"application/ld+json", "ld", `{"a":"</b>"}`}, {"application/vnd.x+json", "", "[]"}},
	}
	if diff := cmp.Diff(want, find(p), cmpopts.IgnoreFields(Anchor{}, "Node"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
	if p.Root() == nil || p.Document().Find("svg title").Length() != 1 {
		t.Error("Root or Document do not show the page")
	}
}

func TestParse_noMarkup(t *testing.T) {
	for _, src := range []string{"", "text", "\x00\xff", "<", "<!", "</", "<a", "<!--", "<title>", "<svg><title>"} {
		if p := Parse([]byte(src), Options{URL: "::no url"}); p.Root() == nil || p.Base() != "::no url" {
			t.Errorf("Parse(%q) = %+v", src, p)
		}
	}
}

func TestParse_separatesWords(t *testing.T) {
	tests := []struct{ src, want string }{
		{"<b>o</b>ne", "one"},
		{"one<br>two", "one two"},
		{"<div>one</div>two", "one two"},
		{"<div><i>one</i></div><div>two</div>", "one two"},
		{"one<!-- -->two", "onetwo"},
		{strings.Repeat("ä", 200), strings.Repeat("ä", 128)},
	}
	for _, tt := range tests {
		p := Parse([]byte("<a href=http://x.example/>"+tt.src+"</a>"), Options{})
		if len(p.Anchors()) != 1 || p.Anchors()[0].Text != tt.want {
			t.Errorf("Anchors of %q = %+v, want text %q", tt.src, p.Anchors(), tt.want)
		}
	}
}

func TestParse_items(t *testing.T) {
	tests := []struct {
		name, src string
		want      []*Item
	}{
		{
			"values by element", `<div itemscope itemtype="http://schema.org/Article http://x.example/y" itemid=id>
			<h1 itemprop="name headline"> A <b>b</b> </h1><a itemprop=url href=u>x</a><img itemprop=image src=/i>
			<time itemprop=date datetime=2020-01-01>then</time><span itemprop=c content=given>shown</span>
			<meta itemprop=m content=v><data itemprop=d value=7>seven</data><i itemprop="">none</i></div>`,
			[]*Item{{
				Type: []string{"http://schema.org/Article", "http://x.example/y"}, ID: "https://example.org/id",
				Props: []Prop{
					{"name", "A b", nil},
					{"headline", "A b", nil},
					{"url", "https://example.org/u", nil},
					{"image", "https://example.org/i", nil},
					{"date", "2020-01-01", nil},
					{"c", "given", nil},
					{"m", "v", nil},
					{"d", "7", nil},
				},
			}},
		},
		{
			"nested", `<p itemscope><b itemprop=author itemscope><i itemprop=name>N</i></b><u itemprop=x>y</u>`,
			[]*Item{{Props: []Prop{{Name: "author", Item: &Item{Props: []Prop{{"name", "N", nil}}}}, {"x", "y", nil}}}},
		},
		{
			"reference", `<p itemscope itemref="r gone"></p><p id=r itemprop=x>y</p><p id=r itemprop=x>z</p>`,
			[]*Item{{Props: []Prop{{"x", "y", nil}}}},
		},
		{
			"two items", `<p itemscope><b itemprop=x>1</b></p><p itemscope></p>`,
			[]*Item{{Props: []Prop{{"x", "1", nil}}}, {}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), Options{URL: "https://example.org/"})
			if diff := cmp.Diff(tt.want, p.Items(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Items (-want +got):\n%s", diff)
			}
		})
	}
}

// An item that refers to itself, directly or through another, must end.
func TestParse_itemsInCircles(t *testing.T) {
	src := `<p itemscope itemref=a></p><p id=a itemprop=x itemscope itemref=b></p><p id=b itemprop=y itemscope itemref=a></p>`
	depth := 0
	for it := Parse([]byte(src), Options{}).Items()[0]; it != nil && len(it.Props) > 0; it = it.Props[0].Item {
		depth++
	}
	if depth < 2 || depth > maxItemDepth {
		t.Errorf("items are nested %d deep, want 2 to %d", depth, maxItemDepth)
	}
}

func TestSelect(t *testing.T) {
	src := `<meta name=m content=c><p class=a> x <b>y</b></p><p class=a></p><img class=a src=s><p class=a>z</p>`
	tests := []struct {
		css  string
		max  int
		want []string
	}{
		{"p.a", 9, []string{"x y", "z"}},
		{".a", 2, []string{"x y", "s"}},
		{"meta[name=m], p b", 9, []string{"c", "y"}},
		{"h1", 9, nil},
	}
	p := Parse([]byte(src), Options{})
	for _, tt := range tests {
		m, err := CompileSelector(tt.css)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, p.Select(m, tt.max)); diff != "" {
			t.Errorf("Select(%q, %d) (-want +got):\n%s", tt.css, tt.max, diff)
		}
	}
}

func TestCompileSelector_namesTheSelector(t *testing.T) {
	_, err := CompileSelector("p[")
	if err == nil || !strings.Contains(err.Error(), `"p["`) {
		t.Errorf("CompileSelector(%q) error = %v, want one that holds the selector", "p[", err)
	}
}
