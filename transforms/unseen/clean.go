package unseen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns a text without the characters that nobody sees, and their number. Line ends of all kinds become "\n".
func Clean(text string) (shown string, removed int) {
	if plain(text) {
		return text, 0
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	var b strings.Builder
	before := rune(' ')
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' || r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case !visible(r, before, after):
			removed++
			continue
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String(), removed
}

// plain reports whether a text needs no cleaning: most texts are ASCII without control characters.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// visible reports whether a character can be seen, or forms one with its neighbours.
func visible(r, before, after rune) bool {
	switch {
	// These fill a cell of Hangul or Braille with nothing, or join nothing.
	case r == '\u115F' || r == '\u1160' || r == '\u3164' || r == '\uFFA0' || r == '\u034F' || r == '\u17B4' ||
		r == '\u17B5' || r == '\u2800':
		return false
	// Joiners form words of Arabic and Indic scripts, even at their end, and some emoji. Between Latin letters they are
	// invisible.
	case r == '\u200C' || r == '\u200D':
		return unicode.In(before, shaped...) && unicode.In(before, unicode.L, unicode.M) || joins(before) && joins(after)
	// Signs around numbers and the end of a verse are drawn.
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true
	// One selector may choose the form of a character; several in a row can hide a message.
	case r >= '\uFE00' && r <= '\uFE0F':
		return unicode.IsGraphic(before) && !unicode.IsSpace(before) && !unicode.Is(unicode.Variation_Selector, before)
	case unicode.Is(unicode.Variation_Selector, r):
		return unicode.Is(unicode.Han, before)
	// Control and format characters, private use, and those without a meaning.
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r):
		return false
	}
	return unicode.IsGraphic(r) || unicode.IsSpace(r)
}

// shaped are the scripts with letters that look different at the end of a word with a joiner: "ന്" and "ന്\u200d".
var shaped = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// joins reports whether a joiner next to a character has an effect.
func joins(r rune) bool {
	return r >= 0x300 && unicode.In(r, unicode.L, unicode.M, unicode.So, unicode.Sk)
}
