package feed

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/link"
)

// Types of announced URLs that are not feeds.
const (
	typeHub  = "websub"
	typeSelf = "self"
)

// announcedByHeader returns the feeds and WebSub links in the Link fields of an HTTP header, resolved with the
// capture's URL. The page's own URL (self) counts only beside a hub: section 4 of WebSub.
func announcedByHeader(header []schemas.Field, pageURL string) []schemas.Feed {
	var found []schemas.Feed
	hub := false
	for _, l := range link.Header(header) {
		if kind := headerKind(l); kind != "" {
			found = append(found, schemas.Feed{
				URL: resolve(pageURL, l.URI), Type: kind,
				// The title is bounded like those in rows.
				Title: clean(l.Title, maxRowTitleBytes),
			})
			hub = hub || kind == typeHub
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

// headerKind is the type of the announced URL, or "". A hub or feed decides at once, self only without them.
func headerKind(l link.HeaderLink) string {
	kind := ""
	for rel := range strings.FieldsSeq(strings.ToLower(l.Rel)) {
		switch rel {
		case "hub":
			return typeHub
		case "self":
			kind = typeSelf
		case "alternate":
			if k := linkTypes[mediaType(l.Type)]; k != "" {
				return k
			}
		}
	}
	return kind
}
