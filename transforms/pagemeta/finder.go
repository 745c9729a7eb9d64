package pagemeta

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/cldr"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// finder holds what the sources of one page say, in the form in which they are asked. It is made once for a page;
// sources ask it again and again, so what costs a walk over the page is kept.
type finder struct {
	p        *page.Page
	o        Options
	key      string // of the page's URL, see pageKey
	docTitle string // what <title> says
	ld       []jsonld.Node
	main     jsonld.Node // what the page is about; nil when that is not clear
	web      jsonld.Node // the page itself: a WebPage node
	item     *page.Item  // what the page is about, in microdata; nil when that is not clear, or when JSON-LD has it
	locale   locale      // of its dates
	// What the site is called, as letters in lower case; see findSite.
	siteKeys  []string
	hostLabel string // the longest label of the host

	survey
	titled      []answer            // what each of declaredTitles says
	titleWords  [][]string          // the sets of words of these
	titledSigns []signs             // and what each says of a candidate
	rels        map[string][]string // texts of anchors by relation; nil until asked for
	heading     heading             // that shows the title
	headed      bool                // there is one
	chosen      answer              // the title
	shown       shown               // around it
	by          byline
	sole        shown // on the whole page, if that was asked
}

// newFinder asks in an order: the site's name is needed for titles, titles for the heading, the heading for what
// surrounds it.
func newFinder(p *page.Page, ld []jsonld.Node, o Options) *finder {
	f := &finder{p: p, o: o, ld: ld, key: pageKey(p.URL), docTitle: p.Title()}
	f.web = f.webPage()
	// Microdata is asked where JSON-LD does not tell, as pages that have both repeat themselves.
	if f.main = f.mainNode(); f.main == nil {
		f.item = f.mainItem()
	}
	f.findSite()
	host, _, _ := strings.Cut(f.key, "/")
	f.locale = locale{order: dayOrder(p.Lang(), host), language: cldr.Base(p.Lang())}
	f.survey = newSurvey(p)
	f.findLogo(host)
	for i, s := range declaredTitles {
		if v := s.ask(f); v != nil {
			f.titledSigns = append(f.titledSigns, declaredSigns[i])
			f.titled = append(f.titled, answer{source: s.name, values: v})
			f.titleWords = append(f.titleWords, wordSet(v[0]))
		}
	}
	// Without a title there is nothing around which dates and names are believed.
	f.heading, f.headed = f.titleHeading()
	f.chosen = f.title()
	if f.headed {
		ahead, behind := around(p, f.heading)
		f.shown = shownDates(ahead, behind, f.locale)
		f.by = shownByline(ahead, behind)
	}
	return f
}

// works are the types of schema.org that a page can be about and that have a title of their own. Most articles are
// not listed: isArticle tells them by their names.
var works = []string{
	"Question", "Recipe", "Product", "ProductGroup", "VideoObject", "Event", "JobPosting", "Course", "Book", "Movie",
	"HowTo", "PodcastEpisode", "SoftwareApplication", "Dataset", "CreativeWork", "Review", "Report", "LearningResource",
	"Thesis", "DiscussionForumPosting", "SocialMediaPosting", "LiveBlogPosting", "BlogPosting",
}

// isWork reports whether one of the types is of an article or another work.
func isWork(types []string) bool {
	for _, t := range types {
		if isArticle(t) || slices.Contains(works, t) {
			return true
		}
	}
	return false
}

// isArticle covers Article and its subtypes, all of which are called so or after posting. schema.org has some ten
// subtypes, and publishers use them all.
func isArticle(t string) bool {
	return strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting") && t != "JobPosting"
}

// mainNode is the work that says that the page is its own, or else the page's only article, or its only work. Listing
// pages hold an article for each teaser: with several and no reason to choose, it is none.
func (f *finder) mainNode() jsonld.Node {
	// Nodes of the top, and the main entities of pages among them.
	var all []jsonld.Node
	for _, n := range f.ld {
		all = append(all, n)
		all = append(all, n.Child("mainEntity")...)
	}
	var articles, others []jsonld.Node
	for _, n := range all {
		types := n.Types()
		// A work without a name says nothing of itself.
		if !isWork(types) || n.String("headline") == "" && n.String("name") == "" {
			continue
		}
		// Said to be of this page: that settles it.
		if f.isThisPage(n) {
			return n
		}
		if slices.ContainsFunc(types, isArticle) {
			articles = append(articles, n)
		} else {
			others = append(others, n)
		}
	}
	// One article, whatever other works there are (a product in a review, a recipe in a post).
	if len(articles) == 1 {
		return articles[0]
	}
	if len(articles) == 0 && len(others) == 1 {
		return others[0]
	}
	return nil
}

// isThisPage reports whether a node names this page as its own.
func (f *finder) isThisPage(n jsonld.Node) bool {
	// The properties by which nodes name their page.
	for _, key := range []string{"mainEntityOfPage", "url", "@id"} {
		if slices.ContainsFunc(append(n.Strings(key), childIDs(n, key)...), f.samePage) {
			return true
		}
	}
	return false
}

// childIDs are the addresses of objects under a property.
func childIDs(n jsonld.Node, key string) []string {
	var ids []string
	for _, c := range n.Child(key) {
		ids = append(ids, c.String("@id"), c.String("url"))
	}
	return ids
}

// samePage compares URLs without scheme, "www.", query, fragment and closing slash. The site's root is not a page's
// name, too many nodes are given it by mistake, unless its query names the page.
func (f *finder) samePage(u string) bool {
	key := pageKey(u)
	if !strings.Contains(key, "/") {
		named := identity(u)
		return key == f.key && named != "" && named == identity(f.p.URL)
	}
	return key == f.key
}

// pageKey is what samePage compares.
func pageKey(u string) string {
	_, u, _ = strings.Cut(u, "://")
	if i := strings.IndexAny(u, "?#"); i >= 0 {
		u = u[:i]
	}
	return strings.TrimSuffix(strings.TrimPrefix(u, "www."), "/")
}

// webPage is the first node that is a page.
func (f *finder) webPage() jsonld.Node {
	for _, n := range f.ld {
		// WebPage and its subtypes (ItemPage, FAQPage).
		for _, t := range n.Types() {
			if strings.HasSuffix(t, "Page") {
				return n
			}
		}
	}
	return nil
}

// maxItems bounds the search for microdata: items in document order, those inside others included.
const maxItems = 1000

// mainItem is the only article of the page's microdata, or its only work.
func (f *finder) mainItem() *page.Item {
	var articles, others []*page.Item
	// Breadth first, so that outer items are met before those inside.
	queue := slices.Clone(f.p.Items())
	for i := 0; i < len(queue) && i < maxItems; i++ {
		item := queue[i]
		types := itemTypes(item)
		switch {
		case slices.ContainsFunc(types, isArticle):
			articles = append(articles, item)
			// What is inside of an article is its own (its author, its image).
			continue
		case isWork(types):
			others = append(others, item)
			continue
		}
		for j := range item.Props {
			if item.Props[j].Item != nil {
				queue = append(queue, item.Props[j].Item)
			}
		}
	}
	if len(articles) == 1 {
		return articles[0]
	}
	if len(articles) == 0 && len(others) == 1 {
		return others[0]
	}
	return nil
}

// itemTypes are the last parts of the URLs of types.
func itemTypes(item *page.Item) []string {
	types := make([]string, len(item.Type))
	for i, t := range item.Type {
		types[i] = t[strings.LastIndexByte(t, '/')+1:]
	}
	return types
}

// props are the values of the main item's properties of one name; of an item among them, its name.
func (f *finder) props(name string) []string {
	if f.item == nil {
		return nil
	}
	return itemValues(f.item, name, 1)
}

// itemValues follows one item deep: an author's own author is of no use.
func itemValues(item *page.Item, name string, depth int) []string {
	var all []string
	for i := range item.Props {
		p := &item.Props[i]
		switch {
		case p.Name != name:
		case p.Item == nil:
			all = append(all, p.Value)
		case depth > 0:
			all = append(all, itemValues(p.Item, "name", depth-1)...)
		}
	}
	return all
}

// maxMetaValues bounds the values kept of one <meta> name.
const maxMetaValues = 256

// metas returns the values of all <meta> elements of one name. Open Graph allows several of one name (og:image,
// article:tag).
func (f *finder) metas(name string) []string {
	var all []string
	for i, metas := 0, f.p.Metas(); i < len(metas) && len(all) < maxMetaValues; i++ {
		if metas[i].Name == name {
			all = append(all, metas[i].Content)
		}
	}
	return all
}

// meta returns the values of the first of names that has one which is not blank. All values of that name are
// returned, blank ones too: the caller cleans them.
func (f *finder) meta(names ...string) []string {
	for _, name := range names {
		all := f.metas(name)
		for _, v := range all {
			if strings.TrimSpace(v) != "" {
				return all
			}
		}
	}
	return nil
}

// anyMeta returns the values of all of names, in that order. Where meta is content with one name, this one is for
// names that mean the same.
func (f *finder) anyMeta(names ...string) []string {
	var all []string
	for _, name := range names {
		all = append(all, f.metas(name)...)
	}
	return all
}

// siteNames are the names of the WebSite nodes.
func (f *finder) siteNames() []string {
	var all []string
	for _, n := range f.ld {
		if slices.Contains(n.Types(), "WebSite") {
			all = append(all, n.Strings("name")...)
		}
	}
	return all
}

// maxReferences bounds the nodes of one property that are looked up.
const maxReferences = 64

// resolved are the texts of a node's property. Objects that only refer to a node by its @id stand for that node; where
// there is one, plain texts beside the objects are left out. Graphs of plug-ins (Yoast) give authors as {"@id": …}
// and describe them elsewhere.
func (f *finder) resolved(n jsonld.Node, key string) []string {
	if n == nil {
		return nil
	}
	var all []string
	references := false
	for i, c := range n.Child(key) {
		if i >= maxReferences {
			break
		}
		// An object with a name of its own.
		names := c.Strings("name")
		if len(names) == 0 {
			// nodeOf may be nil, which has no strings.
			names, references = f.nodeOf(c.String("@id")).Strings("name"), true
		}
		all = append(all, names...)
	}
	if !references {
		return n.Strings(key)
	}
	return all
}

// nodeOf is the first node that has the id and says something, or nil.
func (f *finder) nodeOf(id string) jsonld.Node {
	if id == "" {
		return nil
	}
	for _, n := range f.ld {
		// A node of an @id alone is a reference, too.
		if len(n) > 1 && n.String("@id") == id {
			return n
		}
	}
	return nil
}

// absolute resolves u against the page; it is "" for what is not a http(s) URL. Both the page's own base and relative
// references come from the page, so either may be broken.
func (f *finder) absolute(u string) string {
	u = strings.TrimSpace(u)
	if u == "" || len(u) > f.o.MaxURLBytes {
		return ""
	}
	ref, err := url.Parse(u)
	if err != nil {
		return ""
	}
	if base, err := url.Parse(f.p.Base()); err == nil {
		ref = base.ResolveReference(ref)
	}
	if ref.Host == "" || ref.Scheme != "http" && ref.Scheme != "https" {
		return ""
	}
	return ref.String()
}
