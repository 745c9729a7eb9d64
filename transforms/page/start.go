package page

// start reads a start tag and opens its element: before the body, in SVG or MathML, or in HTML.
func (b *builder) start() {
	var n Node
	switch {
	case !b.startNode(&n): // the source ends within the tag
	case b.phase != inBody && b.opened[TagTemplate] == 0:
		b.startOutside(&n)
	case b.top().kind == ofForeign && b.staysForeign(&n):
		// An element in SVG is SVG: it takes its marks from its parent.
		n.marks |= b.p.Nodes[b.top().node].marks & foreign
		b.push(&n)
	default:
		b.startInside(&n)
	}
}

// startNode reads the tag at pos into an empty node. It returns false if the source ends within the tag, which then
// does not count (section 13.2.5, eof-in-tag). Attributes are read for flags only; their values are read again on
// demand.
func (b *builder) startNode(n *Node) bool {
	src := b.src
	// After the "<".
	start := b.pos + 1
	i := nameEnd(src, start)
	n.Tag = tagOf(src[start:i])
	n.srcStart = int32(start)
	n.Own = tagFlags[n.Tag]
	// Knuth's multiplier spreads the few tags over 32 bits.
	n.Sig = uint32(n.Tag) * 2654435761
	count := 0
	for ; i < len(src) && src[i] != '>'; count++ {
		name, value, next := nextAttr(src, i)
		if name == nil {
			// "/>" closes elements of foreign content.
			if next > i+1 && src[next-2] == '/' {
				n.marks |= selfClosed
			}
			i = next - 1
			break
		}
		i = next
		// Skip attributes beyond the limit.
		if count < b.p.o.MaxAttributes {
			n.Own |= attrName(name)
			b.attribute(n, name, value)
		}
	}
	if i >= len(src) || src[i] != '>' {
		b.pos = len(src)
		return false
	}
	// Only the first such tag is checked for loss.
	if count > b.p.o.MaxAttributes && !b.cut.attributes {
		b.cut.attributes = losesAttribute(src[start:i], b.p.o.MaxAttributes)
	}
	n.srcEnd = int32(i)
	if n.Tag == TagDialog {
		b.dialog(n)
	}
	// The class of <body> describes the page ("single post"), not its parts.
	if n.Tag == TagBody {
		n.Own &^= likes
	}
	b.pos = i + 1
	return true
}

// startOutside handles start tags before the body and in framesets: the insertion modes "before html" to "after head",
// and the three of framesets.
func (b *builder) startOutside(n *Node) {
	// Self-closing means nothing here: all of these are HTML.
	n.marks &^= selfClosed
	switch t := n.Tag; {
	case t == TagHTML:
		b.rootTag(n)
	case b.phase == inFrames:
		// A frameset contains only framesets, frames and <noframes>.
		if t == TagFrameset && len(b.stack) > 1 || t == TagFrame || t == TagNoframes {
			b.open(n)
		}
	case t == TagHead:
		if b.phase == beforeHead {
			b.openHead(n)
		}
	case t == TagBody:
		// No frameset replaces a body that is written in the source.
		b.openBody(n)
		b.framed = true
	case t == TagFrameset:
		b.openBody(n)
		b.phase = inFrames
	// Elements of the head are put there even after its end tag, except <noscript>.
	case elements[t].traits&inHead != 0 && (t != TagNoscript || b.phase != afterHead):
		b.startInHead(n)
	// Everything else begins the body.
	default:
		b.openBody(unwritten(TagBody, int(n.srcStart)))
		b.startInside(n)
	}
}

// rootTag takes the attributes of an <html> tag for the root. By the standard each such tag adds those that the root
// lacks; here the first tag that has any counts.
func (b *builder) rootTag(n *Node) {
	if root := &b.p.Nodes[0]; root.Own&attrNames == 0 {
		root.srcStart, root.srcEnd = n.srcStart, n.srcEnd
		root.Own |= n.Own & attrNames
	}
}

// startInHead opens an element of the head, after opening the head if needed. The stack has one element after the
// head, which the standard then reopens for this element.
func (b *builder) startInHead(n *Node) {
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

// open pushes an element and reads its content if that is not markup. <noscript> is raw with scripting: browsers read
// its content as text.
func (b *builder) open(n *Node) {
	b.push(n)
	switch {
	case elements[n.Tag].traits&raw != 0 && !(n.Tag == TagNoscript && b.p.o.NoScripting && b.phase == inBody):
		b.rawContent(n.Tag)
	case n.Tag == TagPre, n.Tag == TagListing:
		b.skipLF = true
	}
}

// htmlInForeign are the elements that end SVG and MathML around them (section 13.2.6.5).
var htmlInForeign = setOf(TagB, TagBig, TagBlockquote, TagBody, TagBr, TagCenter, TagCode, TagDd, TagDiv, TagDl, TagDt,
	TagEm,
	TagEmbed, TagH1, TagH2, TagH3, TagH4, TagH5, TagH6, TagHead, TagHr, TagI, TagImg, TagLi, TagListing, TagMenu, TagMeta,
	TagNobr, TagOl, TagP, TagPre, TagRuby, TagS, TagSmall, TagSpan, TagStrong, TagStrike, TagSub, TagSup, TagTable, TagTt,
	TagU, TagUl, TagVar)

// staysForeign reports whether the start tag of n, in SVG or MathML, belongs to them; otherwise it ends them. The tag
// <font> ends them only with one of its old attributes.
func (b *builder) staysForeign(n *Node) bool {
	if !htmlInForeign.has(n.Tag) && !(n.Tag == TagFont && b.hasAny(n, "color", "face", "size")) {
		return true
	}
	b.leaveForeign()
	return false
}

// leaveForeign closes elements of SVG and MathML up to an integration point or HTML element.
func (b *builder) leaveForeign() {
	for b.top().kind == ofForeign {
		b.pop()
	}
}

// hasAny reports whether the tag of n has one of the attributes.
func (b *builder) hasAny(n *Node, names ...string) bool {
	for _, name := range names {
		if _, ok := tagAttr(b.src[n.srcStart:n.srcEnd], name, b.p.o.MaxAttributes); ok {
			return true
		}
	}
	return false
}
