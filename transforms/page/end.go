package page

// scoped are the elements whose end tags close what is open inside them, up to a bound.
var scoped = headings.with(TagAddress, TagArticle, TagAside, TagBlockquote, TagButton, TagCenter, TagDetails, TagDialog,
	TagDir,
	TagDiv, TagDl, TagFieldset, TagFigcaption, TagFigure, TagFooter, TagHeader, TagHgroup, TagListing, TagMain, TagMenu,
	TagNav,
	TagOl, TagPre, TagSearch, TagSection, TagSelect, TagSummary, TagUl, TagDd, TagDt, TagApplet, TagMarquee, TagObject)

// end reads an end tag and closes what it ends.
func (b *builder) end() {
	src := b.src
	start := b.pos + 2
	switch c := src[start]; {
	case c == '>':
		b.pos = start + 1
		return
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

// tagEnd returns the end of the tag whose attributes begin at src[i].
func tagEnd(src []byte, i int) int {
	if i < len(src) && src[i] == '>' {
		return i + 1
	}
	for {
		var a attribute
		if a, i = nextAttr(src, i); a.name == nil {
			return i
		}
	}
}

func (b *builder) endElement(t Tag, name []byte) {
	switch {
	case b.top().kind != ofHTML && b.endForeign(t, name):
	case b.phase != inBody && b.opened[TagTemplate] == 0:
		b.endOutside(t)
	case t == TagP:
		if !b.closeTag(TagP, &buttonBounds) {
			b.push(unwritten(TagP, b.pos))
			b.popTo(len(b.stack) - 1)
		}
	case t == TagBr:
		b.push(unwritten(TagBr, b.pos))
	case t == TagForm:
		b.endForm()
	case b.opened[t] == 0 || t == TagHTML || t == TagBody:
		if headings.has(t) {
			b.close(&headings, &bounds)
		}
	default:
		b.endOpen(t, name)
	}
}

// endOpen ends an element of the body with the tag t, which some open one has.
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

// endOutside deals with end tags before the body and in framesets.
func (b *builder) endOutside(t Tag) {
	switch {
	case b.phase == inFrames:
		if t == TagFrameset && b.top().tag == TagFrameset {
			b.popTo(len(b.stack) - 1)
		}
	case t == TagHead && b.phase < afterHead:
		if b.phase == beforeHead {
			b.openHead(unwritten(TagHead, b.pos))
		}
		b.popTo(1)
		b.phase = afterHead
	case t == TagBr, t == TagHTML, t == TagBody:
		b.openBody(unwritten(TagBody, b.pos))
		b.endElement(t, nil)
	}
}

// endForeign ends an element of SVG or MathML, and tells whether that is what the tag does.
func (b *builder) endForeign(t Tag, name []byte) bool {
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

// endForm ends the open form; what is open inside stays open.
func (b *builder) endForm() {
	if b.opened[TagTemplate] > 0 {
		b.closeTag(TagForm, &bounds)
		return
	}
	form := b.form
	b.form = -1
	set := setOf(TagForm)
	if i := b.find(&set, &bounds); i > 0 && b.stack[i].node == form {
		b.closeImplied(false, 0)
		b.endAt(i)
	}
}

// endAt ends the element at height i of the stack: early when others are open inside.
func (b *builder) endAt(i int) {
	if i == len(b.stack)-1 {
		b.popTo(i)
	} else {
		b.endEarly(i)
	}
}

// endFormatting ends a formatting element. In place of the adoption agency (section 13.2.6.4.8), which opens formatting
// elements again around what comes next, it ends the element and leaves open what goes on behind it.
func (b *builder) endFormatting(t Tag) {
	set := setOf(t)
	if i := b.find(&set, &bounds); i > 0 {
		b.endFormattingAt(i)
	}
}

func (b *builder) endFormattingAt(i int) {
	height := i + 1 // of what goes on: all that is open inside if one is a block, or else what formats
	for k := i + 1; k < len(b.stack); k++ {
		if t := b.stack[k].traits; t&special != 0 {
			height = len(b.stack)
			break
		} else if t&formatting != 0 {
			height = k + 1
		}
	}
	b.popTo(height)
	b.endAt(i)
}

// endOther ends an element that has no rules of its own.
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
