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
// there "self", a sitemap "sitemap".
func Announced(p *page.Page, header []schemas.Field) []schemas.Feed {
	var c collector
	for _, f := range announcedByHeader(header, p.URL) {
		c.add(f.URL, f.Type, f.Title)
	}
	hub := slices.ContainsFunc(c.feeds, func(f schemas.Feed) bool { return f.Type == typeHub })
	for _, l := range p.Links() {
		hub = hub || slices.Contains(l.Rel, "hub")
	}
	for i, links := 0, p.Links(); i < len(links); i++ {
		l := &links[i]
		if kind := linkKind(l); kind != "" {
			c.add(l.Href, kind, l.Title)
		} else if hub && slices.Contains(l.Rel, "self") {
			c.add(l.Href, typeSelf, l.Title)
		}
	}
	for i, anchors := 0, p.Anchors(); i < len(anchors); i++ {
		a := &anchors[i]
		kind := nameKind(a.Href)
		if kind != "" && (link.SameSite(a.Href, p.URL) || feedHost(a.Href)) {
			c.add(a.Href, kind, a.Text)
		}
	}
	return c.feeds
}

// collector keeps the first of each URL.
type collector struct {
	feeds []schemas.Feed
	seen  map[string]bool
}

func (c *collector) add(href, kind, title string) {
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
// that are neither.
func webURL(href string) string {
	if rest, ok := strings.CutPrefix(href, "feed:"); ok {
		href = rest
		if strings.HasPrefix(href, "//") {
			href = "http:" + href
		}
	}
	if strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://") {
		return href
	}
	return ""
}

// linkTypes are the media types of feeds.
var linkTypes = map[string]string{
	"application/rss+xml": typeRSS, "application/x-rss+xml": typeRSS, "application/rss": typeRSS, "text/rss": typeRSS,
	"text/rss+xml": typeRSS, "application/atom+xml": typeAtom, "application/x.atom+xml": typeAtom,
	"application/atom": typeAtom, "text/atom": typeAtom, "application/rdf+xml": typeRDF, "application/feed+json": typeJSON,
	"text/x-opml": typeOPML, "application/opml+xml": typeOPML, "text/x-opml+xml": typeOPML,
}

// linkKind is the type of feed that a <link> announces, or "".
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
	case slices.Contains(l.Rel, "alternate") && !slices.Contains(l.Rel, "stylesheet"):
		return alternateKind(l)
	}
	return ""
}

// feedKind is the type of rel=feed, which is a feed whatever its type says (HTML 5 drafts of 2008).
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
// languages, oEmbed and REST interfaces are announced in the same way.
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
// articles.
var bareKinds = map[string]string{
	"rss": typeRSS, "rss2": typeRSS, "feed": typeRSS, "atom": typeAtom,
	"jsonfeed": typeJSON,
}

// fileKinds are names that files of feeds have.
var fileKinds = map[string]string{
	"rss.xml": typeRSS, "rss2.xml": typeRSS, "rss.php": typeRSS, "rss.aspx": typeRSS, "feed.xml": typeRSS,
	"feed.php": typeRSS, "atom.xml": typeAtom, "atom.php": typeAtom, "feed.json": typeJSON,
}

// suffixKinds are endings of such names.
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

// queryKinds are parameters with which WordPress, Joomla, MediaWiki and others serve feeds.
var queryKinds = map[string]string{
	"feed=rss": typeRSS, "feed=rss2": typeRSS, "feed=atom": typeAtom, "feed=rdf": typeRDF, "feed=json": typeJSON,
	"format=feed": typeRSS, "format=rss": typeRSS, "format=atom": typeAtom, "output=rss": typeRSS, "output=atom": typeAtom,
	"type=rss": typeRSS, "alt=rss": typeRSS, "alt=atom": typeAtom,
}

// hints are what every name, suffix and parameter above has one of.
var hints = [...]string{"rss", "feed", "atom", "rdf", "json", "opml"}

// hinted tells whether a URL holds a hint. Nearly all links hold none, and need no closer look.
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
	if !hinted(href) {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	path := strings.TrimSuffix(u.Path, "/")
	slash := strings.LastIndexByte(path, '/') + 1
	dir, name := path[:slash], path[slash:]
	if kind := bareKinds[name]; kind != "" {
		return kind
	}
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
	for parameter := range strings.SplitSeq(strings.ToLower(u.RawQuery), "&") {
		if kind := queryKinds[parameter]; kind != "" {
			return kind
		}
	}
	return ""
}

// feedHost tells whether a URL is on a host that serves feeds of other sites.
func feedHost(href string) bool {
	_, rest, _ := strings.Cut(href, "//")
	return strings.HasPrefix(rest, "feeds.") || strings.HasPrefix(rest, "feeds2.feedburner.com/") ||
		strings.HasPrefix(rest, "rss.")
}
