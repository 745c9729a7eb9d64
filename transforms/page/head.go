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
	for _, i := range p.named {
		if n := &p.Nodes[i]; n.Tag == TagTitle && n.marks&foreign == 0 {
			if n.End > i+1 {
				return collapse(p.Content(int(i)+1), maxTitle)
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
	for _, i := range p.named {
		if p.Nodes[i].Tag == TagMeta && len(metas) < maxMetas {
			metas = p.appendMeta(metas, int(i))
		}
	}
	return metas
}

func (p *Page) appendMeta(metas []Meta, i int) []Meta {
	v := p.values(i, "content", "name", "property", "http-equiv", "itemprop")
	for _, name := range v[1:] {
		if name != nil {
			content := cut(decode(v[0], inAttribute), maxValue)
			return append(metas, Meta{Name: strings.ToLower(collapse(decode(name, inAttribute), maxName)), Content: content})
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
	for _, i := range p.named {
		if p.Nodes[i].Tag == TagLink && len(links) < maxLinks {
			links = p.appendLink(links, int(i))
		}
	}
	return links
}

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
		Rel:      strings.Fields(strings.ToLower(cut(decode(v[1], inAttribute), maxName))),
		Href:     href,
		Type:     mediaType(decode(v[2], inAttribute)),
		Title:    collapse(decode(v[3], inAttribute), maxTitle),
		Hreflang: collapse(decode(v[4], inAttribute), maxLang),
	})
}

// Anchors are the <a href> and <area href> elements, in document order.
func (p *Page) Anchors() []Anchor {
	if p.anchors == nil {
		p.anchors = p.findAnchors()
	}
	return p.anchors
}

func (p *Page) findAnchors() []Anchor {
	n := 0
	for _, i := range p.named {
		if t := p.Nodes[i].Tag; t == TagA || t == TagArea {
			n++
		}
	}
	anchors := make([]Anchor, 0, min(n, maxAnchors))
	for _, i := range p.named {
		if t := p.Nodes[i].Tag; (t == TagA || t == TagArea) && p.Nodes[i].Flags&InForeign == 0 && len(anchors) < maxAnchors {
			anchors = p.appendAnchor(anchors, int(i))
		}
	}
	return anchors
}

func (p *Page) appendAnchor(anchors []Anchor, i int) []Anchor {
	v := p.values(i, "href", "rel")
	if v[0] == nil || bytes.HasPrefix(v[0], []byte("javascript:")) {
		return anchors
	}
	href := p.Resolve(decode(v[0], inAttribute))
	if !hasScheme(href, "http:", "https:", "mailto:", "tel:") {
		return anchors
	}
	return append(anchors, Anchor{
		Href: href,
		Rel:  strings.ToLower(string(cut(v[1], maxName))),
		Text: collapse(string(cut(p.NodeText(i), 4*maxAnchorText)), maxAnchorText),
		Node: i,
	})
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
	for _, i := range p.named {
		n := &p.Nodes[i]
		if n.Tag == TagScript && n.marks&foreign == 0 && n.End > i+1 && len(scripts) < maxScripts {
			scripts = p.appendScript(scripts, int(i))
		}
	}
	return scripts
}

func (p *Page) appendScript(scripts []Script, i int) []Script {
	v := p.values(i, "type", "id")
	text := p.Raw(i + 1)
	if !bytes.Contains(bytes.ToLower(v[0]), []byte("json")) || len(text) > maxScript {
		return scripts
	}
	kind := mediaType(decode(v[0], inAttribute))
	if !strings.HasSuffix(kind, "json") {
		return scripts
	}
	return append(scripts, Script{Type: kind, ID: cut(decode(v[1], inAttribute), maxName), Text: string(text)})
}

// mediaType returns s in lower case without its parameters.
func mediaType(s string) string {
	s, _, _ = strings.Cut(cut(s, maxName), ";")
	return strings.ToLower(strings.TrimSpace(s))
}
