package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// collapse returns s with white space collapsed and trimmed, at most limit bytes of it. White space is Unicode's,
// with the no-break space: values of metadata have it as padding.
func collapse(s string, limit int) string {
	// The usual value needs no copy.
	if len(s) <= limit && tidy(s) {
		return s
	}
	var b strings.Builder
	space := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if unicode.IsSpace(r) {
			// Spaces at the beginning are dropped by that, those at the end by not being written
			// until a character follows.
			space = b.Len() > 0
			continue
		}
		n = utf8.RuneLen(r)
		if space {
			n++
		}
		// Only whole characters fit.
		if b.Len()+n > limit {
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// tidy reports whether there is nothing to collapse in s: ASCII, with single spaces between words. Bytes beyond ASCII
// may be white space, so they count as not tidy.
func tidy(s string) bool {
	// As if a space stood before: one at the beginning is not tidy.
	space := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			if space {
				return false
			}
			space = true
		case c < ' ' || c >= utf8.RuneSelf:
			return false
		default:
			space = false
		}
	}
	return !space || s == ""
}

// cut returns the first limit bytes of s, not ending within a character.
func cut[T string | []byte](s T, limit int) T {
	if len(s) <= limit {
		return s
	}
	// Back to the beginning of the character that the limit would cut.
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
