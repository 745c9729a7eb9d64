package page

// push adds an element and opens it if it can have content. It merges the standard's "insert an HTML element" and
// "insert a foreign element".
func (b *builder) push(n *Node) {
	// The element comes before any line feed that could be dropped.
	b.skipLF = false
	parent := b.top()
	kind := ofHTML
	if n.marks&foreign != 0 {
		kind = ofForeign
	}
	// In a table outside its cells, other elements move in front of the table.
	i := b.insert(n, tableContext.has(parent.tag) && !b.tableChild(n))
	e := elements[n.Tag]
	// Void and self-closed foreign elements have no content, so they are not opened.
	if i < 0 || kind == ofHTML && e.traits&void != 0 || n.marks&selfClosed != 0 {
		return
	}
	// At the limit the element has no content: what follows becomes its sibling.
	if len(b.stack) >= b.p.o.MaxDepth {
		b.cut.depth = true
		return
	}
	// Written in its place: a copy would wait for the fields, which are shorter than what it loads at once.
	b.stack = append(b.stack, open{})
	entry := b.top()
	entry.node, entry.flags, entry.tag, entry.traits, entry.kind = i, n.Flags, n.Tag, e.traits, kind
	// The rules of HTML do not apply inside SVG and MathML, so the entry has no traits there.
	if kind == ofForeign {
		entry.traits = 0
		if b.holdsHTML(i) {
			entry.kind = integration
		} else {
			entry.tag = TagOther
		}
		// <desc> or <mi> in HTML is an unknown element, and no bound.
	} else if n.Tag != TagTitle && integrationPoints.has(n.Tag) {
		entry.tag = TagOther // outside its language it has no rules
	}
	// Elements without a Tag are told apart by the hash of their name.
	if entry.tag == TagOther || kind != ofHTML {
		entry.name = hashName(nameOf(b.src[n.srcStart:n.srcEnd]))
	}
	b.opened[entry.tag]++
}

// holdsHTML reports whether the foreign element i is an integration point. MathML's annotation-xml depends on its
// encoding (section 13.2.6).
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

// insert puts n into the innermost open element, or in front of the table around it if it is misplaced. It returns the
// node's index, or -1 at the limit of nodes. The node is always appended; order.sort moves it later.
func (b *builder) insert(n *Node, misplaced bool) int32 {
	parent, table := b.top(), int32(-1)
	// The table's parent is the element below it in the stack.
	if misplaced {
		if i := b.find(&tableTag, &tableBounds); i > 0 {
			parent, table = &b.stack[i-1], b.stack[i].node
		}
	}
	i := len(b.p.Nodes)
	// build stops at the first limit that is hit.
	if i >= b.p.o.MaxNodes {
		b.cut.nodes = true
		return -1
	}
	// Depth does not overflow its 16 bits, since MaxDepth bounds the stack.
	depth := b.p.Nodes[parent.node].Depth + 1
	// Flags come from the open element, not from the parent node: an element that ended early no longer gives its
	// flags.
	n.Flags = n.Own&^attrNames | parent.flags
	b.p.Nodes = append(b.p.Nodes, Node{})
	// Field by field: a copy would wait for the fields, which are shorter than what it loads at once.
	to := &b.p.Nodes[i]
	to.Parent, to.End, to.Depth = parent.node, int32(i+1), depth
	to.srcStart, to.srcEnd, to.Sig, to.Tag, to.marks = n.srcStart, n.srcEnd, n.Sig, n.Tag, n.marks
	to.Flags, to.Own = n.Flags, n.Own
	if table >= 0 {
		b.fostered = append(b.fostered, foster{node: int32(i), table: table})
	}
	return int32(i)
}

// text adds the source range [start, end). In a table, text other than white space is allowed in cells only. Elsewhere
// it moves in front of the table, and ends a <colgroup>.
func (b *builder) text(start, end int, m marks) {
	t := b.top().tag
	misplaced := (t == TagColgroup || tableContext.has(t)) && !blank(b.src[start:end])
	if misplaced && t == TagColgroup {
		b.popTo(len(b.stack) - 1)
	}
	// White space between the parts of a table stays there.
	top, moved := b.top(), misplaced || !tableContext.has(t)
	if len(b.active) > 0 && top.kind != ofForeign && top.traits&raw == 0 && moved {
		b.reopen()
	}
	b.insert(&Node{Tag: TagText, marks: m, srcStart: int32(start), srcEnd: int32(end)}, misplaced)
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
