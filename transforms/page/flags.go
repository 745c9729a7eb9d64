package page

import "bytes"

// attribute sets the flags of an element that depend on attribute a. It runs for each attribute of each tag, so it
// first looks at the length of the name.
func (b *builder) attribute(n *Node, a *attribute) {
	switch len(a.name) {
	case 2:
		if a.is("id") {
			n.Own |= keywordFlags(a.value)
		}
	case 4:
		if a.is("role") {
			n.Own |= roles[string(a.value)]
		} else if n.Tag == TagScript && a.is("type") && hasFold(a.value, "math/") {
			n.marks |= isFormula
		}
	case 5:
		if a.is("class") {
			// The hash is a key of the cache and a part of the signature.
			hash := hashBytes(a.value)
			n.Own |= b.classes.lookup(a.value, hash)
			// Elements with the same name and class have the same Sig, even if class= is repeated.
			n.Sig = uint32(mix(uint64(n.Sig) ^ hash))
			if isDrawnBy(a.value) {
				n.marks |= isFormula
			}
		} else if a.is("style") {
			n.Own |= styleFlags(a.value)
		}
	case 6:
		if a.is("hidden") {
			n.Own |= InHidden
		}
	case 7:
		if a.is("popover") {
			n.Own |= InHidden
		}
	case 8:
		n.itemAttribute(a)
	case 9:
		if a.is("itemscope") {
			b.p.hasItems = true
		}
	case 10, 14:
		if a.is("data-latex") {
			n.marks |= isFormula
		}
		// The older name is that of Chrome 90 to 110.
		isMode := n.Tag == TagTemplate && (a.is("shadowrootmode") || a.is("shadowroot"))
		if isMode && (isFold(a.value, "open") || isFold(a.value, "closed")) {
			n.marks |= isRoot
			b.rooted = true
		}
	case 11:
		// "false" is a value as well.
		if a.is("aria-hidden") && string(a.value) == "true" {
			n.Own |= InHidden
		}
	case 12:
		if a.is("data-cfemail") {
			b.p.hasMail = true
		}
	}
}

// itemAttribute sets the flags of microdata and of formulae: of names with eight letters.
func (n *Node) itemAttribute(a *attribute) {
	switch {
	case a.is("data-tex"):
		n.marks |= isFormula
	case a.is("itemtype"):
		n.Own |= HasItemType
		if hasSuffixFold(a.value, "/comment") || hasSuffixFold(a.value, "/usercomments") {
			n.Own |= LikeRemark
		}
	case a.is("itemprop") && isFold(a.value, "comment"):
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
