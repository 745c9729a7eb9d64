package pagedata

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// lines are rows as "item type property value", with "→ child" for an item and "@lang".
func lines(src string) (list []string) {
	for _, d := range Rows(extractPage([]byte(src)), Source{URL: base}) {
		s := strings.TrimSpace(fmt.Sprintf("%d %s %s %s", d.Item, d.Type, d.Property, d.Value))
		if d.Child != nil {
			s += fmt.Sprintf(" → %d", *d.Child)
		}
		if d.Lang != "" {
			s += " @" + d.Lang
		}
		list = append(list, s)
	}
	return list
}

func TestRows(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{
			"JSON-LD", `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":["Product","Car"],
			"name":" A  car ","offers":{"@type":"Offer","price":12.50,"x":null},"colour":{"@value":"rouge","@language":"fr"},
			"tags":["a","b &amp; c"],"used":true}]}</script>`,
			[]string{
				"0 Product @type Car", "0 Product colour rouge @fr", "0 Product name A car", "0 Product offers → 1",
				"0 Product tags a", "0 Product tags b & c", "0 Product used true", "1 Offer price 12.50",
			},
		},
		{
			"JSON-LD with parameters of URLs", `<script type="application/ld+json">{"@type":"Product","name":"Caf&eacute;",
			"url":"https://shop.example/p?id=7&region=eu&timestamp=1","image":"https://cdn.example/i?a=1&copy=2"}</script>`,
			[]string{
				"0 Product image https://cdn.example/i?a=1&copy=2", "0 Product name Café",
				"0 Product url https://shop.example/p?id=7&region=eu&timestamp=1",
			},
		},
		{
			"broken JSON-LD", `<script type="application/ld+json">{"@type":"newsarticle","headline":"a "b" c",}</script>`,
			[]string{`0 NewsArticle headline a "b" c`},
		},
		{
			"empty item", `<p itemscope itemtype="http://schema.org/Thing"></p>`, []string{"0 Thing"},
		},
		{
			"microdata", `<html lang=DE><div itemscope itemtype="https://schema.org/Event"><a itemprop=name href=/e>Fest</a>
			<p itemprop=about>Ein<br>Tag</p><time itemprop=startDate datetime=2026-05-01>Mai</time><img itemprop=image>
			<div itemprop=location itemscope itemtype=https://schema.org/Place><b lang=en itemprop=name>Town</b></div></div>`,
			[]string{
				"0 Event name https://example.com/e", "0 Event about Ein Tag @de", "0 Event startDate 2026-05-01 @de",
				"0 Event image", "0 Event location → 1", "1 Place name Town @en",
			},
		},
		{
			"item without an outer one", `<p itemprop=author itemscope itemtype=https://schema.org/Person><b itemprop=name>A</b></p>`,
			[]string{"0 Person name A"},
		},
		{
			"lazy image", `<div itemscope itemtype=https://schema.org/Thing><noscript><img itemprop=image src=/i></noscript></div>`,
			[]string{"0 Thing image https://example.com/i"},
		},
		{
			"Open Graph", `<html prefix="my: https://my.example/ns#"><meta property=og:type content=article>
			<meta property=og:title content="T"><meta property=my:x content=y><meta property=fb:app_id content=1>`,
			[]string{
				"0 article og:type article", "0 article og:title T", "0 article my:x y", "1  http://ogp.me/ns/fb#app_id 1",
			},
		},
		{
			"citations", `<meta name=citation_title content=T><meta name=Citation_Author content=A>
			<meta name=DC.Date content=2026><meta name=description content=d>`,
			[]string{"0  citation_title T", "0  citation_author A", "1  dc.date 2026"},
		},
		{
			"RDFa", `<div vocab="http://schema.org/" typeof=Product resource=#p><b property=name lang=en>N</b>
			<p property=offers typeof=Offer><i property=price content=9>nine</i></p><a property=url href=/u>x</a></div>`,
			[]string{
				"0 Product name N @en", "0 Product offers → 1", "0 Product url https://example.com/u", "1 Offer price 9",
			},
		},
		{
			"RDFa by relation", `<div about=/a><span rel="foaf:knows"><a about=/b property="foaf:name">B</a></span></div>`,
			[]string{"0  http://xmlns.com/foaf/0.1/knows → 1", "1  http://xmlns.com/foaf/0.1/name B"},
		},
		{"ARIA is no data", `<div role=main><a rel=nofollow href=/x>x</a></div>`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(tt.src)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRows_microformats(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"implied", `<a class=h-card href=/a><img src=/p alt=Ann></a>`, []string{
			"0 h-card name Ann", "0 h-card photo https://example.com/p", "0 h-card url https://example.com/a",
		}},
		{
			"entry", `<div class="h-entry"><p class="p-name e-content">T</p><time class=dt-published datetime=2026-01-02T03:04>x</time>
			<a class="p-author h-card" href=/b>B</a><a class=u-url href=/e>e</a></div>`,
			[]string{
				"0 h-entry name T", "0 h-entry content T", "0 h-entry published 2026-01-02T03:04",
				"0 h-entry author → 1", "0 h-entry url https://example.com/e", "1 h-card name B",
				"1 h-card url https://example.com/b",
			},
		},
		{
			"classic", `<div class="hentry post"><h2 class=entry-title>T</h2><a rel="bookmark" href=/e>e</a>
			<a rel=tag href=/t/two%20words/>x</a><p class="p-name">no</p><div class=vcard><b class=fn>C</b></div></div>`,
			[]string{
				"0 h-entry name T", "0 h-entry url https://example.com/e", "0 h-entry category two words",
				"0 h-entry children → 1", "1 h-card name C",
			},
		},
		{
			"value classes", `<p class=h-event><b class=p-name>E</b><span class=dt-start><i class=value>2026-05-01</i> at
			<i class=value>7 pm</i></span><span class=dt-end>21:30</span></p>`,
			[]string{"0 h-event name E", "0 h-event start 2026-05-01 19:00", "0 h-event end 2026-05-01 21:30"},
		},
		{"style sheets", `<div class="h-full h-screen p-4"><b class=h-6>x</b></div>`, nil},
		{"review", `<div class=hreview><b class=rating>4</b><abbr class=dtreviewed title=2026-01-01>x</abbr></div>`, []string{
			"0 h-review rating 4", "0 h-review reviewed 2026-01-01",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(tt.src)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSummary counts items by type and syntax, with those in others.
func TestSummary(t *testing.T) {
	src := `<div itemscope itemtype=https://schema.org/Product><p itemprop=offers itemscope itemtype=https://schema.org/Offer>
	</p><p itemprop=offers itemscope itemtype=https://schema.org/Offer></p></div><meta property=og:title content=x>`
	want := []schemas.DataType{
		{Type: "Product", Syntax: "microdata", Items: 1},
		{Type: "Offer", Syntax: "microdata", Items: 2},
		{Syntax: "opengraph", Items: 1},
	}
	if diff := cmp.Diff(want, Summary(extractPage([]byte(src)))); diff != "" {
		t.Errorf("Summary (-want +got):\n%s", diff)
	}
}

// TestBare: names of schema.org lose their prefix, others do not.
func TestBare(t *testing.T) {
	for name, want := range map[string]string{
		"http://schema.org/Product": "Product", "HTTPS://Schema.org/#Product": "Product", "schema:name": "name",
		"https://schema.org/": "https://schema.org/", "http://example.org/Product": "http://example.org/Product",
		"schema.org/Person": "Person", "": "",
	} {
		if got := Bare(name); got != want {
			t.Errorf("Bare(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestExtract_limits: hostile pages end, and items beyond the limits are counted.
func TestExtract_limits(t *testing.T) {
	many := strings.Repeat(`{"@type":"A","x":["1","2","3","4","5"]},`, 6000)
	nodes, err := jsonld.Parse("["+many+"]", jsonld.Options{MaxNodes: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	items, left := Extract(Input{LD: nodes})
	if len(items) != maxItems || left == 0 {
		t.Errorf("%d items, %d left out; want %d and some", len(items), left, maxItems)
	}
	deep := strings.Repeat("<div class=h-entry><div class=p-x>", 300)
	items, left = Extract(Input{Page: page.Parse([]byte(deep), page.Options{})})
	if len(items) != 1 || left == 0 {
		t.Errorf("%d items, %d left out; want 1 and some", len(items), left)
	}
}

// TestExtract_hostileTime: the time is linear in the size of the page, and the rest is counted.
func TestExtract_hostileTime(t *testing.T) {
	words := func(format string) string {
		var b strings.Builder
		for k := range 6000 {
			fmt.Fprintf(&b, format, 'a'+k%26, 'a'+k/26%26, 'a'+k/676%26)
		}
		return b.String()
	}
	for name, src := range map[string]string{
		"classes of an element": "<div class=h-entry>" + strings.Repeat("<i class='"+words("p-a%c%c%c ")+"'>x</i>", 40),
		"roots":                 strings.Repeat("<div class='"+words("h-entry vcard hreview %c%c%c ")+"'>", 40),
		"classic formats": "<div class='" + strings.Repeat("vcard hreview hentry ", 3000) + "'>" +
			strings.Repeat("<i class='"+words("fn url summary %c%c%c ")+"'>x</i>", 40),
		"value of many classes": "<div class=h-entry><p class='" + words("p-a%c%c%c ") + "'>" +
			strings.Repeat("<b class=value>"+strings.Repeat("x", 60)+"</b>", 90_000),
		"links of many classes": "<div class=h-entry><p class='" + words("u-a%c%c%c ") + "'>" +
			strings.Repeat("<b class=value>"+strings.Repeat("x", 60)+"</b>", 90_000),
		"dates of many classes": "<div class=h-entry><p class='" + words("dt-a%c%c%c ") + "'>" +
			strings.Repeat("<b class=value>12:30</b>", 90_000),
		"titles of many classes": "<div class=h-entry><p class='" + words("p-a%c%c%c ") + "'>" +
			strings.Repeat("<b class=value-title title="+strings.Repeat("y", 60)+"></b>", 90_000),
		"text in RDFa":  nested("<div property=dc:title>", 390, strings.Repeat("z", 7<<20), ""),
		"texts in RDFa": strings.Repeat(nested("<b property=dc:title>", 100, strings.Repeat("z", 64<<10), "</b>"), 50),
		"references": nested("<div property=dc:title class=h-entry itemscope><div class=p-x itemprop=y>", 190,
			strings.Repeat("&amp;", 1<<20), ""),
		"picture": nested("<div property=dc:title class=h-entry><div class=p-x>", 190,
			"<img alt='"+strings.Repeat("y", 7<<20)+"'>", ""),
		"long vocabulary": "<div vocab='" + strings.Repeat("v", 1<<20) + "'>" +
			strings.Repeat("<b property='"+words("%c%c%c ")+"'></b>", 100),
		"text in microdata": nested("<div itemscope itemprop=a><div itemprop=b>", 15,
			nested("<i itemprop=c>", 360, strings.Repeat("z", 7<<20), ""), ""),
		"relations that wait": "<div rel='" + words("a:%c%c%c ") + "'>" + strings.Repeat("<i about=x></i>", 200_000),
	} {
		t.Run(name, func(t *testing.T) {
			p := page.Parse([]byte(src), page.Options{URL: base})
			before := cputime.Self()
			_, left := Extract(Input{Page: p})
			if took := cputime.Self() - before; took > 2*time.Second {
				t.Errorf("%v for %d bytes", took, len(src))
			}
			if counts := name == "classes of an element" || name == "relations that wait"; counts && left == 0 {
				t.Error("nothing is counted as left out")
			}
		})
	}
}

// nested puts a text into n elements.
func nested(start string, n int, text, end string) string {
	return strings.Repeat(start, n) + text + strings.Repeat(end, n)
}

// TestExtract_hostileMemory: values that hold one another are bounded before they are kept.
func TestExtract_hostileMemory(t *testing.T) {
	for name, src := range map[string]string{
		"text in RDFa":  nested("<div property=dc:title>", 390, strings.Repeat("z", 7<<20), ""),
		"texts in RDFa": strings.Repeat(nested("<b property=dc:title>", 390, strings.Repeat("z", 64<<10), "</b>"), 50),
		"terms":         nested("<b property='"+strings.Repeat("dc:a ", 90)+"'>", 50, strings.Repeat("z", 1<<20), ""),
		"content":       strings.Repeat("<b property=dc:title content='"+strings.Repeat("z", 1<<20)+"'></b>", 7),
		"microformats":  nested("<div class=h-entry><b class=p-x>", 190, strings.Repeat("z", 1<<20), ""),
	} {
		p := page.Parse([]byte(src), page.Options{URL: base})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, left := Extract(Input{Page: p})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 || left == 0 {
			t.Errorf("%s: %d MiB, %d left", name, used>>20, left)
		}
	}
}

// TestExtract_goldenOfExtruct: extruct found the same on a page with all syntaxes (testdata/all.json is its output for
// testdata/all.html).
func TestExtract_goldenOfExtruct(t *testing.T) {
	src, err := os.ReadFile("testdata/all.html")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/all.json")
	if err != nil {
		t.Fatal(err)
	}
	x := parseTheirs(t, data)
	have := map[string][]string{}
	for _, it := range extractPage(src) {
		have[it.Syntax] = append(have[it.Syntax], spread(it)...)
	}
	want := x.things(page.Parse(src, page.Options{URL: base}))
	if len(want) != 5 {
		t.Errorf("%d syntaxes, want 5", len(want))
	}
	for syntax, list := range want {
		slices.Sort(list)
		slices.Sort(have[syntax])
		if diff := cmp.Diff(list, have[syntax]); diff != "" {
			t.Errorf("%s (-extruct +ours):\n%s", syntax, diff)
		}
	}
}

func FuzzExtract(f *testing.F) {
	src, err := os.ReadFile("testdata/all.html")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Add([]byte(`<p itemscope itemref="a a"><p id=a itemprop=x itemscope itemref=a><noscript><b itemprop=y>`))
	f.Add([]byte(`<div class="h-entry hreview vcard"><i class="dt-x value">1:2</i><a rel="tag self" href=%zz></a>`))
	f.Add([]byte(`<div vocab=v prefix="a: b c" typeof="a:x :y _:z" rel="a:r" rev=q about=[a:b] inlist><a resource=_:z>`))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		items := extractPage(src)
		rows := Rows(items, Source{})
		for i, d := range rows {
			if d.Child != nil && *d.Child <= d.Item || d.Parent != nil && *d.Parent >= d.Item {
				t.Fatalf("row %d: item %d has the parent %v and the child %v", i, d.Item, d.Parent, d.Child)
			}
		}
		Summary(items)
		for _, v := range Views() {
			v.Rows(rows)
		}
	})
}

// A <noscript> with a sign but without elements looks the same when it is read again, which must end.
func TestExtract_noscriptOfText(t *testing.T) {
	for _, body := range []string{"photo", "<noscript>itemprop", "itemscope typeof= photo</noscript><noscript>photo"} {
		p := page.Parse([]byte("<body><p class=h-card>Ann<noscript>"+body+"</noscript>"), page.Options{URL: base})
		items, left := Extract(Input{Page: p})
		if len(items) != 1 || left != 0 {
			t.Errorf("Extract(%q) = %d items, %d left, want 1 and 0", body, len(items), left)
		}
	}
}
