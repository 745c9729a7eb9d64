package takedown

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/schemas"
)

// Feed reports whether a row of a feed may not be in the collection: the feed is listed, or the page that announces it.
func (t List) Feed(f schemas.FeedCapture) bool { return t.Has(f.URL) || t.Has(f.Page) }

// Content reports whether a content is of a listed page, or names one as its own.
func (t List) Content(c *datastreamer.Content) bool {
	return t.Has(c.Permalink) || t.Has(c.Resource) || t.Has(c.Link)
}

// Quotes reports whether a row of structured data names a listed page, as its item or as its value.
func (t *List) Quotes(row *schemas.Datum) bool {
	for _, s := range []string{row.ID, row.Value} {
		// Most values are not URLs, and making the key of a URL is slow.
		if (strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")) && t.Has(s) {
			return true
		}
	}
	return false
}
