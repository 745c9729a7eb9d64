package feed

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Types of announced URLs that are not feeds.
const (
	typeHub  = "websub"
	typeSelf = "self"
)

// maxHeaderLinks bounds the links of an HTTP header that are read. A header may have a field of megabytes; servers
// that preload announce some dozens.
const maxHeaderLinks = 256

// announcedByHeader returns the feeds and WebSub links in the Link fields of an HTTP header, resolved with the
// capture's URL. The page's own URL (self) counts only beside a hub: section 4 of WebSub.
func announcedByHeader(header []schemas.Field, pageURL string) []schemas.Feed {
	var found []schemas.Feed
	hub := false
	links := 0
	for _, f := range header {
		if !strings.EqualFold(f.Name, "link") {
			continue
		}
		// Each turn shortens rest.
		for rest := f.Value; rest != "" && links < maxHeaderLinks; links++ {
			var l headerLink
			if l, rest = nextHeaderLink(rest); l.uri == "" {
				continue
			}
			if kind := l.kind(); kind != "" {
				found = append(found, schemas.Feed{
					URL: resolve(pageURL, l.uri), Type: kind,
					// The title is bounded like those in rows.
					Title: clean(l.title, maxRowTitleBytes),
				})
				hub = hub || kind == typeHub
			}
		}
	}
	// Decide after all links are read, since the hub may come later.
	if !hub {
		found = without(found, typeSelf)
	}
	return found
}

// without removes feeds of a kind, in the memory of feeds.
func without(feeds []schemas.Feed, kind string) []schemas.Feed {
	kept := feeds[:0]
	for _, f := range feeds {
		if f.Type != kind {
			kept = append(kept, f)
		}
	}
	return kept
}

// headerLink is a link of a Link field: section 3 of RFC 8288. Field uri is as written; the others are parameters, the
// first of each name.
type headerLink struct{ uri, rel, media, title string }

// kind is the type of the announced URL, or "". A hub or feed decides at once, self only without them.
func (l headerLink) kind() string {
	kind := ""
	for rel := range strings.FieldsSeq(strings.ToLower(l.rel)) {
		switch rel {
		case "hub":
			return typeHub
		case "self":
			kind = typeSelf
		case "alternate":
			if k := linkTypes[mediaType(l.media)]; k != "" {
				return k
			}
		}
	}
	return kind
}

// nextHeaderLink reads the first link of s, or skips other text to the next comma. A comma within <> or quotes does
// not end the link.
func nextHeaderLink(s string) (headerLink, string) {
	var l headerLink
	s = strings.TrimLeft(s, " \t,")
	// Without "<" the parameters are still read, to find the next comma.
	if strings.HasPrefix(s, "<") {
		uri, rest, ok := strings.Cut(s[1:], ">")
		if !ok {
			return l, ""
		}
		l.uri, s = strings.TrimSpace(uri), rest
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
			set(&l.rel, value)
		case "type":
			set(&l.media, value)
		case "title":
			set(&l.title, value)
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
