package pdf

import (
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// combining maps accents that fonts have as separate glyphs to combining characters. Keys are the spacing forms in
// fonts. A few keys of other origin only look alike and map to the same mark.
var combining = map[rune]rune{
	'`': '\u0300', '´': '\u0301', '\u02ca': '\u0301', 'ˆ': '\u0302', '˜': '\u0303', '¯': '\u0304', 'ˉ': '\u0304',
	'˘': '\u0306', '˙': '\u0307', '¨': '\u0308', '˚': '\u030a', '˝': '\u030b', 'ˇ': '\u030c', '¸': '\u0327', '˛': '\u0328',
}

// accent returns the combining character for a glyph's text. Characters of class Mn (Unicode general category
// "nonspacing mark") are marks already.
func accent(text string) (rune, bool) {
	r, n := utf8.DecodeRuneInString(text)
	// The text must be one character: a ligature is not an accent. ASCII is left out except for the grave, since "^"
	// and "~" are literal in programs and URLs.
	if n != len(text) || n < 2 && r != '`' {
		return 0, false
	}
	if c, ok := combining[r]; ok {
		return c, true
	}
	return r, unicode.Is(unicode.Mn, r)
}

// joinAccents moves accents shown over a letter to that letter. Old TeX fonts show "é" as two glyphs, the accent
// before or after its letter. The result shares the memory of glyphs.
func joinAccents(glyphs []glyph, d direction) []glyph {
	n := 0
	for i := range glyphs {
		g := glyphs[i]
		if isVowel(g) {
			if owner := ownerOf(g, glyphs[:n], glyphs[i+1:], d); owner != nil {
				owner.text = norm.NFC.String(owner.text + g.text)
				continue
			}
		}
		mark, ok := accent(g.text)
		switch {
		// The accent comes after its letter.
		case ok && n > 0 && over(g, glyphs[n-1], d):
			glyphs[n-1].text = compose(glyphs[n-1].text, mark)
			continue
		// The accent comes before its letter, so the next glyph is changed in place.
		case ok && i+1 < len(glyphs) && over(g, glyphs[i+1], d):
			glyphs[i+1].text = compose(glyphs[i+1].text, mark)
			continue
		}
		glyphs[n] = g
		n++
	}
	return glyphs[:n]
}

// compose puts the mark on the base. NFC joins the two into one character if Unicode has it.
func compose(base string, mark rune) string { return norm.NFC.String(base + string(mark)) }

// over reports whether the middle of the accent a is over the letter b.
func over(a, b glyph, d direction) bool {
	// The length is bounded because every accent adds to it. A thousand accents over one letter would compose a
	// growing string a thousand times.
	if r, _ := utf8.DecodeRuneInString(b.text); !unicode.IsLetter(r) || len(b.text) > maxComposed {
		return false
	}
	au, av := d.along(a.x+a.dx/2, a.y+a.dy/2)
	bu, bv := d.along(b.x, b.y)
	// In a line that runs backwards dx is negative, hence min and max below.
	width, _ := d.along(b.dx, b.dy)
	const reach = 0.8 // of an em: an accent may be raised over a capital letter
	return math.Abs(av-bv) < reach*b.size && au > min(bu, bu+width) && au < max(bu, bu+width)
}

// isVowel reports whether a glyph is one or several zero-width marks of a right-to-left script. Such marks are drawn
// displaced, so they may be over a neighbour of their letter.
func isVowel(g glyph) bool {
	if g.dx != 0 || g.dy != 0 || g.text == "" || len(g.text) > maxComposed/2 {
		return false
	}
	for _, r := range g.text {
		if !unicode.Is(unicode.Mn, r) || !unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Inherited) {
			return false
		}
	}
	return true
}

// ownerOf returns the letter of a vowel, or nil if none is near. In logical order it is the letter before. In
// left-to-right order it is the letter after, after other marks.
func ownerOf(mark glyph, before, after []glyph, d direction) *glyph {
	const maxMarks = 8 // of one letter
	var last, next *glyph
	if n := len(before); n > 0 && isNear(mark, before[n-1], d) {
		last = &before[n-1]
	}
	for i := range after[:min(len(after), maxMarks)] {
		if _, ok := accent(after[i].text); !ok && !isVowel(after[i]) {
			next = &after[i]
			break
		}
	}
	switch {
	case next == nil || last != nil && middle(*next, d) < middle(*last, d):
		return last
	case !isNear(mark, *next, d):
		// This is the end of a line, or another script.
		if last != nil && !over(mark, *last, d) && sameLine(*last, *next, d) {
			return nil
		}
		return last
	}
	return next
}

// isNear reports whether a mark is on or beside a right-to-left letter.
func isNear(mark, letter glyph, d direction) bool {
	const reach = 0.35 // of an em
	mu, _ := d.along(mark.x, mark.y)
	width, _ := d.along(letter.dx, letter.dy)
	off := math.Abs(mu-middle(letter, d)) - math.Abs(width)/2
	return isRTL(letter.text) && len(letter.text) <= maxComposed && sameLine(mark, letter, d) && off < reach*letter.size
}

// middle returns the position of a glyph's middle along the line.
func middle(g glyph, d direction) float64 {
	u, _ := d.along(g.x+g.dx/2, g.y+g.dy/2)
	return u
}

// sameLine reports whether two glyphs are at about the same height.
func sameLine(a, b glyph, d direction) bool {
	_, av := d.along(a.x, a.y)
	_, bv := d.along(b.x, b.y)
	return math.Abs(av-bv) < 0.35*b.size
}

// maxComposed bounds the bytes of a letter with all its accents.
const maxComposed = 32
