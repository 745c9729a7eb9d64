package page

// closing says which open elements a start tag ends, and which ones it does not see past.
type closing struct{ targets, bounds tagSet }

// tagSet is a set of tags.
type tagSet [4]uint64

func setOf(tags ...Tag) (s tagSet) {
	for _, t := range tags {
		s[t/64] |= 1 << (t % 64)
	}
	return s
}

func (s *tagSet) has(t Tag) bool { return s[t/64]>>(t%64)&1 != 0 }

var (
	tables   = setOf(TagTable, TagTemplate)
	cells    = setOf(TagTd, TagTh, TagCaption, TagColgroup)
	rows     = setOf(TagTd, TagTh, TagTr, TagCaption, TagColgroup)
	sections = setOf(TagTd, TagTh, TagTr, TagCaption, TagColgroup, TagTbody, TagThead, TagTfoot)
	lists    = setOf(TagUl, TagOl, TagDl, TagMenu, TagDir, TagTable, TagTd, TagTh, TagButton, TagTemplate, TagObject)
	selects  = setOf(TagSelect, TagTable)
	headings = setOf(TagH1, TagH2, TagH3, TagH4, TagH5, TagH6)
)

// closings are the elements that the start tags of some end (section 13.2.6.4).
var closings = [numTags]*closing{
	TagLi:       {setOf(TagLi), lists},
	TagDd:       {setOf(TagDd, TagDt), lists},
	TagDt:       {setOf(TagDd, TagDt), lists},
	TagOption:   {setOf(TagOption), selects},
	TagOptgroup: {setOf(TagOption, TagOptgroup), selects},
	TagButton:   {setOf(TagButton), tables},
	TagTd:       {cells, tables},
	TagTh:       {cells, tables},
	TagTr:       {rows, tables},
	TagTbody:    {sections, tables},
	TagThead:    {sections, tables},
	TagTfoot:    {sections, tables},
	TagCaption:  {sections, tables},
	TagColgroup: {sections, tables},
	TagCol:      {rows, tables},
}

// pBounds end the search for an open <p>.
var pBounds = setOf(TagTable, TagTd, TagTh, TagCaption, TagButton, TagTemplate, TagObject, TagMarquee, TagApplet, TagHtml)

// imply closes the elements whose end tags the start tag of n implies, and tells whether n counts at all.
func (b *builder) imply(n *Node) bool {
	t := n.Tag
	if elements[t].traits&tablePart != 0 && b.opened[TagTable] == 0 && b.opened[TagTemplate] == 0 {
		return false // means nothing outside a table
	}
	if headings.has(t) && headings.has(b.top().tag) {
		b.pop()
	}
	if rule := closings[t]; rule != nil {
		b.closeFor(rule, elements[t].traits&tablePart != 0)
	}
	if elements[t].traits&closesP != 0 || t == TagLi || t == TagDd || t == TagDt {
		b.closeP()
	}
	if t == TagA && b.opened[TagA] > 0 {
		b.closeInline(TagA)
	}
	return true
}

// closeFor closes the outermost of the rule's targets that is not behind a bound; a part of a table also closes all
// that stands in the table and is no part of it.
func (b *builder) closeFor(rule *closing, part bool) {
	height := len(b.stack)
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if rule.bounds.has(e.tag) {
			if part && height == len(b.stack) {
				height = i + 1
			}
			break
		}
		if rule.targets.has(e.tag) {
			height = i
			if !part {
				break
			}
		}
		if part && elements[e.tag].traits&tablePart != 0 && !rule.targets.has(e.tag) {
			height = min(height, i+1)
			break
		}
	}
	b.popTo(height)
}

// closeP closes an open <p>.
func (b *builder) closeP() {
	if b.opened[TagP] == 0 {
		return
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		t := b.stack[i].tag
		if t == TagP {
			b.popTo(i)
			return
		}
		if pBounds.has(t) {
			return
		}
	}
}

// closeInline closes an element of a line of text if no block stands between.
func (b *builder) closeInline(t Tag) {
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if e.tag == t {
			b.popTo(i)
			return
		}
		if e.traits&(block|special|marker) != 0 {
			return
		}
	}
}

// htmlInForeign are the elements that end SVG and MathML around them.
var htmlInForeign = setOf(TagB, TagBig, TagBlockquote, TagBody, TagBr, TagCenter, TagCode, TagDd, TagDiv, TagDl, TagDt, TagEm,
	TagEmbed, TagH1, TagH2, TagH3, TagH4, TagH5, TagH6, TagHead, TagHr, TagI, TagImg, TagLi, TagListing, TagMenu, TagMeta,
	TagNobr, TagOl, TagP, TagPre, TagRuby, TagS, TagSmall, TagSpan, TagStrong, TagStrike, TagSub, TagSup, TagTable, TagTt,
	TagU, TagUl, TagVar)

// leaveForeign tells whether the start tag of n, which stands in SVG or MathML, is of HTML again.
func (b *builder) leaveForeign(n *Node) bool {
	switch b.top().tag {
	case TagForeignobject, TagDesc, TagTitle, TagAnnotationXml, TagMi, TagMo, TagMn, TagMs, TagMtext:
		return true
	}
	if !htmlInForeign.has(n.Tag) {
		return false
	}
	for len(b.stack) > 1 && b.foreign() {
		b.pop()
	}
	return true
}
