package page

// start reads a start tag and opens its element. The three cases are: before the body, in SVG or MathML, and all the
// rest.
func (b *builder) start() {
	n, end, ok := b.startNode()
	b.pos = end
	switch {
	case !ok: // the source ends within the tag
	case b.phase != inBody && b.opened[TagTemplate] == 0:
		b.startOutside(n)
	case b.top().kind == ofForeign && b.staysForeign(&n):
		// An element in SVG is SVG: it takes its marks from the one around it.
		n.marks |= b.p.Nodes[b.top().node].marks & foreign
		b.push(n)
	default:
		b.startInside(n)
	}
}

// startNode reads the tag at pos into a node. ok is false when the source ends within the tag, which then is not a tag
// at all (section 13.2.5, eof-in-tag). Attributes are read here once, for flags; who wants their values reads the tag
// again.
func (b *builder) startNode() (n Node, end int, ok bool) {
	src := b.src
	// Behind the "<".
	start := b.pos + 1
	i := nameEnd(src, start)
	n.Tag = tagOf(src[start:i])
	n.srcStart = int32(start)
	n.Own = tagFlags[n.Tag]
	// Knuth's multiplier spreads the few tags over 32 bits.
	n.Sig = uint32(n.Tag) * 2654435761
	count := 0
	for ; i < len(src) && src[i] != '>'; count++ {
		a, next := nextAttr(src, i)
		if a.name == nil {
			// "/>" closes elements of foreign content.
			if next > i+1 && src[next-2] == '/' {
				n.marks |= selfClosed
			}
			i = next - 1
			break
		}
		i = next
		// Attributes beyond the limit are passed over, not read.
		if count < b.p.o.MaxAttributes {
			n.Own |= attrName(a.name)
			b.attribute(&n, &a)
		}
	}
	// Not even the ">" is there.
	if i >= len(src) || src[i] != '>' {
		return n, len(src), false
	}
	// Whether something is lost is looked at for the first such tag only.
	if count > b.p.o.MaxAttributes && !b.cut.attributes {
		b.cut.attributes = losesAttribute(src[start:i], b.p.o.MaxAttributes)
	}
	n.srcEnd = int32(i)
	if n.Tag == TagDialog {
		b.dialog(&n)
	}
	// The class of <body> says what the page is ("single post"), not what its parts are.
	if n.Tag == TagBody {
		n.Own &^= likes
	}
	return n, i + 1, true
}

// startOutside deals with start tags before the body and in framesets. They are the insertion modes "before html" to
// "after head", and the three of framesets.
func (b *builder) startOutside(n Node) {
	// Self-closing means nothing here: all of these are HTML.
	n.marks &^= selfClosed
	switch t := n.Tag; {
	// A later <html> adds attributes by the standard; the first tag's are kept here.
	case t == TagHTML:
		if b.p.Nodes[0].srcEnd == 0 {
			b.p.Nodes[0].srcStart, b.p.Nodes[0].srcEnd = n.srcStart, n.srcEnd
			b.p.Nodes[0].Own |= n.Own & attrNames
		}
	case b.phase == inFrames:
		// In a frameset there are framesets, frames and <noframes>, and nothing else.
		if t == TagFrameset && len(b.stack) > 1 || t == TagFrame || t == TagNoframes {
			b.open(n)
		}
	case t == TagHead:
		if b.phase == beforeHead {
			b.openHead(n)
		}
	case t == TagBody:
		// A body that was written is never replaced by a frameset.
		b.openBody(n)
		b.framed = true
	case t == TagFrameset:
		b.openBody(n)
		b.phase = inFrames
	// What belongs in the head is put there also after its end tag, except for <noscript>.
	case elements[t].traits&inHead != 0 && (t != TagNoscript || b.phase != afterHead):
		b.startInHead(n)
	// Everything else begins the body.
	default:
		b.openBody(unwritten(TagBody, int(n.srcStart)))
		b.startInside(n)
	}
}

// startInHead opens an element of the head, which is opened for it where it is not open. len(stack) is 1 after the
// head: it is opened again for this element, as the standard does.
func (b *builder) startInHead(n Node) {
	switch {
	case b.phase == beforeHead:
		b.openHead(unwritten(TagHead, int(n.srcStart)))
	case len(b.stack) == 1:
		b.stack = append(b.stack, open{
			node: b.head, flags: b.p.Nodes[b.head].Flags, tag: TagHead,
			traits: elements[TagHead].traits,
		})
		b.opened[TagHead]++
	}
	b.open(n)
}

// open pushes an element and reads its content if that is not markup. <noscript> is raw where scripts run: browsers
// read its content as text.
func (b *builder) open(n Node) {
	b.push(n)
	switch {
	case elements[n.Tag].traits&raw != 0 && !(n.Tag == TagNoscript && b.p.o.NoScripting && b.phase == inBody):
		b.rawContent(n.Tag)
	case n.Tag == TagPre, n.Tag == TagListing:
		b.skipLF = true
	}
}

// htmlInForeign are the elements that end SVG and MathML around them. The list is that of section 13.2.6.5.
var htmlInForeign = setOf(TagB, TagBig, TagBlockquote, TagBody, TagBr, TagCenter, TagCode, TagDd, TagDiv, TagDl, TagDt,
	TagEm,
	TagEmbed, TagH1, TagH2, TagH3, TagH4, TagH5, TagH6, TagHead, TagHr, TagI, TagImg, TagLi, TagListing, TagMenu, TagMeta,
	TagNobr, TagOl, TagP, TagPre, TagRuby, TagS, TagSmall, TagSpan, TagStrong, TagStrike, TagSub, TagSup, TagTable, TagTt,
	TagU, TagUl, TagVar)

// staysForeign reports whether the start tag of n, which is in SVG or MathML, is of these; otherwise it ends them.
// <font> ends them only with one of its old attributes.
func (b *builder) staysForeign(n *Node) bool {
	if !htmlInForeign.has(n.Tag) && !(n.Tag == TagFont && b.hasAny(n, "color", "face", "size")) {
		return true
	}
	b.leaveForeign()
	return false
}

// leaveForeign closes elements of SVG and MathML up to one that holds HTML. Integration points and HTML elements
// stay.
func (b *builder) leaveForeign() {
	for b.top().kind == ofForeign {
		b.pop()
	}
}

// hasAny reports whether the tag of n has one of the attributes. Used for one rule alone, so the tag is read once for
// each name.
func (b *builder) hasAny(n *Node, names ...string) bool {
	for _, name := range names {
		if _, ok := tagAttr(b.src[n.srcStart:n.srcEnd], name, b.p.o.MaxAttributes); ok {
			return true
		}
	}
	return false
}
