package pdf

import (
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// combining are the combining characters of accents that fonts have as glyphs of their own. Keys are the spacing
// forms, under which fonts have them; a few characters that differ in origin only look alike and become the same
// mark.
var combining = map[rune]rune{
	'`': '\u0300', '´': '\u0301', '\u02ca': '\u0301', 'ˆ': '\u0302', '˜': '\u0303', '¯': '\u0304', 'ˉ': '\u0304',
	'˘': '\u0306', '˙': '\u0307', '¨': '\u0308', '˚': '\u030a', '˝': '\u030b', 'ˇ': '\u030c', '¸': '\u0327', '˛': '\u0328',
}

// accent returns the combining character that a glyph's text is or stands for. Other characters of class Mn (Unicode
// general category "nonspacing mark") are marks already.
func accent(text string) (rune, bool) {
	r, n := utf8.DecodeRuneInString(text)
	// Exactly one character: a ligature is no accent. ASCII is left out but for the grave, since "^"
	// and "~" stand for themselves in programs and URLs.
	if n != len(text) || n < 2 && r != '`' {
		return 0, false
	}
	if c, ok := combining[r]; ok {
		return c, true
	}
	return r, unicode.Is(unicode.Mn, r)
}

// joinAccents gives accents that were shown over a letter to that letter, in the place of glyphs. Old TeX fonts show
// "é" as two glyphs, the accent before or behind its letter. The slice that is returned shares the memory of glyphs.
func joinAccents(glyphs []glyph, d direction) []glyph {
	n := 0
	for i := range glyphs {
		g := glyphs[i]
		mark, ok := accent(g.text)
		switch {
		// Behind the letter that it is over.
		case ok && n > 0 && (over(g, glyphs[n-1], d) || isVowel(g, glyphs[n-1], glyphs[i+1:], d)):
			glyphs[n-1].text = compose(glyphs[n-1].text, mark)
			continue
		// Before it: the next glyph is still to come, so it is changed where it stands.
		case ok && i+1 < len(glyphs) && over(g, glyphs[i+1], d):
			glyphs[i+1].text = compose(glyphs[i+1].text, mark)
			continue
		}
		glyphs[n] = g
		n++
	}
	return glyphs[:n]
}

// compose puts the mark on the base. NFC makes one character of the two where Unicode has it.
func compose(base string, mark rune) string { return norm.NFC.String(base + string(mark)) }

// over tells whether the middle of the accent a is over the letter b.
func over(a, b glyph, d direction) bool {
	// The length is bounded because every accent adds to it: a thousand accents over one letter would
	// compose a thousand times a growing string.
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

// isVowel reports whether a mark without a width belongs to the letter before, although it is beside it: in scripts
// from the right to the left marks are drawn off their place, and shown after their letter where letters are shown as
// they are read. rest are the glyphs after the mark, the first of which that is no mark tells.
func isVowel(mark, letter glyph, rest []glyph, d direction) bool {
	const reach, maxMarks = 0.35, 8 // of an em, and after one letter
	r, _ := utf8.DecodeRuneInString(mark.text)
	if mark.dx != 0 || mark.dy != 0 || !unicode.Is(unicode.Mn, r) || !isRTL(letter.text) ||
		len(letter.text) > maxComposed {
		return false
	}
	mu, mv := d.along(mark.x, mark.y)
	lu, lv := d.along(letter.x, letter.y)
	width, _ := d.along(letter.dx, letter.dy)
	lo, hi := min(lu, lu+width)-reach*letter.size, max(lu, lu+width)+reach*letter.size
	if math.Abs(mv-lv) > reach*letter.size || mu < lo || mu > hi {
		return false
	}
	for _, next := range rest[:min(len(rest), maxMarks)] {
		if _, ok := accent(next.text); !ok {
			nu, nv := d.along(next.x+next.dx/2, next.y+next.dy/2)
			return nu < lu+width/2 || math.Abs(nv-lv) > reach*letter.size
		}
	}
	return true
}

// maxComposed bounds the bytes of a letter with all its accents.
const maxComposed = 32
