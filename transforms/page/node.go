package page

// Node is an element or a text. 48 bytes, and no pointers: an array of them costs the garbage collector nothing.
// Places in the source are 32 bits, as pages are cut far below 2 GiB. Attributes stay in the source and are read when
// they are asked for.
type Node struct {
	Parent    int32 // index of the element in which it stands; -1 of the first
	End       int32 // index after its last descendant
	TextStart int32 // its visible text is Page.Text[TextStart:TextEnd]
	TextEnd   int32
	srcStart  int32 // of an element's attributes, or of a text, in Page.Source
	srcEnd    int32
	Sig       uint32 // a hash of the element's name and class: what looks alike has it in common
	Depth     uint16
	Tag       Tag
	marks     marks
	Flags     Flags // of this element and all around it
	Own       Flags // of this element alone; the upper bits are the names of its attributes (attrNames)
}

// marks say how a node is written. What is in attribute values is read by the same functions as text, with a mark
// of its own.
type marks uint8

const (
	ofSVG       marks = 1 << iota // an element of SVG
	ofMathML                      // an element of MathML
	selfClosed                    // one that has no content though its name does not say so
	literal                       // text without character references
	keepsNUL                      // text in which a NUL is U+FFFD; elsewhere it is nothing
	isFormula                     // a script that is a formula, or what scripts have drawn of one
	isRoot                        // a template that is a shadow root
	inAttribute                   // no node but the value of an attribute

	foreign = ofSVG | ofMathML
)

// Flags say what an element, its role, or words in its class or id make of the text inside. They are inherited: what
// is in a <nav> has InNav at any depth. There are 41, below those of attrNames.
type Flags uint64

// The first flags come from elements, roles and attributes, those that begin with Like from words in class and id.
const (
	InNav Flags = 1 << iota
	InFooter
	InHeader
	InAside
	InForm
	InArticle
	InMain
	InHidden // hidden, aria-hidden, display: none
	InTable
	InItem // of a list
	InQuote
	InFigure
	InButton
	InSkipped // not text of the page: scripts, templates, options, drawings
	InLink
	InPre
	InHeading
	InForeign // SVG and MathML
	InCode
	InBold
	InCell
	InDialog
	InInvisible // visibility: hidden
	LikeContent
	LikeComment
	LikeShare
	LikeRelated
	LikeMeta
	LikeAd
	LikeNav
	LikeFooter
	LikeSide
	LikePopup
	LikePromo
	LikeBody
	LikePost
	LikeProduct
	LikeItem
	HasItemType // an element with itemtype is around, or is it: Own tells which
	LikeSign    // an icon, an emoji or a formula
	LikeRemark  // a reader's comment, in other words than LikeComment has, which the model has learnt
)

// likes are all flags that words in class and id give. They are taken from <body>, whose class describes the page and
// not a part of it.
const likes = LikeContent | LikeComment | LikeShare | LikeRelated | LikeMeta | LikeAd | LikeNav | LikeFooter |
	LikeSide | LikePopup | LikePromo | LikeBody | LikePost | LikeProduct | LikeItem | LikeSign |
	LikeRemark

// Block is a piece of visible text that stands on lines of its own: a paragraph, a heading, an item, a cell. The
// counts are made while the text is written, since every reader of blocks wants them.
type Block struct {
	Start, End int32 // in Page.Text
	Node       int32 // the element that is the block, or in which it stands
	First      int32 // index of the first text node in it
	Last       int32 // index after the last text node in it
	Chars      int32 // letters and other characters, white space not counted
	LinkChars  int32 // of these within links
	BoldChars  int32 // of these within <b> and <strong>
	Words      int32 // where words are not spaced, two characters count as one
	Punct      int32 // of the sentence: . , ; : ! ? and their like
	Digits     int32
	Upper      int32 // of the ASCII letters
	Hash       uint64
	Flags      Flags // of the node
	EndsPunct  bool  // the last character ends a sentence
}

// Closed reports whether the element is not written with children: void elements and those of foreign content that
// close themselves. It serves those who write the page down again.
func (n *Node) Closed() bool {
	if n.marks&foreign != 0 {
		return n.marks&selfClosed != 0
	}
	return elements[n.Tag].traits&void != 0
}

// NodeText is the visible text at and below node i, blocks separated by newlines. It is valid as long as the page.
// The text of a node is a range because blocks follow the order of nodes.
func (p *Page) NodeText(i int) []byte {
	n := &p.Nodes[i]
	return trim(p.Text[n.TextStart:n.TextEnd])
}

// trim cuts white space off.
func trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// next returns the node after i, leaving out i's own children when skip is true. skip passes a whole subtree in one
// step, which indices in document order make possible.
func (p *Page) next(i int, skip bool) int {
	if skip {
		return int(p.Nodes[i].End)
	}
	return i + 1
}

// Range is the nodes from Start up to End. They may be in different elements.
type Range struct{ Start, End int32 }
