package page

// scoped are the elements that the mode "in body" treats alike: if one is in scope, its end tag also closes everything
// inside.
var scoped = headings.with(TagAddress, TagArticle, TagAside, TagBlockquote, TagButton, TagCenter, TagDetails, TagDialog,
	TagDir,
	TagDiv, TagDl, TagFieldset, TagFigcaption, TagFigure, TagFooter, TagHeader, TagHgroup, TagListing, TagMain, TagMenu,
	TagNav,
	TagOl, TagPre, TagSearch, TagSection, TagSelect, TagSummary, TagUl, TagDd, TagDt, TagApplet, TagMarquee, TagObject)

// end reads an end tag and closes what it ends. It ignores attributes, but must read them, as a ">" may be in quotes.
func (b *builder) end() {
	src := b.src
	start := b.pos + 2
	switch c := src[start]; {
	// "</>" is dropped.
	case c == '>':
		b.pos = start + 1
		return
	// "</ x>" and the like are bogus comments, which end at the first ">".
	case !isLetter(c):
		b.pos = min(b.index(">")+1, len(src))
		return
	}
	i := nameEnd(src, start)
	name := src[start:i]
	if b.pos = tagEnd(src, i); src[b.pos-1] == '>' { // otherwise the source ends within the tag
		b.endElement(tagOf(name), name)
	}
}

// tagEnd returns the end of the tag whose attributes begin at src[i]. It reads each attribute, because a ">" in a
// value does not end the tag.
func tagEnd(src []byte, i int) int {
	if i < len(src) && src[i] == '>' {
		return i + 1
	}
	for {
		name, _, end := nextAttr(src, i)
		if name == nil {
			return end
		}
		i = end
	}
}

// endElement closes what the end tag t ends. name, the tag as written, tells elements without a Tag apart.
func (b *builder) endElement(t Tag, name []byte) {
	// Within SVG and MathML their own rules come first.
	if b.top().kind != ofHTML && b.endForeign(t, name) {
		return
	}
	if t == TagA && len(b.active) > 0 {
		b.linkEnded(false)
	}
	switch {
	// Outside the body only few end tags do anything.
	case b.phase != inBody && b.opened[TagTemplate] == 0:
		b.endOutside(t)
	case t == TagP:
		// </p> without a <p> makes an empty one (section 13.2.6.4.7).
		if !b.closeTag(TagP, &buttonBounds) {
			b.push(unwritten(TagP, b.pos))
			b.popTo(len(b.stack) - 1)
		}
	case t == TagBr:
		b.push(unwritten(TagBr, b.pos))
	case t == TagForm:
		b.endForm()
	// No such element is open. The end tag of any heading ends a heading.
	case b.opened[t] == 0 || t == TagHTML || t == TagBody:
		if headings.has(t) {
			b.close(&headings, &bounds)
		}
	default:
		b.endOpen(t, name)
	}
}

// endOpen ends an element of the body with the tag t, which an open one has. The order matters: headings and table
// parts may also be scoped.
func (b *builder) endOpen(t Tag, name []byte) {
	switch traits := elements[t].traits; {
	case headings.has(t):
		b.close(&headings, &bounds)
	case t == TagTemplate:
		b.closeTag(t, &noBounds)
	case t == TagTable, traits&tablePart != 0:
		b.closeTag(t, &tableBounds)
	case t == TagLi:
		b.closeTag(t, &listBounds)
	case scoped.has(t):
		b.closeTag(t, &bounds)
	case traits&formatting != 0:
		b.endFormatting(t)
	default:
		b.endOther(t, name)
	}
}

// endOutside handles end tags before the body and in framesets. b.phase is not inBody, and no template is open.
func (b *builder) endOutside(t Tag) {
	switch {
	case b.phase == inFrames:
		if t == TagFrameset && b.top().tag == TagFrameset {
			b.popTo(len(b.stack) - 1)
		}
	// An end tag may come without the head's start tag.
	case t == TagHead && b.phase < afterHead:
		if b.phase == beforeHead {
			b.openHead(unwritten(TagHead, b.pos))
		}
		b.popTo(1)
		b.phase = afterHead
	// These three begin the body, and are then handled there.
	case t == TagBr, t == TagHTML, t == TagBody:
		b.openBody(unwritten(TagBody, b.pos))
		b.endElement(t, nil)
	}
}

// endForeign ends an element of SVG or MathML and reports whether the tag does that. It compares names in any case, up
// to the next HTML element.
func (b *builder) endForeign(t Tag, name []byte) bool {
	// Pages misplace these two so often that they end foreign content in the standard.
	if (t == TagP || t == TagBr) && b.top().kind == ofForeign {
		b.leaveForeign()
		return false
	}
	hash := hashName(name)
	for i := len(b.stack) - 1; b.stack[i].kind != ofHTML; i-- {
		if b.stack[i].name == hash {
			b.popTo(i)
			return true
		}
	}
	return false
}

// endForm ends the open form but not the elements inside. As in the standard, it clears the pointer even if the form
// is out of scope.
func (b *builder) endForm() {
	if b.opened[TagTemplate] > 0 {
		b.closeTag(TagForm, &bounds)
		return
	}
	form := b.form
	b.form = -1
	set := setOf(TagForm)
	// If another form is the one in scope, nothing ends.
	if i := b.find(&set, &bounds); i > 0 && b.stack[i].node == form {
		b.closeImplied(false, 0)
		b.endAt(i)
	}
}

// endAt ends the element at height i of the stack. If others are open inside, it ends early: its tag no longer counts,
// but they go on.
func (b *builder) endAt(i int) {
	if i == len(b.stack)-1 {
		b.popTo(i)
	} else {
		b.endEarly(i)
	}
}

// endFormatting ends a formatting element and leaves open what continues. The adoption agency (section 13.2.6.4.8)
// would open formatting elements again instead. Wrong nesting would then give elements without a source.
func (b *builder) endFormatting(t Tag) {
	set := setOf(t)
	if i := b.find(&set, &bounds); i > 0 {
		b.endFormattingAt(i)
	}
}

// endFormattingAt is endFormatting for the element at height i.
func (b *builder) endFormattingAt(i int) {
	height := i + 1 // what continues: if a block is inside, all open elements, or else up to the innermost formatting one
	for k := i + 1; k < len(b.stack); k++ {
		// A block inside continues with all that is in it.
		if t := b.stack[k].traits; t&special != 0 {
			height = len(b.stack)
			break
		} else if t&formatting != 0 {
			// Otherwise the innermost formatting element inside continues.
			height = k + 1
		}
	}
	b.popTo(height)
	b.endAt(i)
}

// endOther ends an element without special rules. The search stops at special elements, so </x> does not end a <div>.
func (b *builder) endOther(t Tag, name []byte) {
	var hash uint32
	if t == TagOther {
		hash = hashName(name)
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if e.tag == t && e.kind == ofHTML && (t != TagOther || e.name == hash) {
			b.popTo(i)
			return
		}
		if e.traits&special != 0 || e.kind == integration {
			return
		}
	}
}
