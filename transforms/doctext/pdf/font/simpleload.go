package font

import (
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

func loadSimple(f *object.File, d object.Dict) *simple {
	s := &simple{em: 1, scale: 1.0 / 1000, texts: loadToUnicode(f, d)}
	descriptor := f.Dict(d["FontDescriptor"])
	s.loadEncoding(f, d, descriptor)
	s.loadWidths(f, d, descriptor)
	// Type 3 fonts describe their glyphs by content streams, in a unit of their own.
	if f.Name(d["Subtype"]) == "Type3" {
		s.loadType3(f, d)
	}
	return s
}

// loadEncoding finds the meaning of codes without a ToUnicode CMap (section 9.6.5).
func (s *simple) loadEncoding(f *object.File, d, descriptor object.Dict) {
	name := string(f.Name(d["BaseFont"]))
	subtype := f.Name(d["Subtype"])
	encoding := f.Resolve(d["Encoding"])
	base, _ := encoding.(object.Name)
	// The encoding is a name, or a dictionary with a base and differences.
	if e, ok := encoding.(object.Dict); ok {
		base = f.Name(e["BaseEncoding"])
		s.loadDifferences(f, f.Array(e["Differences"]), subtype, embedded(f, descriptor) != nil)
	}
	switch {
	case base == "WinAnsiEncoding":
		s.base = winAnsi
	case base == "MacRomanEncoding":
		s.base = macRoman
	case base == "StandardEncoding":
		s.base = func(c byte) string { return nameText(standardName(c)) }
	// For TrueType without an encoding, the program comes first (own), then the standard encoding. For a symbol font
	// it is that of Windows.
	case subtype == "TrueType" && !isNonsymbolic(f, d, descriptor):
		s.base = winAnsi
	case subtype == "TrueType":
		s.base = func(c byte) string { return nameText(standardName(c)) }
	// Type 1 without an encoding uses its own. It is known for the standard fonts; other fonts use that of the most
	// similar.
	default:
		m := standard14()[builtin(name)]
		s.base = func(c byte) string { return nameText(m.names[c]) }
	}
	// Only now is the program decoded: a base encoding would override its encoding.
	if base == "" && subtype != "Type3" {
		s.own = programEncoding(f, descriptor)
	}
}

// isNonsymbolic reports whether the font's glyphs are the standard Latin set (table 121 and section 9.6.5.4). A font
// without a descriptor is nonsymbolic if it has a name.
func isNonsymbolic(f *object.File, d, descriptor object.Dict) bool {
	const symbolic, nonsymbolic = 1 << 2, 1 << 5
	if descriptor == nil {
		return f.Name(d["BaseFont"]) != ""
	}
	return f.Int(descriptor["Flags"], 0)&(symbolic|nonsymbolic) == nonsymbolic
}

// loadDifferences reads the names that differ from the base encoding. A number in the array sets the code, and names
// take the codes from there on (table 112).
func (s *simple) loadDifferences(f *object.File, list object.Array, subtype object.Name, embedded bool) {
	s.names = map[byte]string{}
	var all []string
	code := 0
	for _, o := range list {
		switch v := f.Resolve(o).(type) {
		case int:
			code = v
		case object.Name:
			if code >= 0 && code < 256 {
				s.names[byte(code)] = string(v)
				// These two names are in every font and would hide the pattern that numberedText looks for.
				if v != ".notdef" && v != "space" {
					all = append(all, string(v))
				}
			}
			code++
		}
	}
	s.ownNames = subtype == "Type3"
	// Generated names only occur with embedded glyphs, and ToUnicode is a better source.
	if (s.ownNames || embedded) && s.texts == nil {
		s.numbers, _ = numberedText(all)
	}
	// Bitmap fonts by Ghostscript have neither. Their codes are those of the original font.
	if s.ownNames && s.texts == nil && s.numbers == nil && keepsCodes(s.names) {
		s.names = nil
	}
}

// loadWidths reads the widths, or finds those of a standard font.
func (s *simple) loadWidths(f *object.File, d, descriptor object.Dict) {
	s.first = f.Int(d["FirstChar"], 0)
	// More than 256 widths belong to no code.
	for _, o := range f.Array(d["Widths"]) {
		s.widths = append(s.widths, f.Number(o, 0))
		if len(s.widths) == 256 {
			break
		}
	}
	s.missing = f.Number(descriptor["MissingWidth"], 0)
	// The 14 standard fonts need no widths in the file.
	if len(s.widths) == 0 {
		s.metrics = standard14()[builtin(string(f.Name(d["BaseFont"])))]
	}
}

// loadType3 reads the unit of a Type 3 font's widths from its matrix, and its height from its box.
func (s *simple) loadType3(f *object.File, d object.Dict) {
	matrix, box := f.Array(d["FontMatrix"]), f.Array(d["FontBBox"])
	s.metrics = nil
	// With a damaged matrix the unit stays that of other fonts.
	if len(matrix) < 4 {
		return
	}
	// The lengths of the matrix's rows are used, as it may turn or slant the glyphs.
	s.scale = math.Hypot(f.Number(matrix[0], 0.001), f.Number(matrix[1], 0))
	up := math.Hypot(f.Number(matrix[2], 0), f.Number(matrix[3], 0.001))
	em := s.emOfWidths()
	if len(box) == 4 {
		// The box gives the height, unless it is empty or absurd, which the standard allows. Old versions of pdfTeX write
		// the box of all fonts of the document.
		height := math.Abs(f.Number(box[3], 0)-f.Number(box[1], 0)) * up
		if height > 0 && height < 100 && (em == 0 || height < tallBox*em) {
			em = height
		}
	}
	if em > 0 {
		s.em = em
	}
}

// tallBox is how many ems of the widths a box may be high.
const tallBox = 1.6

// emOfWidths estimates an em from the widths of a font: the widest glyph, or twice the median, which is half an em in
// most fonts. It is 0 without widths.
func (s *simple) emOfWidths() float64 {
	var all []float64
	for _, w := range s.widths {
		if w > 0 {
			all = append(all, w*s.scale)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return max(all[len(all)-1], 2*all[len(all)/2])
}
