package page

// start reads a start tag and opens its element.
func (b *builder) start() {
	n, end, ok := b.startNode()
	b.pos = end
	switch {
	case !ok: // the source ends within the tag
	case b.phase != inBody && b.opened[TagTemplate] == 0:
		b.startOutside(n)
	case b.top().kind == ofForeign && b.staysForeign(&n):
		n.marks |= b.p.Nodes[b.top().node].marks & foreign
		b.push(n)
	default:
		b.startInside(n)
	}
}

// startNode reads the tag at pos into a node.
func (b *builder) startNode() (n Node, end int, ok bool) {
	src := b.src
	start := b.pos + 1
	i := nameEnd(src, start)
	n.Tag = tagOf(src[start:i])
	n.srcStart = int32(start)
	n.Own = tagFlags[n.Tag]
	n.Sig = uint32(n.Tag) * 2654435761
	count := 0
	for ; i < len(src) && src[i] != '>'; count++ {
		a, next := nextAttr(src, i)
		if a.name == nil {
			if next > i+1 && src[next-2] == '/' {
				n.marks = selfClosed
			}
			i = next - 1
			break
		}
		i = next
		if count < b.p.o.MaxAttributes {
			b.attribute(&n, &a)
		}
	}
	if i >= len(src) || src[i] != '>' {
		return n, len(src), false
	}
	if count > b.p.o.MaxAttributes && !b.cut.attributes {
		b.cut.attributes = losesAttribute(src[start:i], b.p.o.MaxAttributes)
	}
	n.srcEnd = int32(i)
	if n.Tag == TagBody {
		n.Own &^= likes
	}
	return n, i + 1, true
}

// startOutside deals with start tags before the body and in framesets.
func (b *builder) startOutside(n Node) {
	n.marks = 0
	switch t := n.Tag; {
	case t == TagHTML:
		if b.p.Nodes[0].srcEnd == 0 {
			b.p.Nodes[0].srcStart, b.p.Nodes[0].srcEnd = n.srcStart, n.srcEnd
		}
	case b.phase == inFrames:
		if t == TagFrameset && len(b.stack) > 1 || t == TagFrame || t == TagNoframes {
			b.open(n)
		}
	case t == TagHead:
		if b.phase == beforeHead {
			b.openHead(n)
		}
	case t == TagBody:
		b.openBody(n)
		b.framed = true
	case t == TagFrameset:
		b.openBody(n)
		b.phase = inFrames
	case elements[t].traits&inHead != 0 && (t != TagNoscript || b.phase != afterHead):
		b.startInHead(n)
	default:
		b.openBody(unwritten(TagBody, int(n.srcStart)))
		b.startInside(n)
	}
}

// startInHead opens an element of the head, which is opened for it where it is not open.
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

// open pushes an element and reads its content if that is not markup.
func (b *builder) open(n Node) {
	b.push(n)
	switch {
	case elements[n.Tag].traits&raw != 0 && !(n.Tag == TagNoscript && b.p.o.NoScripting && b.phase == inBody):
		b.rawContent(n.Tag)
	case n.Tag == TagPre, n.Tag == TagListing:
		b.skipLF = true
	}
}

// htmlInForeign are the elements that end SVG and MathML around them.
var htmlInForeign = setOf(TagB, TagBig, TagBlockquote, TagBody, TagBr, TagCenter, TagCode, TagDd, TagDiv, TagDl, TagDt,
	TagEm,
	TagEmbed, TagH1, TagH2, TagH3, TagH4, TagH5, TagH6, TagHead, TagHr, TagI, TagImg, TagLi, TagListing, TagMenu, TagMeta,
	TagNobr, TagOl, TagP, TagPre, TagRuby, TagS, TagSmall, TagSpan, TagStrong, TagStrike, TagSub, TagSup, TagTable, TagTt,
	TagU, TagUl, TagVar)

// staysForeign tells whether the start tag of n, which stands in SVG or MathML, is of these; otherwise it ends them.
func (b *builder) staysForeign(n *Node) bool {
	if !htmlInForeign.has(n.Tag) && !(n.Tag == TagFont && b.hasAny(n, "color", "face", "size")) {
		return true
	}
	b.leaveForeign()
	return false
}

// leaveForeign closes elements of SVG and MathML up to one that holds HTML.
func (b *builder) leaveForeign() {
	for b.top().kind == ofForeign {
		b.pop()
	}
}

// hasAny tells whether the tag of n has one of the attributes.
func (b *builder) hasAny(n *Node, names ...string) bool {
	for _, name := range names {
		if _, ok := tagAttr(b.src[n.srcStart:n.srcEnd], name, b.p.o.MaxAttributes); ok {
			return true
		}
	}
	return false
}
