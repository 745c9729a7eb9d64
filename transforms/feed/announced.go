package feed

import (
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
// there "self", a sitemap "sitemap". The order is that of trust: a head is written by callers that run the server, a
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

// webURL is the http(s) URL after the feed: scheme, which comes as feed://host and as feed:https://host; "" for URLs
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
