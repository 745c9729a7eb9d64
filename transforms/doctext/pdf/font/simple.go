package font

import (
	"math"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// simple is a font with codes of one byte: Type 1, TrueType and Type 3 (section 9.6). Glyphs are made when they are
// first shown, and kept in glyphs, where known tells that they were. The sources of text stand in the order in which
// text asks them.
type simple struct {
	em       float64
	scale    float64 // of widths
	glyphs   [256]Glyph
	known    [256]bool
	texts    *cmap
	names    map[byte]string // from Differences
	base     func(byte) string
	own      map[byte]string // texts of codes by the encoding in the font program
	ownNames bool            // names of glyphs need not be those of letters
	numbers  map[string]string
	widths   []float64
	first    int
	missing  float64
	metrics  *metrics // where the font has no widths
}

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

// loadEncoding finds what codes stand for without a ToUnicode CMap (section 9.6.5).
func (s *simple) loadEncoding(f *object.File, d, descriptor object.Dict) {
	name := string(f.Name(d["BaseFont"]))
	subtype := f.Name(d["Subtype"])
	encoding := f.Resolve(d["Encoding"])
	base, _ := encoding.(object.Name)
	// Either a name, or a dictionary with a base and differences.
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
	// TrueType without an encoding: what the program says comes first (own), then Windows.
	case subtype == "TrueType":
		s.base = winAnsi
	// Type 1 without one has its own, which for a standard font is known; another is taken for the
	// most alike.
	default:
		m := standard14()[builtin(name)]
		s.base = func(c byte) string { return nameText(m.names[c]) }
	}
	// Only then is the program decoded: with a base encoding its own does not count.
	if base == "" && subtype != "Type3" {
		s.own = programEncoding(f, descriptor)
	}
}

// loadDifferences reads the names that differ from the base encoding. Numbers in the array set the code, names take
// the codes from there on (table 112).
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
				// The two names that every font has would spoil the pattern that numberedText looks
				// for.
				if v != ".notdef" && v != "space" {
					all = append(all, string(v))
				}
			}
			code++
		}
	}
	s.ownNames = subtype == "Type3"
	// Made-up names only occur where glyphs are embedded, and ToUnicode would tell better.
	if (s.ownNames || embedded) && s.texts == nil {
		s.numbers, _ = numberedText(all)
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

// loadType3 takes the unit of a Type 3 font, in which its widths are, from its matrix, and its height from its box.
func (s *simple) loadType3(f *object.File, d object.Dict) {
	matrix, box := f.Array(d["FontMatrix"]), f.Array(d["FontBBox"])
	s.metrics = nil
	// A damaged matrix: the unit stays that of other fonts.
	if len(matrix) < 4 {
		return
	}
	// The lengths of the matrix's rows, as it may turn or slant the glyphs.
	s.scale = math.Hypot(f.Number(matrix[0], 0.001), f.Number(matrix[1], 0))
	up := math.Hypot(f.Number(matrix[2], 0), f.Number(matrix[3], 0.001))
	if len(box) == 4 {
		// The box tells the height, unless it is empty or absurd, which the standard allows.
		if height := math.Abs(f.Number(box[3], 0)-f.Number(box[1], 0)) * up; height > 0 && height < 100 {
			s.em = height
			return
		}
	}
	// Without a box the widest glyph stands for an em.
	widest := 0.0
	for _, w := range s.widths {
		widest = max(widest, w*s.scale)
	}
	if widest > 0 {
		s.em = widest
	}
}

// glyph returns the glyph of a code. A font has 256 glyphs at most, however often they are shown.
func (s *simple) glyph(code byte) Glyph {
	if !s.known[code] {
		s.known[code] = true
		text := s.text(code)
		s.glyphs[code] = Glyph{Text: text, Width: sane(s.width(code, text)*s.scale, 0), Space: code == ' '}
	}
	return s.glyphs[code]
}

func (s *simple) text(code byte) string {
	if s.texts != nil {
		if text, ok := s.texts.text(uint32(code)); ok {
			return text
		}
	}
	if name, ok := s.names[code]; ok {
		// "a65" may be in the list of glyph names, too: what the font's pattern says counts more.
		if text := s.numbers[name]; text != "" {
			return text
		}
		// A name that says nothing falls through to the base encoding, except where such names are a
		// matter of course or the CMap has been asked already.
		if text := nameText(name); text != "" || name == ".notdef" || s.texts != nil || s.ownNames {
			return text
		}
	}
	if text, ok := s.own[code]; ok {
		return text
	}
	return s.base(code)
}

// width is the advance of a code. In the unit of the font, thousandths of an em but for Type 3.
func (s *simple) width(code byte, text string) float64 {
	if i := int(code) - s.first; i >= 0 && i < len(s.widths) {
		return s.widths[i]
	}
	if s.metrics == nil {
		return s.missing
	}
	// By name, then by the font's own encoding, then by text; 500 is the width of a digit or so.
	if w, ok := s.metrics.widths[s.names[code]]; ok {
		return w
	}
	if w, ok := s.metrics.widths[s.metrics.names[code]]; ok && s.names[code] == "" && code < 0x80 {
		return w
	}
	if w, ok := s.metrics.byText()[text]; ok {
		return w
	}
	return 500
}

// builtin returns the standard font that stands for the one of that name: itself, one of its other names, or one like
// it. Names come as "Arial,Bold", "TimesNewRomanPS-BoldMT" and the like, so parts of them are looked for.
func builtin(name string) string {
	// Six capital letters and "+" stand before the name of a subset (section 9.9.2).
	if i := strings.IndexByte(name, '+'); i == 6 {
		name = name[7:] // a subset's tag
	}
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	bold, italic := has("Bold", "bold", "Black"), has("Italic", "italic", "Oblique", "oblique")
	switch {
	case strings.HasPrefix(name, "Symbol"):
		return "Symbol"
	case has("ZapfDingbats", "Dingbats"):
		return "ZapfDingbats"
	case has("Courier", "Mono", "Consol"):
		return styled("Courier", "", "Bold", "Oblique", bold, italic)
	// "SansSerif" is no serif font.
	case has("Times", "Roman", "Serif", "Georgia", "Garamond", "Palatino") && !has("Sans"):
		return styled("Times", "Roman", "Bold", "Italic", bold, italic)
	}
	return styled("Helvetica", "", "Bold", "Oblique", bold, italic)
}

// styled is the name of a standard font in a style. Only Times has a name for its regular style.
func styled(family, regular, boldName, italicName string, bold, italic bool) string {
	style := ""
	if bold {
		style = boldName
	}
	if italic {
		style += italicName
	}
	if style == "" {
		style = regular
	}
	if style == "" {
		return family
	}
	return family + "-" + style
}
