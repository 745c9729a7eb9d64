package mcp

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// scheme begins our resources: gleaner://COLLECTION/TIME/URL.
const scheme = "gleaner://"

// newest stands for a time in a resource.
const newest = "newest"

// resourceURI returns the resource with the text of a capture, or "" for one that is too long.
func resourceURI(collection, address, timestamp string) string {
	at := newest
	if t, ok := query.ParseTime(timestamp); ok {
		at = t.UTC().Format("20060102150405")
	}
	return visibleLink(scheme + url.PathEscape(collection) + "/" + at + "/" + address)
}

// parseURI is the inverse of resourceURI.
func parseURI(uri string) (collection, at, address string, ok bool) {
	rest, is := strings.CutPrefix(uri, scheme)
	collection, rest, hasTime := strings.Cut(rest, "/")
	at, address, hasURL := strings.Cut(rest, "/")
	collection, err := url.PathUnescape(collection)
	if !is || !hasTime || !hasURL || err != nil || address == "" {
		return "", "", "", false
	}
	if at == newest {
		at = ""
	}
	return collection, at, address, true
}

// mostLink bounds a link, in bytes.
const mostLink = 4000

// visibleLink returns a link in which each character can be seen: others are percent-encoded. It is "" for a link that
// is too long.
func visibleLink(text string) string {
	if len(text) > mostLink {
		return ""
	}
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"`{}|\\^", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
