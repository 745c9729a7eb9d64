package feed_test

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// This feed has an entity that XML does not know, and a missing end tag.
func ExampleParse() {
	info, err := feed.Parse([]byte(`<rss version="2.0"><channel><title>Caf&eacute; & bar</title>
		<item><title>Open</title><pubDate>Tue, 11 Mar 2014 09:00:00 +0100</pubDate></item>
		<item><title>Clo`), "application/rss+xml", "https://example.com/rss", feed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(info.Type, info.Title, info.Items, info.Newest)
	// Output: rss Café & bar 2 2014-03-11T08:00:00Z
}

// Items have resolved links, and dates in UTC.
func ExampleRead() {
	f, err := feed.Read([]byte(`<rss version="2.0"><channel><title>News</title><link>https://example.com/</link><ttl>60</ttl>
		<item><title>Bridge &amp;amp; ferry</title><link>/2014/bridge</link><pubDate>Tue, 11 Mar 2014 09:00 EST</pubDate></item>
		</channel></rss>`), "application/rss+xml", "https://example.com/rss", feed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Format, f.Version, f.Refresh.TTL)
	for _, item := range f.Items {
		fmt.Println(item.Link, item.Title, item.Date())
	}
	// Output:
	// rss 2.0 60
	// https://example.com/2014/bridge Bridge & ferry 2014-03-11 14:00:00 +0000 UTC
}

func ExampleAnnounced() {
	p := page.Parse([]byte(`<link rel="alternate" type="application/rss+xml" href="/rss" title="News">`),
		page.Options{URL: "https://example.com/"})
	fmt.Println(feed.Announced(p, nil))
	// Output: [{https://example.com/rss rss News}]
}
