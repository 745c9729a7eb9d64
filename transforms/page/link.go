package page

import (
	"bytes"
	"strings"
)

type Link struct {
	Rel      []string // lower case
	Href     string   // absolute; links without it are left out
	Type     string   // lower case, without parameters
	Title    string
	Hreflang string
}

// Anchor is one <a href>, <area href> or <frame src>.
type Anchor struct {
	Href string // absolute URL of the web, or of mail or calls (mailto:, tel:, sms: …); others are left out
	Rel  string // lower case, as written
	Text string // visible text, white space collapsed, at most 256 bytes
	Node int    // index of the element
}

// Links returns the <link> elements in document order. The first call makes the list.
func (p *Page) Links() []Link {
	if p.links == nil {
		p.links = p.findLinks()
	}
	return p.links
}

func (p *Page) findLinks() []Link {
	links := []Link{}
	for _, i := range p.named {
		if p.Nodes[i].Tag == TagLink && len(links) < maxLinks {
			links = p.appendLink(links, int(i))
		}
	}
	return links
}

// appendLink adds <link> element i. An empty href would resolve to the page itself.
func (p *Page) appendLink(links []Link, i int) []Link {
	v := p.values(i, "href", "rel", "type", "title", "hreflang")
	href := decode(v[0], inAttribute)
	if strings.TrimSpace(href) == "" {
		return links
	}
	if href = p.Resolve(href); href == "" {
		return links
	}
	return append(links, Link{
		// rel is a list of words, in any case.
		Rel:      strings.Fields(strings.ToLower(cut(decode(v[1], inAttribute), maxName))),
		Href:     href,
		Type:     mediaType(decode(v[2], inAttribute)),
		Title:    collapse(decode(v[3], inAttribute), maxTitle),
		Hreflang: collapse(decode(v[4], inAttribute), maxLang),
	})
}

// Anchors returns the <a href>, <area href> and <frame src> elements in document order. The first call makes the list.
func (p *Page) Anchors() []Anchor {
	if p.anchors == nil {
		p.anchors = p.findAnchors()
	}
	return p.anchors
}

// AnchorsLeft returns the number of links that Anchors lacks, beyond its limit.
func (p *Page) AnchorsLeft() int {
	p.Anchors()
	return p.anchorsLeft
}

// findAnchors counts first, so that the slice is allocated once: pages have hundreds.
func (p *Page) findAnchors() []Anchor {
	n := 0
	for _, i := range p.named {
		if isLink(p.Nodes[i].Tag) {
			n++
		}
	}
	anchors := make([]Anchor, 0, min(n, maxAnchors))
	for _, i := range p.named {
		// Links in SVG have other attributes (xlink:href), and lead to parts of drawings.
		switch {
		case !isLink(p.Nodes[i].Tag) || p.Nodes[i].Flags&InForeign != 0:
		case len(anchors) < maxAnchors:
			anchors = p.appendAnchor(anchors, int(i))
		case p.values(int(i), target(p.Nodes[i].Tag))[0] != nil:
			p.anchorsLeft++
		}
	}
	return anchors
}

// isLink reports whether an element may be a link. A frame links to the page it shows.
func isLink(t Tag) bool { return t == TagA || t == TagArea || t == TagFrame }

// target is the attribute with a link's URL.
func target(t Tag) string {
	if t == TagFrame {
		return "src"
	}
	return "href"
}

func (p *Page) appendAnchor(anchors []Anchor, i int) []Anchor {
	v := p.values(i, target(p.Nodes[i].Tag), "rel")
	// A cheap test first: scripts in links are frequent, and resolving costs more.
	if v[0] == nil || bytes.HasPrefix(v[0], []byte("javascript:")) {
		return anchors
	}
	href := p.Resolve(decode(v[0], inAttribute))
	// Leaves out data:, file:, about: and the like.
	if !hasScheme(href, "http:", "https:", "mailto:", "tel:", "callto:", "sms:", "smsto:", "skype:", "fax:",
		"whatsapp:", "feed:") {
		return anchors
	}
	return append(anchors, Anchor{
		Href: href,
		Rel:  strings.ToLower(string(cut(v[1], maxName))),
		Text: p.anchorText(i),
		Node: i,
	})
}

// anchorText is the text of a link. It is truncated before it is collapsed, as it may be a whole page.
func (p *Page) anchorText(i int) string {
	text := cut(p.NodeText(i), 4*maxAnchorText)
	if len(text) <= maxAnchorText && tidy(text) {
		return string(text)
	}
	var room [maxAnchorText]byte
	return string(appendCollapsed(room[:0], text, maxAnchorText))
}
