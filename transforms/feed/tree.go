package feed

import (
	"cmp"
	"iter"
	"strings"
)

// node is an element of a feed; its content is read on demand. It has 56 bytes and no pointers to other nodes:
// children follow their parent, and next skips them.
type node struct {
	name       string // without prefix, in lower case
	attrs      string // as written
	start, end int32  // of the content, in the text
	next       int32  // index after the last node inside it
	context    int32  // inherited context
	space      space
}

// context is inherited from elements around. Most elements share their parent's.
type context struct {
	base string // base of relative URLs; "" without xml:base
	lang string // xml:lang
}

// tree is the elements of a feed in document order, the root first. Offsets in the text have 32 bits: MaxBytes is far
// below 2 GiB.
type tree struct {
	text     string
	nodes    []node
	contexts []context // the first is empty
	entities *entities
	cut      bool // a limit was hit
}

// children are the indices of the direct children of an element. It skips their descendants.
func (t *tree) children(parent int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := parent + 1; i < int(t.nodes[parent].next); i = int(t.nodes[i].next) {
			if !yield(i) {
				return
			}
		}
	}
}

// child is the first child with this name, or -1. It is for containers of few children.
func (t *tree) child(parent int, s space, name string) int {
	for i := range t.children(parent) {
		if n := &t.nodes[i]; n.name == name && n.space == s {
			return i
		}
	}
	return -1
}

// builder makes a tree of tokens. It repairs missing and stray end tags by the usual forms of feeds, not by the rules
// of HTML.
type builder struct {
	tree
	o        Options
	url      string // of the capture
	open     []openNode
	bindings []binding
}

// openNode keeps the name as written for comparison with end tags.
type openNode struct {
	node int
	name string // as written
}

// build reads the element that text begins with, and its descendants. At a limit it returns the tree so far, and sets
// cut.
func build(text, pageURL string, o Options, e *entities) *tree {
	b := builder{tree: tree{text: text, entities: e, contexts: make([]context, 1)}, o: o, url: pageURL}
	// Half of the "<" are end tags.
	b.nodes = make([]node, 0, min(strings.Count(text, "<")/2+1, o.MaxElements))
	s := scanner{text: text}
	for {
		t, ok := s.next()
		if !ok {
			break
		}
		// Text is read from the source on demand.
		switch t.tokenKind {
		case kindOpen:
			b.opens(t)
		case kindClose:
			b.closes(t)
		}
		if len(b.open) == 0 {
			break // the feed has ended
		}
		if len(b.nodes) >= o.MaxElements {
			b.cut = true
			break
		}
	}
	b.closeTo(0, s.pos)
	return &b.tree
}

// opens adds an element, after closing those that it implies have ended.
func (b *builder) opens(t token) {
	// Deeper elements are dropped with their end tags, which then close nothing.
	if len(b.open) >= b.o.MaxDepth {
		b.cut = true
		return
	}
	at := len(b.nodes)
	// The element's own declarations hold for its own prefix.
	b.bind(t.body, at)
	prefix, name := "", t.name
	if before, after, ok := strings.Cut(name, ":"); ok {
		prefix, name = before, after
	}
	n := node{
		// The content begins after the tag; its end is set when it closes.
		space: b.space(prefix), name: lower(name), attrs: t.body, start: int32(t.end), end: int32(t.end),
		next: int32(at + 1),
	}
	// Only elements of the feed's own vocabulary close others: markup within a title must not.
	if n.space == core {
		b.closeUnended(n.name, t.start)
	}
	if last := len(b.open) - 1; last >= 0 {
		n.context = b.nodes[b.open[last].node].context
	}
	// A cheap test for two attributes.
	if strings.Contains(t.body, "xml:") {
		b.inherit(&n)
	}
	b.nodes = append(b.nodes, n)
	// No content: its declarations end with it.
	if t.empty {
		b.unbind(at)
		return
	}
	b.open = append(b.open, openNode{at, t.name})
}

// inherit reads xml:base and xml:lang, and makes a new context only if one changes.
func (b *builder) inherit(n *node) {
	c := b.contexts[n.context]
	if lang, ok := attribute(n.attrs, "xml:lang"); ok {
		c.lang = clean(lang, 64)
	}
	// A base may be relative to the one around it.
	if base, ok := attribute(n.attrs, "xml:base"); ok && len(base) <= b.o.MaxTextBytes {
		c.base = resolve(cmp.Or(c.base, b.url), b.entities.unescape(base))
	}
	if c != b.contexts[n.context] {
		n.context = int32(len(b.contexts))
		b.contexts = append(b.contexts, c)
	}
}

// lower is strings.ToLower, but fast for the usual names of feeds.
func lower(name string) string {
	switch name {
	case "pubDate":
		return "pubdate"
	case "lastBuildDate":
		return "lastbuilddate"
	case "RDF":
		return "rdf"
	}
	return strings.ToLower(name)
}

// leaves are elements that hold no elements, and so end at the next element of the feed's own.
// "<link>http://a.b<pubDate>" lacks an end tag.
var leaves = map[string]bool{
	"link": true, "guid": true, "id": true, "pubdate": true, "lastbuilddate": true, "published": true, "updated": true,
	"issued": true, "modified": true, "created": true, "language": true, "ttl": true, "comments": true, "docs": true,
	"webmaster": true, "managingeditor": true, "title": true, "loc": true, "lastmod": true,
}

// fields are elements that begin a field of a feed, but are not HTML elements in titles. The name "title" is missing
// on purpose: SVG and HTML in a content have one.
var fields = map[string]bool{
	"link": true, "guid": true, "pubdate": true, "description": true, "published": true, "updated": true, "summary": true,
	"author": true, "category": true, "enclosure": true, "language": true, "lastbuilddate": true, "ttl": true,
	"comments": true,
	"lastmod":  true,
}

// closeUnended closes elements without end tags before an element of the feed's own. Items are directly in the root or
// the channel, and another field follows a leaf. Without it, one forgotten end tag would make a feed a single item.
func (b *builder) closeUnended(name string, at int) {
	last := len(b.open) - 1
	if last < 0 {
		return
	}
	// Items do not nest: the container is the innermost channel, or the root.
	if name == "item" || name == "entry" {
		for i := last; i >= 0; i-- {
			n := &b.nodes[b.open[i].node]
			if i == 0 || (n.space == core && (n.name == "channel" || n.name == "items")) {
				b.closeTo(i+1, at)
				return
			}
		}
	}
	// Only after an element that cannot hold others.
	if n := &b.nodes[b.open[last].node]; fields[name] && n.space == core && leaves[n.name] {
		b.closeTo(last, at)
	}
}

// closes closes the innermost element of that name and those inside it, if there is one. Case does not count: in
// careless feeds </pubdate> closes <pubDate>.
func (b *builder) closes(t token) {
	for i := len(b.open) - 1; i >= 0; i-- {
		if strings.EqualFold(b.open[i].name, t.name) {
			b.closeTo(i, t.start)
			return
		}
	}
}

// closeTo closes open elements until depth are left; they end at offset at.
func (b *builder) closeTo(depth, at int) {
	if len(b.open) == depth {
		return
	}
	// All of them end after the last node so far.
	for _, o := range b.open[depth:] {
		b.nodes[o.node].end, b.nodes[o.node].next = int32(at), int32(len(b.nodes))
	}
	b.unbind(b.open[depth].node)
	b.open = b.open[:depth]
}
