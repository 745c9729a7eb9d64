package sourcedb

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// weblog is a feed of a weblog with a post each day, the newest first, as one format has it.
func weblog(format string, posts int, change func(n int, i *schemas.FeedItem)) schemas.FeedCapture {
	row := feedWith("https://a.example/" + format + ".xml")
	row.Type, row.Count, row.Title = format, posts, "Harbour Gazette"
	for n := range posts {
		i := schemas.FeedItem{
			URL: fmt.Sprintf("https://a.example/post/%d", n), Title: fmt.Sprintf("Piece %d of the site", n),
			Published: noon.AddDate(0, 0, -n).Format(time.RFC3339),
		}
		if change != nil {
			change(n, &i)
		}
		row.Items = append(row.Items, i)
	}
	return row
}

// weblogPages are the captured pages of its posts.
func weblogPages(posts int) (docs []*schemas.Document) {
	for n := range posts {
		docs = append(docs, &schemas.Document{
			URL: fmt.Sprintf("https://a.example/post/%d", n), Title: fmt.Sprintf("Piece %d of the site", n), Status: 200,
			Timestamp: noon.Format(time.RFC3339), Quality: &schemas.Quality{Words: 300}, PageType: "article",
			Simhash: fmt.Sprintf("%016x", n+1),
		})
	}
	return docs
}

// later is a capture of a feed some days later, when it shows what more of it says.
func later(row schemas.FeedCapture, days int) schemas.FeedCapture {
	row.Timestamp = noon.AddDate(0, 0, days).Format(time.RFC3339)
	return row
}

func guids(n int, i *schemas.FeedItem) { i.ID = i.URL }
func tags(n int, i *schemas.FeedItem)  { i.ID = fmt.Sprintf("tag:a.example,2026:%d", n) }
func uuids(n int, i *schemas.FeedItem) { i.ID = fmt.Sprintf("urn:uuid:%032x", n) }

// TestTwins_forms: a site that offers its posts in several formats is as valid, and publishes as often, as one that has
// one format.
func TestTwins_forms(t *testing.T) {
	const posts = 10
	alone, single := sourcesOf(t, 1, []schemas.FeedCapture{weblog("rss", posts, guids)}, weblogPages(posts))
	want := alone["https://a.example/rss.xml"]
	if want.Verdict != source.Valid || want.Evidence.Items != posts {
		t.Fatalf("alone: %+v", want)
	}
	also := func(changes ...func(int, *schemas.FeedItem)) func(int, *schemas.FeedItem) {
		return func(n int, i *schemas.FeedItem) {
			for _, change := range changes {
				change(n, i)
			}
		}
	}
	updated := func(n int, i *schemas.FeedItem) {
		i.Published, i.Updated = "", noon.AddDate(0, 0, -n).Add(50*time.Hour).Format(time.RFC3339)
	}
	undated := func(_ int, i *schemas.FeedItem) { i.Published = "" }
	rebuilt := func(_ int, i *schemas.FeedItem) { i.Published, i.Updated = "", noon.Format(time.RFC3339) }
	counted := func(_ int, i *schemas.FeedItem) { i.URL += "?utm_source=rss" }
	plain := func(_ int, i *schemas.FeedItem) { i.URL = "http://www.a.example" + i.URL[len("https://a.example"):] }
	renamed := func(n int, i *schemas.FeedItem) {
		if n == 2 {
			i.Title = "A title that was corrected"
		}
	}
	named := func(_ int, i *schemas.FeedItem) { i.Title += " | Harbour Gazette" }
	dashed := func(_ int, i *schemas.FeedItem) { i.Title += " – Harbour Gazette" }
	begun := func(_ int, i *schemas.FeedItem) { i.Title = "Harbour Gazette: " + i.Title }
	for name, feeds := range map[string][]schemas.FeedCapture{
		"the site's name after a bar":  {weblog("rss", posts, guids), weblog("atom", posts, also(tags, named))},
		"the site's name after a dash": {weblog("rss", posts, also(guids, dashed)), weblog("atom", posts, tags)},
		"the site's name in front":     {weblog("rss", posts, nil), weblog("atom", posts, also(uuids, begun))},
		"ids equal":                    {weblog("rss", posts, guids), weblog("atom", posts, guids)},
		"ids of their own":             {weblog("rss", posts, guids), weblog("atom", posts, tags)},
		"ids missing in one":           {weblog("rss", posts, uuids), weblog("atom", posts, nil)},
		"ids missing":                  {weblog("rss", posts, nil), weblog("atom", posts, nil)},
		"three formats":                {weblog("rss", posts, guids), weblog("atom", posts, tags), weblog("json", posts, uuids)},
		"windows of length":            {weblog("rss", posts, guids), weblog("atom", 4, tags)},
		"dates of the change":          {weblog("rss", posts, guids), weblog("atom", posts, also(tags, updated))},
		"dates in one":                 {weblog("atom", posts, tags), weblog("rss", posts, also(uuids, undated))},
		"dates of the build":           {weblog("rss", posts, guids), weblog("atom", posts, also(tags, rebuilt))},
		"links counted":                {weblog("rss", posts, also(guids, counted)), weblog("atom", posts, tags)},
		"links by http":                {weblog("rss", posts, also(guids, plain)), weblog("atom", posts, tags)},
		"a title corrected":            {weblog("rss", posts, guids), weblog("atom", posts, also(tags, renamed))},
		"the second later":             {weblog("rss", posts, guids), later(weblog("atom", posts, tags), 3)},
		"the same twice": {
			weblog("rss", posts, guids), weblog("atom", posts, tags), later(weblog("rss", posts, guids), 1),
			later(weblog("atom", posts, tags), 2),
		},
		"one feed, other ids later": {weblog("rss", posts, guids), later(weblog("rss", posts, uuids), 1)},
		"one feed, ids later":       {weblog("rss", posts, nil), later(weblog("rss", posts, uuids), 1)},
		"one feed without dates, then ids": {
			weblog("rss", posts, undated), later(weblog("rss", posts, also(undated, uuids)), 1),
		},
	} {
		t.Run(name, func(t *testing.T) {
			for steps := range 2 {
				sources, m := sourcesOf(t, steps+1, feeds, weblogPages(posts))
				slices.Reverse(feeds)
				standing, got := 0, schemas.Source{}
				for _, s := range sources {
					if s.SameAs == nil {
						standing, got = standing+1, s
					}
				}
				if standing != 1 || got.Verdict != source.Valid || got.Class != source.ClassMain {
					t.Fatalf("%d sources stand for themselves; %s %v %+v", standing, got.Verdict, got.Reasons, got.Evidence)
				}
				if e := got.Evidence; e.Items != posts || e.Distinct != 1 || e.Captured != posts || got.Refresh.Lost != 0 {
					t.Errorf("%+v, lost %d, want %d items", e, got.Refresh.Lost, posts)
				}
				if got.Refresh.Basis == "dates" && m.AsOf == single.AsOf && got.Refresh.Rate != want.Refresh.Rate {
					t.Errorf("rate %v, want %v", got.Refresh.Rate, want.Refresh.Rate)
				}
				if m.Counts.Verdicts[source.Valid] != 1 || m.Counts.Linked != posts {
					t.Errorf("%+v", m.Counts)
				}
			}
		})
	}
}

// TestTwins_repliesAreAnother: a feed of replies links to the posts and has their titles after the same words. It is not
// a twin of the feed of posts, which would vanish from lists.
func TestTwins_repliesAreAnother(t *testing.T) {
	const posts = 10
	for _, before := range []string{"Re: ", "AW: ", "Comment: ", "Reply – "} {
		replies := weblog("atom", posts, func(n int, i *schemas.FeedItem) {
			tags(n, i)
			i.Title = before + i.Title
		})
		sources, _ := sourcesOf(t, 1, []schemas.FeedCapture{weblog("rss", posts, guids), replies}, weblogPages(posts))
		for url, s := range sources {
			if s.SameAs != nil {
				t.Errorf("%q: %s is the same as %s", before, url, s.SameAs.ID)
			}
		}
	}
}
