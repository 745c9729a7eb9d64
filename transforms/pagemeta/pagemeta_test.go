package pagemeta

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const testURL = "https://www.example.com/news/bridge"

func extract(src string) Meta { return extractAt(testURL, src) }

func extractAt(url, src string) Meta {
	p := page.Parse([]byte("<!DOCTYPE html>"+src), page.Options{URL: url})
	return Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{})
}

func TestExtract_everything(t *testing.T) {
	got := extract(`<head><title>Bridge reopens | Example News</title>
<link rel=canonical href="/news/bridge?"><link rel=shortlink href="https://exm.pl/7">
<meta name=description content="  After the &amp;amp; repairs ">
<meta property="og:title" content="You won't believe this bridge"><meta property="og:site_name" content="Example News">
<meta property="article:tag" content=unused>
<script type="application/ld+json">{"@graph":[
 {"@type":"WebSite","name":"Example"},
 {"@type":"Person","@id":"#ada","name":"Ada Byron"},
 {"@type":"NewsArticle","mainEntityOfPage":{"@id":"https://example.com/news/bridge"},"headline":"Bridge reopens after repairs",
  "author":[{"@id":"#ada"},{"@type":"Person","name":"Bo Li"}],"publisher":{"@type":"Organization","name":"Example News Ltd"},
  "articleSection":["Local"],"keywords":"bridge, repairs,Bridge","datePublished":"2024-03-10T08:00:00-05:00","dateModified":"2024-03-11",},
 {"@type":"NewsArticle","headline":"Another story"}]}</script></head><h1>Menu</h1>`)
	want := Meta{
		Title: "Bridge reopens after repairs", Description: "After the & repairs",
		Canonical: "https://www.example.com/news/bridge?", Shortlink: "https://exm.pl/7",
		Authors: []string{"Ada Byron", "Bo Li"}, Publisher: "Example News Ltd", Section: "Local",
		Tags:      []string{"bridge", "repairs"},
		Published: "2024-03-10T08:00:00-05:00", Modified: "2024-03-11",
		Sources: map[string]string{
			"title": "jsonld", "description": "meta", "canonical": "link", "shortlink": "link", "authors": "jsonld",
			"publisher": "jsonld",
			"section":   "jsonld", "tags": "jsonld", "published": "jsonld", "modified": "jsonld",
		},
		Confidence: map[string]schemas.Float{
			"title":   schemas.Float(titleMargins[0]),
			"authors": schemas.Float(unshownAuthors.several), "published": filledDate,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
}

// TestExtract_placeholders: a name with a placeholder does not hide the value of another name.
func TestExtract_placeholders(t *testing.T) {
	got := extract(`<title>Bridge</title><meta property="article:published_time" content="null">
<meta property="og:published_time" content="2024-03-10"><meta property="og:updated_time" content="0000-00-00">
<meta property="article:modified" content="2024-03-11"><meta name=dc.publisher content="https://a.example/">
<meta name=publisher content="Example News"><meta property="article:section" content="undefined">
<meta property="og:article:section" content=Local><meta name=news_keywords content="n/a">
<meta name=keywords content="bridge, repairs"><meta property="og:description" content="&#8203;">
<meta name="twitter:description" content="After the repairs">
<meta property="article:author" content="https://a.example/ada">
<meta property="og:author" content="Ada Byron">`)
	want := Meta{
		Title: "Bridge", Description: "After the repairs", Authors: []string{"Ada Byron"}, Publisher: "Example News",
		Section: "Local", Tags: []string{"bridge", "repairs"}, Published: "2024-03-10", Modified: "2024-03-11",
	}
	got.Sources, got.Confidence = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
}

func TestExtract_nothing(t *testing.T) {
	if diff := cmp.Diff(Meta{}, extract("<p>text")); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Meta{}, Extract(&page.Page{}, nil, Options{})); diff != "" {
		t.Errorf("Extract of an empty page (-want +got):\n%s", diff)
	}
}

func TestExtract_title(t *testing.T) {
	const site = `<meta property="og:site_name" content="The Example">`
	tests := []struct{ name, html, want, source string }{
		{"title alone", "<title> One\n&amp; two </title>", "One & two", "title"},
		{"site at the end", site + "<title>Bridge - Local - The Example</title>", "Bridge - Local", "title"},
		{
			"site at the beginning", site + "<title>The Example: x | The Example | Bridge opens</title>",
			"x | The Example | Bridge opens", "title",
		},
		{"site first", site + "<title>The Example — Bridge opens</title>", "Bridge opens", "title"},
		{"host's name", "<title>Bridge opens | Example.com</title>", "Bridge opens", "title"},
		{
			"twitter account", `<meta name="twitter:site" content="@TheEx"><title>Bridge opens | The Ex</title>`, "Bridge opens",
			"title",
		},
		{"begins as the host does", "<title>Bridge opens | Exam Papers</title>", "Bridge opens", "title"},
		{"not the site", "<title>Bridge opens - at last</title>", "Bridge opens - at last", "title"},
		{"hyphen inside a word", "<title>Bridge re-opens</title>", "Bridge re-opens", "title"},
		{
			"heading says where it ends", "<title>Bridge opens | Foo | Bar</title><h1>Bridge opens</h1>", "Bridge opens",
			"title",
		},
		{"title is the site's name", site + "<title>The Example</title><h1>Bridge opens</h1>", "Bridge opens", "h1"},
		{
			"OpenGraph", `<meta property="og:title" content="Bridge <b>opens</b>"><title>x</title>`, "Bridge opens",
			"opengraph",
		},
		{"heading much like it", `<meta property="og:title" content="Best bridges of 2024, tested"><h1>The best bridges of 2024, tested</h1>`, "The best bridges of 2024, tested", "h1"},
		{
			"heading unlike it", `<meta property="og:title" content="Best bridges of 2024"><h1>Subscribe now</h1>`,
			"Best bridges of 2024", "opengraph",
		},
		{
			"second heading a little like it", `<title>How to save a bridge</title><h2>Save a bridge today</h2>`,
			"How to save a bridge", "title",
		},
		{"second heading much like it", `<title>x</title><meta property="og:title" content="How to save a bridge"><h1>Menu</h1><h2>How to save the bridge</h2>`, "How to save a bridge", "opengraph"},
		{"microdata", `<title>x y</title><div itemscope itemtype="http://schema.org/Recipe"><span itemprop=name>Plum cake</span></div>`, "Plum cake", "microdata"},
		{"several articles are none", `<title>Front</title><script type="application/ld+json">[{"@type":"Article","headline":"a"},{"@type":"Article","headline":"b"}]</script>`, "Front", "title"},
		{"Dublin Core", `<meta name="DC.title" content="Old paper"><title>x</title>`, "Old paper", "meta"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := extract(tt.html)
			if m.Title != tt.want || m.Sources["title"] != tt.source {
				t.Errorf("title %q of %s, want %q of %s", m.Title, m.Sources["title"], tt.want, tt.source)
			}
		})
	}
}

func TestExtract_authors(t *testing.T) {
	tests := []struct {
		name, html, source string
		want               []string
	}{
		{"by", `<meta name=author content="By Ada Byron">`, "meta", []string{"Ada Byron"}},
		{
			"list", `<meta name=author content="Ada Byron, Bo Li and Carl Linné">`, "meta",
			[]string{"Ada Byron", "Bo Li", "Carl Linné"},
		},
		{"titles stay", `<meta name=author content="Ada Byron, PhD">`, "meta", []string{"Ada Byron, PhD"}},
		{"semicolons", `<meta name=author content="Byron, Ada; Li, Bo">`, "meta", []string{"Ada Byron", "Bo Li"}},
		{"a catalogue's form", `<meta name=citation_author content="Doe, Jane"><meta name=citation_author content="García Márquez, Gabriel">`, "meta", []string{"Jane Doe", "Gabriel García Márquez"}},
		{
			"a catalogue's list", `<meta name=citation_author content="Doe, Jane; Roe, R. J.">`, "meta",
			[]string{"Jane Doe", "R. J. Roe"},
		},
		{"a degree", `<meta name=citation_author content="Jane Doe, PhD">`, "meta", []string{"Jane Doe, PhD"}},
		{
			"German", `<meta name=author content="Anna Maier und Bernd Huber, dpa">`, "meta",
			[]string{"Anna Maier", "Bernd Huber"},
		},
		{
			"French", `<meta name=author content="Anne Martin, Paul Petit et Luc Blanc">`, "meta",
			[]string{"Anne Martin", "Paul Petit", "Luc Blanc"},
		},
		{"Spanish", `<meta name=author content="Ana Ruiz y Juan Gil">`, "meta", []string{"Ana Ruiz", "Juan Gil"}},
		{
			"Russian", `<meta name=author content="Анна Иванова и Пётр Сидоров">`, "meta",
			[]string{"Анна Иванова", "Пётр Сидоров"},
		},
		{"JSON-LD with and", `<script type="application/ld+json">{"@type":"Article","headline":"x","author":"Ada Byron and Bo Li"}</script>`, "jsonld", []string{"Ada Byron", "Bo Li"}},
		{"a name with a joint", `<meta name=author content="Ortega y Gasset">`, "meta", []string{"Ortega y Gasset"}},
		{"several elements", `<meta name=citation_author content="Ada Byron"><meta name=citation_author content="Bo Li"><meta name=citation_author content="ada byron">`, "meta", []string{"Ada Byron", "Bo Li"}},
		{"profile URL left out", `<meta property="article:author" content="https://social.example/ada"><a rel="nofollow author" href="/ada">Ada Byron</a>`, "link", []string{"Ada Byron"}},
		{
			"placeholders left out", `<meta name=author content="admin"><meta name="dc.creator" content="Ada Byron">`, "meta",
			[]string{"Ada Byron"},
		},
		{"mail address left out", `<meta name=author content="ada@example.com">`, "", nil},
		{
			"Written by", `<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ada Byron">`,
			"meta",
			[]string{"Ada Byron"},
		},
		{"microdata person", `<div itemscope itemtype="https://schema.org/BlogPosting"><b itemprop=headline>T</b><i itemprop=author itemscope itemtype="https://schema.org/Person"><u itemprop=name>Ada Byron</u></i></div>`, "microdata", []string{"Ada Byron"}},
		{"Parsely", `<meta name="parsely-author" content="Ada Byron">`, "meta", []string{"Ada Byron"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := extract(tt.html)
			if diff := cmp.Diff(tt.want, m.Authors); diff != "" || m.Sources["authors"] != tt.source {
				t.Errorf("authors of %q, want of %q (-want +got):\n%s", m.Sources["authors"], tt.source, diff)
			}
		})
	}
}

func TestExtract_dates(t *testing.T) {
	tests := []struct{ name, html, published, modified string }{
		{"OpenGraph", `<meta property="article:published_time" content="2024-03-10T08:00:00+00:00"><meta property="article:modified_time" content="2024-03-11T08:00:00Z">`, "2024-03-10T08:00:00Z", "2024-03-11T08:00:00Z"},
		{"Sailthru", `<meta name="sailthru.date" content="Sun, 10 Mar 2024 08:00:00 +0000">`, "2024-03-10T08:00:00Z", ""},
		{"first that is a date", `<meta name="date" content="03/04/2024"><meta name="pubdate" content="today"><meta name="dc.date" content="2024-03-10">`, "2024-03-10", ""},
		{"no clock", `<meta name="date" content="yesterday">`, "", ""},
		{"WebPage alone", `<script type="application/ld+json">{"@type":"WebPage","datePublished":"2024-03-10","dateModified":"1970-01-01"}</script>`, "", ""},
		{"WebPage that shows it", `<h1>T</h1><time>10 March 2024</time><script type="application/ld+json">{"@type":"WebPage","datePublished":"2024-03-10T08:00:00Z"}</script>`, "2024-03-10T08:00:00Z", ""},
		{"microdata", `<div itemscope itemtype="http://schema.org/Article"><b itemprop=name>T</b><time itemprop=datePublished datetime="2024-03-10T09:30+01:00">now</time></div>`, "2024-03-10T09:30:00+01:00", ""},
		{"meta with itemprop", `<meta itemprop="datePublished" content="2024-03-10">`, "2024-03-10", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := extract(tt.html)
			if m.Published != tt.published || m.Modified != tt.modified {
				t.Errorf("published %q, modified %q, want %q, %q", m.Published, m.Modified, tt.published, tt.modified)
			}
		})
	}
}

func TestExtract_bounded(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		b.WriteString(`<meta name=citation_author content="A B` + strings.Repeat("c", i%200) +
			`"><meta name=keywords content="`)
		b.WriteString(strings.Repeat("k", i%300) + `,x;y"><h1>` + strings.Repeat("| ", 500) + `</h1>`)
	}
	m := extract(`<title>` + strings.Repeat("| é ", 5000) + `</title><link rel=canonical href="/` +
		strings.Repeat("a", 3000) + `">` + b.String())
	o := Options{}.withDefaults()
	if len(m.Authors) != o.MaxAuthors || len(m.Tags) > o.MaxTags || len(m.Title) > o.MaxTextBytes || m.Canonical != "" {
		t.Errorf("%d authors, %d tags, title of %d bytes, canonical of %d bytes", len(m.Authors), len(m.Tags), len(m.Title),
			len(m.Canonical))
	}
}

func FuzzExtract(f *testing.F) {
	f.Add(`<title>a | b</title><meta name=author content="By a b, c d"><meta property="og:title" content="a">`)
	f.Add(`<script type="application/ld+json">{"@type":"Article","headline":"x","author":{"@id":"#a"}}</script><h1>x</h1>`)
	f.Add(`<div itemscope itemtype="/Article"><b itemprop=name>T</b><time itemprop=datePublished>3 May 2024</time></div>`)
	f.Fuzz(func(t *testing.T, src string) {
		m := extract(src)
		if diff := cmp.Diff(m, extract(src)); diff != "" {
			t.Errorf("not deterministic:\n%s", diff)
		}
		if (m.Title != "") != (m.Sources["title"] != "") || (len(m.Authors) > 0) != (m.Sources["authors"] != "") {
			t.Errorf("fields and sources differ: %+v", m)
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	src := []byte(`<title>Bridge reopens | Example News</title><meta property="og:title" content="Bridge reopens"><h1>Bridge</h1>
<script type="application/ld+json">{"@type":"NewsArticle","headline":"Bridge reopens","author":{"name":"Ada Byron"},"datePublished":"2024-03-10"}</script>`)
	p := page.Parse(src, page.Options{URL: testURL})
	ld := jsonld.Nodes(p.Scripts(), jsonld.Options{})
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Extract(p, ld, Options{})
	}
}

// TestExtract_plainPermalinks: a page that is named by the URL's query is not the site's first page, and has its own
// date and title.
func TestExtract_plainPermalinks(t *testing.T) {
	const html = `<title>Site</title><meta property="og:title" content="How the old bridge was saved">` +
		`<h1>How the old bridge was saved</h1><p>Published on March 10, 2024</p>`
	for _, tt := range []struct{ url, published string }{
		{"https://example.com/?p=5031", "2024-03-10"},
		{"https://example.com/?page_id=12&utm_source=feed", "2024-03-10"},
		{"https://example.com/?q=/story/44", "2024-03-10"},
		{"https://example.com/?utm_source=feed&fbclid=x", ""},
		{"https://example.com/?lang=en", ""},
		{"https://example.com/?", ""},
		{"https://example.com/", ""},
	} {
		m := Extract(page.Parse([]byte(html), page.Options{URL: tt.url}), nil, Options{})
		if m.Published != tt.published {
			t.Errorf("published of %s is %q, want %q", tt.url, m.Published, tt.published)
		}
	}
}

// TestExtract_namedByQuery: JSON-LD may belong to a page that its query names, but not to another.
func TestExtract_namedByQuery(t *testing.T) {
	const html = `<title>Site</title><script type="application/ld+json">[` +
		`{"@type":"Article","headline":"One","url":"https://example.com/?p=1"},` +
		`{"@type":"Article","headline":"Two","url":"https://example.com/?p=2"}]</script>`
	p := page.Parse([]byte(html), page.Options{URL: "https://www.example.com/?p=2&utm_medium=x"})
	if m := Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{}); m.Title != "Two" {
		t.Errorf("title %q, want that of the article which says that it is this page", m.Title)
	}
}

// TestExtract_encodedAuthors: templates encode an object twice.
func TestExtract_encodedAuthors(t *testing.T) {
	for _, tt := range []struct{ author, want string }{
		{`"{ \"@type\":\"Person\", \"name\":\"Alice Wu\"}"`, "Alice Wu"},
		{`"[{\"@type\":\"Person\",\"name\":\"Alice Wu\"},{\"@type\":\"Person\",\"name\":\"Bo Li\"}]"`, "Alice Wu; Bo Li"},
		{`{"@type":"Person","name":"{\"name\": \"Alice Wu\"}"}`, "Alice Wu"},
		{`"{\"@type\":\"Person\"}"`, ""},
	} {
		html := `<title>How the old bridge was saved</title><script type="application/ld+json">` +
			`{"@type":"Article","headline":"How the old bridge was saved","author":` + tt.author + `}</script>`
		p := page.Parse([]byte(html), page.Options{URL: testURL})
		m := Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{})
		if got := strings.Join(m.Authors, "; "); got != tt.want {
			t.Errorf("authors of %s are %q, want %q", tt.author, got, tt.want)
		}
	}
}

func TestExtract_canonical(t *testing.T) {
	const own = "https://www.example.org/news/bridge.html"
	tests := []struct{ name, href, want string }{
		{"absolute", "https://example.org/a", "https://example.org/a"},
		{"relative", "../a?b=c", "https://www.example.org/a?b=c"},
		{"a path with a dot", "bridge.html", "https://www.example.org/news/bridge.html"},
		{"the page's host without a scheme", "www.example.org/a", "https://www.example.org/a"},
		{"without www", "example.org/a", "https://example.org/a"},
		{"another host with www", "www.other.example/a", "https://www.other.example/a"},
		{"two schemes", "https://https://example.org/a", "https://example.org/a"},
		{"two schemes that differ", "http://https://example.org/a", "https://example.org/a"},
		{"three schemes", "http://http://https://example.org/a", "https://example.org/a"},
		{"a host that begins like a scheme", "https://httpd.example/docs", "https://httpd.example/docs"},
		{"another host like that", "http://https-everywhere.example/", "http://https-everywhere.example/"},
		{"a file that begins like a host", "www.html", "https://www.example.org/news/www.html"},
		{"a word of scripts", "undefined", ""},
		{"the same below a folder", "https://example.org/undefined", ""},
		{"an object", "[object Object]", ""},
		{"null", "/null", ""},
		{"no number", "https://example.org/p/NaN/", ""},
		{"a host that is a word", "https://undefined/news", ""},
		{"a template", "{{canonical_url}}", ""},
		{"another", "${location.href}", ""},
		{"PHP", "https://example.org/<?php echo $url ?>", ""},
		{"Jinja", "{% url 'page' %}", ""},
		{"with codes", "https://example.org/%7B%7Burl%7D%7D", ""},
		{"a developer's machine", "http://localhost:3000/news/bridge.html", ""},
		{"its address", "http://127.0.0.1/a", ""},
		{"a private address", "http://192.168.1.5:8080/a", ""},
		{"a local domain", "https://mysite.local/a", ""},
		{"a variable", "https://example.org/{slug}", ""},
		{"a variable with codes", "https://example.org/blog/%7Bpost_name%7D/", ""},
		{"a variable in brackets", "[permalink]", ""},
		{"a field with brackets", "/a?filter[type]=b", "https://www.example.org/a?filter[type]=b"},
		{"a GUID", "/a/{6F9619FF-8B86-D011}", "https://www.example.org/a/%7B6F9619FF-8B86-D011%7D"},
		{"a host of the site", "m.example.org/a", "https://m.example.org/a"},
		{"another host", "example.com/a", "https://example.com/a"},
		{"another host of the network", "news.other.net", "https://news.other.net/"},
		{"a folder with a dot", "v1.2/a.html", "https://www.example.org/news/v1.2/a.html"},
		{"a file with a path", "index.php/a", "https://www.example.org/news/index.php/a"},
		{"a host in capitals", "HTTPS://Example.ORG/A", "https://example.org/A"},
		{"a host of letters", "https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"},
		{"no host", "https:///a", ""},
		{"a word in a name", "/undefined-behaviour", "https://www.example.org/undefined-behaviour"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, src := range []string{`<link rel=canonical href="` + tt.href + `">`, `<meta property=og:url content="` +
				tt.href + `">`} {
				p := page.Parse([]byte(src), page.Options{URL: own})
				if got := Extract(p, nil, Options{}).Canonical; got != tt.want {
					t.Errorf("canonical of %s = %q, want %q", src, got, tt.want)
				}
			}
		})
	}
	p := page.Parse([]byte(`<link rel=canonical href=/wiki/Null>`), page.Options{URL: "https://example.org/wiki/Null"})
	if got := Extract(p, nil, Options{}).Canonical; got != "https://example.org/wiki/Null" {
		t.Errorf("canonical of a page called Null = %q", got)
	}
}

// TestExtract_parameters: names in URLs that look like old character references stay.
func TestExtract_parameters(t *testing.T) {
	const url = "https://example.com/a/b?c=1&region=eu&timestamp=2"
	for name, html := range map[string]string{
		"JSON-LD": `<script type="application/ld+json">{"@type":"Article","headline":"A","url":"` + url + `"}</script>`,
		"og:url":  `<meta property=og:url content="` + url + `">`,
		"link":    `<link rel=canonical href="` + url + `">`,
		"escaped": `<meta property=og:url content="` + strings.ReplaceAll(url, "&", "&amp;") + `">`,
	} {
		if m := extract(html); m.Canonical != url {
			t.Errorf("%s: %q, want %q", name, m.Canonical, url)
		}
	}
	m := extract("<title>古い\n橋を修理</title><meta name=description content='市議会は、古い\r\n  橋を修理 \u200b する'>")
	if m.Title != "古い橋を修理" || m.Description != "市議会は、古い橋を修理 する" {
		t.Errorf("lines of Japanese give title %q, description %q", m.Title, m.Description)
	}
	m = extract(`<meta name=description content="Read /?a=1&amp;copy=2 &amp;copy; &amp;amp; &amp;lt;i>here&amp;lt;/i>">`)
	if want := "Read /?a=1&copy=2 © & here"; m.Description != want {
		t.Errorf("description %q, want %q", m.Description, want)
	}
}
