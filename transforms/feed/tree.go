package feed

import (
	"cmp"
	"iter"
	"strings"
)

// node is an element of a feed. Its content is looked at when it is asked for. 56 bytes, and no pointers to other
// nodes: children follow their parent, and next leads past them.
type node struct {
	name       string // without prefix, in lower case
	attrs      string // as written
	start, end int32  // of the content, in the text
	next       int32  // the place after the last node inside it
	context    int32  // what it inherits
	space      space
}

// context is what elements inherit from those around them. Most elements share one with their parent.
type context struct {
	base string // the URL that relative ones are resolved with; "" when xml:base says none
	lang string // xml:lang
}

// tree is a feed as elements, in document order. The root is the first. Places in the text have 32 bits: MaxBytes is
// far below 2 GiB.
type tree struct {
	text     string
	nodes    []node
	contexts []context // the first is empty
	entities *entities
	cut      bool // limits were met
}

// children are the places of the elements that stand directly in another. It goes from child to child without looking
// at what is inside them.
func (t *tree) children(parent int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := parent + 1; i < int(t.nodes[parent].next); i = int(t.nodes[i].next) {
			if !yield(i) {
				return
			}
		}
	}
}

// child is the first of the children that has this name, or -1. It is for containers of few children.
func (t *tree) child(parent int, s space, name string) int {
	for i := range t.children(parent) {
		if n := &t.nodes[i]; n.name == name && n.space == s {
			return i
		}
	}
	return -1
}

// builder makes a tree of tokens: of tags that match or do not. Missing and stray end tags are repaired by what feeds
// look like, not by the rules of HTML.
type builder struct {
	tree
	o        Options
	url      string // of the capture
	open     []openNode
	bindings []binding
}

// openNode keeps the name as written, since end tags are compared with that.
type openNode struct {
	node int
	name string // as written
}

// build reads the element that text begins with, and what stands inside it. At a limit, what was read so far is a
// tree, and cut says so.
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
		// Text is not kept: it is read from the source when it is asked for.
		switch t.tokenKind {
		case kindOpen:
			b.opens(t)
		case kindClose:
			b.closes(t)
		}
		if len(b.open) == 0 {
			break // what follows is not the feed's
		}
		if len(b.nodes) >= o.MaxElements {
			b.cut = true
			break
		}
	}
	// What is open at the end ends there.
	b.closeTo(0, s.pos)
	return &b.tree
}

// opens adds an element, after closing those that it shows to have ended.
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
	// Two attributes of all that may be there.
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

// inherit takes up xml:base and xml:lang. A new context is made only where something changes.
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

// lower is strings.ToLower without its cost for the names that are in lower case already, and for those in mixed case
// that all feeds have.
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

// leaves are elements that hold no elements, and so end where the next of the feed's own begins.
// "<link>http://a.b<pubDate>" has lost its end tag.
var leaves = map[string]bool{
	"link": true, "guid": true, "id": true, "pubdate": true, "lastbuilddate": true, "published": true, "updated": true,
	"issued": true, "modified": true, "created": true, "language": true, "ttl": true, "comments": true, "docs": true,
	"webmaster": true, "managingeditor": true, "title": true, "loc": true, "lastmod": true,
}

// fields are elements that begin a field of a feed, but are not also elements of HTML that are in titles. "title"
// is missing on purpose: SVG and HTML in a content have one.
var fields = map[string]bool{
	"link": true, "guid": true, "pubdate": true, "description": true, "published": true, "updated": true, "summary": true,
	"author": true, "category": true, "enclosure": true, "language": true, "lastbuilddate": true, "ttl": true,
	"comments": true,
	"lastmod":  true,
}

// closeUnended closes what was left open before an element of the feed's own: items stand directly in the root or the
// channel, and after a field that holds none comes another. Without it, a feed with one forgotten end tag would be a
// single item.
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

// closes closes the innermost element of that name and those inside it; without one, it does nothing. Case does not
// count: <pubDate> is closed by </pubdate> in careless feeds.
func (b *builder) closes(t token) {
	for i := len(b.open) - 1; i >= 0; i-- {
		if strings.EqualFold(b.open[i].name, t.name) {
			b.closeTo(i, t.start)
			return
		}
	}
}

// closeTo closes open elements until depth are left; they end at the place at.
func (b *builder) closeTo(depth, at int) {
	if len(b.open) == depth {
		return
	}
	// All of them end after the last node so far, whatever is inside.
	for _, o := range b.open[depth:] {
		b.nodes[o.node].end, b.nodes[o.node].next = int32(at), int32(len(b.nodes))
	}
	b.unbind(b.open[depth].node)
	b.open = b.open[:depth]
}
