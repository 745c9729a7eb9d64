package pagemeta

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	titled  = `<title>How the old bridge was saved</title><h1>How the old bridge was saved</h1>`
	article = `<meta property="og:type" content="article">`
)

func TestExtract_shownDate(t *testing.T) {
	const graph = `<script type="application/ld+json">{"@type":"Article","headline":"How the old bridge was saved","datePublished":"2024-03-10T08:00:00Z","dateModified":"2024-05-01"}</script>`
	long := strings.Repeat("The bridge was old and nobody loved it. ", 10)
	tests := []struct{ name, html, published, source, modified string }{
		{"alone", titled + `<p>March 10, 2024</p>`, "2024-03-10", "text", ""},
		{"before the title", `<div><p>March 10, 2024</p>` + titled + `</div>`, "2024-03-10", "text", ""},
		{
			"time element", titled + `<time datetime="2024-03-10T08:00:00+01:00">yesterday</time>`, "2024-03-10T08:00:00+01:00",
			"text", "",
		},
		{"in pieces", titled + `<p><span>10</span> <span>March</span> <span>2024</span></p>`, "2024-03-10", "text", ""},
		{"labelled in running text", titled + `<p>First published on March 10, 2024. ` + long, "2024-03-10", "text", ""},
		{"not of running text", titled + `<p>` + long + `It was built on March 10, 1994. ` + long, "", "", ""},
		{"not far inside running text", titled + `<p>` + long[:120] + ` A book on it was published on March 10, 1996. ` +
			long, "", "", ""},
		{
			"updated before published", titled + `<p>Updated May 1, 2024 | Published March 10, 2024</p>`, "2024-03-10", "text",
			"2024-05-01",
		},
		{
			"likewise in Finnish", titled + `<p>Päivitetty 1.5.2024 10:12 | Julkaistu 10.3.2024</p>`, "2024-03-10", "text",
			"2024-05-01",
		},
		{
			"likewise in Russian", titled + `<p>Обновлено: 1 мая 2024. Опубликовано: 10 марта 2024</p>`, "2024-03-10", "text",
			"2024-05-01",
		},
		{"likewise in Japanese", titled + `<p>更新：2024年5月1日　発表：2024年3月10日</p>`, "2024-03-10", "text", "2024-05-01"},
		{
			"likewise in Italian", titled + `<div>Aggiornato il 1 maggio 2024 - Pubblicato il 10 marzo 2024</div>`,
			"2024-03-10", "text", "2024-05-01",
		},
		{
			"likewise in Vietnamese", titled + `<p>Cập nhật 1 tháng 5, 2024, đăng 10 tháng 3, 2024</p>`, "2024-03-10", "text",
			"2024-05-01",
		},
		{
			"a second date without a label", titled + `<p>Updated May 1, 2024 (May 4, 2023)</p>`, "2024-05-01", "text",
			"2024-05-01",
		},
		{"updated in Hungarian", titled + `<p>Módosítás: 2024. május 1.</p>`, "2024-05-01", "text", "2024-05-01"},
		{"likewise, its day", titled + `<p>Módosítás dátuma: 2024. május 1.</p>`, "2024-05-01", "text", "2024-05-01"},
		{"likewise, its time", titled + `<p>A módosítás ideje: 2024. május 1.</p>`, "2024-05-01", "text", "2024-05-01"},
		{"an amendment", titled + `<p>Törvény módosítása 2024. május 1.</p>`, "2024-05-01", "text", ""},
		{"updated in Persian", titled + "<p>به\u200cروز شده 1 May 2024</p>", "2024-05-01", "text", "2024-05-01"},
		{"likewise, a noun", titled + "<p>به\u200cروز رسانی: 1 May 2024</p>", "2024-05-01", "text", "2024-05-01"},
		{"likewise, one word", titled + "<p>به\u200cروزرسانی: 1 May 2024</p>", "2024-05-01", "text", "2024-05-01"},
		{"modified in Arabic", titled + `<p>تم التعديل: 1 مايو 2024</p>`, "2024-05-01", "text", "2024-05-01"},
		{"updated alone", titled + `<p>Last updated: March 10, 2024</p>`, "2024-03-10", "text", "2024-03-10"},
		{
			"updated, and declared", graph + titled + `<p>Last updated: May 1, 2024</p>`, "2024-03-10T08:00:00Z", "jsonld",
			"2024-05-01",
		},
		{"updated alone, far from the title", titled + strings.Repeat("<p>A line.", 13) +
			`<p>Last updated: March 10, 2024</p>`, "2024-03-10", "text", "2024-03-10"},
		{"the change, without a label", `<meta property="article:modified_time" content="2024-03-10">` + titled +
			`<p>March 10, 2024</p>`, "2024-03-10", "text", "2024-03-10"},
		{
			"label inside the time element", titled +
				`<time datetime="2024-03-01"><b>Updated</b></time><time datetime="2024-02-01"><b>Published:</b></time>`,
			"2024-02-01", "text", "2024-03-01",
		},
		{
			"label before a weekday", titled + `<p><b>Joined:</b> Mon Jan 5, 2004</p><p>Mar 10, 2024</p>`, "2024-03-10", "text",
			"",
		},
		{
			"seen in another zone", titled + `<time datetime="2024-03-11T04:13:00Z">March 10, 2024</time>`, "2024-03-10", "text",
			"",
		},
		{
			"seen is another date", titled + `<time datetime="2024-03-11T04:13:00Z">May 10, 2024</time>`, "2024-03-11T04:13:00Z",
			"text", "",
		},
		{
			"declared is the second that is shown", graph + titled +
				`<p>First published: March 1, 2024. Published: <b>March 10, 2024</b></p>`, "2024-03-10T08:00:00Z", "jsonld",
			"2024-05-01",
		},
		{
			"a label farther down", titled + `<p>March 10, 2024</p><p>A book.</p><p>Released: May 1, 2024</p>`, "2024-03-10",
			"text", "",
		},
		{"plain and far", titled + strings.Repeat("<p>A line.", 8) + `<p>March 10, 2024</p>`, "", "", ""},
		{
			"named and far", titled + strings.Repeat("<p>A line.", 8) + `<p class=date>March 10, 2024</p>`, "2024-03-10", "text",
			"",
		},
		{"named and too far", titled + strings.Repeat("<p>A line.", 20) + `<p class=date>March 10, 2024</p>`, "", "", ""},
		{
			"class that has nav in it", titled + `<p>Published <span class="text-navy">March 10, 2024</span></p>`, "2024-03-10",
			"text", "",
		},
		{"id that has next in it", `<div id="__next">` + titled + strings.Repeat("<p>"+long, 5) +
			`<p>Published on: March 10, 2024</p></div>`, "2024-03-10", "text", ""},
		{
			"footer of an article", titled + `<article><footer>March 10, 2024</footer><p>` + long + `</article>`, "2024-03-10",
			"text", "",
		},
		{"footer of the page", titled + `<p>` + long + `<footer>March 10, 2024</footer>`, "", "", ""},
		{"title that is no heading", `<title>How the old bridge was saved</title><h1>Rivers</h1><p>May 1, 2024</p><div>How the old bridge was saved</div><p>March 10, 2024</p>`, "2024-03-10", "text", ""},
		{
			"label in its own element", titled +
				`<div>Aktualisiert</div><div>10. März 2024</div><div>Veröffentlicht</div><div>1. März 2024</div>`, "2024-03-01",
			"text", "2024-03-10",
		},
		{"member's date", titled + `<p>Joined: Jan 1, 2004</p><p>Mar 10, 2024</p>`, "2024-03-10", "text", ""},
		{
			"agrees with what is declared", graph + titled + `<p>March 10, 2024</p>`, "2024-03-10T08:00:00Z", "jsonld",
			"2024-05-01",
		},
		{"shows the change", graph + titled + `<p>May 1, 2024</p>`, "2024-03-10T08:00:00Z", "jsonld", "2024-05-01"},
		{"differs", graph + titled + `<p>March 9, 2024</p>`, "2024-03-09", "text", "2024-05-01"},
		{"list of articles", `<h1>News</h1><p>May 1, 2024<p>May 2, 2024<p>May 3, 2024<p>May 4, 2024`, "", "", ""},
		{"list that is called an article", article + `<h1>News</h1>` + strings.Repeat("<p>A line.", 5) +
			`<p>May 1, 2024<p>May 2, 2024<p>May 3, 2024<p>May 4, 2024<p>May 5, 2024<p>May 6, 2024`, "", "", ""},
		{"comments are not looked at", titled + `<div class="comments"><p>March 10, 2024</p></div>`, "", "", ""},
		{"of the terms of use", titled + `<p>Terms of Use (10 Mar 2001)</p>`, "", "", ""},
		{"of the terms of use, in another element", titled + `<p>Privacy Policy</p><p>10 Mar 2001</p>`, "", "", ""},
		{"of the terms, in German", titled + `<p>Nutzungsbedingungen, 10. März 2021</p>`, "", "", ""},
		{"with dots", titled + `<p>3.4.2024</p>`, "2024-04-03", "text", ""},
		{"order by language", `<html lang=de>` + titled + `<p>3/4/2024</p>`, "2024-04-03", "text", ""},
		{"order not known", titled + `<p>3/4/2024</p>`, "", "", ""},
		{"product", `<meta property="og:type" content="product">` + titled + `<p>March 10, 2024</p>`, "", "", ""},
		{"before the web", titled + `<p>March 10, 1994</p>`, "", "", ""},
		{"behind the capture", titled + `<p>December 10, 2024</p>`, "", "", ""},
		{
			"the only one, far from the title", titled + strings.Repeat("<p>"+long, 5) + `<p>Published on: March 10, 2024</p>`,
			"2024-03-10", "text", "",
		},
		{"not the only one", titled + strings.Repeat("<p>"+long, 5) +
			`<p>Published on: March 10, 2024</p><p>Published on: March 11, 2024</p>`, "", "", ""},
		{
			"far, in the by-line", titled + strings.Repeat("<p>"+long, 5) + `<p class=author>March 10, 2024</p>`, "2024-03-10",
			"text", "",
		},
		{"far and without a label", titled + strings.Repeat("<p>"+long, 5) + `<p>March 10, 2024</p>`, "", "", ""},
		{"far, and that of the change", `<meta property="article:modified_time" content="2024-03-10">` + titled +
			strings.Repeat("<p>"+long, 5) + `<p>Published on: March 10, 2024</p>`, "", "", "2024-03-10"},
		{"the day behind the capture", titled + `<p>June 2, 2024</p>`, "2024-06-02", "text", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte("<!DOCTYPE html>"+tt.html), page.Options{URL: testURL})
			captured := time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)
			m := Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{Captured: captured})
			if m.Published != tt.published || m.Sources["published"] != tt.source || m.Modified != tt.modified {
				t.Errorf("published %q of %q, modified %q, want %q of %q, %q", m.Published, m.Sources["published"], m.Modified,
					tt.published, tt.source, tt.modified)
			}
		})
	}
}

func TestExtract_dateOfThread(t *testing.T) {
	const thread, list = "https://forum.example/thread-22.html", "https://forum.example/list/22"
	posts := titled + strings.Repeat("<p>"+strings.Repeat("Nobody loved the bridge. ", 40), 3) +
		`<p class="post_date">2024-03-10</p><p>Thanks!</p><p class="post_date">2024-03-12</p>`
	answered := `<p>#1 2024-03-10 08:00</p><p>Joined: 2004-01-05</p>` + titled + `<p>I like it.</p><p>2024-03-12 10:00</p>`
	tests := []struct{ name, html, url, want string }{
		{"far from the title", posts, thread, "2024-03-10"},
		{"no thread", posts, list, ""},
		{"before the title", answered, thread, "2024-03-10"},
		{"no thread, before the title", answered, list, "2024-03-12"},
		{"declared", `<meta property="article:published_time" content="2024-03-12">` + answered, thread, "2024-03-12"},
	}
	for _, tt := range tests {
		p := page.Parse([]byte(tt.html), page.Options{URL: tt.url})
		if m := Extract(p, nil, Options{}); m.Published != tt.want {
			t.Errorf("%s: published of %s is %q, want %q", tt.name, tt.url, m.Published, tt.want)
		}
	}
}

func TestExtract_dateOfURL(t *testing.T) {
	tests := []struct{ url, want string }{
		{"https://example.com/2016/02/09/bridge", "2016-02-09"},
		{"https://example.com/a/2016/02/09/", "2016-02-09"},
		{"https://example.com/2016/feb/09/bridge", "2016-02-09"},
		{"https://example.com/2016/february/9", "2016-02-09"},
		{"https://example.com/2016-02/19/bridge", "2016-02-19"},
		{"https://example.com/2016-02-09-bridge", "2016-02-09"},
		{"https://example.com/blog/2016_02_09_bridge.html", "2016-02-09"},
		{"https://example.com/20160209/bridge", "2016-02-09"},
		{"https://example.com/news/20160209.shtml", "2016-02-09"},
		{"https://example.com/n1/2016/0209/c1-2.html", "2016-02-09"},
		{"https://example.com/2016/2/9/bridge?page=2", "2016-02-09"},
		{"https://example.com/201602091234/bridge", ""},
		{"https://example.com/2016-02-091234/bridge", ""},
		{"https://example.com/bridge?d=/2016/02/09/", ""},
		{"https://20160209.example.com/bridge", ""},
		{"https://example.com/20161302/bridge", ""},
		{"https://example.com/2016209/bridge", ""},
		{"https://example.com/2016/02/30/bridge", ""},
		{"https://example.com/2016/02/bridge", ""},
		{"https://example.com/1916/02/09/bridge", ""},
	}
	for _, tt := range tests {
		m := Extract(page.Parse([]byte(titled), page.Options{URL: tt.url}), nil, Options{})
		if m.Published != tt.want {
			t.Errorf("published of %s = %q, want %q", tt.url, m.Published, tt.want)
		}
	}
}

// By-lines in East Asia have roles, and signs of many kinds after them.
func TestExtract_bylineOfRoles(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"文・山田太郎", []string{"山田太郎"}},
		{"文＝山田 太郎", []string{"山田 太郎"}},
		{"取材・文：山田太郎", []string{"山田太郎"}},
		{"写真・文／山田太郎", []string{"山田太郎"}},
		{"文／山田太郎　写真／鈴木花子", []string{"山田太郎"}},
		{"執筆：山田太郎（ライター）", []string{"山田太郎"}},
		{"文・山田太郎、鈴木花子", []string{"山田太郎", "鈴木花子"}},
		{"<span>取材・文</span><span>山田太郎</span>", []string{"山田太郎"}},
		{"文｜李波", []string{"李波"}},
		{"文丨李波", []string{"李波"}},
		{"撰文 | 李波", []string{"李波"}},
		{"采写：李波 摄影：王芳", []string{"李波"}},
		{"글·사진 김철수", []string{"김철수"}},
		{"글=김철수", []string{"김철수"}},
		{"文化・芸術", nil},
		{"文・理の壁を越える", nil},
		{"写真：鈴木花子", nil},
		{"記者会見", nil},
		{"图：王芳", nil},
	} {
		t.Run(tt.line, func(t *testing.T) {
			m := extract(titled + "<p>" + tt.line + "</p>")
			if diff := cmp.Diff(tt.want, m.Authors); diff != "" {
				t.Errorf("authors of %q (-want +got):\n%s", tt.line, diff)
			}
		})
	}
}

func TestExtract_byline(t *testing.T) {
	tests := []struct {
		name, html, source string
		want               []string
	}{
		{"by", `<p>By Ada Byron</p>`, "text", []string{"Ada Byron"}},
		{
			"by before a date", `<p>Written by Ada Byron and Bo Li | March 10, 2024</p>`, "text",
			[]string{"Ada Byron", "Bo Li"},
		},
		{
			"by before a link", `<p>By <a href=/a>Ada Byron</a>, <a href=/b>Bo Li</a></p>`, "text",
			[]string{"Ada Byron", "Bo Li"},
		},
		{"by on a line of its own", `<div>Words by</div><div>Ada Byron</div>`, "text", []string{"Ada Byron"}},
		{"German", `<p>Von Ada Byron</p>`, "text", []string{"Ada Byron"}},
		{"Russian", `<p>Автор: Ада Байрон</p>`, "text", []string{"Ада Байрон"}},
		{"Chinese", `<p>作者：李波</p>`, "text", []string{"李波"}},
		{"member of a forum", `<p>by <a href=/u>ada_99</a> » yesterday</p>`, "text", []string{"ada_99"}},
		{"named element of an article", article + `<p class="post-author">Ada Byron</p>`, "text", []string{"Ada Byron"}},
		{"named element elsewhere", `<p class="post-author">Ada Byron</p>`, "", nil},
		{"role", article + `<p class="author">Chief Editor</p>`, "", nil},
		{"sentence", `<p>By the time it was saved, nobody knew.</p>`, "", nil},
		{"month", `<p>By March 2024</p>`, "", nil},
		{"share button", article + `<p class="author">Share</p>`, "", nil},
		{
			"spoken before declared", `<meta name=author content="Site Admin"><p>By Ada Byron</p>`, "text",
			[]string{"Ada Byron"},
		},
		{
			"agrees with declared", `<meta name=author content="Ada Byron, PhD; Bo Li"><p>By Ada Byron, PhD</p>`, "meta",
			[]string{"Ada Byron, PhD", "Bo Li"},
		},
		{
			"declared before hinted", article + `<meta name=author content="Bo Li"><p class=author>Ada Byron</p>`, "meta",
			[]string{"Bo Li"},
		},
		{"product's reviewer", `<meta property="og:type" content="product"><p>By Ada Byron</p>`, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := extract(strings.Replace(titled, "<h1>", tt.html[:metaEnd(tt.html)]+"<h1>", 1) + tt.html[metaEnd(tt.html):])
			if diff := cmp.Diff(tt.want, m.Authors); diff != "" || m.Sources["authors"] != tt.source {
				t.Errorf("authors of %q, want of %q (-want +got):\n%s", m.Sources["authors"], tt.source, diff)
			}
		})
	}
}

// metaEnd returns the end of the <meta> elements at the beginning of a test's HTML.
func metaEnd(src string) int {
	end := 0
	for strings.HasPrefix(src[end:], "<meta") {
		end += strings.IndexByte(src[end:], '>') + 1
	}
	return end
}

func TestExtract_confidence(t *testing.T) {
	const declared = article + `<meta name=author content="Ada Byron"><meta property="article:published_time" content="2024-03-10">`
	all := extract(declared + titled + `<p>By Ada Byron, March 10, 2024</p>`).Confidence
	one := extract(declared + titled).Confidence
	for _, field := range []string{"authors", "published"} {
		if all[field] <= one[field] || one[field] <= 0 {
			t.Errorf("confidence in %s is %.2f where page and declaration agree, %.2f without the page", field, all[field],
				one[field])
		}
	}
}

func TestNameHints(t *testing.T) {
	tests := []struct {
		names string
		want  hints
	}{
		{"post-meta__author", hintAuthor},
		{"postByLine", hintAuthor},
		{"entry-date published", hintDate},
		{"lastModified", hintUpdated},
		{"authority updates-list candidate", 0},
		{"", 0},
		{strings.Repeat("x", 100) + "-author", hintAuthor},
	}
	for _, tt := range tests {
		if got := nameHints([]byte(tt.names)); got != tt.want {
			t.Errorf("nameHints(%q) = %b, want %b", tt.names, got, tt.want)
		}
	}
}
