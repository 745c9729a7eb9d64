package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// collapse returns s with white space collapsed and trimmed, at most limit bytes. White space is Unicode's, with the
// no-break space, which pads values of metadata.
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
			// Drops spaces at the start. Those at the end are never written, as no character follows.
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

// tidy reports whether s needs no collapsing: it is ASCII with single spaces between words. Bytes beyond ASCII may be
// white space.
func tidy(s string) bool {
	// So that a space at the beginning is not tidy.
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

// cut returns at most the first limit bytes of s, in whole characters.
func cut[T string | []byte](s T, limit int) T {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
