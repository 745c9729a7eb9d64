package page

import (
	"bytes"
	"strings"
)

// Meta is one <meta> element.
type Meta struct {
	Name    string // lower case, of name, property, http-equiv or itemprop, the first that is there
	Content string // as written, character references resolved
}

// Link is one <link> element.
type Link struct {
	Rel      []string // lower case
	Href     string   // absolute; empty links are left out
	Type     string   // lower case, without parameters
	Title    string
	Hreflang string
}

// Anchor is one <a href> or <area href>.
type Anchor struct {
	Href string // absolute http(s), mailto: or tel: URL; others are left out
	Rel  string // lower case, as written
	Text string // its text, white space collapsed, at most 256 bytes
	Node int    // index of the element
}

// Script is one block of JSON in the page.
type Script struct {
	Type string // lower case media type, without parameters
	ID   string
	Text string // raw
}

// Lang is the lang of <html>, as declared.
func (p *Page) Lang() string {
	lang, ok := p.Attr(0, "lang")
	if !ok || lang == "" {
		lang, _ = p.Attr(0, "xml:lang")
	}
	return collapse(lang, maxLang)
}

// Title is the text of the first <title> outside SVG, its white space collapsed.
func (p *Page) Title() string {
	for i := range p.Nodes {
		if n := &p.Nodes[i]; n.Tag == TagTitle && n.Flags&InForeign == 0 {
			if int(n.End) > i+1 {
				return collapse(unescape(p.Raw(i+1), false), maxTitle)
			}
			return ""
		}
	}
	return ""
}

// Metas are the <meta> elements, in document order. Like the other findings it is made when it is first asked for.
func (p *Page) Metas() []Meta {
	if p.metas == nil {
		p.metas = p.findMetas()
	}
	return p.metas
}

func (p *Page) findMetas() []Meta {
	metas := []Meta{}
	for i := 0; i < len(p.Nodes) && len(metas) < maxMetas; i = p.next(i, p.Nodes[i].Tag == TagTemplate) {
		if p.Nodes[i].Tag == TagMeta {
			metas = p.appendMeta(metas, i)
		}
	}
	return metas
}

func (p *Page) appendMeta(metas []Meta, i int) []Meta {
	for _, key := range [...]string{"name", "property", "http-equiv", "itemprop"} {
		if name, ok := p.Attr(i, key); ok {
			content, _ := p.Attr(i, "content")
			return append(metas, Meta{Name: strings.ToLower(collapse(name, maxName)), Content: cut(content, maxValue)})
		}
	}
	return metas
}

// Links are the <link> elements, in document order.
func (p *Page) Links() []Link {
	if p.links == nil {
		p.links = p.findLinks()
	}
	return p.links
}

func (p *Page) findLinks() []Link {
	links := []Link{}
	for i := 0; i < len(p.Nodes) && len(links) < maxLinks; i = p.next(i, p.Nodes[i].Tag == TagTemplate) {
		if p.Nodes[i].Tag != TagLink {
			continue
		}
		href, _ := p.Attr(i, "href")
		if strings.TrimSpace(href) == "" {
			continue
		}
		if href = p.Resolve(href); href != "" {
			links = append(links, p.linkOf(i, href))
		}
	}
	return links
}

func (p *Page) linkOf(i int, href string) Link {
	rel, _ := p.Attr(i, "rel")
	kind, _ := p.Attr(i, "type")
	title, _ := p.Attr(i, "title")
	lang, _ := p.Attr(i, "hreflang")
	return Link{
		Rel:  strings.Fields(strings.ToLower(cut(rel, maxName))),
		Href: href, Type: mediaType(kind), Title: collapse(title, maxTitle), Hreflang: collapse(lang, maxLang),
	}
}

// Anchors are the <a href> and <area href> elements, in document order.
func (p *Page) Anchors() []Anchor {
	if p.anchors == nil {
		p.anchors = p.findAnchors()
	}
	return p.anchors
}

func (p *Page) findAnchors() []Anchor {
	anchors := []Anchor{}
	for i := 0; i < len(p.Nodes) && len(anchors) < maxAnchors; i = p.next(i, p.Nodes[i].Tag == TagTemplate) {
		n := &p.Nodes[i]
		if n.Tag != TagA && n.Tag != TagArea || n.Flags&InForeign != 0 {
			continue
		}
		href, ok := p.Attr(i, "href")
		if !ok {
			continue
		}
		if href = p.Resolve(href); hasScheme(href, "http:", "https:", "mailto:", "tel:") {
			rel, _ := p.RawAttr(i, "rel")
			text := collapse(string(cut(p.NodeText(i), 4*maxAnchorText)), maxAnchorText)
			anchors = append(anchors, Anchor{Href: href, Rel: strings.ToLower(string(cut(rel, maxName))), Text: text, Node: i})
		}
	}
	return anchors
}

// Scripts are the <script> blocks whose type is JSON: JSON-LD, application/json.
func (p *Page) Scripts() []Script {
	if p.scripts == nil {
		p.scripts = p.findScripts()
	}
	return p.scripts
}

func (p *Page) findScripts() []Script {
	scripts := []Script{}
	for i := 0; i < len(p.Nodes) && len(scripts) < maxScripts; i = p.next(i, p.Nodes[i].Tag == TagTemplate) {
		n := &p.Nodes[i]
		if n.Tag != TagScript || n.Flags&InForeign != 0 || int(n.End) == i+1 {
			continue
		}
		kind, _ := p.RawAttr(i, "type")
		if !bytes.Contains(bytes.ToLower(kind), []byte("json")) || len(p.Raw(i+1)) > maxScript {
			continue
		}
		if kind := mediaType(unescape(kind, true)); strings.HasSuffix(kind, "json") {
			id, _ := p.Attr(i, "id")
			scripts = append(scripts, Script{Type: kind, ID: cut(id, maxName), Text: string(p.Raw(i + 1))})
		}
	}
	return scripts
}

// mediaType returns s in lower case without its parameters.
func mediaType(s string) string {
	s, _, _ = strings.Cut(cut(s, maxName), ";")
	return strings.ToLower(strings.TrimSpace(s))
}
