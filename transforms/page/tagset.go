package page

// kind tells by whose rules an element's content is read. The standard's adjusted current node decides the same.
type kind uint8

const (
	ofHTML      kind = iota
	ofForeign        // an element of SVG or MathML
	integration      // an element of SVG or MathML that holds HTML (section 13.2.6)
)

// Integration points: the elements of SVG and MathML that hold HTML; <annotation-xml> is one when its encoding says
// so. <title> is a point in SVG only, and plain HTML elsewhere.
var (
	pointsOfSVG       = setOf(TagForeignobject, TagDesc, TagTitle)
	pointsOfMathML    = setOf(TagMi, TagMo, TagMn, TagMs, TagMtext)
	integrationPoints = pointsOfSVG.with(TagMi, TagMo, TagMn, TagMs, TagMtext, TagAnnotationXML)
)

// Elements that bound the search for an open element: what is open around them is out of scope (section 13.2.4.2).
// The lists are those of the standard's "have a particular element in scope" and its variants: button scope, list
// item scope, table scope.
var (
	bounds = integrationPoints.with(TagApplet, TagCaption, TagHTML, TagTable, TagTd, TagTh, TagMarquee, TagObject,
		TagTemplate, TagSelect)
	buttonBounds = bounds.with(TagButton)
	listBounds   = bounds.with(TagOl, TagUl)
	tableBounds  = setOf(TagHTML, TagTable, TagTemplate)
	noBounds     = setOf(TagHTML)
)

// tagSet is a set of tags. 256 bits for fewer than 256 tags: membership is a shift and a mask.
type tagSet [4]uint64

func setOf(tags ...Tag) tagSet { return tagSet{}.with(tags...) }

func (s tagSet) with(tags ...Tag) tagSet {
	for _, t := range tags {
		s[t/64] |= 1 << (t % 64)
	}
	return s
}

func (s *tagSet) has(t Tag) bool { return s[t/64]>>(t%64)&1 != 0 }
