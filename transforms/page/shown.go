package page

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/formula"
)

// Text that browsers do not show as in the source: pictures of emoji, names of icons, line ends in scripts without
// spaces.

// maxAlt is the most bytes in the alternative text of an emoji: a family of four takes 25, short names more.
const maxAlt = 40

// picture writes the alternative text of picture i if it is an emoji or a formula, as copying from a browser does. The
// first byte rules out most pictures.
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
	if isEmoji(alt) || isHan(alt) && (isRare(alt) || w.p.isGaiji(i) || w.withinWide(i)) || w.p.isSmiley(i, alt) {
		w.shown(i, []byte(alt), literal)
		return
	}
	if v := w.p.values(i, "class", "src"); isTeXPicture(v[0], v[1]) {
		alt = strings.TrimPrefix(alt, "LaTeX: ") // prefix of Canvas
		tex, display := withoutSigns(formula.Tidy(alt))
		w.tex(i, tex, display || bytes.Contains(v[0], []byte("display")))
	}
}

// isSmiley reports whether the class or the URL of picture i names an emoji, and alt is a short name or sign. Forums
// name it only in the URL.
func (p *Page) isSmiley(i int, alt string) bool {
	if len(alt) > maxAlt || strings.ContainsAny(alt, " \t\r\n<&") {
		return false
	}
	v := p.values(i, "class", "src")
	class := bytes.ToLower(cut(v[0], maxKeywordBytes))
	for _, word := range [...]string{"emoji", "smil", "emoticon"} {
		if bytes.Contains(class, []byte(word)) {
			return true
		}
	}
	path, _, _ := bytes.Cut(v[1], []byte("?"))
	if _, rest, ok := bytes.Cut(path, []byte("//")); ok {
		_, path, _ = bytes.Cut(rest, []byte("/")) // without the host
	}
	// A word or a number is more likely the text of another picture.
	return hasWord(path, smileyWords) && (strings.ContainsAny(alt, ":;=^*") ||
		len(alt) <= len("8-)") && strings.HasSuffix(alt, ")") ||
		!strings.ContainsFunc(alt, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }))
}

// smileyWords are words in URLs of emoji.
var smileyWords = strings.Fields("smile smiles smiley smileys smilie smilies emoji emojis emoticon emoticons")

// isGaiji reports whether the class or the URL of picture i names a character that fonts lack.
func (p *Page) isGaiji(i int) bool {
	v := p.values(i, "class", "src")
	for _, name := range v[:2] {
		if bytes.Contains(bytes.ToLower(cut(name, maxKeywordBytes)), []byte("gaiji")) {
			return true
		}
	}
	return false
}

// withinWide reports whether the characters next to node i are of scripts without spaces, with no gap between.
func (w *writer) withinWide(i int) bool {
	if w.empty() || w.space != noGap || w.lines > 0 || !wide(w.last) {
		return false
	}
	end := int(w.p.Nodes[i].End)
	next := html.UnescapeString(w.p.sourceText(end, min(len(w.p.Nodes), end+8), maxRaised))
	first, _ := utf8.DecodeRuneInString(next)
	return wide(first)
}

// isHan reports whether s is a Chinese or Japanese character. Pages show those that fonts and codes lack as pictures.
func isHan(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == len(s) && unicode.Is(unicode.Han, r)
}

// isRare reports whether a Chinese or Japanese character is a variant or of an extension, which occur in names.
// Pictures with other characters may be icons.
func isRare(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0xF900 && r < 0xFB00 || r >= 0x3400 && r < 0x4DC0 || r > 0xFFFF || r == '髙'
}

// isEmoji reports whether s is only emoji, by the blocks that hold them. Unicode Technical Standard 51 lists them one
// by one, and adds more each year.
func isEmoji(s string) bool {
	// A digit is an emoji only with U+20E3 after it.
	seen := false
	if len(s) > maxAlt {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 0x1F000 && r < 0x1FB00, r >= 0x2600 && r < 0x27C0, r >= 0x2B05 && r < 0x2B56, r >= 0x23E9 && r < 0x23FB,
			r == 0x231A, r == 0x231B, r == 0x203C, r == 0x2049, r == 0x20E3:
			seen = true
		// Joiners, presentation, tags of flags; and the parts of keycaps.
		case r == 0x200D, r == 0xFE0F, r == 0xFE0E, r >= 0xE0020 && r < 0xE0080, r >= '0' && r <= '9', r == '#', r == '*':
		default:
			return false
		}
	}
	return seen
}

// isIcon reports whether text node i is the name of an icon, which a font draws instead ("arrow_forward"). It is one
// word in small letters in an element of an icon font. In any element for icons, an underscore makes a name an icon.
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
		if c != '_' && c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	// Custom elements such as <mat-icon> show by their name what they hold.
	if element.Tag == TagOther && bytes.HasSuffix(nameOf(p.Source[element.srcStart:element.srcEnd]), []byte("-icon")) {
		return true
	}
	v := p.values(int(n.Parent), "class", "style")
	class := bytes.ToLower(cut(v[0], maxKeywordBytes))
	return bytes.Contains(class, []byte("material-icons")) || bytes.Contains(class, []byte("material-symbols")) ||
		bytes.Contains(class, []byte("google-symbols")) || bytes.Contains(class, []byte("ligature")) || namesIconFont(v[1]) ||
		bytes.IndexByte(name, '_') > 0 && bytes.Contains(class, []byte("icon"))
}

// isGlyph reports whether a text is only an icon that a font of the page has in Unicode's private use area. Within
// other text such a character may be one that a script lacks in Unicode, as in names of people in Chinese or Japanese.
func isGlyph(src []byte) bool {
	src = trim(src)
	// The first byte rules out nearly all texts.
	if len(src) == 0 || src[0] != '&' && src[0] < 0xEE {
		return false
	}
	return !strings.ContainsFunc(decode(src, 0), func(r rune) bool {
		return r < 0xE000 || r > 0xF8FF && r < 0xF0000
	})
}

// maxGlyph limits the text of an icon in the source: two references and spaces around them.
const maxGlyph = 24

// namesIconFont reports whether a style has a font that draws names as icons.
func namesIconFont(style []byte) bool {
	const name = "material "
	font := declared(style, "font-family", len(name)+1)
	return len(font) > 0 && (font[0] == '\'' || font[0] == '"') && hasFold(font[1:], name)
}

// maxIcon limits an icon's name, in bytes. Material Symbols has signal_cellular_connected_no_internet_4_bar, of 43.
const maxIcon = 48

// isLineNumbers reports whether text node i is the line numbers of a listing: consecutive numbers in preformatted
// text. A class shows it, or they fill a cell beside a listing.
func (p *Page) isLineNumbers(i int) bool {
	n := &p.Nodes[i]
	src := p.Source[n.srcStart:n.srcEnd]
	if n.Flags&(InPre|InCode|InCell) == 0 || len(src) == 0 || !isDigitOrSpace(src[0]) || !isDigitOrSpace(src[len(src)-1]) {
		return false
	}
	// Other numbers are data.
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
		tag, own := p.Nodes[at].Tag, p.Nodes[at].Own
		if at != n.Parent && !numbered.has(tag) {
			return false
		}
		class, _ := p.RawAttr(int(at), "class")
		if isNumbering(class, p.Nodes[at].Flags&(InPre|InCode) != 0) {
			return true
		}
		switch {
		case tag == TagTd || tag == TagTh:
			cell = at
		// A cell of another element, as in the tables of ARIA.
		case own&InCell != 0:
			return false
		}
	}
	return numbers > 1 && n.Flags&InPre != 0 && cell > 0 && p.hasListing(p.Nodes[cell].End)
}

// numbered are the elements that highlighters put around line numbers.
var numbered = setOf(TagTd, TagTh, TagPre, TagCode, TagSpan, TagDiv, TagA, TagLi, TagOl)

func isDigitOrSpace(c byte) bool { return c >= '0' && c <= '9' || isSpace(c) }

// isNumbering reports whether a class is one that highlighters give to line numbers. In code, any gutter is one of
// them.
func isNumbering(class []byte, code bool) bool {
	if string(class) == "ln" || string(class) == "lnt" { // Chroma's
		return true
	}
	class = bytes.ToLower(cut(class, maxKeywordBytes))
	for _, word := range []string{
		"lineno", "line-number", "linenumber", "line_number", "crayon-num", "ln-n", "blob-num",
	} {
		if bytes.Contains(class, []byte(word)) {
			return true
		}
	}
	return bytes.Contains(class, []byte("gutter")) && (code || isGutter(class))
}

// isGutter reports whether a class names the gutter of a listing. Grids of layout have classes such as no-gutters.
func isGutter(class []byte) bool {
	for word := range bytes.FieldsSeq(class) {
		for _, prefix := range []string{"rouge-", "codemirror-", "ace_", "cm-", "code-", "highlight-", "hljs-", "prism-"} {
			if rest, ok := bytes.CutPrefix(word, []byte(prefix)); ok && bytes.HasPrefix(rest, []byte("gutter")) {
				return true
			}
		}
		if string(word) == "gutter" {
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

// wide reports whether r is of a script without spaces between words. A line end in the source between two such
// characters is dropped (CSS Text 3, section 4.1.3). Hangul has spaces.
func wide(r rune) bool {
	switch {
	case r < 0x2E80:
		return false
	case r < 0xA4D0: // radicals, CJK punctuation, Kana, Han, Yi; without Hangul's compatible letters and circles
		return (r < 0x3130 || r >= 0x3190) && (r < 0x3200 || r >= 0x3220) && (r < 0x3260 || r >= 0x3280)
	}
	return r >= 0xF900 && r < 0xFB00 || r >= 0xFE30 && r < 0xFE50 || r >= 0xFF01 && r < 0xFFA0 ||
		r >= 0x20000 && r < 0x32000
}
