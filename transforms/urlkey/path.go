package urlkey

import (
	"bytes"
	"strings"
)

// appendPath appends the canonical form of path: for a hierarchical URL from its slash on, for any other (mailto:,
// dns:) as free text.
func appendPath(b []byte, path string, hierarchical bool) []byte {
	start := len(b)
	escape := needsEscape(path)
	raw := path
	if escape {
		raw = string(appendUnescaped(make([]byte, 0, len(path)), path))
	}
	switch {
	// The path of a mailto: has no segments, and a slash in it has no meaning.
	case !hierarchical && !escape:
		b = appendLower(b, raw)
	case !hierarchical:
		b = appendEscaped(b, []byte(raw))
	default:
		b = appendSegments(b, raw)
		// Segments are resolved before escaping, as an escaped dot is a dot. The clone is needed because the escaped
		// form is longer and overwrites the same bytes.
		if escape {
			b = appendEscaped(b[:start], bytes.Clone(b[start:]))
		}
	}
	// Sessions are removed from the canonical form, in which they have one spelling.
	b = b[:start+len(stripPathSession(b[start:]))]
	// The slash at the end is removed, except for that of the root.
	if len(b) > start+1 && b[len(b)-1] == '/' {
		b = b[:len(b)-1]
	}
	return b
}

// appendSegments appends path in lower case, with "." and ".." resolved. It leaves out empty segments, except for the
// last one, which is the trailing slash. A ".." at the root stays, and a second one removes it: a quirk of the
// canonicaliser that the indexes share. In the same way, ".." may remove an empty segment.
func appendSegments(b []byte, path string) []byte {
	// Most paths have nothing to resolve and are not split.
	if plainPath(path) {
		return appendLower(append(b, '/'), strings.TrimPrefix(path, "/"))
	}
	_, rest, _ := strings.Cut(path, "/")
	var kept []string
	for seg := range strings.SplitSeq(rest, "/") {
		switch {
		// A dot means its own segment, and is left out.
		case seg == ".":
		case seg == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, seg)
		}
	}
	b = append(b, '/')
	for i, seg := range kept {
		b = appendLower(b, seg)
		if seg != "" && i < len(kept)-1 {
			b = append(b, '/')
		}
	}
	return b
}

// plainPath reports whether path has nothing to resolve: no segment is empty or begins with a dot.
func plainPath(path string) bool {
	return path == "" || path[0] == '/' && !strings.Contains(path, "//") && !strings.Contains(path, "/.")
}
