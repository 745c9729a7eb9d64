package page

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/formula"
)

// What browsers show of text otherwise than it is in the source: pictures of emoji, names that a font draws as
// icons, line ends between characters of scripts without spaces.

// maxAlt is how many bytes the alternative text of an emoji may have: a family of four takes 25, short names more.
const maxAlt = 40

// picture writes what picture i stands for in a text, if that is an emoji or a formula: its alternative text. That is
// what copying from a browser gives. Most pictures are told to be neither by the first byte of that text.
func (w *writer) picture(i int) {
	n := &w.p.Nodes[i]
	if n.Flags&InSkipped != 0 {
		return
	}
	raw, _ := w.p.RawAttr(i, "alt")
	if len(raw) == 0 || len(raw) > maxFormula {
		return
	}
	// A keycap begins with a digit, an emoji with a byte beyond ASCII or a reference, TeX with anything.
	named := n.Own&LikeSign != 0
	if c := raw[0]; !named && isLetter(c) && bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '^') < 0 {
		return
	}
	alt := strings.TrimSpace(decode(raw, inAttribute))
	if isEmoji(alt) || named && w.p.isSmiley(i, alt) {
		w.shown(i, []byte(alt), literal)
		return
	}
	// Only now are the other attributes read.
	if v := w.p.values(i, "class", "src"); isTeXPicture(v[0], v[1]) {
		alt = strings.TrimPrefix(alt, "LaTeX: ") // so Canvas writes it
		w.tex(i, formula.Tidy(alt), bytes.Contains(v[0], []byte("display")))
	}
}

// isSmiley reports whether the class of picture i says that it is an emoji, and alt is a short name or sign for one.
func (p *Page) isSmiley(i int, alt string) bool {
	class, _ := p.RawAttr(i, "class")
	class = bytes.ToLower(cut(class, maxKeywordBytes))
	return len(alt) <= maxAlt && !strings.ContainsAny(alt, " \t\r\n<&") && (bytes.Contains(class, []byte("emoji")) ||
		bytes.Contains(class, []byte("smil")) || bytes.Contains(class, []byte("emoticon")))
}

// isEmoji reports whether s is nothing but emoji, by the blocks that hold them: Unicode Technical Standard 51 lists
// them one by one, and more each year.
func isEmoji(s string) bool {
	// A digit alone is not an emoji, with U+20E3 after it it is.
	seen := false
	if len(s) > maxAlt {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 0x1F000 && r < 0x1FB00, r >= 0x2600 && r < 0x27C0, r >= 0x2B05 && r < 0x2B56, r >= 0x23E9 && r < 0x23FB,
			r == 0x231A, r == 0x231B, r == 0x203C, r == 0x2049, r == 0x20E3:
			seen = true
		// Joiners, presentation, tags of flags; and what a keycap is made of.
		case r == 0x200D, r == 0xFE0F, r == 0xFE0E, r >= 0xE0020 && r < 0xE0080, r >= '0' && r <= '9', r == '#', r == '*':
		default:
			return false
		}
	}
	return seen
}

// isIcon reports whether the text node i is the name of an icon, which a font draws in its place ("arrow_forward"): a
// single word in small letters, in an element that says so. A name with a low line is one in any element for icons.
func (p *Page) isIcon(i int) bool {
	n := &p.Nodes[i]
	element := &p.Nodes[max(0, n.Parent)]
	if element.Own&LikeSign == 0 && element.Tag != TagOther || n.srcEnd-n.srcStart > maxIcon {
		return false
	}
	name := trim(p.Source[n.srcStart:n.srcEnd])
	if len(name) == 0 {
		return false
	}
	for _, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	// Custom elements such as <mat-icon> say by their name what they hold.
	if element.Tag == TagOther && bytes.HasSuffix(nameOf(p.Source[element.srcStart:element.srcEnd]), []byte("-icon")) {
		return true
	}
	v := p.values(int(n.Parent), "class", "style")
	class := bytes.ToLower(cut(v[0], maxKeywordBytes))
	return bytes.Contains(class, []byte("material-icons")) || bytes.Contains(class, []byte("material-symbols")) ||
		bytes.Contains(class, []byte("ligature")) || namesIconFont(v[1]) ||
		bytes.IndexByte(name, '_') > 0 && bytes.Contains(class, []byte("icon"))
}

// namesIconFont reports whether a style asks for one of the fonts that draw names as icons.
func namesIconFont(style []byte) bool {
	const name = "material "
	font := declared(style, "font-family", len(name)+1)
	return len(font) > 0 && (font[0] == '\'' || font[0] == '"') && hasFold(font[1:], name)
}

// maxIcon is how many bytes the name of an icon may have. The longest of Material Symbols has 41.
const maxIcon = 48

// isLineNumbers reports whether the text node i are the numbers of a listing's lines: numbers alone, each one more than
// that before, in preformatted text, where a class says so or where they fill a cell beside one with a listing.
func (p *Page) isLineNumbers(i int) bool {
	n := &p.Nodes[i]
	src := p.Source[n.srcStart:n.srcEnd]
	if n.Flags&(InPre|InCode|InCell) == 0 || len(src) == 0 || !isDigitOrSpace(src[0]) || !isDigitOrSpace(src[len(src)-1]) {
		return false
	}
	// Numbers that do not go on by one are data.
	last, numbers := 0, 0
	for field := range bytes.FieldsSeq(src) {
		number, err := strconv.Atoi(string(cut(field, 10)))
		if err != nil || numbers > 0 && number != last+1 {
			return false
		}
		last = number
		numbers++
	}
	if numbers == 0 {
		return false
	}
	// Up to the cell, through the elements that highlighters use.
	cell := int32(-1)
	for at := n.Parent; at > 0 && cell < 0; at = p.Nodes[at].Parent {
		class, _ := p.RawAttr(int(at), "class")
		if isNumbering(class) {
			return true
		}
		switch t := p.Nodes[at].Tag; {
		case t == TagTd || t == TagTh:
			cell = at
		case t != TagPre && t != TagCode && t != TagSpan && t != TagDiv && t != TagA && t != TagLi && t != TagOl:
			return false
		}
	}
	return numbers > 1 && n.Flags&InPre != 0 && cell > 0 && p.hasListing(p.Nodes[cell].End)
}

func isDigitOrSpace(c byte) bool { return c >= '0' && c <= '9' || isSpace(c) }

// isNumbering reports whether a class is one that highlighters give to the numbers of lines.
func isNumbering(class []byte) bool {
	if string(class) == "ln" || string(class) == "lnt" { // Chroma's
		return true
	}
	class = bytes.ToLower(cut(class, maxKeywordBytes))
	for _, word := range []string{
		"lineno", "line-number", "linenumber", "line_number", "gutter", "crayon-num", "ln-n", "blob-num",
	} {
		if bytes.Contains(class, []byte(word)) {
			return true
		}
	}
	return false
}

// hasListing reports whether the element at k, after white space, holds preformatted text.
func (p *Page) hasListing(k int32) bool {
	for int(k) < len(p.Nodes) && p.Nodes[k].Tag == TagText {
		k++
	}
	if int(k) >= len(p.Nodes) || p.Nodes[k].Tag != TagTd {
		return false
	}
	for i := k + 1; i < min(p.Nodes[k].End, k+8); i++ {
		if p.Nodes[i].Tag == TagPre {
			return true
		}
	}
	return false
}

// wide reports whether r is of a script that puts no spaces between words, so that a line end of the source next to
// another such character is none (CSS Text 3, section 4.1.3). Hangul has spaces.
func wide(r rune) bool {
	switch {
	case r < 0x2E80:
		return false
	case r < 0xA4D0: // radicals, CJK punctuation, Kana, Han, Yi; except for Hangul's compatible letters and circles
		return (r < 0x3130 || r >= 0x3190) && (r < 0x3200 || r >= 0x3220) && (r < 0x3260 || r >= 0x3280)
	}
	return r >= 0xF900 && r < 0xFB00 || r >= 0xFE30 && r < 0xFE50 || r >= 0xFF01 && r < 0xFFA0 ||
		r >= 0x20000 && r < 0x32000
}
