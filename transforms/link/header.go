package link

import (
	"cmp"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// HeaderLink is a link of an HTTP header's Link field: section 3 of RFC 8288. URI is as written and not empty; the
// others are its parameters, the first of each name.
type HeaderLink struct{ URI, Rel, Type, Title string }

// maxHeaderLinks bounds the links of an HTTP header that are read. A header may have a field of megabytes; servers
// that preload announce some dozens.
const maxHeaderLinks = 256

// Header returns the links in the Link fields of an HTTP header, in their order: at most 256.
func Header(header []schemas.Field) []HeaderLink {
	var list []HeaderLink
	links := 0
	for _, f := range header {
		if !strings.EqualFold(f.Name, "link") {
			continue
		}
		// Each turn shortens rest.
		for rest := f.Value; rest != "" && links < maxHeaderLinks; links++ {
			var l HeaderLink
			if l, rest = nextHeaderLink(rest); l.URI != "" {
				list = append(list, l)
			}
		}
	}
	return list
}

// nextHeaderLink reads the first link of s, or skips other text to the next comma. A comma within <> or quotes does
// not end the link.
func nextHeaderLink(s string) (HeaderLink, string) {
	var l HeaderLink
	s = strings.TrimLeft(s, " \t,")
	// Without "<" the parameters are still read, to find the next comma.
	if strings.HasPrefix(s, "<") {
		uri, rest, ok := strings.Cut(s[1:], ">")
		if !ok {
			return l, ""
		}
		l.URI, s = strings.TrimSpace(uri), rest
	}
	// At each turn s is after a value, where ";" or "," must follow.
	for {
		end := strings.IndexAny(s, ";,")
		if end < 0 {
			return l, ""
		}
		if s[end] == ',' {
			return l, s[end+1:]
		}
		var name, value string
		name, value, s = parameter(s[end+1:])
		switch strings.ToLower(name) {
		case "rel":
			l.Rel = cmp.Or(l.Rel, value)
		case "type":
			l.Type = cmp.Or(l.Type, value)
		case "title":
			l.Title = cmp.Or(l.Title, value)
		}
	}
}

// parameter reads name=value at the head of s; the value may be a quoted string. Without "=" the name is a flag, which
// no parameter here is.
func parameter(s string) (name, value, rest string) {
	n := strings.IndexAny(s, "=;,")
	if n < 0 || s[n] != '=' {
		n = max(n, 0)
		return "", "", s[n:]
	}
	name, s = strings.TrimSpace(s[:n]), strings.TrimLeft(s[n+1:], " \t")
	// A token ends at the next separator.
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, ";,")
		if end < 0 {
			end = len(s)
		}
		return name, strings.TrimSpace(s[:end]), s[end:]
	}
	// A quoted string may hold separators and escaped quotes (section 5.6.4 of RFC 9110).
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return name, text.String(), s[i+1:]
		case '\\':
			i++
		}
		if i < len(s) {
			text.WriteByte(s[i])
		}
	}
	// The quote was never closed: the rest is its value.
	return name, text.String(), ""
}
