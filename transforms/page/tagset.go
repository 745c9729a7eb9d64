package page

// kind selects the rules for an element's content, like the standard's adjusted current node.
type kind uint8

const (
	ofHTML      kind = iota
	ofForeign        // an element of SVG or MathML
	integration      // an element of SVG or MathML that holds HTML (section 13.2.6)
)

// Integration points: the elements of SVG and MathML that hold HTML; <annotation-xml> is one with some encodings.
// Element <title> is a point in SVG only, and plain HTML elsewhere.
var (
	pointsOfSVG       = setOf(TagForeignobject, TagDesc, TagTitle)
	pointsOfMathML    = setOf(TagMi, TagMo, TagMn, TagMs, TagMtext)
	integrationPoints = pointsOfSVG.with(TagMi, TagMo, TagMn, TagMs, TagMtext, TagAnnotationXML)
)

// Elements that bound the search for an open element: elements around them are out of scope (section 13.2.4.2). The
// lists are those of the standard's "have a particular element in scope" and its variants: button, list item and table
// scope.
var (
	bounds = integrationPoints.with(TagApplet, TagCaption, TagHTML, TagTable, TagTd, TagTh, TagMarquee, TagObject,
		TagTemplate, TagSelect)
	buttonBounds = bounds.with(TagButton)
	listBounds   = bounds.with(TagOl, TagUl)
	tableBounds  = setOf(TagHTML, TagTable, TagTemplate)
	noBounds     = setOf(TagHTML)
)

// tagSet is a set of tags, as a bit for each.
type tagSet [4]uint64

func setOf(tags ...Tag) tagSet { return tagSet{}.with(tags...) }

func (s tagSet) with(tags ...Tag) tagSet {
	for _, t := range tags {
		s[t/64] |= 1 << (t % 64)
	}
	return s
}

func (s *tagSet) has(t Tag) bool { return s[t/64]>>(t%64)&1 != 0 }
