package pagemeta

import (
	"slices"
	"strings"
)

// The kind of a page decides which of its dates and names are those of an article.

// ofList reports whether the visible date probably belongs to a list of articles: there are several, and the page does
// not declare an article. An article may have a few other dates: of related articles, of comments.
func (f *finder) ofList() bool {
	s := &f.shown
	if f.article() {
		return s.others > 4 && s.far > maxFar
	}
	return s.others > 2 || s.others > 0 && s.far > maxFar
}

// isFrontPage reports whether the page is its site's front page. A page without a URL may be anything. With a query
// that names it, it is another page: WordPress with plain permalinks has all posts at /?p=5031.
func (f *finder) isFrontPage() bool {
	return f.p.URL != "" && !strings.Contains(f.key, "/") && identity(f.p.URL) == ""
}

// unnaming are query parameters, besides utm_*, that do not change the page: where the visitor came from, and the
// wanted language or currency.
var unnaming = strings.Fields("fbclid gclid msclkid srsltid mc_cid mc_eid ref referrer source lang language " +
	"locale hl " +
	"l country currency amp")

// identity is the part of a URL's query that may name a page: its parameters except the unnaming ones, sorted.
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

func (f *finder) article() bool {
	for _, t := range f.meta("og:type") {
		if strings.EqualFold(t, "article") {
			return true
		}
	}
	return slices.ContainsFunc(f.main.Types(), isArticle)
}

// catalogued reports whether a declared publication date can only be the day of entry into the site's software. That
// is so for a web page node without an article, which such software makes for every page.
func (f *finder) catalogued() bool {
	return f.main == nil && f.web != nil && f.item == nil && f.metas("article:published_time") == nil
}

// products are schema.org types whose pages are not articles.
var products = []string{"Product", "ProductGroup", "Course", "SoftwareApplication"}

// isProduct reports whether the page is about a product. With a main item in microdata, JSON-LD has no main node.
func (f *finder) isProduct() bool {
	isType := func(t string) bool { return slices.Contains(products, t) }
	if f.item != nil {
		return slices.ContainsFunc(itemTypes(f.item), isType)
	}
	ogProduct := slices.ContainsFunc(f.meta("og:type"),
		func(t string) bool { return strings.Contains(strings.ToLower(t), "product") })
	return ogProduct || slices.ContainsFunc(f.main.Types(), isType)
}

// maxFar is the most blocks between the title and a lone date, on a page with several dates.
const maxFar = 4

// The most blocks between the title and a date: without a name, of the last change, and in an element called a date.
const (
	maxFarPlain   = 8
	maxFarChanged = 12
	maxFarHinted  = 20
)

// isFar reports whether the visible date is too far from the title to be the page's. A label ("Published:") counts at
// any distance.
func (s *shown) isFar() bool {
	return !s.labelled && (s.far > maxFarHinted || s.far > maxFarPlain && !s.hinted)
}
