package page

import "bytes"

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
			hash := hashBytes(a.value)
			n.Own |= b.classes.lookup(a.value, hash)
			n.Sig = uint32(mix(uint64(n.Sig) ^ hash))
		} else if a.is("style") {
			n.Own |= styleFlags(a.value)
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
		TagMain: InMain, TagTable: InTable, TagLi: InItem, TagBlockquote: InQuote, TagFigure: InFigure,
		TagFigcaption: InFigure, TagButton: InButton, TagLabel: InButton, TagPre: InPre, TagListing: InPre, TagXmp: InPre,
		TagPlaintext: InPre, TagTextarea: InPre, TagH1: InHeading, TagH2: InHeading, TagH3: InHeading, TagH4: InHeading,
		TagH5: InHeading, TagH6: InHeading, TagA: InLink, TagB: InBold, TagStrong: InBold, TagCode: InCode, TagKbd: InCode,
		TagSamp: InCode, TagTd: InCell, TagTh: InCell, TagDialog: InDialog, TagSvg: InForeign, TagMath: InForeign,
	} {
		flags[t] |= f
	}
	flags[TagXmp] &^= InSkipped
	flags[TagPlaintext] &^= InSkipped
	return flags
}

// maxStyleBytes is how much of a style attribute is read.
const maxStyleBytes = 400

// styleFlags are the flags of a style attribute that hides what stands in the element.
func styleFlags(style []byte) (flags Flags) {
	if declares(style, "display", "none") {
		flags |= InHidden
	}
	if declares(style, "visibility", "hidden") {
		flags |= InInvisible
	}
	return flags
}

// declares tells whether the first declaration of a property has a value that begins with value.
func declares(style []byte, property, value string) bool {
	for i := 0; i+len(property)+len(value) < min(len(style), maxStyleBytes); i++ {
		if lower(style[i]) == property[0] && hasFold(style[i:], property) && (i == 0 || style[i-1] != '-') {
			return hasFold(bytes.TrimLeft(style[i+len(property):], ": \t\r\n\f"), value)
		}
	}
	return false
}
