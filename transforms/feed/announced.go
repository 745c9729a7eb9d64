package feed

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// maxAnnounced is how many feeds of a page are kept; blog platforms announce three, portals have lists of some dozens.
const maxAnnounced = 32

// Announced returns the feeds that a page announces, at most 32, each URL once: those of the Link fields of its HTTP
// head, then of its <link> elements in document order, then anchors of the same site, or of a host that serves feeds,
// whose URL looks like a feed's. Types are those of schemas.Feed; a WebSub hub is "websub", the URL to subscribe to
// there "self", a sitemap "sitemap". The order is that of trust: a head is written by whoever runs the server, a
// <link> by whoever made the page, and an anchor is only a guess.
func Announced(p *page.Page, header []schemas.Field) []schemas.Feed {
	var c collector
	for _, f := range announcedByHeader(header, p.URL) {
		c.add(f.URL, f.Type, f.Title)
	}
	// WebSub may have its hub in the head and its topic in the page, or the reverse (section 4 of
	// WebSub).
	hub := slices.ContainsFunc(c.feeds, func(f schemas.Feed) bool { return f.Type == typeHub })
	for _, l := range p.Links() {
		hub = hub || slices.Contains(l.Rel, "hub")
	}
	// By index, since a Link is large and most are passed over.
	for i, links := 0, p.Links(); i < len(links); i++ {
		l := &links[i]
		if kind := linkKind(l); kind != "" {
			c.add(l.Href, kind, l.Title)
			// Without a hub, rel=self is the page itself.
		} else if hub && slices.Contains(l.Rel, "self") {
			c.add(l.Href, typeSelf, l.Title)
		}
	}
	for i, anchors := 0, p.Anchors(); i < len(anchors); i++ {
		a := &anchors[i]
		// The name is asked first: it costs less than taking a URL apart for its site.
		kind := nameKind(a.Href)
		// Other sites' feeds are linked by blogrolls, which are not the page's own.
		if kind != "" && (link.SameSite(a.Href, p.URL) || feedHost(a.Href)) {
			c.add(a.Href, kind, a.Text)
		}
	}
	return c.feeds
}

// collector keeps the first of each URL. Header, links and anchors come in that order, so the most trusted title of a
// URL stays.
type collector struct {
	feeds []schemas.Feed
	seen  map[string]bool
}

// add keeps a feed unless its URL is known or no URL of the web.
func (c *collector) add(href, kind, title string) {
	// A fragment does not make another feed.
	href, _, _ = strings.Cut(href, "#")
	href = webURL(href)
	if href == "" || c.seen[href] || len(c.feeds) >= maxAnnounced {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[href] = true
	c.feeds = append(c.feeds, schemas.Feed{URL: href, Type: kind, Title: clean(title, 256)})
}

// webURL is the http(s) URL behind the feed: scheme, which comes as feed://host and as feed:https://host; "" for URLs
// that are neither. Desktop readers registered the scheme feed: in the years of 2005, and pages still have it.
func webURL(href string) string {
	if rest, ok := strings.CutPrefix(href, "feed:"); ok {
		href = rest
		// feed://host stands for http, as there was no other then.
		if strings.HasPrefix(href, "//") {
			href = "http:" + href
		}
	}
	if strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://") {
		return href
	}
	return ""
}

// linkTypes are the media types of feeds. Both registered and mistaken ones that pages have.
var linkTypes = map[string]string{
	"application/rss+xml": typeRSS, "application/x-rss+xml": typeRSS, "application/rss": typeRSS, "text/rss": typeRSS,
	"text/rss+xml": typeRSS, "application/atom+xml": typeAtom, "application/x.atom+xml": typeAtom,
	"application/atom": typeAtom, "text/atom": typeAtom, "application/rdf+xml": typeRDF, "application/feed+json": typeJSON,
	"text/x-opml": typeOPML, "application/opml+xml": typeOPML, "text/x-opml+xml": typeOPML,
}

// linkKind is the type of feed that a <link> announces, or "". Several words may stand in rel; the first case that
// fits decides, from the most telling.
func linkKind(l *page.Link) string {
	switch {
	case slices.Contains(l.Rel, "hub"):
		return typeHub
	case slices.Contains(l.Rel, "sitemap"):
		return typeSitemap
	case slices.Contains(l.Rel, "outline"):
		return typeOPML
	case slices.Contains(l.Rel, "feed"):
		return feedKind(l)
	// rel="alternate stylesheet" is a style sheet.
	case slices.Contains(l.Rel, "alternate") && !slices.Contains(l.Rel, "stylesheet"):
		return alternateKind(l)
	}
	return ""
}

// feedKind is the type of rel=feed, which is a feed whatever its type says (HTML 5 drafts of 2008). A type that is no
// feed's is a mistake; the URL is asked, and then RSS, as most are.
func feedKind(l *page.Link) string {
	if kind := linkTypes[l.Type]; kind != "" {
		return kind
	}
	if kind := nameKind(l.Href); kind != "" {
		return kind
	}
	return typeRSS
}

// alternateKind is the type of rel=alternate: generic types are feeds only when the URL says so, because other
// languages, oEmbed and REST interfaces are announced in the same way. The table of types is only asked for types
// that belong to feeds alone.
func alternateKind(l *page.Link) string {
	switch l.Type {
	case "application/json":
		if nameKind(l.Href) == typeJSON {
			return typeJSON
		}
		return ""
	case "text/xml", "application/xml":
		return nameKind(l.Href)
	}
	return linkTypes[l.Type]
}

// bareKinds are names without a suffix that feeds have. They hold in lower case only: /wiki/RSS and /wiki/Atom are
// articles. A path that ends so is a feed's in all blog programs.
var bareKinds = map[string]string{
	"rss": typeRSS, "rss2": typeRSS, "feed": typeRSS, "atom": typeAtom,
	"jsonfeed": typeJSON,
}

// fileKinds are names that files of feeds have. Compared in lower case, unlike bare names: a file's ending leaves no
// doubt.
var fileKinds = map[string]string{
	"rss.xml": typeRSS, "rss2.xml": typeRSS, "rss.php": typeRSS, "rss.aspx": typeRSS, "feed.xml": typeRSS,
	"feed.php": typeRSS, "atom.xml": typeAtom, "atom.php": typeAtom, "feed.json": typeJSON,
}

// suffixKinds are endings of such names. The first that fits; the longer ones stand before ".xml" could be mistaken.
var suffixKinds = []struct{ suffix, kind string }{
	{".rss", typeRSS},
	{".atom", typeAtom},
	{".rdf", typeRDF},
	{".opml", typeOPML},
	{"-rss.xml", typeRSS},
	{"_rss.xml", typeRSS},
	{"-atom.xml", typeAtom},
	{"rss.xml", typeRSS},
}

// queryKinds are parameters with which WordPress, Joomla, MediaWiki and others serve feeds. Compared with whole
// parameters, so "feed=rss&x=y" has one and "feed=rssx" none.
var queryKinds = map[string]string{
	"feed=rss": typeRSS, "feed=rss2": typeRSS, "feed=atom": typeAtom, "feed=rdf": typeRDF, "feed=json": typeJSON,
	"format=feed": typeRSS, "format=rss": typeRSS, "format=atom": typeAtom, "output=rss": typeRSS, "output=atom": typeAtom,
	"type=rss": typeRSS, "alt=rss": typeRSS, "alt=atom": typeAtom,
}

// hints are what every name, suffix and parameter above has one of. A name without any of them cannot be in a table
// above: the tests hold the tables to that.
var hints = [...]string{"rss", "feed", "atom", "rdf", "json", "opml"}

// hinted tells whether a URL holds a hint. Nearly all links hold none, and need no closer look. Only the first letter
// is looked at for most bytes. An OR with 0x20 makes letters lower case; other bytes that it changes are not in the
// list.
func hinted(href string) bool {
	for i := range len(href) {
		switch href[i] | 0x20 {
		case 'r', 'f', 'a', 'j', 'o':
			for _, h := range hints {
				if len(href)-i >= len(h) && strings.EqualFold(href[i:i+len(h)], h) {
					return true
				}
			}
		}
	}
	return false
}

// nameKind is the type of feed that a URL looks like, or "".
func nameKind(href string) string {
	// Parsing costs far more than looking for a hint.
	if !hinted(href) {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	// A slash at the end does not change the name: "/feed/" is WordPress's.
	path := strings.TrimSuffix(u.Path, "/")
	slash := strings.LastIndexByte(path, '/') + 1
	dir, name := path[:slash], path[slash:]
	if kind := bareKinds[name]; kind != "" {
		return kind
	}
	// WordPress has /feed/json; a file called json elsewhere is anything.
	if name == "json" && strings.HasSuffix(dir, "/feed/") {
		return typeJSON
	}
	name = strings.ToLower(name)
	if kind := fileKinds[name]; kind != "" {
		return kind
	}
	for _, s := range suffixKinds {
		if strings.HasSuffix(name, s.suffix) {
			return s.kind
		}
	}
	// Parameters come last, as a path says more.
	for parameter := range strings.SplitSeq(strings.ToLower(u.RawQuery), "&") {
		if kind := queryKinds[parameter]; kind != "" {
			return kind
		}
	}
	return ""
}

// feedHost tells whether a URL is on a host that serves feeds of other sites. FeedBurner, and hosts that are called
// feeds or rss.
func feedHost(href string) bool {
	_, rest, _ := strings.Cut(href, "//")
	return strings.HasPrefix(rest, "feeds.") || strings.HasPrefix(rest, "feeds2.feedburner.com/") ||
		strings.HasPrefix(rest, "rss.")
}
