// Package font returns the text and the width of strings that a PDF file shows. It reads ToUnicode CMaps, encodings,
// glyph names and widths in the file and, if they are missing, the embedded font program. It draws nothing.
//
// The text of a code comes from the first source that has one:
//
//   - the ToUnicode CMap;
//   - the glyph name, from Differences, the base encoding, or the encoding in the font program;
//   - for composite fonts, the predefined CMap or the character collection;
//   - for composite fonts, the cmap table of the embedded TrueType program.
//
// Section numbers are those of ISO 32000-2:2020.
package font

import (
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// Glyph is one shown glyph.
type Glyph struct {
	Text  string  // "" if unknown
	Width float64 // its advance in ems; downwards in a vertical font
	Space bool    // whether word spacing is added: the code is one byte, 32 (section 9.3.3)
}

// Font converts strings to glyphs. It is not safe for concurrent use.
type Font struct {
	// Em is the height of the font in its own unit: 1, except for Type 3 fonts, which choose their unit.
	Em float64
	// Vertical means that lines run downwards.
	Vertical bool
	// Bold means that the font's name or descriptor says so.
	Bold bool

	simple    *simple
	composite *composite
}

// Load loads the font with dictionary d. It always returns one; for a damaged font, texts are guessed.
func Load(f *object.File, d object.Dict) *Font {
	if f.Name(d["Subtype"]) == "Type0" {
		if c := loadComposite(f, d); c != nil {
			return &Font{Em: 1, Vertical: c.vertical, Bold: isBold(f, d), composite: c}
		}
	}
	s := loadSimple(f, d)
	return &Font{Em: s.em, Bold: isBold(f, d), simple: s}
}

// forceBold is a flag of font descriptors (table 121), boldWeight the smallest weight that is bold.
const (
	forceBold  = 1 << 18
	boldWeight = 600
)

// boldNames are parts of the names of bold fonts, in small letters. The last ones are those of TeX.
var boldNames = []string{"bold", "black", "heavy", "demi", "cmbx", "sfbx", "cmssbx", "sfsx"}

// isBold reports whether the name or the descriptor of the font with dictionary d says that it is bold.
func isBold(f *object.File, d object.Dict) bool {
	if list := f.Array(d["DescendantFonts"]); len(list) > 0 {
		d = f.Dict(list[0])
	}
	name := strings.ToLower(string(f.Name(d["BaseFont"])))
	if slices.ContainsFunc(boldNames, func(part string) bool { return strings.Contains(name, part) }) {
		return true
	}
	descriptor := f.Dict(d["FontDescriptor"])
	return f.Int(descriptor["Flags"], 0)&forceBold != 0 || f.Number(descriptor["FontWeight"], 0) >= boldWeight
}

// Append adds the glyphs of s to glyphs.
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
