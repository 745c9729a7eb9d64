package page

// Sets of elements that start tags close or stop at.
var (
	tableTag  = setOf(TagTable)
	headings  = setOf(TagH1, TagH2, TagH3, TagH4, TagH5, TagH6)
	items     = setOf(TagLi)
	terms     = setOf(TagDd, TagDt)
	impliable = setOf(TagDd, TagDt, TagLi, TagOptgroup, TagOption, TagP, TagRb, TagRp, TagRt, TagRtc)
	passable  = setOf(TagAddress, TagDiv, TagP) // special elements that the search for a list item passes
)

// startInside opens an element of the body (section 13.2.6.4.7), after closing those whose end tags it implies. Node n
// is not in the nodes yet, so imply may still change or drop it.
func (b *builder) startInside(n *Node) {
	t := n.Tag
	switch {
	// Parts of tables first: outside a table they mean nothing, inside they close and open others.
	case (t == TagTable || elements[t].traits&tablePart != 0) && !b.tablePart(t):
		return
	// Any other tag ends the content of a <colgroup>.
	case b.top().tag == TagColgroup && t != TagCol && t != TagTemplate:
		b.popTo(len(b.stack) - 1)
	}
	switch t {
	case TagSvg:
		// A closing slash ("/>") only counts in SVG and MathML.
		n.marks |= ofSVG
	case TagMath:
		n.marks |= ofMathML
	default:
		n.marks &^= selfClosed
	}
	// The bounds are those of "has a p element in button scope".
	if elements[t].traits&closesP != 0 {
		b.closeTag(TagP, &buttonBounds)
	}
	if !b.imply(n) {
		return
	}
	if len(b.active) > 0 && reconstructs(n) {
		b.reopen()
	}
	if b.open(n); t == TagA {
		b.linkOpened()
	}
}

// imply closes what the start tag of n ends, and reports whether n counts at all. The cases are those of the insertion
// mode "in body" that do more than open an element.
func (b *builder) imply(n *Node) bool {
	switch t := n.Tag; t {
	// Often a warning of the server or a second byte order mark comes before <html>.
	case TagHTML:
		if b.opened[TagTemplate] == 0 {
			b.rootTag(n)
		}
		return false
	// Other rules open them.
	case TagHead, TagFrame:
		return false
	case TagBody:
		// After a second <body>, no frameset may replace the body.
		b.framed = b.framed || b.opened[TagTemplate] == 0
		return false
	case TagFrameset:
		b.frameset(n)
		return false
	// "Don't ask", says the standard.
	case TagImage:
		n.Tag = TagImg
	// Headings do not nest: a new one ends the one directly around it.
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
		// A <nobr> within another ends the first.
		b.endFormatting(TagNobr)
	case TagForm:
		return b.startForm(n)
	case TagInput:
		// An <input> ends a <select>, as in the standard since selects may hold other elements.
		b.closeTag(TagSelect, &bounds)
	case TagSelect:
		// A <select> in a <select> only ends the first.
		return !b.closeTag(TagSelect, &bounds)
	case TagOption, TagOptgroup:
		b.closeOptions(t)
	case TagRb, TagRtc, TagRp, TagRt:
		b.closeRuby(t)
	}
	return true
}

// closeItem closes an open element of set, and an open <p>. The search stops at the first element that the standard
// calls special, except <address>, <div> and <p>. So an item of an inner list does not end the outer item.
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

// closeAnchor ends the open <a>, since links do not nest, unless it is outside the current cell.
func (b *builder) closeAnchor() {
	if len(b.active) > 0 {
		b.linkEnded(true)
	}
	// The count spares the walk for most links.
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

// startForm reports whether a form may be opened. Forms do not nest, except in templates. A form in a table outside
// its cells has no content. b.form is the standard's "form element pointer".
func (b *builder) startForm(n *Node) bool {
	inTable := tableContext.has(b.top().tag)
	if b.opened[TagTemplate] > 0 {
		return !inTable
	}
	if b.form >= 0 {
		return false
	}
	// The index that the form will get.
	b.form = int32(len(b.p.Nodes))
	if inTable {
		n.marks = selfClosed
	}
	return true
}

// closeOptions closes what an <option> or <optgroup> ends. Within a select they end each other at any depth; outside,
// only an <option> that is directly open.
func (b *builder) closeOptions(t Tag) {
	switch {
	case b.inScope(TagSelect):
		b.closeImplied(t == TagOption, TagOptgroup)
	case b.top().tag == TagOption:
		b.popTo(len(b.stack) - 1)
	}
}

// closeRuby closes what the parts of a <ruby> end. <rt> and <rp> leave an open <rtc> open.
func (b *builder) closeRuby(t Tag) {
	if b.inScope(TagRuby) {
		b.closeImplied(t == TagRp || t == TagRt, TagRtc)
	}
}

// closeImplied closes innermost elements whose end tags may be omitted, but with keep no element except. It is the
// standard's "generate implied end tags".
func (b *builder) closeImplied(keep bool, except Tag) {
	for t := b.top().tag; impliable.has(t) && !(keep && t == except); t = b.top().tag {
		b.popTo(len(b.stack) - 1)
	}
}

// shown are elements that prevent a later frameset. At them the standard sets its "frameset-ok flag" to "not ok". Here
// frameset searches the nodes instead, which is hardly ever needed.
var shown = setOf(TagPre, TagListing, TagLi, TagDd, TagDt, TagButton, TagApplet, TagMarquee, TagObject, TagTable,
	TagArea, TagBr,
	TagEmbed, TagImg, TagKeygen, TagWbr, TagHr, TagTextarea, TagXmp, TagIframe, TagSelect)

// frameset replaces the body by a frameset if the body shows nothing. The nodes of the body are the last ones, since
// the head is closed.
func (b *builder) frameset(n *Node) {
	// Searched only once, so that a page of many framesets takes linear time.
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
	// The head stays, with its findings.
	b.p.Nodes = b.p.Nodes[:body]
	b.push(n)
	b.phase = inFrames
}

// isShown reports whether n is visible. Foreign elements do not count, nor scripts and styles.
func (b *builder) isShown(n *Node) bool {
	// n follows the body, so it has a parent.
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

func (b *builder) hiddenInput(n *Node) bool {
	kind, _ := tagAttr(b.src[n.srcStart:n.srcEnd], "type", b.p.o.MaxAttributes)
	return isFold(kind, "hidden")
}
