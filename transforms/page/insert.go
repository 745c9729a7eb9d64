package page

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

// holdsHTML reports whether the foreign element i is an integration point. For MathML's annotation-xml the encoding
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
	n.Flags = n.Own&^attrNames | parent.flags
	n.End = int32(i + 1)
	b.p.Nodes = append(b.p.Nodes, n)
	if table >= 0 {
		b.fostered = append(b.fostered, foster{node: int32(i), table: table})
	}
	return int32(i)
}

// text adds the source range from start to end. Text that is not white space may be in cells only; elsewhere in a
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

// blank reports whether s is white space. NUL counts as white space, as it is dropped.
func blank(s []byte) bool {
	for _, c := range s {
		if !isSpace(c) && c != 0 {
			return false
		}
	}
	return true
}
