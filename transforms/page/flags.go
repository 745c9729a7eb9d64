package page

import "bytes"

// attribute sets the flags of an element that depend on one of its attributes. It runs for each attribute of each tag,
// so it first looks at the length of the name.
func (b *builder) attribute(n *Node, name, value []byte) {
	switch len(name) {
	case 2:
		if isFold(name, "id") {
			n.Own |= keywordFlags(value)
		}
	case 4:
		if isFold(name, "role") {
			n.Own |= roles[string(value)]
		} else if n.Tag == TagScript && isFold(name, "type") && hasFold(value, "math/") {
			n.marks |= mayState
		}
	case 5:
		if isFold(name, "class") {
			// The hash is a key of the cache and a part of the signature.
			hash := hashBytes(value)
			n.Own |= b.classes.lookup(value, hash)
			// Elements with the same name and class have the same Sig, even if class= is repeated.
			n.Sig = uint32(mix(uint64(n.Sig) ^ hash))
			if isDrawnBy(value) {
				n.marks |= mayState
			}
		} else if isFold(name, "style") {
			n.Own |= styleFlags(value)
		}
	case 6, 7:
		// AMP shows an element of layout nodisplay after a click.
		if isFold(name, "hidden") || isFold(name, "popover") || isFold(name, "layout") && isFold(value, "nodisplay") {
			n.Own |= InHidden
		}
	case 8:
		n.itemAttribute(name, value)
	case 9:
		if isFold(name, "itemscope") {
			b.p.hasItems = true
		}
	case 10, 14:
		if isFold(name, "data-latex") {
			n.marks |= mayState
		}
		// The older name is that of Chrome 90 to 110.
		isMode := n.Tag == TagTemplate && (isFold(name, "shadowrootmode") || isFold(name, "shadowroot"))
		if isMode && (isFold(value, "open") || isFold(value, "closed")) {
			n.marks |= isRoot
			b.rooted = true
		}
	case 11:
		// "false" is a value as well.
		if isFold(name, "aria-hidden") && string(value) == "true" {
			n.Own |= InHidden
		}
	case 12:
		if isFold(name, "data-cfemail") {
			b.p.hasMail = true
			n.marks |= mayState
		}
	}
}

// itemAttribute sets the flags of microdata and of formulae: of names with eight letters.
func (n *Node) itemAttribute(name, value []byte) {
	switch {
	case isFold(name, "data-tex"):
		n.marks |= mayState
	case isFold(name, "itemtype"):
		n.Own |= HasItemType
		if hasSuffixFold(value, "/comment") || hasSuffixFold(value, "/usercomments") {
			n.Own |= LikeRemark
		}
	case isFold(name, "itemprop") && isFold(value, "comment"):
		n.Own |= LikeRemark
	}
}

// dialog decides whether a dialog is hidden. An open one, popover or not, is shown unless its attribute hidden or its
// style hides it.
func (b *builder) dialog(n *Node) {
	switch {
	case !b.hasAny(n, "open"):
		n.Own |= InHidden
	case n.Own&InHidden != 0 && !b.hasAny(n, "hidden"):
		// The style of an open dialog may still hide it.
		style, _ := tagAttr(b.src[n.srcStart:n.srcEnd], "style", b.p.o.MaxAttributes)
		n.Own = n.Own&^InHidden | styleFlags(style)
	}
}

// roles are flags of ARIA roles, which replace the elements of HTML5 on some pages. A value with several roles does
// not count.
var roles = map[string]Flags{
	"navigation": InNav, "main": InMain, "contentinfo": InFooter, "banner": InHeader, "complementary": InAside,
	"dialog": InDialog, "alertdialog": InDialog, "article": InArticle, "search": LikeNav, "menu": InNav, "menubar": InNav,
	"comment": LikeRemark, "cell": InCell, "gridcell": InCell, "columnheader": InCell, "rowheader": InCell,
}

var tagFlags = flagsOfTags()

func flagsOfTags() (flags [numTags]Flags) {
	for t := range flags {
		// Elements with the trait hidden show nothing to a reader.
		if elements[t].traits&hidden != 0 {
			flags[t] = InSkipped
		}
	}
	for t, f := range map[Tag]Flags{
		TagNav: InNav, TagFooter: InFooter, TagHeader: InHeader, TagAside: InAside, TagForm: InForm, TagArticle: InArticle,
		TagMain: InMain, TagTable: InTable, TagLi: InItem, TagBlockquote: InQuote, TagFigure: InFigure,
		TagFigcaption: InFigure, TagButton: InButton, TagLabel: InButton, TagPre: InPre, TagListing: InPre, TagXmp: InPre,
		TagPlaintext: InPre, TagTextarea: InPre, TagH1: InHeading, TagH2: InHeading, TagH3: InHeading, TagH4: InHeading,
		TagH5: InHeading, TagH6: InHeading, TagA: InLink, TagB: InBold, TagStrong: InBold, TagCode: InCode, TagKbd: InCode,
		TagSamp: InCode, TagTd: InCell, TagTh: InCell, TagDialog: InDialog, TagSvg: InForeign, TagMath: InForeign,
	} {
		flags[t] |= f
	}
	// The raw content of these two is shown.
	flags[TagXmp] &^= InSkipped
	flags[TagPlaintext] &^= InSkipped
	return flags
}

// maxStyleBytes bounds the part of a style attribute that is read. What hides an element is at the beginning; the rest
// is often a picture in base64.
const maxStyleBytes = 400

// styleFlags are the flags of a style attribute that hides an element. Descendants cannot undo display: none, but may
// undo visibility: hidden; hence two flags.
func styleFlags(style []byte) (flags Flags) {
	if declares(style, "display", "none") {
		flags |= InHidden
	}
	if namesIconFont(style) {
		flags |= LikeSign
	}
	if declares(style, "visibility", "hidden") {
		flags |= InInvisible
	}
	return flags
}

// declares reports whether the first declaration of a property has a value that begins with value. It does not parse,
// so a property within a value counts too, which is rare in style attributes.
func declares(style []byte, property, value string) bool {
	return hasFold(declared(style, property, len(value)), value)
}

// declared returns the value of that declaration and all bytes after it, if there are more than longest bytes.
func declared(style []byte, property string, longest int) []byte {
	// Long enough for the property and the value after it.
	for i := 0; i+len(property)+longest < min(len(style), maxStyleBytes); i++ {
		// With a hyphen before it, it is another property, such as "-webkit-display".
		if lower(style[i]) == property[0] && hasFold(style[i:], property) && (i == 0 || style[i-1] != '-') {
			return bytes.TrimLeft(style[i+len(property):], ": \t\r\n\f")
		}
	}
	return nil
}
