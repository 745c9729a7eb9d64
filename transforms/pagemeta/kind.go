package pagemeta

import (
	"slices"
	"strings"
)

// What kind of page it is decides which of its dates and names are those of an article.

// ofList reports whether the date that a page shows is rather one of a list of articles: there are several, and the
// page says nowhere that it is an article. An article may have a few other dates beside its own: of related articles,
// of comments.
func (f *finder) ofList() bool {
	s := &f.shown
	if f.article() {
		return s.others > 4 && s.far > maxFar
	}
	return s.others > 2 || s.others > 0 && s.far > maxFar
}

// isFrontPage reports whether the page is its site's first. A page without a URL may be anything, and one with a query
// that names it is another page: WordPress with plain permalinks has all posts at /?p=5031.
func (f *finder) isFrontPage() bool {
	return f.p.URL != "" && !strings.Contains(f.key, "/") && identity(f.p.URL) == ""
}

// unnaming are the parameters, besides those that begin with utm_, which leave a page what it is: where the visitor
// came from, and in which language or currency the page is wanted.
var unnaming = strings.Fields("fbclid gclid msclkid srsltid mc_cid mc_eid ref referrer source lang language " +
	"locale hl " +
	"l country currency amp")

// identity is what of a URL's query may name a page: its parameters but the unnaming ones, sorted.
func identity(u string) string {
	u, _, _ = strings.Cut(u, "#")
	_, query, _ := strings.Cut(u, "?")
	var naming []string
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(strings.ToLower(parameter), "=")
		if value != "" && !strings.HasPrefix(name, "utm_") && !slices.Contains(unnaming, name) {
			naming = append(naming, parameter)
		}
	}
	slices.Sort(naming)
	return strings.Join(naming, "&")
}

// article reports whether a page says that it is an article.
func (f *finder) article() bool {
	// og:type is asked before JSON-LD, as most templates set it.
	for _, t := range f.meta("og:type") {
		if strings.EqualFold(t, "article") {
			return true
		}
	}
	return slices.ContainsFunc(f.main.Types(), isArticle)
}

// catalogued reports whether the only publication date that a page may declare is the day on which it was entered into
// the site's software: that of a web page that is not an article. Such nodes are made for every page, by the program
// that holds the site.
func (f *finder) catalogued() bool {
	return f.main == nil && f.web != nil && f.item == nil && f.metas("article:published_time") == nil
}

// products are the types of schema.org whose pages are not articles.
var products = []string{"Product", "ProductGroup", "Course", "SoftwareApplication"}

// isProduct reports whether the page is about something that is sold. Of a page that has both, the item is asked, for
// JSON-LD has no main node then.
func (f *finder) isProduct() bool {
	isType := func(t string) bool { return slices.Contains(products, t) }
	if f.item != nil {
		return slices.ContainsFunc(itemTypes(f.item), isType)
	}
	ogProduct := slices.ContainsFunc(f.meta("og:type"),
		func(t string) bool { return strings.Contains(strings.ToLower(t), "product") })
	return ogProduct || slices.ContainsFunc(f.main.Types(), isType)
}

// maxFar is how many blocks may be between the title and a date that stands alone, on a page with several dates.
const maxFar = 4

// The numbers of blocks that may be between the title and a date of the page: one that nothing names, one of the last
// change, and one that the name of its element calls a date.
const (
	maxFarPlain   = 8
	maxFarChanged = 12
	maxFarHinted  = 20
)

// isFar reports whether the date that is shown is too far from the title to be the page's. A label ("Published:") holds
// at any distance.
func (s *shown) isFar() bool {
	return !s.labelled && (s.far > maxFarHinted || s.far > maxFarPlain && !s.hinted)
}
