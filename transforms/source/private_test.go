package source

import (
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestFromFeed_ownHost: items on the feed's own host belong to its site, with any name of the host. Links to hosts
// that other readers cannot reach are not followed.
func TestFromFeed_ownHost(t *testing.T) {
	for _, test := range []struct {
		feed, item string
		want       ItemMarks
	}{
		{"http://wiki/feed.xml", "http://wiki/1", 0},
		{"http://WIKI/feed.xml", "http://wiki:8080/1", 0},
		{"http://printer.local/feed.xml", "http://printer.local/1", 0},
		{"http://127.0.0.1:8000/feed.xml", "http://127.0.0.1:8000/1", 0},
		{"http://[::1]:8000/feed.xml", "http://[::1]:8000/1", 0},
		{"http://localhost/feed.xml", "http://localhost/1", 0},
		{"http://www.example.com/feed.xml", "http://www.example.com/1", 0},
		{"http://wiki/feed.xml", "http://intranet/1", Unfollowed},
		{"http://a.site.net/feed.xml", "http://localhost:4000/1", Unfollowed},
		{"http://a.site.net/feed.xml", "http://nas.local/1", Unfollowed},
		{"http://a.site.net/feed.xml", "ftp://a.site.net/1", Unfollowed},
		{"http://wiki/feed.xml", "http://me:pw@wiki/1", Unfollowed},
		{"http://wiki/feed.xml", "/1", Unfollowed},
	} {
		row := &schemas.FeedCapture{Kind: "feed", URL: test.feed, Items: []schemas.FeedItem{{URL: test.item, ID: "x"}}}
		s := FromFeed(row)
		if len(s.Items) != 1 || s.Items[0].Marks&(Unfollowed|OffSite) != test.want {
			t.Errorf("%s in %s: marks %b, want %b", test.item, test.feed, s.Items[0].Marks, test.want)
		}
	}
}
