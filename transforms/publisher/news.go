package publisher

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/department"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// newsTypes maps schema.org types that news publishers use to the types kept.
var newsTypes = map[string]string{
	"NewsArticle": "NewsArticle", "ReportageNewsArticle": "NewsArticle", "AnalysisNewsArticle": "NewsArticle",
	"OpinionNewsArticle": "NewsArticle", "BackgroundNewsArticle": "NewsArticle", "LiveBlogPosting": "NewsArticle",
	"NewsMediaOrganization": "NewsMediaOrganization",
}

// newsMetas are the tags by which pages give news search engines their topics and sources. Pages used them to declare
// themselves as news before there were types for it.
var newsMetas = []string{"news_keywords", "standout", "syndication-source", "original-source"}

// NewsSignals returns, sorted, the evidence in a page that its site publishes news. It has the departments that the
// page links to on its own site. It has NewsArticle and NewsMediaOrganization if the page declares itself such an
// article, or as by such an organization. Those of one page are a hint; many pages are evidence.
func NewsSignals(p *page.Page, nodes []jsonld.Node) (list []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	domain := urlkey.RegistrableDomain(urlkey.Host(p.URL))
	var seen department.Set
	for _, a := range p.Anchors() {
		// The text is looked up before the URL is parsed, since few links pass.
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
		// An empty tag counts as well: it comes from the template of news articles.
		if slices.Contains(newsMetas, m.Name) {
			add("NewsArticle")
		}
	}
	slices.Sort(list)
	return list
}
