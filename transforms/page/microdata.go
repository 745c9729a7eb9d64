package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// microdata gathers a page's items: the walk notes the elements that matter, read turns them into items once the
// page's base is known. The rules are those of section 5.2.5 of the HTML Living Standard, and one of practice:
// content= gives the value on any element, as the big consumers of schema.org read it.
type microdata struct {
	roots []*html.Node // top-level items
	ids   []*html.Node // elements with an id, which itemref may name
	refs  bool         // some item has an itemref

	byID  map[string]*html.Node
	url   *resolver
	steps int // nodes that may still be visited; items that refer to each other would visit some again and again
	nItem int
	nProp int
	bytes int // of values
}

// note keeps n when it opens a top-level item or may be referred to.
func (m *microdata) note(n *html.Node) {
	var scope, prop, id bool
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "itemscope":
			scope = true
		case "itemprop":
			prop = true
		case "itemref":
			m.refs = true
		case "id":
			id = true
		}
	}
	if scope && !prop && len(m.roots) < maxItems {
		m.roots = append(m.roots, n)
	}
	if id {
		m.ids = append(m.ids, n)
	}
}

func (m *microdata) read(r *resolver, steps int) []*Item {
	if len(m.roots) == 0 {
		return nil
	}
	m.url, m.steps = r, steps
	m.index()
	items := make([]*Item, 0, len(m.roots))
	for _, n := range m.roots {
		if it := m.item(n, 0); it != nil {
			items = append(items, it)
		}
	}
	return items
}

// index maps ids to the first element that bears them, where an itemref makes it worth it.
func (m *microdata) index() {
	if !m.refs {
		return
	}
	m.byID = make(map[string]*html.Node, len(m.ids))
	for _, n := range m.ids {
		id := attr(n, "id")
		if _, taken := m.byID[id]; !taken {
			m.byID[id] = n
		}
	}
}

// item reads the item that n opens, or returns nil when a limit is reached.
func (m *microdata) item(n *html.Node, depth int) *Item {
	if depth >= maxItemDepth || m.nItem >= maxItems || m.steps <= 0 {
		return nil
	}
	m.nItem++
	it := &Item{Type: strings.Fields(cut(attr(n, "itemtype"), maxURL))}
	if id := attr(n, "itemid"); id != "" {
		it.ID = m.url.resolve(id)
	}
	m.props(it, n, n, depth)
	for i, id := range strings.Fields(cut(attr(n, "itemref"), maxURL)) {
		if ref := m.byID[id]; ref != nil && ref != n && i < maxItemRefs {
			m.props(it, n, ref, depth)
		}
	}
	return it
}

// props adds to it, the item of scope, the properties found at and below n. What is below a nested item is its own.
func (m *microdata) props(it *Item, scope, n *html.Node, depth int) {
	for e := n; e != nil; {
		m.steps--
		if m.steps <= 0 || m.nProp >= maxProps {
			return
		}
		nested := false
		if e != scope && e.Type == html.ElementNode {
			_, nested = lookup(e, "itemscope")
			m.prop(it, e, nested, depth)
		}
		e = next(e, n, nested || skipped(e))
	}
}

// prop adds the properties that e itself is: one for each name in its itemprop.
func (m *microdata) prop(it *Item, e *html.Node, nested bool, depth int) {
	names := strings.Fields(cut(attr(e, "itemprop"), maxName))
	if len(names) == 0 {
		return
	}
	var p Prop
	if nested {
		if p.Item = m.item(e, depth+1); p.Item == nil {
			return
		}
	} else {
		p.Value = m.value(e)
	}
	for _, name := range names {
		p.Name = name
		it.Props = append(it.Props, p)
		m.nProp++
	}
}

// value is the value of the property that e is.
func (m *microdata) value(e *html.Node) string {
	v, ok := lookup(e, "content")
	if !ok {
		v, ok = m.attribute(e)
	}
	room := min(maxValue, maxItemBytes-m.bytes)
	if ok {
		v = collapse(v, room)
	} else {
		var steps int
		v, steps = textOf(e, room, m.steps)
		m.steps -= steps
	}
	m.bytes += len(v)
	return v
}

// attribute is the value of an element whose value stands in an attribute.
func (m *microdata) attribute(e *html.Node) (string, bool) {
	switch e.DataAtom {
	case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
		return m.link(e, "src")
	case atom.A, atom.Area, atom.Link:
		return m.link(e, "href")
	case atom.Object:
		return m.link(e, "data")
	case atom.Data, atom.Meter:
		return lookup(e, "value")
	case atom.Time:
		return lookup(e, "datetime")
	case atom.Meta:
		return "", true
	}
	return "", false
}

func (m *microdata) link(e *html.Node, key string) (string, bool) {
	v, ok := lookup(e, key)
	if !ok {
		return "", true
	}
	return m.url.resolve(v), true
}
