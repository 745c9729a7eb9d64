package publisher

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/department"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// newsTypes are types of schema.org that publishers of news use, by what is kept of them.
var newsTypes = map[string]string{
	"NewsArticle": "NewsArticle", "ReportageNewsArticle": "NewsArticle", "AnalysisNewsArticle": "NewsArticle",
	"OpinionNewsArticle": "NewsArticle", "BackgroundNewsArticle": "NewsArticle", "LiveBlogPosting": "NewsArticle",
	"NewsMediaOrganization": "NewsMediaOrganization",
}

// newsMetas are those by which pages tell engines that search news what they are about, and whose piece they are: they
// say by them to be one, as they did before there were types for it.
var newsMetas = []string{"news_keywords", "standout", "syndication-source", "original-source"}

// NewsSignals are what of a page tells that its site publishes news, sorted: the departments that it links to on its
// own site, and NewsArticle and NewsMediaOrganization, when it says to be one or to be by one. One page's are a hint;
// those of many pages tell.
func NewsSignals(p *page.Page, nodes []jsonld.Node) (list []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	domain := urlkey.RegistrableDomain(urlkey.Host(p.URL))
	var seen department.Set
	for _, a := range p.Anchors() {
		// The text is looked up before the URL is taken apart: few links pass.
		found := department.Of(a.Text) &^ seen
		if found != 0 && urlkey.RegistrableDomain(urlkey.Host(a.Href)) == domain {
			seen |= found
		}
	}
	for d := range seen.All() {
		add(d.String())
	}
	for _, t := range typesOf(p, nodes) {
		add(newsTypes[t])
	}
	for _, m := range p.Metas() {
		// With nothing in it as well: it is the template of pieces of news that has it.
		if slices.Contains(newsMetas, m.Name) {
			add("NewsArticle")
		}
	}
	slices.Sort(list)
	return list
}
