package publisher_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/publisher"
)

func TestType(t *testing.T) {
	tests := []struct {
		name string
		s    publisher.Signals
		want string
	}{
		{"nothing", publisher.Signals{}, "UNKNOWN"},
		{"a forum's program", publisher.Signals{Host: "a.com", Domain: "a.com", Generator: "phpbb 3"}, "FORUM"},
		{"WordPress alone", publisher.Signals{Host: "a.com", Domain: "a.com", Generator: "wordpress 6.5"}, "UNKNOWN"},
		{"WordPress on blog.", publisher.Signals{Host: "blog.a.com", Domain: "a.com", Generator: "wordpress 6.5"}, "WEBLOG"},
		{
			"a domain that begins with blog",
			publisher.Signals{Host: "blog.com", Domain: "blog.com", Generator: "wordpress"},
			"UNKNOWN",
		},
		{"a newspaper's forum", publisher.Signals{
			Host: "forum.a.com", Domain: "a.com",
			Types: []string{"NewsMediaOrganization"},
		}, "UNKNOWN"},
		{
			"a newspaper",
			publisher.Signals{Host: "a.com", Domain: "a.com", Path: "/story/1", Types: []string{"NewsArticle"}},
			"MAINSTREAM_NEWS",
		},
		{"NewsArticle alone", publisher.Signals{Host: "a.com", Domain: "a.com", Types: []string{"NewsArticle"}}, "UNKNOWN"},
		{"a host beneath a known one", publisher.Signals{Host: "old.reddit.com", Domain: "reddit.com"}, "MEMETRACKER"},
		{"a host that ends alike", publisher.Signals{Host: "notreddit.com", Domain: "notreddit.com"}, "UNKNOWN"},
		{"photos", publisher.Signals{Host: "www.flickr.com", Domain: "flickr.com"}, "PHOTO"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := publisher.Type(tt.s); got != tt.want {
				t.Errorf("Type(%+v) = %s, want %s", tt.s, got, tt.want)
			}
		})
	}
}

const sample = `<title>Soup</title><meta name=generator content="Blogger"><meta property="og:site_name" content=" The
Kitchen "><link rel="alternate" type="application/atom+xml" title="Posts" href="/atom.xml"><link rel="shortcut icon" href="/i.ico">
<script type="application/ld+json">{"@type":"WebSite","name":"Other","description":"On soup"}</script><p>Soup`

func TestOf(t *testing.T) {
	p := page.Parse([]byte(sample), page.Options{URL: "http://a.example/1"})
	got := publisher.Of(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}))
	want := schemas.Site{
		Title: "The Kitchen", Description: "On soup", PublisherType: "WEBLOG", FeedURL: "http://a.example/atom.xml",
		FeedTitle:  "Posts",
		FeedFormat: "ATOM", Favicon: "http://a.example/i.ico",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOf_profiles: declarations of the site's identity and of its publisher count, but not those of its authors and
// subjects.
func TestOf_profiles(t *testing.T) {
	const x, y = "https://x.example/a", "https://y.example/@b"
	const person = `{"@type":"Person","sameAs":"` + y + `"}`
	ld := func(text string) string { return `<script type="application/ld+json">` + text + `</script>` }
	for _, tt := range []struct {
		name, page string
		want       []string
	}{
		{"rel=me", `<link rel="me" href="` + x + `"><p><a rel="nofollow ME" href="` + y + `">b</a>`, []string{x, y}},
		{
			"an organization", ld(`{"@type":"NewsMediaOrganization","sameAs":["` + x + `","` + x + `","` + y + `"]}`),
			[]string{x, y},
		},
		{"a graph", ld(`{"@graph":[{"@type":"WebSite","sameAs":"` + x + `"},` + person + `]}`), []string{x}},
		{"a publisher", ld(`{"@type":"NewsArticle","publisher":{"@type":"Organization","sameAs":"` + x + `"}}`), []string{x}},
		{
			"microdata", `<div itemscope itemtype="https://schema.org/Organization"><a itemprop="sameAs" href="` + x +
				`">a</a></div>`, []string{x},
		},
		{"an author", ld(`{"@type":"Article","author":{"@type":"Person","sameAs":"` + x + `"}}`), nil},
		{
			"no page of the web", `<a rel=me href="mailto:a@b.example">m</a>` +
				ld(`{"@type":"WebSite","sameAs":["javascript:1","x"]}`), nil,
		},
		{"other words", `<p><a rel="home" href="` + x + `">b</a> <a rel="some" href="` + y + `">b</a>`, nil},
	} {
		p := page.Parse([]byte(tt.page), page.Options{URL: "http://a.example/1"})
		got := publisher.Of(p, jsonld.Nodes(p.Scripts(), jsonld.Options{})).Profiles
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func ExampleType() {
	fmt.Println(publisher.Type(publisher.Signals{
		Host: "forum.example.com", Domain: "example.com",
		Generator: "discourse 3.1",
	}))
	// Output: FORUM
}
