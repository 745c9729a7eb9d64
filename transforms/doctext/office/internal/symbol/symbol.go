// Package symbol maps the glyphs of symbol fonts to characters: Symbol, Wingdings, ZapfDingbats. Documents that use
// them hold positions of glyphs, as bytes or as private characters from U+F020 on.
//
// The table of Symbol is that of the Unicode Consortium
// (https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt). Of Wingdings the table has only marks that are
// used as text.
package symbol

import "strings"

// greek is Symbol from 0x20 to 0x7E; a glyph without a character is a space.
var greek = []rune(" !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼")

// signs is Symbol from 0xA0 to 0xFE.
var signs = []rune("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈… ─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫⌠ ⌡          ")

// wingdings maps positions of glyphs, after the charts of Microsoft's font. Most of the font is pictures, which are
// not text.
var wingdings = map[byte]rune{
	0x4A: '☺', 0x4C: '☹', 0x6C: '●', 0x6E: '■', 0x6F: '□', 0x70: '□', 0x71: '❑', 0x72: '❒', 0x75: '◆', 0x76: '❖',
	0x77: '⬥', 0x9F: '•', 0xA7: '▪', 0xA8: '◻', 0xD8: '➢', 0xDF: '←', 0xE0: '→', 0xE1: '↑', 0xE2: '↓', 0xE8: '➔',
	0xF0: '⇨', 0xFB: '✗', 0xFC: '✓', 0xFD: '☒', 0xFE: '☑',
}

// Rune returns the character that font has at a position, or 0 if it has none. Positions are bytes, or bytes added to
// U+F000.
func Rune(font string, place rune) rune {
	if place&^0xFF == 0xF000 {
		place &= 0xFF
	}
	if place < 0 || place > 0xFF {
		// A character outside the private range means itself.
		return place
	}
	name := strings.ToLower(font)
	r := rune(' ')
	switch {
	case strings.HasPrefix(name, "wingdings"):
		r = wingdings[byte(place)]
	case name != "symbol":
		return 0
	case place >= 0x20 && int(place) < 0x20+len(greek):
		r = greek[place-0x20]
	case place >= 0xA0 && int(place) < 0xA0+len(signs):
		r = signs[place-0xA0]
	}
	if r == ' ' && place != ' ' {
		return 0
	}
	return r
}
