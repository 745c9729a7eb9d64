package page

// Node is an element or a text. It has 48 bytes and no pointers, so an array of nodes costs the garbage collector
// nothing. Offsets in the source fit in 32 bits, as pages are truncated far below 2 GiB. Attributes stay in the source
// and are read on demand.
type Node struct {
	Parent    int32 // index of the parent element; -1 for the first
	End       int32 // index after its last descendant
	TextStart int32 // visible text is Page.Text[TextStart:TextEnd]
	TextEnd   int32
	srcStart  int32 // of an element's attributes, or of a text, in Page.Source
	srcEnd    int32
	Sig       uint32 // hash of the element's name and class: elements that look alike share it
	Depth     uint16
	Tag       Tag
	marks     marks
	Flags     Flags // of this element and all around it
	Own       Flags // of this element alone; the upper bits are for attribute names (attrNames)
}

// marks say how a node is written. Attribute values have a mark of their own, since the functions for text read them.
type marks uint8

const (
	ofSVG       marks = 1 << iota // an element of SVG
	ofMathML                      // an element of MathML
	selfClosed                    // has no content though its name does not show it
	literal                       // text without character references
	keepsNUL                      // text in which a NUL is U+FFFD; elsewhere it is dropped
	mayState                      // script of a formula, what scripts have drawn of one, or a protected mail address
	isRoot                        // template that is a shadow root
	inAttribute                   // not a node but the value of an attribute

	foreign = ofSVG | ofMathML
)

// Flags describe the text in an element by its name, role, or words in its class or id. They are inherited: everything
// in a <nav> has InNav. There are 41, below those of attrNames.
type Flags uint64

// The first flags come from elements, roles and attributes, those named Like… from words in class and id.
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
	HasItemType // is or is in an element with itemtype; Own has it only for the element itself
	LikeSign    // an icon, an emoji or a formula
	LikeRemark  // a reader's comment, in words other than those of LikeComment, which the model has learnt
)

// likes are all flags of words in class and id. <body> gets none of them, since its class describes the whole page.
const likes = LikeContent | LikeComment | LikeShare | LikeRelated | LikeMeta | LikeAd | LikeNav | LikeFooter |
	LikeSide | LikePopup | LikePromo | LikeBody | LikePost | LikeProduct | LikeItem | LikeSign |
	LikeRemark

// Block is a piece of visible text on lines of its own: a paragraph, a heading, an item, a cell. The counts are made
// while the text is written.
type Block struct {
	Start, End int32 // in Page.Text
	Node       int32 // element that is the block, or is around it
	First      int32 // index of the first text node in it
	Last       int32 // index after the last text node in it
	Chars      int32 // characters other than white space
	LinkChars  int32 // of these within links
	BoldChars  int32 // of these within <b> and <strong>
	Words      int32 // in scripts without spaces, two characters count as one
	Punct      int32 // of sentences: . , ; : ! ? and the like
	Digits     int32
	Upper      int32 // of the ASCII letters
	Hash       uint64
	Flags      Flags // of the node
	EndsPunct  bool  // the last character may end a sentence
}

// Closed reports whether the element has no end tag: it is void, or a foreign element that closes itself.
func (n *Node) Closed() bool {
	if n.marks&foreign != 0 {
		return n.marks&selfClosed != 0
	}
	return elements[n.Tag].traits&void != 0
}

// NodeText is the visible text at and below node i, with newlines between blocks. It is valid as long as the page. The
// text of a node is one range because blocks follow the order of nodes.
func (p *Page) NodeText(i int) []byte {
	n := &p.Nodes[i]
	return trim(p.Text[n.TextStart:n.TextEnd])
}

// trim removes white space at both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// next returns the node after i, or with skip the node after i's descendants.
func (p *Page) next(i int, skip bool) int {
	if skip {
		return int(p.Nodes[i].End)
	}
	return i + 1
}

// Range is the nodes [Start, End). They may be in different elements.
type Range struct{ Start, End int32 }
