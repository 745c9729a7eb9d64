package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// collector is the state of the one walk over a page's tree. Links are gathered as written and resolved at the end,
// because <base href> may stand after them.
type collector struct {
	p     *Page
	items microdata
	title bool // a title has been seen
	base  string
}

// collect walks the tree once and fills p.
func (p *Page) collect(o Options) {
	c := &collector{p: p}
	for n := p.root; n != nil; n = next(n, p.root, skipped(n)) {
		if n.Type == html.ElementNode && n.Namespace == "" {
			c.element(n)
		}
	}
	c.resolve(o)
}

// next returns the node after n in document order within root, leaving out n's own children when skip is true.
func next(n, root *html.Node, skip bool) *html.Node {
	if n.FirstChild != nil && !skip {
		return n.FirstChild
	}
	for n != root {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// skipped tells whether what n holds is not part of the page: the content of a template is inert.
func skipped(n *html.Node) bool { return n.DataAtom == atom.Template }

func (c *collector) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		c.lang(n)
	case atom.Base:
		c.setBase(n)
	case atom.Title:
		c.setTitle(n)
	case atom.Meta:
		c.meta(n)
	case atom.Link:
		c.link(n)
	case atom.A, atom.Area:
		c.anchor(n)
	case atom.Script:
		c.script(n)
	}
	c.items.note(n)
}

func (c *collector) lang(n *html.Node) {
	if c.p.Lang != "" {
		return
	}
	lang := attr(n, "lang")
	if lang == "" {
		lang = attr(n, "xml:lang")
	}
	c.p.Lang = collapse(lang, maxLang)
}

// setBase keeps the first <base> that has an href, which is the one that counts.
func (c *collector) setBase(n *html.Node) {
	if c.base == "" {
		c.base = attr(n, "href")
	}
}

func (c *collector) setTitle(n *html.Node) {
	if c.title {
		return
	}
	c.title = true
	c.p.Title, _ = textOf(n, maxTitle, maxAnchorNodes)
}

func (c *collector) meta(n *html.Node) {
	if len(c.p.Metas) >= maxMetas {
		return
	}
	for _, key := range [...]string{"name", "property", "http-equiv", "itemprop"} {
		if name, ok := lookup(n, key); ok {
			name = strings.ToLower(collapse(name, maxName))
			c.p.Metas = append(c.p.Metas, Meta{Name: name, Content: cut(attr(n, "content"), maxValue)})
			return
		}
	}
}

func (c *collector) link(n *html.Node) {
	href := attr(n, "href")
	if len(c.p.Links) >= maxLinks || strings.TrimSpace(href) == "" {
		return
	}
	c.p.Links = append(c.p.Links, Link{
		Rel:      strings.Fields(strings.ToLower(cut(attr(n, "rel"), maxName))),
		Href:     href,
		Type:     mediaType(attr(n, "type")),
		Title:    collapse(attr(n, "title"), maxTitle),
		Hreflang: collapse(attr(n, "hreflang"), maxLang),
	})
}

func (c *collector) anchor(n *html.Node) {
	href, ok := lookup(n, "href")
	if !ok || len(c.p.Anchors) >= maxAnchors {
		return
	}
	text, _ := textOf(n, maxAnchorText, maxAnchorNodes)
	rel := strings.ToLower(cut(attr(n, "rel"), maxName))
	c.p.Anchors = append(c.p.Anchors, Anchor{Href: href, Rel: rel, Text: text})
}

func (c *collector) script(n *html.Node) {
	kind := mediaType(attr(n, "type"))
	if len(c.p.Scripts) >= maxScripts || !strings.HasSuffix(kind, "json") || n.FirstChild == nil {
		return
	}
	if text := n.FirstChild.Data; len(text) <= maxScript {
		id := cut(attr(n, "id"), maxName)
		c.p.Scripts = append(c.p.Scripts, Script{Type: kind, ID: id, Text: text})
	}
}

// resolve makes what the walk gathered absolute, and leaves out what cannot be.
func (c *collector) resolve(o Options) {
	p := c.p
	p.Base = p.URL
	r := newResolver(p.URL)
	if base := r.resolve(c.base); c.base != "" && hasScheme(base, "http:", "https:") {
		p.Base = base
		r = newResolver(base)
	}
	links := p.Links[:0]
	for _, l := range p.Links {
		if l.Href = r.resolve(l.Href); l.Href != "" {
			links = append(links, l)
		}
	}
	p.Links = links
	anchors := p.Anchors[:0]
	for _, a := range p.Anchors {
		if a.Href = r.resolve(a.Href); hasScheme(a.Href, "http:", "https:", "mailto:", "tel:") {
			anchors = append(anchors, a)
		}
	}
	p.Anchors = anchors
	p.Items = c.items.read(r, 4*o.MaxNodes)
}

// mediaType returns s in lower case without its parameters.
func mediaType(s string) string {
	s, _, _ = strings.Cut(cut(s, maxName), ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// attr returns the value of n's attribute key, or "".
func attr(n *html.Node, key string) string {
	v, _ := lookup(n, key)
	return v
}

// lookup returns the value of n's attribute key and whether n has it.
func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}
