package page

// Sets of elements that start tags close, or do not see past.
var (
	tableTag  = setOf(TagTable)
	headings  = setOf(TagH1, TagH2, TagH3, TagH4, TagH5, TagH6)
	items     = setOf(TagLi)
	terms     = setOf(TagDd, TagDt)
	impliable = setOf(TagDd, TagDt, TagLi, TagOptgroup, TagOption, TagP, TagRb, TagRp, TagRt, TagRtc)
	passable  = setOf(TagAddress, TagDiv, TagP) // special elements that the search for a list item passes
)

// startInside opens an element of the body (section 13.2.6.4.7), after closing those whose end tags it implies.
func (b *builder) startInside(n Node) {
	t := n.Tag
	switch {
	case (t == TagTable || elements[t].traits&tablePart != 0) && !b.tablePart(t):
		return
	case b.top().tag == TagColgroup && t != TagCol && t != TagTemplate:
		b.popTo(len(b.stack) - 1)
	}
	switch t {
	case TagSvg:
		n.marks |= ofSVG
	case TagMath:
		n.marks |= ofMathML
	default:
		n.marks = 0
	}
	if elements[t].traits&closesP != 0 {
		b.closeTag(TagP, &buttonBounds)
	}
	if b.imply(&n) {
		b.open(n)
	}
}

// imply closes what the start tag of n ends, and tells whether n counts at all.
func (b *builder) imply(n *Node) bool {
	switch t := n.Tag; t {
	case TagHTML, TagHead, TagFrame:
		return false
	case TagBody:
		b.framed = b.framed || b.opened[TagTemplate] == 0
		return false
	case TagFrameset:
		b.frameset(n)
		return false
	case TagImage:
		n.Tag = TagImg
	case TagH1, TagH2, TagH3, TagH4, TagH5, TagH6:
		if headings.has(b.top().tag) {
			b.popTo(len(b.stack) - 1)
		}
	case TagLi:
		b.closeItem(&items)
	case TagDd, TagDt:
		b.closeItem(&terms)
	case TagButton:
		b.closeTag(TagButton, &bounds)
	case TagA:
		b.closeAnchor()
	case TagNobr:
		b.endFormatting(TagNobr)
	case TagForm:
		return b.startForm(n)
	case TagInput:
		b.closeTag(TagSelect, &bounds)
	case TagSelect:
		return !b.closeTag(TagSelect, &bounds)
	case TagOption, TagOptgroup:
		b.closeOptions(t)
	case TagRb, TagRtc, TagRp, TagRt:
		b.closeRuby(t)
	}
	return true
}

// closeItem closes an open element of set, and an open <p>.
func (b *builder) closeItem(set *tagSet) {
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if set.has(e.tag) {
			b.popTo(i)
			break
		}
		if e.kind != ofHTML || e.traits&special != 0 && !passable.has(e.tag) {
			break
		}
	}
	b.closeTag(TagP, &buttonBounds)
}

// closeAnchor ends the <a> that is open, if it is not outside of a cell: links do not nest.
func (b *builder) closeAnchor() {
	if b.opened[TagA] == 0 {
		return
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if e.tag == TagA && e.kind == ofHTML {
			b.endFormattingAt(i)
			return
		}
		if e.traits&marker != 0 {
			return
		}
	}
}

// startForm tells whether a form may be opened. Forms do not nest; one in a table outside of its cells has no content.
func (b *builder) startForm(n *Node) bool {
	inTable := tableContext.has(b.top().tag)
	if b.opened[TagTemplate] > 0 {
		return !inTable
	}
	if b.form >= 0 {
		return false
	}
	b.form = int32(len(b.p.Nodes))
	if inTable {
		n.marks = selfClosed
	}
	return true
}

// closeOptions closes what an <option> or <optgroup> ends.
func (b *builder) closeOptions(t Tag) {
	switch {
	case b.inScope(TagSelect):
		b.closeImplied(t == TagOption, TagOptgroup)
	case b.top().tag == TagOption:
		b.popTo(len(b.stack) - 1)
	}
}

// closeRuby closes what the parts of a <ruby> end.
func (b *builder) closeRuby(t Tag) {
	if b.inScope(TagRuby) {
		b.closeImplied(t == TagRp || t == TagRt, TagRtc)
	}
}

// closeImplied closes innermost elements whose end tags may be left out, but not those with the tag except if keep is
// true.
func (b *builder) closeImplied(keep bool, except Tag) {
	for t := b.top().tag; impliable.has(t) && !(keep && t == except); t = b.top().tag {
		b.popTo(len(b.stack) - 1)
	}
}

// shown are elements that a frameset does not take the place of.
var shown = setOf(TagPre, TagListing, TagLi, TagDd, TagDt, TagButton, TagApplet, TagMarquee, TagObject, TagTable,
	TagArea, TagBr,
	TagEmbed, TagImg, TagKeygen, TagWbr, TagHr, TagTextarea, TagXmp, TagIframe, TagSelect)

// frameset puts a frameset in the place of the body, if there is nothing in it that is shown.
func (b *builder) frameset(n *Node) {
	if b.framed || len(b.stack) < 2 || b.stack[1].tag != TagBody {
		return
	}
	body := b.stack[1].node
	for i := range b.p.Nodes[body:] {
		if b.isShown(&b.p.Nodes[int(body)+i]) {
			b.framed = true
			return
		}
	}
	b.popTo(1)
	b.p.Nodes = b.p.Nodes[:body]
	b.push(*n)
	b.phase = inFrames
}

// isShown tells whether n is something to be seen.
func (b *builder) isShown(n *Node) bool {
	up := &b.p.Nodes[n.Parent]
	switch {
	case n.marks&foreign != 0:
		return false
	case n.Tag == TagInput:
		return !b.hiddenInput(n)
	case n.Tag != TagText:
		return shown.has(n.Tag)
	}
	return !blank(b.src[n.srcStart:n.srcEnd]) && (up.marks&foreign != 0 || elements[up.Tag].traits&raw == 0)
}

// hiddenInput tells whether n is <input type=hidden>.
func (b *builder) hiddenInput(n *Node) bool {
	kind, _ := tagAttr(b.src[n.srcStart:n.srcEnd], "type", b.p.o.MaxAttributes)
	return isFold(kind, "hidden")
}
