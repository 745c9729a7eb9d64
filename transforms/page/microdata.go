package page

import (
	"slices"
	"strings"
)

type Item struct {
	Type  []string // itemtype, as written
	ID    string
	Node  int // element that opens the item
	Props []Prop
}

// Prop is one property of an item: Item is set if the value is an item itself, Value otherwise. A property with
// several names occurs once for each.
type Prop struct {
	Name  string
	Node  int    // element of the property
	Value string // absolute URL, <time datetime>, content=, or the text, white space collapsed
	Item  *Item
}

// microdata reads a page's items by section 5.2.5 of the HTML Living Standard, with two rules of practice. Attribute
// content= gives the value on any element, as the big consumers of schema.org read it. Text properties, such as name,
// take the text of a link and not its URL. The budgets below are for the whole page.
type microdata struct {
	p    *Page
	byID map[string]int // elements by id, for itemref; nil until an itemref is seen
	// steps is the number of nodes that may still be visited. Items that refer to each other would visit some again
	// and again.
	steps int
	nItem int
	nProp int
	bytes int // of values
}

// Items returns the page's top-level microdata items in document order. The first call makes the list. Items that are
// properties of others are found there.
func (p *Page) Items() []*Item {
	if p.items == nil {
		p.items = p.findItems()
	}
	return p.items
}

func (p *Page) findItems() []*Item {
	items := []*Item{}
	// Most pages have none, and are not walked.
	if !p.hasItems {
		return items
	}
	// Four visits of each node are more than any sound page needs.
	m := microdata{p: p, steps: 4 * p.o.MaxNodes}
	for i := 0; i < len(p.Nodes) && m.nItem < maxItems; i = p.next(i, skipped(p, i)) {
		if !p.has(i, "itemscope") || p.has(i, "itemprop") {
			continue
		}
		if it := m.item(i, 0); it != nil {
			items = append(items, it)
		}
	}
	return items
}

// LooseItems returns the items that are marked as a property but are in no item, in document order. They are not items
// of the page by the standard, but tools list them, because templates often forget the outer item.
func (p *Page) LooseItems() (items []*Item) {
	if !p.hasItems {
		return nil
	}
	seen := map[int]bool{}
	m := microdata{p: p, steps: 4 * p.o.MaxNodes}
	for _, it := range p.Items() {
		markItems(seen, it)
	}
	for i := 0; i < len(p.Nodes) && m.nItem < maxItems; i = p.next(i, skipped(p, i)) {
		if p.Nodes[i].Own&looseBits != looseBits || seen[i] || !p.has(i, "itemscope") || !p.has(i, "itemprop") {
			continue
		}
		if it := m.item(i, 0); it != nil {
			markItems(seen, it)
			items = append(items, it)
		}
	}
	return items
}

var looseBits = AttrBits("itemscope", "itemprop")

// markItems notes the elements of an item and of the items in it.
func markItems(seen map[int]bool, it *Item) {
	seen[it.Node] = true
	for i := range it.Props {
		if inner := it.Props[i].Item; inner != nil {
			markItems(seen, inner)
		}
	}
}

// skipped reports whether the content of node i is not part of the page: a template is inert.
func skipped(p *Page, i int) bool { return p.Nodes[i].Tag == TagTemplate }

func (p *Page) has(i int, name string) bool {
	_, ok := p.RawAttr(i, name)
	return ok
}

func (p *Page) attr(i int, name string) string {
	v, _ := p.Attr(i, name)
	return v
}

// find returns the first element with this id. The map holds all ids, since a page with one itemref mostly has many.
func (m *microdata) find(id string) (int, bool) {
	if m.byID == nil {
		m.byID = map[string]int{}
		for i := range m.p.Nodes {
			id, ok := m.p.Attr(i, "id")
			if _, taken := m.byID[id]; ok && !taken {
				m.byID[id] = i
			}
		}
	}
	i, ok := m.byID[id]
	return i, ok
}

// item reads the item that node i opens, or returns nil at a limit. Parameter depth stops items that refer to
// themselves; the counters stop items that refer to each other.
func (m *microdata) item(i, depth int) *Item {
	if depth >= maxItemDepth || m.nItem >= maxItems || m.steps <= 0 {
		return nil
	}
	m.nItem++
	it := &Item{Node: i, Type: strings.Fields(cut(m.p.attr(i, "itemtype"), maxURL))}
	if id := m.p.attr(i, "itemid"); id != "" {
		it.ID = m.p.Resolve(id)
	}
	// First the content of the element, then what itemref adds, in its order (section 5.2.5).
	m.props(it, i, i, depth)
	// The item itself cannot be one of its own references.
	for k, id := range strings.Fields(cut(m.p.attr(i, "itemref"), maxURL)) {
		if ref, ok := m.find(id); ok && ref != i && k < maxItemRefs {
			m.props(it, i, ref, depth)
		}
	}
	return it
}

// props adds the properties at and below root to it, the item of scope, but not those of nested items. Parameter root
// is scope itself or an element that itemref names.
func (m *microdata) props(it *Item, scope, root, depth int) {
	end := int(m.p.Nodes[root].End)
	for e := root; e < end; {
		m.steps--
		if m.steps <= 0 || m.nProp >= maxProps {
			return
		}
		nested := false
		// The element that opens the item is not one of its properties: its itemprop belongs to the parent.
		if e != scope && m.p.Nodes[e].Tag != TagText {
			nested = m.p.has(e, "itemscope")
			m.prop(it, e, nested, depth)
		}
		// A nested item's own properties are found when it is read itself.
		e = m.p.next(e, nested || skipped(m.p, e))
	}
}

// prop adds a property for each name in the itemprop of element e. Steps and properties are counted, so hostile names
// cannot multiply the work.
func (m *microdata) prop(it *Item, e int, nested bool, depth int) {
	names := strings.Fields(cut(m.p.attr(e, "itemprop"), maxName))
	if len(names) == 0 {
		return
	}
	p := Prop{Node: e}
	if nested {
		// At a limit the property is left out rather than empty.
		if p.Item = m.item(e, depth+1); p.Item == nil {
			return
		}
	}
	for i, name := range names {
		p.Name = name
		// Several names of one element share a value, except a link's text and URL.
		if !nested && (i == 0 || m.textOfLink(e, name) != m.textOfLink(e, names[i-1])) {
			p.Value = m.value(e, name)
		}
		it.Props = append(it.Props, p)
		m.nProp++
	}
}

// textNames are schema.org properties whose values are always texts. Templates write them on links and mean the text:
// <a itemprop="name" href="/u/7">Jane Doe</a>.
var textNames = strings.Fields("name alternateName legalName givenName familyName additionalName headline " +
	"alternativeHeadline " +
	"jobTitle description")

// textOfLink reports whether property name of element e means the text of a link.
func (m *microdata) textOfLink(e int, name string) bool {
	n := &m.p.Nodes[e]
	return (n.Tag == TagA || n.Tag == TagArea) && slices.Contains(textNames, name) && len(m.p.NodeText(e)) > 0
}

// value is the value of property name of element e. It reads twice the room, since collapsing shortens the text.
func (m *microdata) value(e int, name string) string {
	v, ok := m.p.Attr(e, "content")
	if !ok && !m.textOfLink(e, name) {
		v, ok = m.attribute(e)
	}
	// room is 0 after the values of all items have used the budget; later values are empty.
	room := min(maxValue, maxItemBytes-m.bytes)
	if !ok {
		v = string(cut(m.p.NodeText(e), 2*room))
	}
	v = collapse(v, room)
	m.bytes += len(v)
	return v
}

// attribute returns the value of an element whose value is in an attribute (section 5.2.4, "values").
func (m *microdata) attribute(e int) (string, bool) {
	switch m.p.Nodes[e].Tag {
	case TagAudio, TagEmbed, TagIframe, TagImg, TagSource, TagTrack, TagVideo:
		return m.link(e, "src")
	case TagA, TagArea, TagLink:
		return m.link(e, "href")
	case TagObject:
		return m.link(e, "data")
	case TagData, TagMeter:
		return m.p.Attr(e, "value")
	case TagTime:
		return m.p.Attr(e, "datetime")
	// A <meta> without content has an empty value, and no text.
	case TagMeta:
		return "", true
	}
	return "", false
}

// link is the attribute key as an absolute URL. As in the standard, a missing attribute is an empty value.
func (m *microdata) link(e int, key string) (string, bool) {
	v, ok := m.p.Attr(e, key)
	if !ok {
		return "", true
	}
	return m.p.Resolve(v), true
}
