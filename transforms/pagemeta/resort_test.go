package pagemeta

import (
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestExtract_lastResort: dates far from the title, and dates that are not the page's.
func TestExtract_lastResort(t *testing.T) {
	const head = "<title>How the old bridge was saved</title><h1>How the old bridge was saved</h1>"
	const article = `<meta property="og:type" content="article">`
	prose := strings.Repeat("<p>"+strings.Repeat("The council has decided on a bridge. ", 12)+"</p>", 14)
	far := func(s string) string { return head + prose + s }
	tests := []struct{ name, url, html, want string }{
		{"<time> in the heading", "", "<title>How the old bridge was saved</title><h1>How the old bridge was saved <time " +
			"datetime=2021-11-12>12 Nov</time></h1>", "2021-11-12"},
		{"likewise, by its text", "", "<title>Die alte Brücke ist gerettet</title><h1>Die alte Brücke ist gerettet <small>" +
			"<time>12. November 2021</time></small></h1>", "2021-11-12"},
		{"likewise, h2 and French", "", "<title>Le vieux pont est sauvé</title><h2>Le vieux pont est sauvé <time>le 12 " +
			"novembre 2021</time></h2>", "2021-11-12"},
		{"in brackets", "", head + "<p>Redaktion (12.11.2021)</p>", "2021-11-12"},
		{"in brackets alone", "", head + "<p>(12.11.2021)</p>", "2021-11-12"},
		{"in square brackets", "", head + "<p>[12 листопада 2021]</p>", "2021-11-12"},
		{"far, after the by-line", "", far("<p>Written by <a>Jane Doe</a></p><p>April 8, 2024</p>"), "2024-04-08"},
		{"far, after the by-line, German", "", far("<div>Von Anna Weber</div><div>8. April 2024</div>"), "2024-04-08"},
		{"far, after the by-line, Italian", "", far("<span>Di Marco Rossi</span> <span>8 aprile 2024</span>"), "2024-04-08"},
		{"first published, and changed", "", head + "<p>May 1, 2024</p><p>This was originally published on 26 Sep 2019 at " +
			"4:12pm</p>", "2019-09-26"},
		{"German", "", head + "<p>1. Mai 2024</p><p>Ursprünglich veröffentlicht am 26. September 2019</p>", "2019-09-26"},
		{"Spanish", "", head + "<p>1 mayo 2024</p><p>Publicado originalmente el 26 de septiembre de 2019</p>", "2019-09-26"},
		{"Russian", "", head + "<p>1 мая 2024</p><p>Впервые опубликовано 26 сентября 2019</p>", "2019-09-26"},
		{
			"data of a script", "", article + head +
				`<script id=__NEXT_DATA__ type=application/json>{"post":{"publishedAt":"2024-04-08T06:59:34.000Z"}}</script>`,
			"2024-04-08T06:59:34Z",
		},
		{
			"escaped data", "", article + head + `<script>self.push("{\"published_at\":\"2024-04-08\"}")</script>`,
			"2024-04-08",
		},
		{"Unix time", "", article + head + `<script>var post = {publishDate: 1712559574}</script>`, "2024-04-08T06:59:34Z"},
		{"data of several posts", "", article + head +
			`<script>[{"publishedAt":"2024-04-08"},{"publishedAt":"2024-04-07"}]</script>`, ""},
		{"data of a post of tomorrow", "", article + head + `<script>{"publishedAt":"2044-04-08"}</script>`, ""},
		{"a word of a program", "", article + head + `<script>function publish(a){return "2024-04-08"}</script>`, ""},
		{"of the page's template", "", `<body data-pubdate="2024-04-08">` + head, "2024-04-08"},
		{
			"of the article's element", "", `<article data-published="2024-04-08T10:00:00Z">` + head + `</article>`,
			"2024-04-08T10:00:00Z",
		},
		{"of many articles", "", strings.Repeat(`<article data-published="2024-04-08"><h2>A story</h2></article>`, 5), ""},
		{"only the last change, far", "", far("<p>Last updated: April 8, 2024</p>"), "2024-04-08"},
		{"likewise, German", "", far("<p>Zuletzt aktualisiert am 8. April 2024</p>"), "2024-04-08"},
		{"likewise, of a manual", "https://docs.example.org/a/b", far("<p>Last updated: April 8, 2024</p>"), ""},
		{"a copyright", "", far("<p>© April 8, 2024 The Bridge Company</p>"), ""},
		{"of another post", "", far(`<aside class=related><a>The new bridge</a> <time>April 8, 2024</time></aside>`), ""},
		{"two other dates", "", far("<p>April 8, 2024</p><p>April 9, 2024</p>"), ""},
		{
			"a custom element", "https://forum.example/t/7", head + `<x-ago ts="2024-04-08T09:47:05Z">2 years ago</x-ago>`,
			"2024-04-08T09:47:05Z",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.url == "" {
				tt.url = testURL
			}
			p := page.Parse([]byte("<!DOCTYPE html>"+tt.html), page.Options{URL: tt.url})
			captured := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
			m := Extract(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}), Options{Captured: captured})
			if m.Published != tt.want {
				t.Errorf("published %q of %s, want %q", m.Published, m.Sources["published"], tt.want)
			}
		})
	}
}
