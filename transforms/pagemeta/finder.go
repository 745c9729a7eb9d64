package pagemeta

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/cldr"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// finder holds the data of one page's sources. It keeps whatever costs a walk over the page.
type finder struct {
	p        *page.Page
	o        Options
	key      string // of the page's URL, see pageKey
	docTitle string // text of <title>
	ld       []jsonld.Node
	main     jsonld.Node // the subject of the page; nil if it is not clear
	web      jsonld.Node // the page itself: a WebPage node
	item     *page.Item  // the subject of the page in microdata; nil if it is not clear, or if JSON-LD has it
	locale   locale      // of its dates
	// siteKeys are the names of the site, as letters in lower case; see findSite.
	siteKeys  []string
	hostLabel string // the longest label of the host

	survey
	blocks      titleBlocks
	titled      []answer            // the answer of each of declaredTitles
	titleWords  [][]string          // the word sets of these
	titledSigns []signs             // signs that each gives a candidate
	rels        map[string][]string // texts of anchors by relation; nil until needed
	profiles    []string            // targets of the author's anchors
	heading     heading             // the heading that shows the title
	headed      bool                // there is one
	chosen      answer              // the title
	shown       shown               // dates around the title
	by          byline
	sole        shown // dates on the whole page, if needed
}

// newFinder fills a finder in order: titles need the site's name, the heading needs titles, and the dates around it
// need the heading.
func newFinder(p *page.Page, ld []jsonld.Node, o Options) *finder {
	f := &finder{p: p, o: o, ld: ld, key: pageKey(p.URL), docTitle: p.Title()}
	f.web = f.webPage()
	// Microdata counts only without JSON-LD: pages with both repeat themselves.
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
	// Only dates and names around a title are credible.
	f.heading, f.headed = f.titleHeading()
	f.chosen = f.title()
	if f.headed {
		ahead, behind := around(p, f.heading)
		f.shown = shownDates(ahead, behind, f.locale)
		f.by = shownByline(ahead, behind, f.locale)
	}
	return f
}

// works are the schema.org types that a page can be about and that have a title of their own. isArticle recognises
// most articles by name.
var works = []string{
	"Question", "Recipe", "Product", "ProductGroup", "VideoObject", "Event", "JobPosting", "Course", "Book", "Movie",
	"HowTo", "PodcastEpisode", "SoftwareApplication", "Dataset", "CreativeWork", "Review", "Report", "LearningResource",
	"Thesis", "DiscussionForumPosting", "SocialMediaPosting", "LiveBlogPosting", "BlogPosting",
}

func isWork(types []string) bool {
	for _, t := range types {
		if isArticle(t) || slices.Contains(works, t) {
			return true
		}
	}
	return false
}

// isArticle reports whether a type is Article or one of its subtypes, which end in Article or Posting. There are some
// ten, and publishers use them all.
func isArticle(t string) bool {
	return strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting") && t != "JobPosting"
}

// mainNode returns the work that names this page as its own, or else the only article, or the only work. Listing pages
// hold an article for each teaser: with several it returns nil.
func (f *finder) mainNode() jsonld.Node {
	// Top-level nodes, and main entities of pages among them.
	var all []jsonld.Node
	for _, n := range f.ld {
		all = append(all, n)
		all = append(all, n.Child("mainEntity")...)
	}
	var articles, others []jsonld.Node
	for _, n := range all {
		types := n.Types()
		// Skip works without a name.
		if !isWork(types) || n.String("headline") == "" && n.String("name") == "" {
			continue
		}
		// A node of this page settles it.
		if f.isThisPage(n) {
			return n
		}
		if slices.ContainsFunc(types, isArticle) {
			articles = append(articles, n)
		} else {
			others = append(others, n)
		}
	}
	// One article, with any other works (a product in a review, a recipe in a post).
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
	for _, key := range []string{"mainEntityOfPage", "url", "@id"} {
		if slices.ContainsFunc(append(n.Strings(key), childIDs(n, key)...), f.samePage) {
			return true
		}
	}
	return false
}

// childIDs are the URLs of objects under a property.
func childIDs(n jsonld.Node, key string) []string {
	var ids []string
	for _, c := range n.Child(key) {
		ids = append(ids, c.String("@id"), c.String("url"))
	}
	return ids
}

// samePage compares URLs without scheme, "www.", query, fragment and closing slash. The site's root does not match, as
// too many nodes have it by mistake, unless its query names the page.
func (f *finder) samePage(u string) bool {
	key := pageKey(u)
	if !strings.Contains(key, "/") {
		named := identity(u)
		return key == f.key && named != "" && named == identity(f.p.URL)
	}
	return key == f.key
}

func pageKey(u string) string {
	_, u, _ = strings.Cut(u, "://")
	if i := strings.IndexAny(u, "?#"); i >= 0 {
		u = u[:i]
	}
	return strings.TrimSuffix(strings.TrimPrefix(u, "www."), "/")
}

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

// maxItems bounds the search for microdata: items in document order, with nested ones.
const maxItems = 1000

// mainItem is the only article of the page's microdata, or its only work.
func (f *finder) mainItem() *page.Item {
	var articles, others []*page.Item
	// Breadth first, so that outer items come before inner ones.
	queue := slices.Clone(f.p.Items())
	for i := 0; i < len(queue) && i < maxItems; i++ {
		item := queue[i]
		types := itemTypes(item)
		switch {
		case slices.ContainsFunc(types, isArticle):
			articles = append(articles, item)
			// Items in an article are its own, such as its author and image.
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

// props are the values of the main item's properties called name; for a value that is an item, its name.
func (f *finder) props(name string) []string {
	if f.item == nil {
		return nil
	}
	return itemValues(f.item, name, 1)
}

// itemValues follows items one level deep: an author's own author is of no use.
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

// meta returns all values, even blank ones, of the first of names with a value that is not blank.
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

// metaBy returns what clean leaves of the values of the first name of which it leaves any: others hold placeholders.
func (f *finder) metaBy(clean func([]string) []string, names ...string) []string {
	for _, name := range names {
		if v := clean(f.metas(name)); len(v) > 0 {
			return v
		}
	}
	return nil
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

const maxReferences = 64

// resolved returns the texts of a node's property. An object that only refers to a node by its @id stands for that
// node; then plain texts beside it are left out. Plug-ins such as Yoast give authors as {"@id": …} and describe them
// elsewhere.
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

// nodeOf is the first node with the id and other properties, or nil.
func (f *finder) nodeOf(id string) jsonld.Node {
	if id == "" {
		return nil
	}
	for _, n := range f.ld {
		// A node of only an @id is a reference, too.
		if len(n) > 1 && n.String("@id") == id {
			return n
		}
	}
	return nil
}

// absolute resolves u against the page as browsers do; it is "" for a URL that is not http(s). The page's base and
// relative references both come from the page, so either may be invalid. http:/path without a host is not resolved.
func (f *finder) absolute(u string) string {
	u = strings.TrimSpace(u)
	if u == "" || len(u) > f.o.MaxURLBytes {
		return ""
	}
	ref, err := url.Parse(u)
	if err != nil || ref.Scheme != "" && ref.Host == "" {
		return ""
	}
	if abs := f.p.Resolve(u); isWeb(abs) {
		return abs
	}
	return ""
}
