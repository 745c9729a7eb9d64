package page

// open is an element of the stack of open elements. It copies what is asked of it again and again (tag, traits,
// flags) from the node and the table.
type open struct {
	node   int32
	name   uint32 // a hash of its name, if the tag does not tell it
	flags  Flags  // of what is put into it
	traits trait
	tag    Tag // noTag when its end tag came before those of elements inside
	kind   kind
}

// noTag is the tag of an element whose end tag was seen while elements inside are still open: it no longer counts.
const noTag = TagText

// kind tells by whose rules an element's content is read. The standard's adjusted current node decides the same.
type kind uint8

const (
	ofHTML      kind = iota
	ofForeign        // an element of SVG or MathML
	integration      // an element of SVG or MathML that holds HTML (section 13.2.6)
)

// Integration points: the elements of SVG and MathML that hold HTML; <annotation-xml> is one when its encoding says
// so. <title> is a point in SVG only, and plain HTML elsewhere.
var (
	pointsOfSVG       = setOf(TagForeignobject, TagDesc, TagTitle)
	pointsOfMathML    = setOf(TagMi, TagMo, TagMn, TagMs, TagMtext)
	integrationPoints = pointsOfSVG.with(TagMi, TagMo, TagMn, TagMs, TagMtext, TagAnnotationXML)
)

// Elements that bound the search for an open element: what is open around them is out of scope (section 13.2.4.2).
// The lists are those of the standard's "have a particular element in scope" and its variants: button scope, list
// item scope, table scope.
var (
	bounds = integrationPoints.with(TagApplet, TagCaption, TagHTML, TagTable, TagTd, TagTh, TagMarquee, TagObject,
		TagTemplate, TagSelect)
	buttonBounds = bounds.with(TagButton)
	listBounds   = bounds.with(TagOl, TagUl)
	tableBounds  = setOf(TagHTML, TagTable, TagTemplate)
	noBounds     = setOf(TagHTML)
)

// tagSet is a set of tags. 256 bits for fewer than 256 tags: membership is a shift and a mask.
type tagSet [4]uint64

func setOf(tags ...Tag) tagSet { return tagSet{}.with(tags...) }

func (s tagSet) with(tags ...Tag) tagSet {
	for _, t := range tags {
		s[t/64] |= 1 << (t % 64)
	}
	return s
}

func (s *tagSet) has(t Tag) bool { return s[t/64]>>(t%64)&1 != 0 }

// top is the innermost open element.
func (b *builder) top() *open { return &b.stack[len(b.stack)-1] }

// push adds an element and opens it if it can have content. It is the standard's "insert an HTML element" and "insert
// a foreign element" in one.
func (b *builder) push(n Node) {
	// Any new element takes the place of the line feed that could have been dropped.
	b.skipLF = false
	parent := b.top()
	kind := ofHTML
	if n.marks&foreign != 0 {
		kind = ofForeign
	}
	// In a table outside of its cells, what is no part of a table goes in front of it.
	i := b.insert(n, tableContext.has(parent.tag) && !b.tableChild(&n))
	e := elements[n.Tag]
	// Void elements and foreign ones that close themselves have no content, so they are not opened.
	if i < 0 || kind == ofHTML && e.traits&void != 0 || n.marks&selfClosed != 0 {
		return
	}
	// At the limit the element is a node without content: what follows becomes its sibling.
	if len(b.stack) >= b.p.o.MaxDepth {
		b.cut.depth = true
		return
	}
	entry := open{node: i, flags: b.p.Nodes[i].Flags, tag: n.Tag, traits: e.traits, kind: kind}
	// The rules of HTML do not apply inside of SVG and MathML, so the entry has no traits there.
	if kind == ofForeign {
		entry.traits = 0
		if b.holdsHTML(i) {
			entry.kind = integration
		} else {
			entry.tag = TagOther
		}
		// <desc> or <mi> in HTML is an unknown element, and no bound.
	} else if n.Tag != TagTitle && integrationPoints.has(n.Tag) {
		entry.tag = TagOther // an element of another language outside of it has no rules
	}
	// Names that no Tag stands for are told apart by their hash.
	if entry.tag == TagOther || kind != ofHTML {
		entry.name = hashName(nameOf(b.src[n.srcStart:n.srcEnd]))
	}
	b.opened[entry.tag]++
	b.stack = append(b.stack, entry)
}

// holdsHTML tells whether the foreign element i is an integration point. For MathML's annotation-xml the encoding
// tells (section 13.2.6).
func (b *builder) holdsHTML(i int32) bool {
	n := &b.p.Nodes[i]
	switch {
	case n.marks&ofSVG != 0:
		return pointsOfSVG.has(n.Tag)
	case n.Tag != TagAnnotationXML:
		return pointsOfMathML.has(n.Tag)
	}
	encoding, _ := b.p.RawAttr(int(i), "encoding")
	return isFold(encoding, "text/html") || isFold(encoding, "application/xhtml+xml")
}

// insert puts n into the innermost open element or, when it has no place there, in front of the table around it. It
// returns the node's index, or -1 when there may be no more nodes. The node is appended in any case; where it belongs
// in front of a table, order.sort moves it later.
func (b *builder) insert(n Node, misplaced bool) int32 {
	parent, table := b.top(), int32(-1)
	// The table's parent is the element below it in the stack.
	if misplaced {
		if i := b.find(&tableTag, &tableBounds); i > 0 {
			parent, table = &b.stack[i-1], b.stack[i].node
		}
	}
	i := len(b.p.Nodes)
	// The first limit to hit ends the page (build).
	if i >= b.p.o.MaxNodes {
		b.cut.nodes = true
		return -1
	}
	n.Parent = parent.node
	// Depth does not overflow its 16 bits, since MaxDepth bounds the stack.
	n.Depth = b.p.Nodes[n.Parent].Depth + 1
	// Flags come from the open element, not from the parent node: an element that ended early no
	// longer gives its own.
	n.Flags = n.Own | parent.flags
	n.End = int32(i + 1)
	b.p.Nodes = append(b.p.Nodes, n)
	if table >= 0 {
		b.fostered = append(b.fostered, foster{node: int32(i), table: table})
	}
	return int32(i)
}

// text adds the source range from start to end. Text that is not white space may stand in cells only; elsewhere in a
// table it goes in front of it, and ends a <colgroup>.
func (b *builder) text(start, end int, m marks) {
	t := b.top().tag
	misplaced := (t == TagColgroup || tableContext.has(t)) && !blank(b.src[start:end])
	if misplaced && t == TagColgroup {
		b.popTo(len(b.stack) - 1)
	}
	// White space between the parts of a table stays where it is.
	top, moved := b.top(), misplaced || !tableContext.has(t)
	if len(b.active) > 0 && top.kind != ofForeign && top.traits&raw == 0 && moved {
		b.reopen()
	}
	b.insert(Node{Tag: TagText, marks: m, srcStart: int32(start), srcEnd: int32(end)}, misplaced)
}

// blank tells whether s is white space. NUL counts as white space, as it is dropped.
func blank(s []byte) bool {
	for _, c := range s {
		if !isSpace(c) && c != 0 {
			return false
		}
	}
	return true
}

// pop closes the innermost open element. The node's End is known only now: everything that was appended since is in
// it.
func (b *builder) pop() {
	top := b.top()
	b.p.Nodes[top.node].End = int32(len(b.p.Nodes))
	b.opened[top.tag]--
	b.stack = b.stack[:len(b.stack)-1]
	if len(b.active) > 0 {
		b.popped()
	}
}

// popTo closes open elements until height are left, and those next whose end tags came early. Elements that ended
// early go as soon as they are on top.
func (b *builder) popTo(height int) {
	for len(b.stack) > height {
		b.pop()
	}
	for b.top().tag == noTag {
		b.pop()
	}
}

// find returns the height of the innermost open element of set, or 0 when it is out of scope. 0 stands for "none",
// because height 0 is <html>, which nobody looks for.
func (b *builder) find(set, bounds *tagSet) int {
	for i := len(b.stack) - 1; i > 0; i-- {
		t := b.stack[i].tag
		if set.has(t) {
			return i
		}
		if bounds.has(t) {
			break
		}
	}
	return 0
}

// close closes the innermost open element of set that is in scope, with all inside, and tells whether there is one.
// That is what most end tags do.
func (b *builder) close(set, bounds *tagSet) bool {
	i := b.find(set, bounds)
	if i > 0 {
		b.popTo(i)
	}
	return i > 0
}

// closeTag is close for one tag. The count by tags answers most calls without a look at the stack.
func (b *builder) closeTag(t Tag, bounds *tagSet) bool {
	if b.opened[t] == 0 {
		return false
	}
	set := setOf(t)
	return b.close(&set, bounds)
}

// inScope tells whether an element t is open and in scope. Bounds are the general ones.
func (b *builder) inScope(t Tag) bool {
	set := setOf(t)
	return b.opened[t] > 0 && b.find(&set, &bounds) > 0
}

// endEarly ends the element at height i of the stack while those inside stay open: what comes next is theirs, and is no
// longer in a link, bold, or whatever the element made of its content. The entry stays in the stack as a placeholder,
// so heights do not shift.
func (b *builder) endEarly(i int) {
	b.opened[b.stack[i].tag]--
	b.opened[noTag]++
	b.stack[i].tag, b.stack[i].traits = noTag, 0
	// Flags of what is inside are computed again without it, from the outside in.
	for ; i < len(b.stack); i++ {
		e := &b.stack[i]
		e.flags = b.stack[i-1].flags
		if e.tag != noTag {
			e.flags |= b.p.Nodes[e.node].Own
		}
	}
}
