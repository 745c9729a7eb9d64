package datastreamer

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// formats are the values of source_feed_format, by the types of feeds; other types have none.
var formats = map[string]string{"rss": "RSS", "rdf": "RSS", "atom": "ATOM"}

// SetSource fills in the source_* fields of a record from the Source DB, instead of the page's own values for its site.
// Unknown values stay unchanged.
//
// Intervals are in milliseconds, as Datastreamer's client has them. The update strategy is FEED: sources are feeds.
func SetSource(r *Content, s schemas.Source) {
	// The site's page if the feed names one; the resource is computed from this URL.
	r.SourceLink = cmp.Or(s.Link, s.URL)
	r.SourceResource = Tokenize(r.SourceLink)
	r.SourceHashcode = Hashcode(r.SourceResource)
	r.SourceTitle = cmp.Or(s.Title, r.SourceTitle)
	r.SourcePublisherType = cmp.Or(s.Publisher, r.SourcePublisherType, schemas.PublisherUnknown)
	r.SourceFeedHref, r.SourceFeedTitle = s.URL, s.Title
	r.SourceFeedFormat = cmp.Or(formats[strings.ToLower(s.Type)], "UNKNOWN")
	r.SourceDateFound, r.SourceLastUpdated = s.FirstSeen, s.LastRefresh
	// LastChanged is when the feed's bytes changed last, by the digests of its captures.
	r.SourceLastPosted, r.SourceLastPublished = s.LastItem, s.LastChanged
	r.SourceNextUpdate = s.Refresh.Next
	r.SourceSettingUpdateStrategy = "FEED"
	if s.Refresh.Interval > 0 {
		// Hours to milliseconds.
		r.SourceUpdateInterval = new(int64(float64(s.Refresh.Interval) * 3600_000))
	}
	if len(s.Health.Last) > 0 && s.Health.Last[0] > 0 {
		r.SourceHTTPStatus = new(int64(s.Health.Last[0]))
	}
	if s.Refresh.Window > 0 {
		r.SourceParsedPosts, r.SourceParsedPostsMax = new(int64(s.Evidence.Items)), new(int64(s.Refresh.Window))
	}
	r.SourceSpamProbability = new(unclassified)
	if s.Evidence.Items > 0 {
		*r.SourceSpamProbability = s.Evidence.Spam
	}
}

// NoteSource is SetSource for a capture: it puts what SetSource fills in into c's Crawl, where FromCapture finds it.
func NoteSource(c *schemas.Capture, s schemas.Source) {
	// What another record has said of the source, which SetSource keeps where the Source DB does not know better.
	r := &Content{}
	v := reflect.ValueOf(r).Elem()
	for name, i := range fields {
		if said, ok := c.Crawl[CrawlPrefix+name]; ok && strings.HasPrefix(name, "source_") {
			restore(v.Field(i), said)
		}
	}
	SetSource(r, s)
	keep(c, r)
}
