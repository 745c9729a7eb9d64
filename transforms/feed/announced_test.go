package feed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestAnnounced_links(t *testing.T) {
	tests := []struct {
		name, html string
		want       []schemas.Feed
	}{
		{
			"RSS and Atom", `<link rel="alternate" type="application/rss+xml; charset=utf-8" title=" All  news " href="/rss"><link rel=alternate type=application/atom+xml href=atom.xml>`,
			[]schemas.Feed{
				{URL: "https://www.example.com/rss", Type: "rss", Title: "All news"},
				{URL: "https://www.example.com/dir/atom.xml", Type: "atom"},
			},
		},
		{
			"JSON Feed, RDF, OPML", `<link rel=alternate type=application/feed+json href=/a><link rel=alternate type=application/rdf+xml href=/b><link rel=outline type=text/x-opml href=/c>`,
			[]schemas.Feed{
				{URL: "https://www.example.com/a", Type: "json"},
				{URL: "https://www.example.com/b", Type: "rdf"},
				{URL: "https://www.example.com/c", Type: "opml"},
			},
		},
		{
			"rel=feed, hub, sitemap", `<link rel=feed href=/all><link rel=hub href="https://hub.example/"><link rel=sitemap type=application/xml href=/sitemap.xml>`,
			[]schemas.Feed{
				{URL: "https://www.example.com/all", Type: "rss"},
				{URL: "https://hub.example/", Type: "websub"},
				{URL: "https://www.example.com/sitemap.xml", Type: "sitemap"},
			},
		},
		{
			"generic types by name", `<link rel=alternate type=application/json href=/feed.json><link rel=alternate type=text/xml href=/news.rss>`,
			[]schemas.Feed{
				{URL: "https://www.example.com/feed.json", Type: "json"},
				{URL: "https://www.example.com/news.rss", Type: "rss"},
			},
		},
		{"other alternates", `<link rel=alternate type=application/json href=/wp-json/wp/v2/posts/1><link rel=alternate type=application/json+oembed href=/oembed><link rel=alternate hreflang=de href=/de><link rel=alternate type=text/xml href=/page.xml><link rel="alternate stylesheet" type=application/rss+xml href=/x>`, nil},
		{
			"anchors for readers of the desktop", `<a href="feed://www.example.com/rss.xml">RSS</a>` +
				`<a href="feed:https://example.com/a.atom#x">A</a>` +
				`<a href="FEED://www.example.com/news?id=3">News</a><a href="feed://other.example/rss.xml">other</a>` +
				`<a href="feed:/x">x</a><a href="feed:">y</a><a href=/feed:z>z</a>`,
			[]schemas.Feed{
				{URL: "http://www.example.com/rss.xml", Type: "rss", Title: "RSS"},
				{URL: "https://example.com/a.atom", Type: "atom", Title: "A"},
				{URL: "http://www.example.com/news?id=3", Type: "rss", Title: "News"},
			},
		},
		{
			"twice", `<link rel=alternate type=application/rss+xml href=/rss><a href="/rss#top">RSS</a>`,
			[]schemas.Feed{{URL: "https://www.example.com/rss", Type: "rss"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { announces(t, tt.html, tt.want) })
	}
}

func TestAnnounced_anchors(t *testing.T) {
	tests := []struct{ href, kind string }{
		{"/feed/", "rss"},
		{"/category/news/feed", "rss"},
		{"/blog/feed/json", "json"},
		{"/blog/feed/atom/", "atom"},
		{"/wiki/Atom", ""},
		{"/data/json", ""},
		{"/rss.xml?x=1", "rss"},
		{"/index.rdf", "rdf"},
		{"/news/sport-rss.xml", "rss"},
		{"/comments.atom", "atom"},
		{"/?feed=atom", "atom"},
		{"/index.php?option=x&format=feed", "rss"},
		{"/feed.json", "json"},
		{"/list.opml", "opml"},
		{"https://feeds.example.net/story/rss.xml", "rss"},
		{"https://social.test/feed", ""},
		{"https://reader.test/subscribe?url=https://www.example.com/rss.xml", ""},
		{"/feedback", ""},
		{"/pressrelease", ""},
		{"/atomic.html", ""},
		{"/page.xml", ""},
		{"mailto:rss@example.com", ""},
	}
	for _, tt := range tests {
		t.Run(tt.href, func(t *testing.T) {
			if tt.kind == "" {
				announces(t, fmt.Sprintf(`<a href="%s">Subscribe</a>`, tt.href), nil)
				return
			}
			want := []schemas.Feed{{URL: tt.href, Type: tt.kind, Title: "Subscribe"}}
			if tt.href[0] == '/' {
				want[0].URL = "https://www.example.com" + tt.href
			}
			announces(t, fmt.Sprintf(`<a href="%s">Subscribe</a>`, tt.href), want)
		})
	}
}

func announces(t *testing.T, body string, want []schemas.Feed) {
	t.Helper()
	p := page.Parse([]byte("<!DOCTYPE html><title>x</title>"+body), page.Options{URL: "https://www.example.com/dir/page"})
	if diff := cmp.Diff(want, Announced(p, nil)); diff != "" {
		t.Errorf("Announced (-want +got):\n%s", diff)
	}
}

func TestAnnounced_bounded(t *testing.T) {
	var src strings.Builder
	src.WriteString(`<link rel=alternate type="application/rss+xml" href="feed://www.example.com/rss">`)
	for i := range 100 {
		src.WriteString(fmt.Sprintf("<a href=/%d/feed>feed</a>", i))
	}
	p := page.Parse([]byte(src.String()), page.Options{URL: "https://www.example.com/"})
	feeds := Announced(p, nil)
	if len(feeds) != maxAnnounced || feeds[0].URL != "http://www.example.com/rss" {
		t.Errorf("Announced = %d feeds, the first %+v", len(feeds), feeds[0])
	}
}

// The quick check that comes first must find every name that stands for a feed.
func TestHinted_seesAllNames(t *testing.T) {
	var names []string
	names = slices.AppendSeq(names, maps.Keys(bareKinds))
	names = slices.AppendSeq(names, maps.Keys(fileKinds))
	names = slices.AppendSeq(names, maps.Keys(queryKinds))
	for _, s := range suffixKinds {
		names = append(names, s.suffix)
	}
	for _, name := range names {
		if !hinted("https://www.example.com/" + name) {
			t.Errorf("hinted(%q) = false", name)
		}
	}
	if hinted("https://www.example.com/a/b?c=d") {
		t.Error("hinted of a name without a hint is true")
	}
}

func BenchmarkAnnounced(b *testing.B) {
	var src strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&src, `<a href="/stories/%d/a-reader-from-alabama-crafts-frames">read</a> `, i)
	}
	p := page.Parse([]byte(src.String()), page.Options{URL: "https://www.example.com/"})
	b.ReportAllocs()
	for b.Loop() {
		Announced(p, nil)
	}
}
