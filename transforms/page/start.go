package page

// start reads a start tag and opens its element.
func (b *builder) start() {
	n, end, ok := b.startNode()
	b.pos = end
	if !ok {
		return // the source ends within the tag
	}
	if b.phase < inBody && b.head(&n) {
		return
	}
	if b.foreign() && !b.leaveForeign(&n) {
		n.Flags |= InForeign
		b.push(n)
		return
	}
	n.self = false
	if !b.imply(&n) {
		return
	}
	switch n.Tag {
	case TagHtml, TagHead, TagBody, TagFrame, TagFrameset:
		return
	case TagBr:
		b.lineBreak(n)
		return
	case TagImage:
		n.Tag = TagImg
	case TagSvg, TagMath:
		b.push(n)
		return
	}
	b.push(n)
	b.rawContent(n.Tag)
}

// startNode reads the tag at pos into a node.
func (b *builder) startNode() (n Node, end int, ok bool) {
	src := b.src
	start := b.pos + 1
	i := start
	var buf [16]byte
	name := buf[:0]
	for ; i < len(src) && !isSpace(src[i]) && src[i] != '/' && src[i] != '>'; i++ {
		if len(name) < len(buf) {
			name = append(name, lower(src[i]))
		}
	}
	n.Tag = tagOf(name)
	n.srcStart = int32(start)
	n.Own = tagFlags[n.Tag]
	n.Sig = uint32(n.Tag) * 2654435761
	count := 0
	for {
		var a attribute
		a, i = nextAttr(src, i)
		if a.name == nil {
			break
		}
		if count++; count > b.p.o.MaxAttributes {
			b.cut.attributes = true
			continue
		}
		b.attribute(&n, &a)
	}
	if i > len(src) || src[i-1] != '>' {
		return n, len(src), false
	}
	n.srcEnd = int32(i - 1)
	n.self = src[i-2] == '/'
	if n.Tag == TagBody {
		n.Own &^= likes
	}
	n.Flags = n.Own
	return n, i, true
}

// attribute takes from a what its element's flags depend on.
func (b *builder) attribute(n *Node, a *attribute) {
	switch len(a.name) {
	case 2:
		if a.is("id") {
			n.Own |= keywordFlags(a.value)
		}
	case 4:
		if a.is("role") {
			n.Own |= roles[string(a.value)]
		}
	case 5:
		if a.is("class") {
			n.Own |= keywordFlags(a.value)
			for _, c := range a.value {
				n.Sig = (n.Sig ^ uint32(c)) * 16777619
			}
		} else if a.is("style") && hidesStyle(a.value) {
			n.Own |= InHidden
		}
	case 6:
		if a.is("hidden") {
			n.Own |= InHidden
		}
	case 11:
		if a.is("aria-hidden") && string(a.value) == "true" {
			n.Own |= InHidden
		}
	}
}

var roles = map[string]Flags{
	"navigation": InNav, "main": InMain, "contentinfo": InFooter, "banner": InHeader, "complementary": InAside,
	"dialog": InDialog, "alertdialog": InDialog, "article": InArticle, "search": LikeNav, "menu": InNav, "menubar": InNav,
}

// tagFlags are the flags that the elements themselves give.
var tagFlags = flagsOfTags()

func flagsOfTags() (flags [numTags]Flags) {
	for t := range flags {
		if elements[t].traits&hidden != 0 {
			flags[t] = InSkipped
		}
	}
	for t, f := range map[Tag]Flags{
		TagNav: InNav, TagFooter: InFooter, TagHeader: InHeader, TagAside: InAside, TagForm: InForm, TagArticle: InArticle,
		TagMain: InMain, TagTable: InTable, TagLi: InItem, TagBlockquote: InQuote, TagFigure: InFigure, TagFigcaption: InFigure,
		TagButton: InButton, TagLabel: InButton, TagPre: InPre, TagListing: InPre, TagXmp: InPre, TagPlaintext: InPre,
		TagTextarea: InPre, TagH1: InHeading, TagH2: InHeading, TagH3: InHeading, TagH4: InHeading, TagH5: InHeading,
		TagH6: InHeading, TagA: InLink, TagB: InBold, TagStrong: InBold, TagCode: InCode, TagKbd: InCode, TagSamp: InCode,
		TagTd: InCell, TagTh: InCell, TagDialog: InDialog, TagSvg: InForeign, TagMath: InForeign,
	} {
		flags[t] |= f
	}
	flags[TagXmp] &^= InSkipped
	flags[TagPlaintext] &^= InSkipped
	return flags
}

// hidesStyle tells whether a style attribute takes the element off the page.
func hidesStyle(v []byte) bool {
	for i := 0; i+12 <= min(len(v), 400); i++ {
		if v[i]|0x20 == 'd' && hasFold(v[i:], "display") {
			rest := v[i+7:]
			for len(rest) > 0 && (isSpace(rest[0]) || rest[0] == ':') {
				rest = rest[1:]
			}
			return hasFold(rest, "none")
		}
	}
	return false
}

// head deals with start tags before the body, and tells whether the tag is done.
func (b *builder) head(n *Node) bool {
	switch {
	case n.Tag == TagHtml:
		if b.p.Nodes[0].srcEnd == 0 {
			b.p.Nodes[0].srcStart, b.p.Nodes[0].srcEnd = n.srcStart, n.srcEnd
		}
		return true
	case n.Tag == TagHead:
		if b.phase == beforeHead {
			b.push(*n)
			b.phase = inHeadPhase
		}
		return true
	case n.Tag == TagBody:
		b.popTo(1)
		b.phase = inBody
		b.push(*n)
		return true
	case elements[n.Tag].traits&inHead != 0 && (n.Tag != TagNoscript || b.phase != afterHead):
		if b.phase == beforeHead {
			b.openHead(int(n.srcStart))
		}
		b.push(*n)
		b.rawContent(n.Tag)
		return true
	case len(b.stack) > 1 && b.top().tag == TagTemplate:
		b.push(*n)
		b.rawContent(n.Tag)
		return true
	}
	b.openBody(int(n.srcStart))
	return false
}

// rawContent reads what the raw element that was just opened holds, as one text.
func (b *builder) rawContent(t Tag) {
	if elements[t].traits&raw == 0 || b.cut.nodes {
		return
	}
	if b.top().tag != t {
		b.pos = b.rawEnd(t, b.pos)
		return
	}
	end := b.rawEnd(t, b.pos)
	if end > b.pos {
		b.text(b.pos, end)
	}
	b.pos = end
}

// lineBreak is <br>: two of them end a block.
func (b *builder) lineBreak(n Node) {
	b.push(n)
	switch {
	case b.p.Nodes[b.top().node].Flags&InPre != 0:
		if len(b.p.Text) > int(b.w.block.Start) {
			b.p.Text = append(b.p.Text, '\n')
		}
	case b.w.breaks > 0:
		b.flush()
	default:
		b.w.breaks++
	}
	b.w.word = false
}
