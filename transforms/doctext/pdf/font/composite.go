package font

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

const (
	// defaultWidth is the width of a CID without one (table 115), in thousandths.
	defaultWidth = 1000
	// halfWidth is the width of Latin letters in monospaced fonts.
	halfWidth = 500
	// maxCIDs bounds the widths of a font: CIDs have two bytes.
	maxCIDs = 1 << 16
)

// composite is a font with codes of one to four bytes (section 9.7). The font's encoding maps a code to a CID. The
// descendant font maps a CID to a glyph, and has the widths. Field glyphs caches the glyph of each code.
type composite struct {
	file       *object.File
	texts      *cmap // ToUnicode
	codes      *cmap // embedded CMap; nil for Identity and for predefined ones
	legacy     legacy
	predefined bool // codes are in the legacy encoding
	half       bool // Latin letters have half the width
	vertical   bool
	collection *collection     // nil for the font's own
	program    map[int]string  // texts of CIDs by the embedded program
	widths     map[int]float64 // of CIDs, in thousandths
	width      float64         // of all others
	glyphs     map[uint32]Glyph
}

func loadComposite(f *object.File, d object.Dict) *composite {
	// There is exactly one descendant (table 119).
	list := f.Array(d["DescendantFonts"])
	if len(list) == 0 {
		return nil
	}
	descendant := f.Dict(list[0])
	c := &composite{file: f, texts: loadToUnicode(f, d), widths: map[int]float64{}, glyphs: map[uint32]Glyph{}}
	c.loadEncoding(f, d["Encoding"])
	// Ordering names Adobe's collections. "Identity" and unknown ones have no table; their texts come from ToUnicode
	// or the program.
	ordering := string(f.String(f.Dict(descendant["CIDSystemInfo"])["Ordering"]))
	if load := collections[ordering]; load != nil {
		c.collection = load()
	}
	if c.vertical {
		c.loadVertical(f, descendant)
	} else {
		c.width = f.Number(descendant["DW"], defaultWidth)
		c.loadWidths(f, f.Array(descendant["W"]))
	}
	// The program is the last resort, since it must be decoded. Only fonts without any other source need that.
	if c.texts == nil && c.collection == nil && !c.predefined {
		if texts := programTexts(f, descendant); f.Spend(len(texts)) {
			c.program = texts
		}
	}
	return c
}

// loadEncoding reads how codes become CIDs: the name of a predefined CMap, or a CMap in a stream. A stream may add to
// a predefined CMap. UseCMap in the dictionary or usecmap in the program names it (see loadCMap).
func (c *composite) loadEncoding(f *object.File, o object.Object) {
	name := string(f.Name(o))
	if s := f.Stream(o); s != nil {
		c.codes = loadCMap(f, s)
		c.vertical = c.codes.vertical || f.Int(s.Dict["WMode"], 0) == 1
		name = c.codes.use
	}
	// Names of vertical CMaps have this ending by convention (table 116).
	if strings.HasSuffix(name, "-V") || name == "V" {
		c.vertical = true
	}
	if !strings.HasPrefix(name, "Identity") {
		c.legacy, c.predefined = legacyOf(name)
	}
	// These are encodings of Japanese with half-width Latin letters.
	c.half = strings.HasPrefix(name, "90ms-") || strings.Contains(name, "-HW-")
}

// loadVertical reads the vertical advance of glyphs (section 9.7.4.3). It ignores displacements of single glyphs,
// which are rare.
func (c *composite) loadVertical(f *object.File, descendant object.Dict) {
	c.width = defaultWidth
	// DW2 is a pair: the origin's height, and the displacement, which is negative.
	if list := f.Array(descendant["DW2"]); len(list) == 2 {
		c.width = -f.Number(list[1], -defaultWidth)
	}
}

// loadWidths reads the array W: "c [w1 w2 …]" and "first last w". A hostile array may repeat ranges over all CIDs, so
// each entry counts towards the budget.
func (c *composite) loadWidths(f *object.File, list object.Array) {
	for len(list) >= 2 && len(c.widths) < maxCIDs {
		first := f.Int(list[0], -1)
		// An array after the first number gives the widths of consecutive CIDs.
		if each := f.Array(list[1]); each != nil {
			for i, o := range each[:min(len(each), maxCIDs)] {
				c.widths[first+i] = f.Number(o, defaultWidth)
			}
			list = list[2:]
			continue
		}
		if len(list) < 3 {
			return
		}
		last, w := f.Int(list[1], -1), f.Number(list[2], defaultWidth)
		for cid := max(first, 0); cid <= min(last, maxCIDs-1) && f.Spend(1); cid++ {
			c.widths[cid] = w
		}
		list = list[3:]
	}
}

func (c *composite) append(glyphs []Glyph, s string) []Glyph {
	for len(s) > 0 {
		code, n, text := c.next(s)
		// n is 1 to 4, so n-1 fits into the two upper bits. Codes of four bytes that use these bits would collide, but
		// no encoding has any.
		key := code | uint32(n-1)<<30 // codes of different lengths are different
		g, ok := c.glyphs[key]
		if !ok {
			g = c.glyph(code, text)
			g.Space = n == 1 && code == ' '
			// Above the budget glyphs are not cached.
			if c.file.Spend(1) {
				c.glyphs[key] = g
			}
		}
		glyphs = append(glyphs, g)
		s = s[n:]
	}
	return glyphs
}

// next returns the first code of s, its length in bytes, and its text if the predefined CMap gives one.
func (c *composite) next(s string) (code uint32, n int, text string) {
	switch {
	// An embedded CMap without codespaces cannot divide the string; the cases below do.
	case c.codes != nil && len(c.codes.spaces) > 0:
		code, n = c.codes.next(s)
	case c.predefined:
		text, n = c.legacy.next(s)
		code = big(s[:n])
	// Identity has codes of two bytes; a last odd byte is a code alone.
	default:
		n = min(2, len(s))
		code = big(s[:n])
	}
	return code, n, text
}

// glyph returns the glyph of a code. Text from the ToUnicode CMap wins over text from the encoding.
func (c *composite) glyph(code uint32, text string) Glyph {
	cid := c.cid(code, text)
	w, ok := c.widths[cid]
	switch {
	case ok:
	// The widths of the font come first, as some fonts list half-width letters.
	case c.half && len(text) == 1:
		w = halfWidth
	default:
		w = c.width
	}
	if t, ok := c.mapped(code); ok {
		text = t
	}
	if text == "" && c.collection != nil && cid < len(c.collection.texts) {
		text = c.collection.texts[cid]
	}
	if text == "" {
		text = c.program[cid]
	}
	return Glyph{Text: text, Width: sane(w/1000, 1)}
}

func (c *composite) mapped(code uint32) (string, bool) {
	if c.texts == nil {
		return "", false
	}
	return c.texts.text(code)
}

// cid returns the CID of a code. For predefined CMaps it is found by the text. If several CIDs have one text, the
// width may be that of another.
func (c *composite) cid(code uint32, text string) int {
	if c.codes != nil {
		if cid, ok := c.codes.cid(code); ok {
			return cid
		}
	}
	if c.predefined {
		if c.collection != nil && !c.half {
			return c.collection.cids()[text]
		}
		return -1
	}
	return int(code)
}
