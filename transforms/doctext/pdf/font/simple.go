package font

import (
	"strings"
)

// simple is a font with codes of one byte: Type 1, TrueType and Type 3 (section 9.6). Glyphs are made when first shown
// and cached in glyphs; field known marks them. The sources of text are in the order in which method text tries them.
type simple struct {
	em       float64
	scale    float64 // of widths
	glyphs   [256]Glyph
	known    [256]bool
	texts    *cmap
	names    map[byte]string // from Differences
	base     func(byte) string
	own      map[byte]string // texts of codes by the encoding in the font program
	ownNames bool            // names of glyphs may be generated ones
	numbers  map[string]string
	widths   []float64
	first    int
	missing  float64
	metrics  *metrics // used if the font has no widths
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
		// "a65" may also be in the list of glyph names, but the font's pattern counts more.
		if text := s.numbers[name]; text != "" {
			return text
		}
		// A name without a text falls through to the base encoding. It does not if such names are usual, or if the
		// CMap was tried already.
		if text := nameText(name); text != "" || name == ".notdef" || s.texts != nil || s.ownNames {
			return text
		}
	}
	if text, ok := s.own[code]; ok {
		return text
	}
	return s.base(code)
}

// width returns the advance of a code in the font's unit: thousandths of an em, except for Type 3.
func (s *simple) width(code byte, text string) float64 {
	if i := int(code) - s.first; i >= 0 && i < len(s.widths) {
		return s.widths[i]
	}
	if s.metrics == nil {
		return s.missing
	}
	// The width is found by name, then by the font's own encoding, then by text. The last resort, 500, is about the
	// width of a digit.
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

// builtin returns the standard font for a font name: the font itself, one with another name, or a similar one. Names
// may look like "Arial,Bold" or "TimesNewRomanPS-BoldMT", so parts of them are searched.
func builtin(name string) string {
	// Six capital letters and "+" come before the name of a subset (section 9.9.2).
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
	// "SansSerif" is not a serif font.
	case has("Times", "Roman", "Serif", "Georgia", "Garamond", "Palatino") && !has("Sans"):
		return styled("Times", "Roman", "Bold", "Italic", bold, italic)
	}
	return styled("Helvetica", "", "Bold", "Oblique", bold, italic)
}

// styled returns the name of a standard font in a style. Only Times has a name for its regular style.
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
