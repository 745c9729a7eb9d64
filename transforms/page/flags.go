package page

import "bytes"

// attribute takes from a what its element's flags depend on. It sees each attribute of each tag, so it looks at the
// length of the name first.
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
			// The same class has the same hash, which serves as a key of the cache and as a part of
			// the signature.
			hash := hashBytes(a.value)
			n.Own |= b.classes.lookup(a.value, hash)
			// Elements with the same name and class have the same Sig, however often class= is
			// repeated.
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
		if a.is("itemtype") {
			n.Own |= HasItemType
			if hasSuffixFold(a.value, "/comment") || hasSuffixFold(a.value, "/usercomments") {
				n.Own |= LikeRemark
			}
		} else if a.is("itemprop") && isFold(a.value, "comment") {
			n.Own |= LikeRemark
		}
	case 9:
		if a.is("itemscope") {
			b.p.hasItems = true
		}
	case 10, 14:
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
	}
}

// dialog settles what hides a dialog: it is seen if it is open, be it a popover or not, unless hidden= says otherwise.
func (b *builder) dialog(n *Node) {
	switch {
	case !b.hasAny(n, "open"):
		n.Own |= InHidden
	case n.Own&InHidden != 0 && !b.hasAny(n, "hidden"):
		// The style of an open dialog may hide it all the same.
		style, _ := tagAttr(b.src[n.srcStart:n.srcEnd], "style", b.p.o.MaxAttributes)
		n.Own = n.Own&^InHidden | styleFlags(style)
	}
}

// roles are flags of ARIA roles, which pages have where the elements of HTML5 are missing. A value with several roles
// is not taken apart.
var roles = map[string]Flags{
	"navigation": InNav, "main": InMain, "contentinfo": InFooter, "banner": InHeader, "complementary": InAside,
	"dialog": InDialog, "alertdialog": InDialog, "article": InArticle, "search": LikeNav, "menu": InNav, "menubar": InNav,
	"comment": LikeRemark,
}

// tagFlags are the flags that the elements themselves give.
var tagFlags = flagsOfTags()

// flagsOfTags makes tagFlags. Flags that depend on nothing but the name are ready before the first page comes.
func flagsOfTags() (flags [numTags]Flags) {
	for t := range flags {
		// "hidden" elements hold nothing that a reader sees.
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

// maxStyleBytes is how much of a style attribute is read. What hides an element is at the beginning; the rest is
// often a picture in base64.
const maxStyleBytes = 400

// styleFlags are the flags of a style attribute that hides what is in the element. display: none also takes its
// descendants out; visibility: hidden may be taken back by them, hence two flags.
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

// declares reports whether the first declaration of a property has a value that begins with value. It does not parse:
// the property is found wherever it stands, also within a value, which style attributes hardly ever have.
func declares(style []byte, property, value string) bool {
	return hasFold(declared(style, property, len(value)), value)
}

// declared returns the value of that declaration, with all that is after it, if there are more than longest bytes.
func declared(style []byte, property string, longest int) []byte {
	// Long enough for the property and the value after it.
	for i := 0; i+len(property)+longest < min(len(style), maxStyleBytes); i++ {
		// A hyphen before it makes it another property, such as "-webkit-display".
		if lower(style[i]) == property[0] && hasFold(style[i:], property) && (i == 0 || style[i-1] != '-') {
			return bytes.TrimLeft(style[i+len(property):], ": \t\r\n\f")
		}
	}
	return nil
}
