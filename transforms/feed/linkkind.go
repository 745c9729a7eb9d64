package feed

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

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

// hints are what every name, suffix and parameter of namekind.go has one of. A name without any of them cannot be in a
// table there: the tests hold the tables to that.
var hints = [...]string{"rss", "feed", "atom", "rdf", "json", "opml"}

// hinted tells whether a URL holds a hint. Nearly all links hold none, and need no closer look: at most bytes only the
// first two letters are compared. An OR with 0x20 makes letters lower case; other bytes that it changes are not in the
// list.
func hinted(href string) bool {
	for i := range max(len(href)-1, 0) {
		switch uint16(href[i]|0x20)<<8 | uint16(href[i+1]|0x20) {
		case 'r'<<8 | 's', 'f'<<8 | 'e', 'a'<<8 | 't', 'r'<<8 | 'd', 'j'<<8 | 's', 'o'<<8 | 'p':
			for _, h := range hints {
				if len(href)-i >= len(h) && strings.EqualFold(href[i:i+len(h)], h) {
					return true
				}
			}
		}
	}
	return false
}
