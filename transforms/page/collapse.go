package page

import (
	"unicode"
	"unicode/utf8"
)

// OneLine returns s with white space collapsed and trimmed as in the text of pages: without line ends between
// characters of scripts without spaces.
func OneLine(s string) string {
	// An invalid byte becomes U+FFFD, of three bytes.
	return collapse(s, 3*len(s))
}

// collapse returns s with white space collapsed and trimmed, at most limit bytes. White space is Unicode's, with the
// no-break space, which pads values of metadata.
func collapse(s string, limit int) string {
	// The usual value needs no copy.
	if len(s) <= limit && tidy(s) {
		return s
	}
	return string(appendCollapsed(make([]byte, 0, min(len(s), limit)), s, limit))
}

// appendCollapsed appends s with white space collapsed, up to limit bytes in to.
func appendCollapsed[T string | []byte](to []byte, s T, limit int) []byte {
	space := noGap
	var last rune
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		}
		i += n
		if (r <= ' ' || r >= utf8.RuneSelf) && unicode.IsSpace(r) {
			// Those at the end are never written, as no character follows.
			space = max(space, gapOf(r))
			continue
		}
		// At the start there is no space.
		if len(to) == 0 || space == endOfLine && wide(last) && wide(r) {
			space = noGap
		}
		n = utf8.RuneLen(r)
		if space != noGap {
			n++
		}
		// Only whole characters fit.
		if len(to)+n > limit {
			break
		}
		if space != noGap {
			to = append(to, ' ')
			space = noGap
		}
		to = utf8.AppendRune(to, r)
		last = r
	}
	return to
}

// gapOf returns the gap that white space r is in the source.
func gapOf(r rune) gap {
	switch {
	case r == '\n' || r == '\r':
		return endOfLine
	case r < utf8.RuneSelf:
		return aBlank
	}
	return aSpace
}

// tidy reports whether s needs no collapsing: it is ASCII with single spaces between words. Bytes beyond ASCII may be
// white space.
func tidy[T string | []byte](s T) bool {
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
	return !space || len(s) == 0
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
