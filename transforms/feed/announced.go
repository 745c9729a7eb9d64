package feed

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// maxAnnounced is the most feeds of a page that are kept. Blog platforms announce three, portals have some dozens.
const maxAnnounced = 32

// Announced returns the feeds that a page announces, at most 32, each URL once. They are in order of trust:
//
//   - Link fields of its HTTP header, which belongs to the server's operator;
//   - <link> elements in document order, which belong to the page's author;
//   - anchors to the same site, or to a host that serves feeds, with a URL like a feed's, which are only a guess.
//
// Types are those of schemas.Feed. A WebSub hub is "websub", its topic URL "self", and a sitemap "sitemap".
func Announced(p *page.Page, header []schemas.Field) []schemas.Feed {
	var c collector
	for _, f := range announcedByHeader(header, p.URL) {
		c.add(f.URL, f.Type, f.Title)
	}
	// In WebSub the hub may be in the header and the topic in the page, or the reverse (section 4 of WebSub).
	hub := slices.ContainsFunc(c.feeds, func(f schemas.Feed) bool { return f.Type == typeHub })
	for _, l := range p.Links() {
		hub = hub || slices.Contains(l.Rel, "hub")
	}
	// By index, since a Link is large and most are skipped.
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
		// The name first: it costs less than parsing a URL for its site.
		href := webURL(a.Href)
		kind := nameKind(href)
		// A scheme for feeds names one, whatever its URL.
		if kind == "" && href != a.Href && href != "" {
			kind = "rss"
		}
		// Blogrolls link to feeds of other sites, which are not the page's own.
		if kind != "" && (link.SameSite(href, p.URL) || feedHost(href)) {
			c.add(href, kind, a.Text)
		}
	}
	return c.feeds
}

// collector keeps the first of each URL, and so its most trusted title.
type collector struct {
	feeds []schemas.Feed
	seen  map[string]bool
}

// add keeps a feed if its URL is new and leads to the web.
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

// webURL is the http(s) URL after the scheme feed:, which comes as feed://host and as feed:https://host; "" for other
// URLs. Desktop readers registered that scheme around 2005, and pages still have it.
func webURL(href string) string {
	if rest, ok := strings.CutPrefix(href, "feed:"); ok {
		href = rest
		// feed://host means http, as only that existed then.
		if strings.HasPrefix(href, "//") {
			href = "http:" + href
		}
	}
	if strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://") {
		return href
	}
	return ""
}
