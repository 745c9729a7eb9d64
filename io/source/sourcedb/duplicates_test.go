package sourcedb

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// feedWith is a capture of a feed with posts of a site, by their numbers.
func feedWith(feed string, posts ...int) schemas.FeedCapture {
	row := schemas.FeedCapture{
		Kind: "feed", URL: feed, Type: "rss", Status: 200, Timestamp: noon.Format(time.RFC3339), Count: len(posts),
	}
	row.Host, row.Domain = urlkey.Site(feed)
	for _, n := range posts {
		row.Items = append(row.Items, schemas.FeedItem{
			URL: fmt.Sprintf("https://%s/post/%d", row.Host, n), Title: fmt.Sprintf("Piece %d of the site", n),
			Published: noon.Add(-time.Duration(n) * time.Hour).Format(time.RFC3339),
		})
	}
	return row
}

func announced(feed, page string) schemas.FeedCapture {
	return schemas.FeedCapture{Kind: "announced", URL: feed, Page: page, Timestamp: noon.Format(time.RFC3339)}
}

func redirect(from, to string) *schemas.Document {
	return &schemas.Document{URL: from, RedirectURL: to, Status: 301, Timestamp: noon.Format(time.RFC3339)}
}

// partOf is the part that rows and documents give.
func partOf(t testing.TB, f folder.Folder, feeds []schemas.FeedCapture, docs []*schemas.Document) Part {
	t.Helper()
	o := SortOptions{TempDir: t.TempDir()}
	states, pages := extsort.New(o), extsort.New(o)
	for _, row := range feeds {
		must(t, states.Add([]byte(source.Key(row.URL)), source.Encode(nil, source.FromFeed(&row))))
	}
	for _, d := range docs {
		must(t, addPage(pages, d))
	}
	p := Part{Key: fmt.Sprintf("%020x", rand.Uint64())}
	var err error
	p.States, err = p.run(f, "states", states, joinStates, nil)
	must(t, err)
	must(t, p.writePages(f, pages))
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sourcesOf makes a Source DB of rows and documents, all at once or in steps, and returns its sources by URL.
func sourcesOf(
	t testing.TB, steps int, feeds []schemas.FeedCapture, docs []*schemas.Document,
) (byURL map[string]schemas.Source, m Manifest) {
	t.Helper()
	f := folder.Open(context.Background(), t.TempDir(), nil)
	db, err := Open(f)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	for i := range steps {
		cut := func(n int) (int, int) { return n * i / steps, n * (i + 1) / steps }
		from, to := cut(len(feeds))
		first, last := cut(len(docs))
		m, err = db.Update(t.Context(), []Part{partOf(t, f, feeds[from:to], docs[first:last])}, Options{})
		must(t, err)
	}
	byURL = map[string]schemas.Source{}
	for s, err := range Sources(t.Context(), f, m) {
		must(t, err)
		byURL[s.URL] = s
	}
	return byURL, m
}

// sameAs is what feeds are merged into, and why.
func sameAs(sources map[string]schemas.Source) map[string]string {
	merged := map[string]string{}
	for url, s := range sources {
		if s.SameAs != nil {
			merged[url] = s.SameAs.URL + " by " + s.SameAs.Evidence
		}
	}
	return merged
}

// TestTwins: feeds are merged if redirects or their items prove that they are the same. So they are if one states the
// URL of the other as its own and the rule for URLs agrees. Feeds that may be different are not merged.
func TestTwins(t *testing.T) {
	comments := feedWith("https://a.example/comments/feed", 1, 2, 3, 4)
	for i := range comments.Items {
		comments.Items[i].ID, comments.Items[i].Title = fmt.Sprint("c", i), "Comment on "+comments.Items[i].Title
	}
	named := feedWith("https://a.example/feed/rss2", 1)
	named.Self = "https://a.example/feed"
	boast := feedWith("https://copy.example/feed", 7, 8, 9, 10)
	boast.Self = "https://a.example/feed"
	for name, tt := range map[string]struct {
		feeds []schemas.FeedCapture
		docs  []*schemas.Document
		want  map[string]string
	}{
		"two formats": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/atom.xml", 1, 2, 3, 4), feedWith("https://a.example/feed.xml", 1, 2, 3, 4, 5, 6),
			},
			want: map[string]string{"https://a.example/feed.xml": "https://a.example/atom.xml by items"},
		},
		"two formats of a category": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/tag/x.rss.xml", 1, 2, 3), feedWith("https://a.example/tag/x.atom.xml", 1, 2, 3),
			},
			want: map[string]string{"https://a.example/tag/x.atom.xml": "https://a.example/tag/x.rss.xml by items"},
		},
		"two categories of the same posts": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/tag/x/feed", 1, 2, 3), feedWith("https://a.example/tag/y/feed", 1, 2, 3),
			},
		},
		"a category of all posts": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/feed", 1, 2, 3), feedWith("https://a.example/category/all/feed", 1, 2, 3),
			},
		},
		"comments": {feeds: []schemas.FeedCapture{feedWith("https://a.example/feed", 1, 2, 3, 4), comments}},
		"two posts only": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/feed", 1, 2), feedWith("https://a.example/news.xml", 1, 2),
			},
		},
		"two sections": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/a.xml", 1, 2, 3, 4, 5), feedWith("https://a.example/b.xml", 4, 5, 6, 7),
			},
		},
		"moved": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/feed", 1), announced("https://a.example/old", "https://a.example/"),
			},
			docs: []*schemas.Document{redirect("https://a.example/old", "https://a.example/feed")},
			want: map[string]string{"https://a.example/old": "https://a.example/feed by redirect"},
		},
		"moved twice, to another site": {
			feeds: []schemas.FeedCapture{
				feedWith("https://b.example/feed", 1), announced("https://a.example/old", "https://a.example/"),
			},
			docs: []*schemas.Document{
				redirect("https://a.example/old", "https://a.example/new"),
				redirect("https://a.example/new", "https://b.example/feed"),
			},
			want: map[string]string{"https://a.example/old": "https://b.example/feed by redirect"},
		},
		"moved, and was another one": {
			feeds: []schemas.FeedCapture{
				feedWith("https://a.example/feed", 1, 2, 3), feedWith("https://a.example/old", 7, 8, 9),
			},
			docs: []*schemas.Document{redirect("https://a.example/old", "https://a.example/feed")},
		},
		"moved to a page": {
			feeds: []schemas.FeedCapture{announced("https://a.example/old", "https://a.example/")},
			docs:  []*schemas.Document{redirect("https://a.example/old", "https://a.example/")},
		},
		"in a circle": {
			feeds: []schemas.FeedCapture{
				announced("https://a.example/x", "https://a.example/"), announced("https://a.example/y", "https://a.example/"),
			},
			docs: []*schemas.Document{
				redirect("https://a.example/x", "https://a.example/y"), redirect("https://a.example/y", "https://a.example/x"),
			},
			want: map[string]string{"https://a.example/y": "https://a.example/x by redirect"},
		},
		"its own word, and a rule": {
			feeds: []schemas.FeedCapture{named, announced("https://a.example/feed", "https://a.example/")},
			want:  map[string]string{"https://a.example/feed": "https://a.example/feed/rss2 by self"},
		},
		"its own word alone": {feeds: []schemas.FeedCapture{feedWith("https://a.example/feed", 1, 2, 3, 4), boast}},
	} {
		t.Run(name, func(t *testing.T) {
			sources, m := sourcesOf(t, 1, tt.feeds, tt.docs)
			if tt.want == nil {
				tt.want = map[string]string{}
			}
			if got := sameAs(sources); !maps.Equal(got, tt.want) {
				t.Errorf("merged: %v, want %v", got, tt.want)
			}
			if m.Counts.Twins != int64(len(tt.want)) {
				t.Errorf("%d twins are counted, want %d", m.Counts.Twins, len(tt.want))
			}
			slices.Reverse(tt.feeds)
			again, _ := sourcesOf(t, 2, tt.feeds, tt.docs)
			if got := sameAs(again); !maps.Equal(got, tt.want) {
				t.Errorf("the other way round, in steps: %v, want %v", got, tt.want)
			}
		})
	}
}

// TestTwins_stands: the source that stands for others has their items, pages and names.
func TestTwins_stands(t *testing.T) {
	page := &schemas.Document{
		URL: "https://a.example/post/6", Title: "Piece 6 of the site", Status: 200, Timestamp: noon.Format(time.RFC3339),
		Quality: &schemas.Quality{Words: 300},
	}
	sources, m := sourcesOf(t, 1, []schemas.FeedCapture{
		feedWith("https://a.example/atom.xml", 1, 2, 3, 4), feedWith("https://a.example/feed.xml", 1, 2, 3, 4, 5, 6),
	}, []*schemas.Document{page})
	s, twin := sources["https://a.example/atom.xml"], sources["https://a.example/feed.xml"]
	want := []schemas.Alias{{URL: twin.URL, Evidence: source.ByItems}}
	if s.Evidence.Items != 6 || len(s.Pages) != 1 || !slices.Equal(s.Aliases, want) || m.Counts.Linked != 1 {
		t.Errorf("%+v", s)
	}
	if twin.SameAs.ID != s.ID || twin.Evidence.Items != 6 || m.Counts.Sources != 2 || m.Counts.Verdicts[s.Verdict] != 1 {
		t.Errorf("%+v", twin)
	}
}
