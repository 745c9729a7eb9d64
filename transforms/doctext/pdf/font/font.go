// Package font tells the text and the width of what a PDF file shows with its fonts. It reads what the file says of a
// font (ToUnicode CMaps, encodings, glyph names, widths) and, where that says nothing, the embedded font program; it
// draws nothing.
//
// A code's text is, of these, the first that there is: the ToUnicode CMap's; the one that its glyph name stands for,
// by Differences or by the base encoding, or by the encoding in the font program; for composite fonts that of the
// predefined CMap or of the character collection, or that of the glyph in the cmap table of the embedded TrueType
// program. Sections are those of ISO 32000-2:2020.
package font

import (
	"math"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// Glyph is one glyph as it is shown.
type Glyph struct {
	Text  string  // "" where it is not known
	Width float64 // how far it moves, in ems; in a vertical font downwards
	Space bool    // whether word spacing is added: the code is one byte, 32 (section 9.3.3)
}

// Font makes glyphs of strings. It is not safe for concurrent use.
type Font struct {
	// Em is the height of the font in its own unit: 1, except for Type 3 fonts, which choose their unit.
	Em float64
	// Vertical tells that lines run downwards.
	Vertical bool

	simple    *simple
	composite *composite
}

// Load reads the font whose dictionary is d. It always returns one: of what is damaged, the text is guessed.
func Load(f *object.File, d object.Dict) *Font {
	if f.Name(d["Subtype"]) == "Type0" {
		if c := loadComposite(f, d); c != nil {
			return &Font{Em: 1, Vertical: c.vertical, composite: c}
		}
	}
	s := loadSimple(f, d)
	return &Font{Em: s.em, simple: s}
}

// Append adds the glyphs that s shows to glyphs.
func (f *Font) Append(glyphs []Glyph, s []byte) []Glyph {
	if f.composite != nil {
		return f.composite.append(glyphs, string(s))
	}
	for _, code := range s {
		glyphs = append(glyphs, f.simple.glyph(code))
	}
	return glyphs
}

// loadToUnicode returns the ToUnicode CMap of a font, nil where there is none. "Identity-H" as a name says that codes
// are characters themselves, as UTF-16 units.
func loadToUnicode(f *object.File, d object.Dict) *cmap {
	switch v := f.Resolve(d["ToUnicode"]).(type) {
	case *object.Stream:
		// One that cannot be read leaves the text to what else the font has.
		if c := loadCMap(f, v); !c.empty() {
			return c
		}
	case object.Name:
		if strings.HasPrefix(string(v), "Identity") {
			// From 1 on, since U+0000 is not text.
			return &cmap{ranges: []mapping{{lo: 1, hi: 0xffff, text: []uint16{1}}}}
		}
	}
	return nil
}

// sane returns w where it can be a width, otherwise fallback. Widths move all that follows: one of a million ems
// would carry the line off the page.
func sane(w, fallback float64) float64 {
	const widest = 100
	if math.IsNaN(w) || math.Abs(w) > widest {
		return fallback
	}
	return w
}
