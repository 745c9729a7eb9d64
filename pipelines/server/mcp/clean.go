package mcp

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Archived is text of an archive that can be shown: see clean.
type Archived string

var (
	// lookalike is what could be taken for one of our fences.
	lookalike = regexp.MustCompile(`(?i)<<<([\s/]*(?:archived|end)\b)`)
	// token is how chat formats of language models write the beginning or end of a turn.
	token = regexp.MustCompile(`<\|([A-Za-z_][A-Za-z0-9_]{0,40})\|>`)
)

// clean returns the text as a reader of the page sees it. It removes characters that nobody sees, and breaks text that
// looks like our fences or like a turn of a chat. It also returns the number of removed characters.
func clean(text string) (Archived, int) {
	if plain(text) {
		return Archived(text), 0
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	var b strings.Builder
	removed := 0
	before := rune(' ')
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' || r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case !seen(r, before, after):
			removed++
			continue
		default:
			b.WriteRune(r)
		}
		before = r
	}
	text = lookalike.ReplaceAllString(b.String(), "‹‹‹$1")
	return Archived(token.ReplaceAllString(text, "‹|$1|›")), removed
}

// plain reports whether a text needs no cleaning: most texts are ASCII without control characters.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' || c == '<' {
			return false
		}
	}
	return true
}

// seen reports whether a character can be seen, or forms one with its neighbours.
func seen(r, before, after rune) bool {
	switch {
	// These fill a cell of Hangul or Braille with nothing, or join nothing.
	case r == '\u115F' || r == '\u1160' || r == '\u3164' || r == '\uFFA0' || r == '\u034F' || r == '\u17B4' ||
		r == '\u17B5' || r == '\u2800':
		return false
	// Joiners form words of Arabic and Indic scripts, and some emoji. Between Latin letters they are invisible.
	case r == '\u200C' || r == '\u200D':
		return joins(before) && joins(after)
	// One selector may choose the form of a character; several in a row can hide a message.
	case r >= '\uFE00' && r <= '\uFE0F':
		return unicode.IsGraphic(before) && !unicode.IsSpace(before) && !unicode.Is(unicode.Variation_Selector, before)
	case unicode.Is(unicode.Variation_Selector, r):
		return unicode.Is(unicode.Han, before)
	// Control and format characters, private use, and those without a meaning.
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || !assigned(r):
		return false
	}
	return true
}

// joins reports whether a joiner next to a character has an effect.
func joins(r rune) bool {
	return r >= 0x300 && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r))
}

// assigned reports whether a character is in Unicode.
func assigned(r rune) bool {
	return unicode.IsGraphic(r) || unicode.IsSpace(r)
}

// short returns the beginning of a text in one line, at most most bytes.
func short(text string, most int) Archived {
	a, _ := clean(cut(text, 4*most))
	line := strings.Join(strings.Fields(string(a)), " ")
	if len(line) <= most {
		return Archived(line)
	}
	return Archived(cut(line, most-len("…")) + "…")
}

// cut returns the first bytes of a text, up to the end of a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
