// Command feedworld makes the collection of a crawl of an artificial web of feeds. It serves to measure the Source DB
// at the size in deliverable D8.1 of the project ASAP: 600,000 feeds and 11 million pages of items.
//
//	go run ./.tools/feedworld -feeds 60000 -output world-1
//	go run ./.tools/feedworld -feeds 60000 -output world-2 -crawl 1 -share 0.2
//	go run ./pipelines/sources --collection=world-1 --output=sources
//
// A feed has 18 items on average (D8.1: 11 million of 600,000), two thirds of them with a page in the crawl. The
// front page announces the feed and its comments feed. As many pages belong to no feed, as a crawl finds them by
// links. Links, some nine a page, are not in a collection and so cost nothing. Pages have no text. Equal numbers give
// the same collection.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

func main() {
	w := world{}
	flag.IntVar(&w.feeds, "feeds", 6000, "`feeds` of the web")
	flag.IntVar(&w.crawl, "crawl", 0, "`number` of the crawl, a month after the one before")
	flag.Float64Var(&w.share, "share", 1, "`share` of the feeds that the crawl meets")
	out := flag.String("output", "", "`folder` of the collection")
	flag.Parse()
	if err := w.write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "feedworld:", err)
		os.Exit(1)
	}
}

// feedsPerUnit makes units of some 40,000 documents, as for an archive of a gigabyte.
const feedsPerUnit = 2000

// world has the parameters.
type world struct {
	feeds, crawl int
	share        float64
}

func (w world) write(out string) (err error) {
	if out == "" {
		return errors.New("name a folder: -output world")
	}
	f := folder.Open(context.Background(), out, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	var units []schemas.Unit
	var keys []string
	for i := 0; i*feedsPerUnit < w.feeds; i++ {
		file := fmt.Sprintf("crawl%d-%05d.warc.gz", w.crawl, i)
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: file, End: 1 << 30}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, "", ""))
	}
	if _, _, err := c.Resume(units, keys, nil); err != nil {
		return err
	}
	var done []schemas.UnitResult
	for _, u := range units {
		r, err := w.unit(f, u, keys[u.ID])
		if err != nil {
			return err
		}
		done = append(done, r)
	}
	_, err = c.Finish(done, collection.Run{Units: len(units)})
	return err
}

// unit writes the captures of some sites.
func (w world) unit(f folder.Folder, u schemas.Unit, key string) (schemas.UnitResult, error) {
	out, err := shard.NewWriter(f, u, key, shard.Options{Feeds: true})
	if err != nil {
		return schemas.UnitResult{}, err
	}
	for n := u.ID * feedsPerUnit; n < min(w.feeds, (u.ID+1)*feedsPerUnit); n++ {
		// Each site is chosen independently of the others.
		if rand.New(rand.NewPCG(uint64(n), uint64(w.crawl))).Float64() >= w.share {
			continue
		}
		if err := w.site(out, n, u.Inputs[0].File); err != nil {
			out.Abort()
			return schemas.UnitResult{}, err
		}
	}
	return out.Commit(schemas.Counts{}, ledger.Note{})
}

// site writes a feed, its announcements, and pages.
func (w world) site(out *shard.Writer, n int, file string) error {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	now := time.Date(2026, time.Month(1+w.crawl), 1+n%20, n%24, n%60, 0, 0, time.UTC)
	host := fmt.Sprintf("site%d.%s", n, []string{"example", "example.org", "example.net"}[n%3])
	row := schemas.FeedCapture{
		Kind: "feed", URL: "https://" + host + "/feed", Type: "rss", Timestamp: now.Format(time.RFC3339), Status: 200,
		Link: "https://" + host + "/", Title: "The site " + words(r, 2), Language: "en", Filename: file,
		Digest: fmt.Sprintf("sha1:%032x", n*12+w.crawl),
	}
	row.Host, row.Domain = urlkey.Site(row.URL)
	items := 4 + int(r.ExpFloat64()*14) // 18 on average
	every := time.Duration((0.5 + r.ExpFloat64()*40) * float64(time.Hour))
	for i := range min(items, 120) {
		// A month later half of the items are new.
		number := i + w.crawl*(items/2)
		item := schemas.FeedItem{
			URL:       fmt.Sprintf("https://%s/2026/%d-%s", host, number, slug(n, number)),
			Title:     "On " + words(rand.New(rand.NewPCG(uint64(n), uint64(number))), 6),
			Published: now.Add(-every * time.Duration(items-i)).Format(time.RFC3339),
		}
		row.Items = append(row.Items, item)
		if number%3 == 0 {
			continue
		}
		if err := w.page(out, item.URL, item.Title, now, number, file); err != nil {
			return err
		}
		other := fmt.Sprintf("https://%s/other/%d", host, number)
		if err := w.page(out, other, "Another page", now, number, file); err != nil {
			return err
		}
	}
	row.Count = len(row.Items)
	if err := out.Feed(row); err != nil {
		return err
	}
	for _, feed := range []string{row.URL, "https://" + host + "/comments/feed"} {
		announced := schemas.FeedCapture{
			Kind: "announced", URL: feed, Type: "rss", Page: row.Link, Timestamp: row.Timestamp, Filename: file,
		}
		announced.Host, announced.Domain = row.Host, row.Domain
		if err := out.Feed(announced); err != nil {
			return err
		}
	}
	return nil
}

// page writes a document of a realistic size without text.
func (w world) page(out *shard.Writer, link, title string, now time.Time, n int, file string) error {
	r := rand.New(rand.NewPCG(uint64(len(link)), uint64(n)))
	d := &schemas.Document{
		URL: link, SURT: urlkey.SURT(link), Title: title,
		Timestamp: now.Add(time.Duration(n) * time.Second).Format(time.RFC3339),
		Status:    200, MIMEDetected: "text/html", Charset: "utf-8", PageType: "article", Language: "en",
		Simhash: fmt.Sprintf("%016x", r.Uint64()), Quality: &schemas.Quality{Words: 200 + r.IntN(900)},
		Authors: []string{"A. Writer"}, Filename: file, Offset: int64(n) << 14, Length: 1 << 14, RecordType: "response",
	}
	d.Host, d.Domain = urlkey.Site(link)
	for range 4 {
		d.Entities = append(d.Entities, schemas.Entity{Type: "place", Text: words(r, 1), Count: 1 + r.IntN(5)})
	}
	return out.Document(d)
}

var vocabulary = []string{
	"rivers", "bridges", "harbours", "gardens", "schools", "markets", "winters", "elections", "orchestras", "glaciers",
	"festivals", "libraries", "railways", "forests", "kitchens", "museums", "storms", "islands", "villages", "workshops",
}

func words(r *rand.Rand, n int) (text string) {
	for range n {
		text += vocabulary[r.IntN(len(vocabulary))] + fmt.Sprint(r.IntN(30)) + " "
	}
	return text[:len(text)-1]
}

func slug(site, n int) string { return fmt.Sprintf("%x", uint64(site)*2654435761+uint64(n)*40503) }
