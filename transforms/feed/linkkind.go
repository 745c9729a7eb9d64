package feed

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// linkTypes are the media types of feeds, registered ones and common mistakes.
var linkTypes = map[string]string{
	"application/rss+xml": typeRSS, "application/x-rss+xml": typeRSS, "application/rss": typeRSS, "text/rss": typeRSS,
	"text/rss+xml": typeRSS, "application/atom+xml": typeAtom, "application/x.atom+xml": typeAtom,
	"application/atom": typeAtom, "text/atom": typeAtom, "application/rdf+xml": typeRDF, "application/feed+json": typeJSON,
	"text/x-opml": typeOPML, "application/opml+xml": typeOPML, "text/x-opml+xml": typeOPML,
}

// linkKind is the type of feed that a <link> announces, or "". rel may have several words; the most specific decides.
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

// feedKind is the type of rel=feed, which is a feed of any type (HTML 5 drafts of 2008). A type that is not a feed's
// is a mistake; then the URL decides, or RSS as the most frequent.
func feedKind(l *page.Link) string {
	if kind := linkTypes[l.Type]; kind != "" {
		return kind
	}
	if kind := nameKind(l.Href); kind != "" {
		return kind
	}
	return typeRSS
}

// alternateKind is the type of rel=alternate. Generic types are feeds only if the URL looks so, because other
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

// hints are substrings: each name, suffix and parameter of namekind.go contains one, which the tests check.
var hints = [...]string{"rss", "feed", "atom", "rdf", "json", "opml"}

// hintLetters has, for a letter, the hints with it in the first, second and third place: eight bits for each place.
var hintLetters = func() (t [256]uint32) {
	for i, h := range hints {
		for place := range 3 {
			c := h[place]
			t[c] |= 1 << (8*place + i)
			t[c-('a'-'A')] |= 1 << (8*place + i)
		}
	}
	return t
}()

// hinted reports whether a URL contains a hint. Nearly all links contain none. One step per byte follows all hints at
// once up to their third letters.
func hinted(href string) bool {
	var one, two uint32 // hints with one letter read, and with two
	for i := range len(href) {
		letters := hintLetters[href[i]]
		three := two & (letters >> 16)
		one, two = letters&0xFF, one&(letters>>8)
		if three == 0 {
			continue
		}
		for _, h := range hints {
			if start := i - 2; len(href)-start >= len(h) && strings.EqualFold(href[start:start+len(h)], h) {
				return true
			}
		}
	}
	return false
}
