package rtf

import (
	"strings"
	"unicode/utf16"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/symbol"
)

// destinations are groups without text that need no \* mark. They hold bookmarks, indexes, codes of fields, pictures
// and embedded objects in hexadecimal. Others hold tables of colours, styles and lists, the separators of footnotes,
// the marks and authors of annotations.
var destinations = map[string]bool{
	"colortbl": true, "stylesheet": true, "listtable": true, "listoverridetable": true, "rsidtbl": true, "revtbl": true,
	"filetbl": true, "pict": true, "nonshppict": true, "objdata": true, "objclass": true, "objname": true,
	"objalias": true, "objsect": true, "shprslt": true, "sp": true, "sn": true, "sv": true, "xe": true, "tc": true,
	"tcn": true, "rxe": true, "txe": true, "fldinst": true, "datafield": true, "formfield": true, "bkmkstart": true,
	"bkmkend": true, "themedata": true, "datastore": true, "colorschememapping": true, "latentstyles": true,
	"xmlnstbl": true, "private": true, "pgptbl": true, "nonesttables": true, "upr": true, "ftnsep": true, "ftnsepc": true,
	"ftncn": true, "aftnsep": true, "aftnsepc": true, "aftncn": true, "fontemb": true, "falt": true, "panose": true,
	"atnid": true, "atnauthor": true, "atndate": true, "atnref": true, "atnicn": true, "atnparent": true, "atntime": true,
	"mmathPict": true, "pntxta": true, "pntxtb": true,
	"template": true,
}

// starred are destinations that hold text although they are marked \*.
var starred = map[string]bool{
	"shpinst": true, "do": true, "dptxbxtext": true, "shptxt": true, "annotation": true, "footnote": true, "ud": true,
	"generator": true, "moMath": true, "moMathPara": true, "nesttableprops": true,
}

// characters are control words that mean a single character.
var characters = map[string]string{
	"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
	"emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e",
	"rtlmark": "\u200f",
}

// do executes a control word. The bytes before the word belong to the state before it.
func (r *reader) do(word string, n int, has bool) {
	r.flush()
	// After \*, readers that do not know the word leave out the group.
	if r.star {
		r.star = false
		// Word marks the company in \info.
		if !starred[word] && !(r.to == toInfo && properties[word]) {
			r.to = toNothing
			return
		}
	}
	if c, ok := characters[word]; ok {
		r.add(c)
		return
	}
	if r.destination(word) || r.fontWord(word, n) || r.infoWord(word, n) {
		return
	}
	switch word {
	case "u":
		if has {
			r.unicode(n)
		}
	case "uc":
		// Each \u makes plain skip that many bytes; a real document needs only a few.
		r.uc = min(max(n, 0), 1000)
	// \itap is the depth of nesting in tables; 0 is outside.
	case "intbl", "itap":
		r.cell = word == "intbl" || n > 0
	case "pard":
		r.cell = false
	// \deleted0 and \v0 end it.
	case "deleted":
		r.deleted = !has || n != 0
	case "v":
		r.hidden = !has || n != 0
	case "super", "sub", "nosupersub":
		if r.raised = levels[word]; has && n == 0 {
			r.raised = flow.Level
		}
	default:
		r.layout(word)
	}
}

// levels are the control words that raise and lower text.
var levels = map[string]flow.Raised{"super": flow.Super, "sub": flow.Sub}

// destination reports whether the word begins a destination, and sets where its characters go. Some destinations hold
// text: notes, headers, shapes.
func (r *reader) destination(word string) bool {
	switch word {
	// \upr has the same text twice: for old readers, and in \*\ud in Unicode. The first is left out, and \ud restores
	// the destination before it.
	case "upr":
		r.back = r.to
	case "ud":
		r.to = r.back
	case "fonttbl":
		r.to = toFonts
		return true
	case "footnote", "annotation":
		// A note inside a property stays there. A note inside a header has no edge, or the header would repeat all notes.
		if r.to == toText {
			r.out, r.edge = r.notes, nil
		}
		return true
	case "header", "headerl", "headerr", "headerf":
		r.edgeTo(r.header)
		return true
	case "footer", "footerl", "footerr", "footerf":
		r.edgeTo(r.footer)
		return true
	// The text of a shape is text, in a paragraph of its own.
	case "shptxt", "dptxbxtext":
		r.layout("par")
	}
	// These are properties of formulas: \mboxPr, \mfPr and so on.
	if destinations[word] || strings.HasPrefix(word, "m") && strings.HasSuffix(word, "Pr") {
		r.to = toNothing
		return true
	}
	return false
}

// edgeTo begins a header or footer, which is added to all at its end. A header in a group that is left out is left out
// too.
func (r *reader) edgeTo(all *flow.Text) {
	if r.to == toText {
		r.out, r.edge = flow.New(r.o.MaxText), all
	}
}

// layout writes the divider that a word means.
func (r *reader) layout(word string) {
	if r.to != toText || r.deleted || r.hidden {
		return
	}
	switch word {
	case "par", "sect", "page", "column":
		// A paragraph within a cell would break the row, so it becomes a space.
		if r.cell {
			r.out.Space()
		} else {
			r.out.Paragraph()
		}
	case "line", "softline":
		if r.cell {
			r.out.Space()
		} else {
			r.out.Line()
		}
	case "tab":
		r.out.Tab()
	case "cell":
		r.out.EndCell()
	// Tables within cells become words of the outer cell.
	case "nestcell", "nestrow":
		r.out.Space()
	case "row":
		r.out.EndRow()
		r.wasRow = true
	}
}

// unicode adds the character with a number. By the specification it is a signed 16-bit number, but many programs write
// U+8000 and above without a sign.
func (r *reader) unicode(n int) {
	c := rune(n)
	if n < 0 {
		c += 0x10000
	}
	// The next r.uc characters are its replacement and left out.
	r.skip = r.uc
	switch f := r.fonts[r.font]; {
	// The first half of a pair waits for the second. Method add clears it, so text between them breaks the pair.
	case utf16.IsSurrogate(c) && c < 0xDC00:
		r.high = c
		return
	case utf16.IsSurrogate(c):
		// A second half alone becomes U+FFFD.
		c = utf16.DecodeRune(r.high, c)
	// Symbol fonts have their glyphs at U+F000 and up.
	case f != nil && f.symbol && c >= 0xF000 && c <= 0xF0FF:
		r.symbol(c)
		return
	}
	r.add(string(c))
}

func (r *reader) symbol(place rune) {
	// This is called only if the font is in the table.
	if c := symbol.Rune(r.fonts[r.font].name, place); c != 0 {
		r.add(string(c))
	}
}

// add adds characters to their destination.
func (r *reader) add(s string) {
	r.high = 0
	switch {
	case r.to == toFonts:
		r.fontName(s)
	case r.to == toInfo:
		r.value(s)
	case r.to == toText && !r.deleted && !r.hidden:
		// A table ends when text outside a cell follows a row.
		if r.wasRow && !r.cell {
			r.out.Paragraph()
			r.wasRow = false
		}
		if r.raised != flow.Level {
			r.out.AddRaised(s, r.raised)
			return
		}
		r.out.Add(s)
	}
}

// charsets maps \fcharset to code pages (specification, "Font Table"). Numbers 2 (symbols) and 1 (default) have none:
// they use the document's page.
var charsets = map[int]int{
	0: codepage.Western, 77: 10000, 78: 10001, 89: 10007, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253,
	162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

// maxFonts bounds the font table.
const maxFonts = 10_000

// fontWord reads words that choose the code page: of the document, of a font, or by choosing a font.
func (r *reader) fontWord(word string, n int) bool {
	switch word {
	case "ansi":
	case "mac":
		r.page = 10000
	case "pc":
		r.page = 437
	case "pca":
		r.page = 850
	case "ansicpg":
		if n > 0 {
			r.page = n
		}
	// This is the font of text before any \f, and after \plain.
	case "deff":
		r.first, r.font = n, n
	case "plain":
		r.font = r.first
		r.deleted, r.hidden, r.raised = false, false, flow.Level
	case "f":
		r.font = n
		// In the font table \f defines a font; elsewhere it chooses one.
		if r.to == toFonts && r.fonts[n] == nil && len(r.fonts) < maxFonts {
			r.fonts[n] = &font{}
		}
	case "fcharset", "cpg":
		if f := r.fonts[r.font]; r.to == toFonts && f != nil {
			// \fcharset2 marks symbol fonts, whatever their names.
			f.symbol = f.symbol || word == "fcharset" && n == 2
			switch {
			case word == "cpg":
				f.page = n
			case n == 0 && (r.page == 10000 || r.page == 437 || r.page == 850):
				f.page = 0 // files of other systems mean their own page
			default:
				f.page = charsets[n]
			}
		}
	default:
		return false
	}
	return true
}

// fontName adds to the name of the font being defined; a semicolon ends it.
func (r *reader) fontName(s string) {
	f := r.fonts[r.font]
	// Very long names are not kept. If there is a semicolon, the name has ended.
	if f == nil || strings.HasSuffix(f.name, ";") || len(f.name) > 100 {
		return
	}
	f.name = strings.TrimSpace(f.name + s)
	if name, ok := strings.CutSuffix(f.name, ";"); ok {
		f.name = name
	}
}
