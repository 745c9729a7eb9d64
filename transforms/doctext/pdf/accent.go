package pdf

import (
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// combining are the combining characters of accents that fonts have as glyphs of their own.
var combining = map[rune]rune{
	'`': '\u0300', '´': '\u0301', '\u02ca': '\u0301', 'ˆ': '\u0302', '˜': '\u0303', '¯': '\u0304', 'ˉ': '\u0304',
	'˘': '\u0306', '˙': '\u0307', '¨': '\u0308', '˚': '\u030a', '˝': '\u030b', 'ˇ': '\u030c', '¸': '\u0327', '˛': '\u0328',
}

// accent returns the combining character that a glyph's text is or stands for.
func accent(text string) (rune, bool) {
	r, n := utf8.DecodeRuneInString(text)
	if n != len(text) || n < 2 && r != '`' {
		return 0, false
	}
	if c, ok := combining[r]; ok {
		return c, true
	}
	return r, unicode.Is(unicode.Mn, r)
}

// joinAccents gives accents that were shown over a letter to that letter, in the place of glyphs.
func joinAccents(glyphs []glyph, d direction) []glyph {
	n := 0
	for i := range glyphs {
		g := glyphs[i]
		mark, ok := accent(g.text)
		switch {
		case ok && n > 0 && over(g, glyphs[n-1], d):
			glyphs[n-1].text = compose(glyphs[n-1].text, mark)
			continue
		case ok && i+1 < len(glyphs) && over(g, glyphs[i+1], d):
			glyphs[i+1].text = compose(glyphs[i+1].text, mark)
			continue
		}
		glyphs[n] = g
		n++
	}
	return glyphs[:n]
}

func compose(base string, mark rune) string { return norm.NFC.String(base + string(mark)) }

// over tells whether the middle of the accent a is over the letter b.
func over(a, b glyph, d direction) bool {
	if r, _ := utf8.DecodeRuneInString(b.text); !unicode.IsLetter(r) || len(b.text) > maxComposed {
		return false
	}
	au, av := d.along(a.x+a.dx/2, a.y+a.dy/2)
	bu, bv := d.along(b.x, b.y)
	width, _ := d.along(b.dx, b.dy)
	const reach = 0.8 // of an em: an accent may be raised over a capital letter
	return math.Abs(av-bv) < reach*b.size && au > min(bu, bu+width) && au < max(bu, bu+width)
}

// maxComposed bounds the bytes of a letter with all its accents.
const maxComposed = 32
