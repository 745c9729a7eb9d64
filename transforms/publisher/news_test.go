package publisher_test

import (
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/publisher"
)

// newsPage has departments of its own site in its menu, a link to another site's, and a type.
const newsPage = `<nav><a href=/pol>Politics</a><a href="https://www.a.example/s">SPORT</a><a href=/pol2>Política</a>
<a href="https://b.example/">Opinion</a><a href=/x>Recipes</a></nav>
<script type="application/ld+json">{"@type":["LiveBlogPosting","Article"],"headline":"x"}</script><p>Text`

func TestNewsSignals(t *testing.T) {
	for name, tt := range map[string]struct {
		html string
		want []string
	}{
		"news":    {newsPage, []string{"NewsArticle", "politics", "sport"}},
		"metas":   {`<meta name="News_Keywords" content=""><meta name=keywords content="a"><p>Text`, []string{"NewsArticle"}},
		"nothing": {"<p>Text<a href=/x>Recipes</a>", nil},
	} {
		p := page.Parse([]byte(tt.html), page.Options{URL: "https://www.a.example/1"})
		got := publisher.NewsSignals(p, jsonld.Nodes(p.Scripts(), jsonld.Options{}))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func BenchmarkNewsSignals(b *testing.B) {
	p := page.Parse([]byte(newsPage), page.Options{URL: "https://www.a.example/1"})
	nodes := jsonld.Nodes(p.Scripts(), jsonld.Options{})
	b.ReportAllocs()
	for b.Loop() {
		publisher.NewsSignals(p, nodes)
	}
}
