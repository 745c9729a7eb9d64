package feed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/schemas"
)

const captureURL = "https://news.example/feeds/all.xml"

func mustRead(t *testing.T, body string) *Feed {
	t.Helper()
	f, err := Read([]byte(body), "", captureURL, Options{})
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return f
}

func day(s string) time.Time {
	d, _ := parseDate(s, "")
	return d
}

func reads(t *testing.T, body string, want *Feed) {
	t.Helper()
	if diff := cmp.Diff(want, mustRead(t, body), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
}

func TestRead_formats(t *testing.T) {
	tests := []struct {
		name, body string
		want       *Feed
	}{
		{
			"RSS 2.0", `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Gull &amp;amp; Gazette</title><link>https://news.example/</link><description>From the &lt;b&gt;harbour&lt;/b&gt;</description><language>en-gb</language><copyright>© Gazette</copyright>
<generator>WordPress</generator><managingEditor>desk@news.example (The Desk)</managingEditor><lastBuildDate>Mon, 10 Mar 2014 08:00:00 GMT</lastBuildDate><category>News</category>
<image><url>/logo.png</url><title>Not the title</title><link>https://other.example/</link></image><atom:link rel="self" href="/rss"/>
<item><title>Bridge &lt;i&gt;opens&lt;/i&gt;</title><link>/2014/bridge?a=1&b=2</link><guid isPermaLink="false">n-1</guid><dc:creator>Ada Gull</dc:creator><dc:creator>Bo Tern</dc:creator>
<pubDate>Mon, 10 Mar 2014 08:00:00 +0100</pubDate><category>Bridges</category><description>Short</description><content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
<enclosure url="/a.mp3" type="audio/mpeg" length="123"/></item></channel></rss>`,
			&Feed{
				Format: "rss", Version: "2.0", Title: "Gull & Gazette", Link: "https://news.example/",
				Description: "From the <b>harbour</b>", Language: "en-gb",
				Rights: "© Gazette", Generator: "WordPress", Authors: []Person{{Name: "The Desk", Email: "desk@news.example"}},
				Updated:    day("2014-03-10T08:00:00Z"),
				Categories: []string{"News"}, Image: "https://news.example/logo.png", Self: "https://news.example/rss",
				Items: []Item{{
					Title: "Bridge opens", Link: "https://news.example/2014/bridge?a=1&b=2", ID: "n-1",
					Authors:   []Person{{Name: "Ada Gull"}, {Name: "Bo Tern"}},
					Published: day("2014-03-10T07:00:00Z"), Categories: []string{"Bridges"}, Summary: "Short", Content: "<p>Long</p>",
					Enclosures: []Enclosure{{URL: "https://news.example/a.mp3", Type: "audio/mpeg", Length: 123}},
				}},
			},
		},
		{
			"Atom 1.0", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.example/" xml:lang="de"><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Möwen <b>heute</b></div></title>
<subtitle type="text">a &lt; b</subtitle><id>tag:blog.example,2014:1</id><link rel="self" href="feed"/><link rel="hub" href="https://hub.example/"/><link href="."/><updated>2014-03-10T08:00:00Z</updated>
<author><name>Ada</name><email>ada@blog.example</email><uri>/ada</uri></author>
<entry xml:lang="fr"><title>Un</title><link rel="enclosure" href="a.ogg" type="audio/ogg"/><link rel="alternate" type="text/html" href="un.html"/><id>x</id><published>2014-03-09</published>
<updated>2014-03-10</updated><category term="t" label="T"/><summary type="html">&lt;p&gt;s</summary><content type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml">c &amp; <x:em>d</x:em><x:br/></x:div></content>
<source><title>Elsewhere</title><updated>2001-01-01</updated></source></entry></feed>`,
			&Feed{
				Format: "atom", Title: "Möwen heute", Description: "a &lt; b", ID: "tag:blog.example,2014:1",
				Self: "https://blog.example/feed", Hubs: []string{"https://hub.example/"},
				Link: "https://blog.example/", Language: "de", Updated: day("2014-03-10T08:00:00Z"),
				Authors: []Person{{"Ada", "ada@blog.example", "https://blog.example/ada"}},
				Items: []Item{{
					Title: "Un", Link: "https://blog.example/un.html", ID: "x", Language: "fr", Published: day("2014-03-09"),
					Updated: day("2014-03-10"), Categories: []string{"t"},
					Summary: "<p>s", Content: "<div xmlns:x=\"http://www.w3.org/1999/xhtml\">c &amp; <em>d</em><br/></div>",
					Enclosures: []Enclosure{{URL: "https://blog.example/a.ogg", Type: "audio/ogg"}},
				}},
			},
		},
		{
			"Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title mode="escaped" type="text/html">A &lt;b&gt;b&lt;/b&gt;</title><tagline>T</tagline><entry><title>x</title><issued>2004-01-02</issued><modified>2004-01-03</modified>
<content type="text/html" mode="base64">PHA+aGk8L3A+</content></entry></feed>`,
			&Feed{
				Format: "atom", Version: "0.3", Title: "A b", Description: "T",
				Items: []Item{{Title: "x", Published: day("2004-01-02"), Updated: day("2004-01-03"), Content: "<p>hi</p>"}},
			},
		},
		{
			"RSS 1.0", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>R</title><link>http://r.example/</link><d:language>nl</d:language></channel>
<item rdf:about="http://r.example/1"><title>One</title><d:date>2005-05-05</d:date><d:subject>S</d:subject></item></rdf:RDF>`,
			&Feed{
				Format: "rdf", Title: "R", Link: "http://r.example/", Language: "nl",
				Items: []Item{{
					ID: "http://r.example/1", Link: "http://r.example/1", Title: "One", Updated: day("2005-05-05"),
					Categories: []string{"S"},
				}},
			},
		},
		{
			"CDF", `<CHANNEL HREF="http://c.example/" LASTMOD="1999-02-01"><TITLE>C</TITLE><ABSTRACT>About</ABSTRACT><ITEM HREF="a.html"><TITLE>x</TITLE><ABSTRACT>y</ABSTRACT></ITEM></CHANNEL>`,
			&Feed{
				Format: "cdf", Title: "C", Link: "http://c.example/", Description: "About", Updated: day("1999-02-01"),
				Items: []Item{{Link: "http://c.example/a.html", Title: "x", Summary: "y"}},
			},
		},
		{
			"JSON Feed", `{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://j.example/","feed_url":"https://j.example/feed.json","language":"en","author":{"name":"Ada"},"hubs":[{"type":"WebSub","url":"https://hub.example/"}],
"items":[{"id":7,"url":"/a","title":"A","content_text":"1 < 2","date_published":"2020-05-01T10:00:00+02:00","tags":["t",null,3],"attachments":[{"url":"a.mp3","mime_type":"audio/mpeg","size_in_bytes":5}]}, null, 3, {"id":"https://j.example/b","content_html":"<p>"}]}`,
			&Feed{
				Format: "json", Version: "1.1", Title: "J", Link: "https://j.example/", Self: "https://j.example/feed.json",
				Language: "en", Authors: []Person{{Name: "Ada"}}, Hubs: []string{"https://hub.example/"},
				Items: []Item{
					{
						ID: "7", Link: "https://j.example/a", Title: "A", Content: "1 &lt; 2", Published: day("2020-05-01T08:00:00Z"),
						Categories: []string{"t", "3"}, Enclosures: []Enclosure{{"https://j.example/a.mp3", "audio/mpeg", 5}},
					},
					{ID: "https://j.example/b", Link: "https://j.example/b", Content: "<p>"},
				},
			},
		},
		{
			"OPML", `<opml version="2.0"><head><title>Reading</title><dateModified>Mon, 10 Mar 2014 08:00:00 GMT</dateModified></head><body><outline text="News"><outline type="rss" text="T" title="Times" xmlUrl="https://t.example/rss" htmlUrl="https://t.example/"/></outline>
<outline type="rss" text="Atoms" xmlUrl="feed://a.example/atom.xml"/><outline text="no feed" htmlUrl="https://x.example/"/></body></opml>`,
			&Feed{Format: "opml", Version: "2.0", Title: "Reading", Updated: day("2014-03-10T08:00:00Z"), Announced: []Outline{
				{Feed: schemas.Feed{URL: "https://t.example/rss", Type: "rss", Title: "Times"}, Link: "https://t.example/"},
				{Feed: schemas.Feed{URL: "http://a.example/atom.xml", Type: "atom", Title: "Atoms"}},
			}},
		},
		{
			"news sitemap", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>https://news.example/a</loc><image:image><image:loc>https://news.example/a.png</image:loc></image:image>
<n:news><n:publication><n:name>The Gazette</n:name><n:language>en</n:language></n:publication><n:publication_date>2014-03-10</n:publication_date><n:title>A &amp; B</n:title></n:news></url><url><loc>https://news.example/b</loc><lastmod>2014-03-11</lastmod></url></urlset>`,
			&Feed{Format: "sitemap", Title: "The Gazette", Language: "en", Items: []Item{
				{Link: "https://news.example/a", Title: "A & B", Published: day("2014-03-10"), Publication: "The Gazette"},
				{Link: "https://news.example/b", Updated: day("2014-03-11")},
			}},
		},
		{
			"index of sitemaps", `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://news.example/1.xml</loc><lastmod>2014-03-10</lastmod></sitemap><sitemap><loc>nothing:</loc></sitemap></sitemapindex>`,
			&Feed{Format: "sitemap", Announced: []Outline{{Feed: schemas.Feed{
				URL:  "https://news.example/1.xml",
				Type: "sitemap",
			}, Updated: day("2014-03-10")}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { reads(t, tt.body, tt.want) })
	}
}

// These are unusual items of real feeds.
func TestRead_items(t *testing.T) {
	tests := []struct {
		name, item string
		want       Item
	}{
		{
			"guid is the link", `<guid>https://news.example/1</guid>`,
			Item{ID: "https://news.example/1", Link: "https://news.example/1"},
		},
		{"guid is no link", `<guid isPermaLink="false">https://news.example/1</guid>`, Item{ID: "https://news.example/1"}},
		{"guid is no URL", `<guid>17</guid>`, Item{ID: "17"}},
		{"link on several lines", "<link>\n https://news.example/a\nb \n</link>", Item{Link: "https://news.example/ab"}},
		{
			"link in CDATA", `<link><![CDATA[https://news.example/?a=1&b=2]]></link>`,
			Item{Link: "https://news.example/?a=1&b=2"},
		},
		{
			"xml:base before the channel's link", `<link xml:base="https://base.example/x/">a</link>`,
			Item{Link: "https://base.example/x/a"},
		},
		{
			"Atom's link beside", `<atom:link href="https://news.example/no"/><link>https://news.example/yes</link><link/>`,
			Item{Link: "https://news.example/yes"},
		},
		{
			"Atom's link and an empty one", `<atom:link href="https://news.example/yes"/><link></link>`,
			Item{Link: "https://news.example/yes"},
		},
		{"FeedBurner", `<link>https://feedproxy.example/1</link><feedburner:origLink>https://news.example/1</feedburner:origLink>`, Item{Link: "https://feedproxy.example/1", Original: "https://news.example/1"}},
		{
			"link that is not ended", `<title>A<link>https://news.example/1<pubDate>2014-03-10</pubDate>`,
			Item{Title: "A", Link: "https://news.example/1", Published: day("2014-03-10")},
		},
		{
			"title of a picture", `<media:content url="a.png"><media:title>P</media:title></media:content><title>T</title>`,
			Item{Title: "T", Enclosures: []Enclosure{{URL: "https://site.example/a.png"}}},
		},
		{"media alone", `<media:group><media:title>P</media:title><media:description>D</media:description><media:content url="a.png" type="image/png" fileSize="9"/></media:group>`, Item{Title: "P", Summary: "D", Enclosures: []Enclosure{{"https://site.example/a.png", "image/png", 9}}}},
		{"podcast", `<itunes:title>I</itunes:title><itunes:author>Ada</itunes:author><itunes:summary>S</itunes:summary><itunes:keywords>a, b</itunes:keywords>`, Item{Title: "I", Authors: []Person{{Name: "Ada"}}, Summary: "S", Categories: []string{"a", "b"}}},
		{
			"address and name", `<author>Ada Gull &lt;ada@news.example&gt;</author>`,
			Item{Authors: []Person{{Name: "Ada Gull", Email: "ada@news.example"}}},
		},
		{
			"dcterms", `<dcterms:issued>2014-03-10</dcterms:issued><dcterms:modified>2014-03-11</dcterms:modified>`,
			Item{Published: day("2014-03-10"), Updated: day("2014-03-11")},
		},
		{
			"unknown URI for a known prefix", `<dc:creator xmlns:dc="http://purl.example/dc">Ada</dc:creator>`,
			Item{Authors: []Person{{Name: "Ada"}}},
		},
		{"known name in a foreign namespace", `<x:title xmlns:x="urn:x">X</x:title>`, Item{}},
		{
			"title of a drawing", `<svg xmlns="http://www.w3.org/2000/svg"><title>S</title></svg><title>T</title>`,
			Item{Title: "T"},
		},
		{
			"markup without escapes", `<description>a <b>c</b><br/> &amp; d</description>`,
			Item{Summary: "a <b>c</b><br/> &amp; d"},
		},
		{"text that is no markup", `<description>1 &lt; 2 &amp; 3</description>`, Item{Summary: "1 &lt; 2 &amp; 3"}},
		{
			"date twice, first unreadable", `<pubDate>soon</pubDate><pubDate>2014-03-10</pubDate>`,
			Item{Published: day("2014-03-10")},
		},
		{"body of XHTML", `<body xmlns="http://www.w3.org/1999/xhtml"><p>x</p></body>`, Item{Content: "<p>x</p>"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := mustRead(t, `<rss><channel><link>https://site.example/</link><item>`+tt.item+`</item></channel></rss>`)
			if len(f.Items) != 1 {
				t.Fatalf("%d items", len(f.Items))
			}
			if diff := cmp.Diff(tt.want, f.Items[0], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("item (-want +got):\n%s", diff)
			}
		})
	}
}

// These are CDATA sections that programs wrote and then escaped.
func TestRead_escapedCDATA(t *testing.T) {
	const atom, rss = `<feed xmlns="http://www.w3.org/2005/Atom">%s</feed>`, "<rss><channel>%s</channel></rss>"
	for _, tt := range []struct{ feed, in, want string }{
		{atom, "<title>&lt;![CDATA[Lettre ouverte]]&gt;</title>", "Lettre ouverte"},
		{rss, "<title>&lt;![CDATA[Lettre ouverte]]&gt;</title>", "Lettre ouverte"},
		{rss, "<title>\n &lt;![CDATA[ Offener Brief ]]&gt; </title>", "Offener Brief"},
		{rss, "<title><![CDATA[<![CDATA[Otevřený dopis]]]]></title>", "Otevřený dopis"},
		{rss, "<title><![CDATA[&lt;![CDATA[Carta abierta]]&gt;]]></title>", "Carta abierta"},
		{rss, "<title>&amp;lt;![CDATA[公開信]]&amp;gt;</title>", "公開信"},
		{atom, `<title type="html">&lt;![CDATA[A &lt;b>B&lt;/b>]]&gt;</title>`, "A B"},
		{atom, `<title type="html">&amp;lt;![CDATA[A]]&amp;gt;</title>`, "A"},
		{rss, "<title>&lt;![cdata[small]]&gt;</title>", "small"},
		{rss, "<title>&lt;![CDATA[One]]&gt;&lt;![CDATA[ two]]&gt;</title>", "One two"},
		{rss, "<title>[CDATA[Filtered]]&gt;</title>", "Filtered"},
		{rss, "<title>&lt;!DOCTYPE html&gt; and quirks</title>", "<!DOCTYPE html> and quirks"},
		{rss, "<title>&lt;![CDATA[cut off</title>", "cut off"},
		{rss, "<title>What &lt;![CDATA[ means</title>", "What <![CDATA[ means"},
		{rss, "<title><![CDATA[usual]]></title>", "usual"},
	} {
		if f := mustRead(t, fmt.Sprintf(tt.feed, tt.in)); f.Title != tt.want {
			t.Errorf("%s: Title = %q, want %q", tt.in, f.Title, tt.want)
		}
	}
	for in, want := range map[string]string{
		"<![CDATA[Lettre ouverte]]>": "Lettre ouverte", "Tom &amp; Jerry": "Tom & Jerry", "List<T> in C#": "List<T> in C#",
		"<b>Bold</b> move": "Bold move", "AT&T": "AT&T", "a < b": "a < b",
		"Use <br> or <p>?": "Use <br> or <p>?", "<a> links": "<a> links", "Was ist <b>?": "Was ist <b>?",
		"Line one<br>Line two": "Line one Line two", "标题：<BR/>副标题": "标题： 副标题", "Le pont,<br /> hier": "Le pont, hier",
		`"<br>" explained`: `"<br>" explained`, "Die Tags <br/>, <hr/>": "Die Tags <br/>, <hr/>", "a<bridge>": "a<bridge>",
		"<>Foo</> in React":    "<>Foo</> in React",
		"What does </p> mean?": "What does </p> mean?", "Not <br> but </b>": "Not <br> but </b>",
		"Title <br/> Subtitle": "Title Subtitle", "Old bridge (2024)<br>closed": "Old bridge (2024) closed",
		"“Old bridge”<br/>closed": "“Old bridge” closed", "Donau<wbr>dampf": "Donaudampf",
		`<img src="x.png"> Old bridge`: "Old bridge", "<p>Old bridge": "Old bridge", "<a href=x>Old bridge": "Old bridge",
		"Old<hr>bridge": "Oldbridge", "<!-- x -->Old": "Old", "Old <!--more--> bridge": "Old bridge",
		"<span\nclass=x>Old</span>": "Old", "<h1>Old bridge</h1 >": "Old bridge", "</p>Old bridge<p>": "Old bridge",
		"„Alte Brücke“<br> gesperrt": "„Alte Brücke“ gesperrt", "Le pont <br /> fermé": "Le pont fermé",
		`"Old bridge"<br> closed`: `"Old bridge" closed`, "<p>“Old” bridge": "“Old” bridge", `<p>"Old" bridge`: `"Old" bridge`,
		"旧橋<br>閉鎖": "旧橋 閉鎖", "<p>(Old) bridge": "(Old) bridge", "<p>¿Qué puente?": "¿Qué puente?",
		"List<T> in C#<br/>Part 2": "List<T> in C# Part 2", "Old bridge <br />": "Old bridge",
		"Old - <br>closed":  "Old - closed",
		"Was macht „<br>“?": "Was macht „<br>“?", "「<p>」とは": "「<p>」とは", "Que fait « <hr> » ?": "Que fait « <hr> » ?",
		"Using <wbr> in HTML": "Using <wbr> in HTML", "Das <br>-Tag": "Das <br>-Tag",
		"Tags (<ul>, <ol>)": "Tags (<ul>, <ol>)",
		"“<br/>” explained": "“<br/>” explained", "What <!-- means": "What <!-- means", "<li>, <p> y más": "<li>, <p> y más",
		"I <3 you": "I <3 you", "The <br/>, a break": "The <br/>, a break", "if a<b": "if a<b",
		`Le <em class="x">pont</em>`: "Le pont", "<I>橋</I>は": "橋は", "a </b> <i>b</i>": "a </b> <i>b</i>",
	} {
		item := `{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":%q}]}`
		if f := mustRead(t, fmt.Sprintf(item, in)); f.Items[0].Title != want {
			t.Errorf("JSON, %s: Title = %q, want %q", in, f.Items[0].Title, want)
		}
	}
	f := mustRead(t, fmt.Sprintf(rss, "<item><link>&lt;![CDATA[http://a.example/1]]&gt;</link>"+
		"<description>&lt;![CDATA[&lt;p>One&lt;/p>]]&gt;</description></item>"))
	if it := f.Items[0]; it.Link != "http://a.example/1" || it.Summary != "<p>One</p>" {
		t.Errorf("link and summary: %q, %q", it.Link, it.Summary)
	}
}

// Some titles are about elements, others are marked up by them.
func TestRead_elementsInTitles(t *testing.T) {
	for title, want := range map[string]string{
		"Using &lt;script&gt; tags safely":                          "Using <script> tags safely",
		"Why &lt;script async&gt; is good":                          "Why <script async> is good",
		"Was &lt;script defer&gt; bringt":                           "Was <script defer> bringt",
		"A &lt;script src=&#34;x.js&#34;&gt;&lt;/script&gt; story":  "A story",
		"Generics: List&lt;T&gt; in C#":                             "Generics: List<T> in C#",
		"A &lt;hello-world&gt; element":                             "A <hello-world> element",
		"Map&lt;String, List&lt;Integer&gt;&gt; in Java":            "Map<String, List<Integer>> in Java",
		"std::vector&lt;int&gt; or Set&lt;A&gt;?":                   "std::vector<int> or Set<A>?",
		"The &lt;title&gt; and the &lt;textarea&gt; &amp;amp; more": "The <title> and the <textarea> & more",
		"Between &lt;style&gt; and &lt;/style&gt;":                  "Between <style> and </style>",
		"Why &lt;b&gt; is not &lt;strong&gt;":                       "Why <b> is not <strong>",
		"&lt;video controls&gt; in Safari":                          "<video controls> in Safari",
		"&lt;b&gt;Bold&lt;/b&gt; title":                             "Bold title",
		"&lt;p&gt;Absatz":                                           "Absatz",
		"Une&lt;br/&gt;deux":                                        "Une deux",
		"&lt;a href='x'&gt;Ссылка&lt;/a&gt;":                        "Ссылка",
		"a&lt;script&gt;var x=1;&lt;/script&gt;b":                   "ab",
		"a &lt;script src=x&gt;&lt;/script&gt;b":                    "a b",
		"&lt;img src=x&gt; Bild":                                    "Bild",
		"H&lt;sub&gt;2&lt;/sub&gt;O":                                "H2O",
		"I &lt;3 RSS":                                               "I <3 RSS",
		"a &lt;iframe src='x'&gt;&lt;/iframe&gt;b":                  "a b",
		"a &lt;embed src='x'&gt; b":                                 "a b",
		"The &lt;iframe&gt; element":                                "The <iframe> element",
		"cut &lt;b":                                                 "cut",
	} {
		if f := mustRead(t, "<rss><channel><title>"+title+"</title></channel></rss>"); f.Title != want {
			t.Errorf("%s: Title = %q, want %q", title, f.Title, want)
		}
	}
}

func TestRead_gzip(t *testing.T) {
	pack := func(b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, err := z.Write(b)
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for name, body := range map[string]string{
		"sitemap": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/1</loc></url></urlset>`,
		"rss":     "<rss><channel><title>T</title><item><title>a</title></item></channel></rss>",
		"atom":    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>a</title></entry></feed>`,
		"json":    `{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"a"}]}`,
		"opml":    `<opml version="2.0"><body><outline xmlUrl="http://a.example/f"/></body></opml>`,
	} {
		for _, b := range [][]byte{
			pack([]byte(body)), pack(pack([]byte(body))),
			pack([]byte(body))[:len(pack([]byte(body)))-8],
		} {
			if f, err := Read(b, "", captureURL, Options{}); err != nil || f.Format != name {
				t.Errorf("%s in gzip: %+v, %v", name, f, err)
			}
		}
	}
	// A bomb costs no more than MaxBytes, and is shown as truncated.
	bomb := pack(append([]byte("<rss><channel><item></item><title>"), bytes.Repeat([]byte("a"), 1<<22)...))
	if f, err := Read(bomb, "", captureURL, Options{MaxBytes: 1 << 16}); err != nil || !f.Truncated {
		t.Errorf("a bomb: %v", err)
	}
	if _, err := Read(pack([]byte("<html>")), "", captureURL, Options{}); !errors.Is(err, ErrFormat) {
		t.Errorf("a page in gzip: %v", err)
	}
}

// These are texts that proxies, hosts and content management systems write before a feed.
func TestRead_behindMarkup(t *testing.T) {
	const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title></channel></rss>`
	for _, head := range []string{
		"<script>var x=1;</script>\n", "<script src='//cdn.example/a.js' async></script><script>if(a<b){c('<rss>')}</script>",
		"<style>p{}</style>", "<link rel='stylesheet' href='a.css'><meta name=a content=b>",
		"<noscript><img src=x></noscript>", "<!-- cached --><iframe src=x></iframe>",
		"<div style='display:none'><span>x</span></div>", "<html><head></head><body><script>x()</script></body></html>",
		"<br />\n<b>Notice</b>: in <b>/a.php</b> on line <b>3</b><br />",
	} {
		if f := mustRead(t, head+rss); f.Format != "rss" || f.Title != "T" {
			t.Errorf("%s: %+v", head, f)
		}
	}
}

// The format and the attributes decide between text and markup; RSS leaves this to be guessed.
func TestRead_titles(t *testing.T) {
	tests := []struct{ title, want string }{
		{`<title>a &lt;b> c</title>`, "a <b> c"},
		{`<title type="text">a &amp;amp; b</title>`, "a &amp; b"},
		{`<title type="text/plain">a &lt;b> c</title>`, "a <b> c"},
		{`<title type="html">a &lt;b>c&lt;/b> &amp;amp; d</title>`, "a c & d"},
		{`<title type="html"><![CDATA[a <script>x</script>b]]></title>`, "a b"},
		{`<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a <b>c</b> &lt;d></div></title>`, "a c <d>"},
		{`<title type="application/octet-stream">YSBi</title>`, "a b"},
		{`<title mode="base64">YSBi</title>`, "a b"},
		{`<title mode="base64">not base64!</title>`, "not base64!"},
		{"<title>a\u2002\n b </title>", "a b"},
	}
	for _, tt := range tests {
		if f := mustRead(t, `<feed xmlns="http://www.w3.org/2005/Atom">`+tt.title+`</feed>`); f.Title != tt.want {
			t.Errorf("Atom %s: Title = %q, want %q", tt.title, f.Title, tt.want)
		}
	}
	for title, want := range map[string]string{
		"a &lt;b&gt;c&lt;/b&gt;": "a c", "1 &lt; 2": "1 < 2",
		"a &amp;amp; b": "a & b", "a &amp; b": "a & b",
	} {
		if f := mustRead(t, "<rss><channel><title>"+title+"</title></channel></rss>"); f.Title != want {
			t.Errorf("RSS %s: Title = %q, want %q", title, f.Title, want)
		}
	}
}

func TestRead_refresh(t *testing.T) {
	f := mustRead(t, `<rss xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><ttl> 60 </ttl><skipHours><hour>0</hour><hour>24</hour><hour>99</hour><hour>-1</hour><hour>x</hour></skipHours>
<skipDays><day>Sunday</day></skipDays><sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency><sy:updateBase>2000-01-01T12:00+00:00</sy:updateBase></channel></rss>`)
	want := schemas.Refresh{
		TTL: 60, SkipHours: []int{0}, SkipDays: []string{"Sunday"}, UpdatePeriod: "hourly", UpdateFrequency: 2,
		UpdateBase: "2000-01-01T12:00:00Z",
	}
	if diff := cmp.Diff(want, f.Refresh); diff != "" {
		t.Errorf("Refresh (-want +got):\n%s", diff)
	}
}

func TestRead_declaredEntities(t *testing.T) {
	f := mustRead(t, `<!DOCTYPE rss [<!ENTITY gazette "The &#71;azette"><!ENTITY % p "x"><!ENTITY far SYSTEM "file:///etc/passwd">]><rss><channel><title>&gazette; &far; &p;</title></channel></rss>`)
	if want := "The Gazette &far; &p;"; f.Title != want {
		t.Errorf("Title = %q, want %q", f.Title, want)
	}
	value := strings.Repeat("x", maxEntityBytes)
	f = mustRead(t, `<!DOCTYPE rss [<!ENTITY a "`+value+`">]><rss><channel><description>`+strings.Repeat("&a;", 100_000)+
		`</description></channel></rss>`)
	if n := strings.Count(f.Description, value); n != maxExpandedBytes/maxEntityBytes {
		t.Errorf("an entity stands for itself %d times, want %d", n, maxExpandedBytes/maxEntityBytes)
	}
}

// A root of an unknown vocabulary is a feed if its namespace is known, or if it has items.
func TestRead_namespaces(t *testing.T) {
	for root, want := range map[string]bool{
		`<feed xmlns="http://example.com/necho#"/>`: true, `<feed/>`: true,
		`<a:feed xmlns:a="http://www.w3.org/2005/Atom"/>`: true,
		`<feed xmlns="urn:cattle"/>`:                      false, `<feed xmlns="urn:cattle"><entry/></feed>`: true,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"/>`: true,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:foaf="http://xmlns.com/foaf/0.1/"/>`:        false,
	} {
		if _, err := Read([]byte(root), "", "", Options{}); (err == nil) != want {
			t.Errorf("Read(%s): %v, want a feed: %v", root, err, want)
		}
	}
}

func TestRead_bounded(t *testing.T) {
	f := mustRead(t, "<rss><channel>"+strings.Repeat("<item><title>x</title></item>", 60_000)+"</channel></rss>")
	if len(f.Items) != 50_000 || !f.Truncated {
		t.Errorf("%d items, truncated %v; want 50,000 of 60,000", len(f.Items), f.Truncated)
	}
	f = mustRead(t, "<rss><channel><link>http://x.example/"+strings.Repeat("a", 5000)+"</link><item>"+
		strings.Repeat("<category>", 300)+"</item></channel></rss>")
	if f.Link != "" || !f.Truncated {
		t.Errorf("Link of %d bytes, truncated %v", len(f.Link), f.Truncated)
	}
	if f = mustRead(t, "<urlset>"+strings.Repeat("<url><loc>https://news.example/</loc></url>", 51_000)+
		"</urlset>"); len(f.Items) != 50_000 || !f.Truncated {
		t.Errorf("%d pages, truncated %v; want 50,000 of 51,000", len(f.Items), f.Truncated)
	}
	item := strings.Repeat("<author>a@b.example</author><author>c</author><enclosure url='/1'/><category>x</category>", 10)
	f = mustRead(t, "<rss><channel><item>"+item+"</item></channel></rss>")
	if it := f.Items[0]; len(it.Authors) != 2 || len(it.Enclosures) != 1 || len(it.Categories) != 1 {
		t.Errorf("repeated: %v", it)
	}
}

// TestRead_bases: relative links are resolved against a site's URL if that is absolute, else against the feed's own.
func TestRead_bases(t *testing.T) {
	const rss = "<rss version='2.0'><channel><title>A</title><link>%s</link><item><link>%s</link></item></channel></rss>"
	const atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='%s'/><entry><link href='%s'/></entry></feed>"
	const json = `{"version":"https://jsonfeed.org/version/1","home_page_url":"%s","items":[{"id":"1","url":"%s"}]}`
	for _, tt := range []struct{ site, item, want string }{
		{"https://a.example/blog/", "posts/1", "https://a.example/blog/posts/1"},
		{"/blog/", "posts/1", "https://news.example/feeds/posts/1"},
		{"blog", "posts/1", "https://news.example/feeds/posts/1"},
		{"", "/posts/1", "https://news.example/posts/1"},
		{"https://a.example/", "https:///a.example/1", "https://a.example/1"},
		{"https://a.example/", "http:////a.example/1", "http://a.example/1"},
	} {
		for _, format := range []string{rss, atom, json} {
			f, err := Read([]byte(fmt.Sprintf(format, tt.site, tt.item)), "", captureURL, Options{})
			if err != nil || len(f.Items) != 1 || f.Items[0].Link != tt.want {
				t.Errorf("%.10s, site %q, item %q: %+v, %v, want %s", format, tt.site, tt.item, f, err, tt.want)
			}
		}
	}
}

// TestRead_hubs: each hub is listed once, and never a link without a URL.
func TestRead_hubs(t *testing.T) {
	const (
		atom = `<feed xmlns="http://www.w3.org/2005/Atom">%s</feed>`
		rss  = `<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://a.example/</link>%s</channel></rss>`
		json = `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[],"hubs":[%s]}`
	)
	hub := []string{"https://hub.example/"}
	for _, tt := range []struct {
		feed, in string
		want     []string
	}{
		{atom, `<link rel="hub" href="https://hub.example/"/>`, hub},
		{atom, `<link rel="hub" href=""/>`, nil},
		{atom, `<link rel="hub" href=" "/>`, nil},
		{atom, `<link rel="hub"/>`, nil},
		{atom, `<link rel="HUB" href="https://hub.example/"/><link rel="hub" href="https://hub.example/"/>`, hub},
		{rss, `<atom:link rel="hub" href=""/>`, nil},
		{rss, `<atom:link rel="hub" href=""></atom:link><atom:link rel="hub" href="https://hub.example/"/>`, hub},
		{json, `{"type":"WebSub","url":""}`, nil},
		{json, `{"type":"WebSub"},{"type":"WebSub","url":"https://hub.example/"}`, hub},
		{json, `{"type":"rssCloud","url":"https://hub.example/"},{"type":"WebSub","url":"https://hub.example/"}`, hub},
	} {
		f := mustRead(t, fmt.Sprintf(tt.feed, tt.in))
		if diff := cmp.Diff(tt.want, f.Hubs, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: hubs (-want +got):\n%s", tt.in, diff)
		}
	}
}
