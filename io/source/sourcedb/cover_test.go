package sourcedb

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// linksTo is a feed of a site that links to some of its posts.
func linksTo(site, path string, posts ...int) schemas.FeedCapture {
	row := feedWith("https://" + site + "/" + path)
	row.Type, row.Count = "rss", len(posts)
	for _, n := range posts {
		row.Items = append(row.Items, schemas.FeedItem{
			URL: fmt.Sprintf("https://%s/post/%d", site, n), ID: fmt.Sprintf("%s-%s-%d", site, path, n),
			Title:     fmt.Sprintf("Piece %d of %s", n, site),
			Published: noon.AddDate(0, 0, -n).Format(time.RFC3339),
		})
	}
	return row
}

// posts are the captured pages of a site.
func posts(site string, from, to int) (docs []*schemas.Document) {
	for n := from; n < to; n++ {
		docs = append(docs, &schemas.Document{
			URL: fmt.Sprintf("https://%s/post/%d", site, n), Title: fmt.Sprintf("Piece %d of %s", n, site), Status: 200,
			Timestamp: noon.Format(time.RFC3339), Quality: &schemas.Quality{Words: 300}, PageType: "article",
			Simhash: fmt.Sprintf("%016x", n*7919+len(site)),
		})
	}
	return docs
}

// TestCovers_tooLarge: of a host of very many feeds none are chosen, and that is said.
func TestCovers_tooLarge(t *testing.T) {
	c := newCovering("host.example", make([]CoverFeed, mostFeeds+1))
	for link := range uint64(4) {
		c.add(pageRecord, binary.BigEndian.AppendUint64(nil, link))
	}
	for feed := range uint32(mostFeeds + 1) {
		link := binary.BigEndian.AppendUint64(nil, uint64(feed%3))
		c.add(itemRecord, binary.BigEndian.AppendUint32(link, feed))
	}
	must(t, c.give(func(got Cover) error {
		if !got.TooLarge || got.Covered != 3 || got.Pages != 4 || len(got.Feeds) != 0 || got.Others != mostFeeds+1 {
			t.Errorf("%+v", got)
		}
		return nil
	}))
}

func TestCovers(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	db, err := Open(f)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	feeds := []schemas.FeedCapture{
		// The greedy choice, all.xml, is superfluous.
		linksTo("a.example", "all.xml", 1, 2, 4, 5),
		linksTo("a.example", "north.xml", 1, 2, 3), linksTo("a.example", "south.xml", 4, 5, 6),
		linksTo("b.example", "feed.xml", 0, 1, 2, 3, 4, 5), linksTo("b.example", "part.xml", 2, 3),
		linksTo("c.example", "feed.xml", 1, 2), // of which no page is captured
		linksTo("d.example", "feed.xml", 1, 2), // where its links are redirected
	}
	docs := append(posts("a.example", 0, 8), posts("b.example", 0, 6)...)
	// Formats without a status, as those of ACHE.
	for _, d := range docs[:3] {
		d.Status = 0
	}
	docs = append(docs, posts("d.example", 11, 13)...)
	for n := 1; n < 3; n++ {
		docs = append(docs, &schemas.Document{
			URL: fmt.Sprintf("https://d.example/post/%d", n), Status: 301, Timestamp: noon.Format(time.RFC3339),
			RedirectURL: fmt.Sprintf("https://d.example/post/%d", n+10),
		})
	}
	docs = append(docs, &schemas.Document{URL: "https://b.example/", Status: 200, Timestamp: noon.Format(time.RFC3339)},
		&schemas.Document{URL: "https://b.example/gone", Status: 404, Timestamp: noon.Format(time.RFC3339)})
	m, err := db.Update(t.Context(), []Part{partOf(t, f, feeds, docs)}, Options{})
	must(t, err)
	got := ""
	must(t, Covers(t.Context(), f, m, SortOptions{MemoryBytes: 1 << 10, TempDir: t.TempDir()}, func(c Cover) error {
		got += fmt.Sprintf("%s %d/%d %.2f", c.Site, c.Covered, c.Pages, float64(c.Share))
		for _, one := range c.Feeds {
			got += fmt.Sprintf(" %s:%d+%d", one.URL, one.Pages, one.Adds)
		}
		got += fmt.Sprintf(" others %d\n", c.Others)
		return nil
	}))
	want := "a.example 6/8 0.75 https://a.example/north.xml:3+3 https://a.example/south.xml:3+3 others 1\n" +
		"b.example 6/6 1.00 https://b.example/feed.xml:6+6 others 1\n" +
		"d.example 2/2 1.00 https://d.example/feed.xml:2+2 others 0\n"
	if got != want {
		t.Errorf("covers:\n%swant\n%s", got, want)
	}
}

// TestCovers_assets: captures that are not read as pages do not count.
func TestCovers_assets(t *testing.T) {
	for _, tt := range []struct {
		name               string
		detected, declared string
		text               string
		isPage             bool
	}{
		{name: "a style sheet", detected: "text/css", declared: "text/css"},
		{name: "a script served as a page", detected: "text/javascript", declared: "text/html"},
		{name: "an image, by what its server says", declared: "image/jpeg"},
		{name: "a feed", detected: "application/rss+xml", declared: "text/xml"},
		{name: "a sitemap", detected: "application/xml"},
		{name: "a font", detected: "font/woff2"},
		{name: "robots.txt", detected: "text/plain", text: "User-agent: * Disallow: /"},
		{name: "a PDF file without text", detected: "application/pdf"},
		{name: "a PDF file", detected: "application/pdf", text: "The annual report of the harbour", isPage: true},
		{name: "a page", detected: "text/html", text: "The annual report of the harbour", isPage: true},
		{name: "a page made by a script", detected: "text/html", isPage: true},
		{name: "XHTML served as XML", detected: "application/xhtml+xml", declared: "text/xml", isPage: true},
		{name: "of an unknown type", isPage: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			docs := append(posts("a.example", 1, 3), &schemas.Document{
				URL: "https://a.example/other", Status: 200, Timestamp: noon.Format(time.RFC3339),
				MIMEDetected: tt.detected, MIMEDeclared: tt.declared, Text: tt.text, Title: "A title",
			})
			want := "2/2"
			if tt.isPage {
				want = "2/3"
			}
			if got := shareOf(t, docs); got != want {
				t.Errorf("%q pages are covered, want %q", got, want)
			}
		})
	}
}

// shareOf returns how many of the pages of a.example a feed of posts 1 and 2 covers.
func shareOf(t *testing.T, docs []*schemas.Document) (share string) {
	t.Helper()
	f := folder.Open(context.Background(), t.TempDir(), nil)
	db, err := Open(f)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	feeds := []schemas.FeedCapture{linksTo("a.example", "feed.xml", 1, 2)}
	m, err := db.Update(t.Context(), []Part{partOf(t, f, feeds, docs)}, Options{})
	must(t, err)
	must(t, Covers(t.Context(), f, m, SortOptions{TempDir: t.TempDir()}, func(c Cover) error {
		share += fmt.Sprintf("%d/%d", c.Covered, c.Pages)
		return nil
	}))
	return share
}

// TestCovers_canonical: a capture with a canonical URL is one page, which both URLs lead to.
func TestCovers_canonical(t *testing.T) {
	print := func(n int) *schemas.Document {
		d := posts("a.example", n, n+1)[0]
		d.Domain, d.Canonical, d.URL = "a.example", d.URL, d.URL+"?print=1"
		d.Timestamp = noon.Add(time.Minute).Format(time.RFC3339)
		return d
	}
	front := posts("a.example", 9, 10)[0]
	front.Domain, front.Canonical = "a.example", "https://a.example/"
	failed := print(1)
	failed.Status, failed.Timestamp = 403, noon.Add(time.Hour).Format(time.RFC3339)
	moved := &schemas.Document{
		URL: print(1).URL, Status: 301, Timestamp: noon.Add(time.Hour).Format(time.RFC3339), RedirectURL: print(1).Canonical,
	}
	short := &schemas.Document{
		URL: "https://a.example/post/2", Status: 301, Timestamp: noon.Add(-time.Hour).Format(time.RFC3339),
		RedirectURL: "https://a.example/post/3",
	}
	long := posts("a.example", 1, 2)[0]
	long.URL += "?" + strings.Repeat("é", 2000)
	for name, tt := range map[string]struct {
		docs []*schemas.Document
		want string
	}{
		"the canonical URLs are not captured": {[]*schemas.Document{print(1), print(2)}, "2/2"},
		"a canonical URL is captured before":  {append(posts("a.example", 1, 2), print(1), print(2)), "2/2"},
		"another page that no feed lists":     {append(posts("a.example", 7, 8), print(1)), "1/2"},
		"the front page as the canonical one": {append(posts("a.example", 1, 2), front), "1/2"},
		"a later failure of the other form":   {append(posts("a.example", 1, 2), failed), "1/1"},
		"a later redirect of the other form":  {[]*schemas.Document{print(1), moved}, "1/1"},
		"a redirect to the canonical URL":     {append(posts("a.example", 1, 2), print(3), short), "2/2"},
		"a long URL that is shortened":        {append(posts("a.example", 1, 2), long), "1/2"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := shareOf(t, tt.docs); got != tt.want {
				t.Errorf("%q pages are covered, want %q", got, tt.want)
			}
		})
	}
}
