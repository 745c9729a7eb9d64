package sourcedb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// feedsOfBench is how many feeds the benchmark has; GLEANER_FEEDS asks for more. D8.1 speaks of 600,000.
func feedsOfBench() int {
	if n, err := strconv.Atoi(os.Getenv("GLEANER_FEEDS")); err == nil && n > 0 {
		return n
	}
	return 2000
}

// crawlOf writes the part of a crawl that meets a share of the feeds: 18 items each, of which two in three have a page.
func crawlOf(b *testing.B, f folder.Folder, name string, feeds int, share float64) Part {
	b.Helper()
	r := rand.New(rand.NewPCG(1, uint64(feeds)))
	o := SortOptions{MemoryBytes: 64 << 20, TempDir: b.TempDir()}
	states, pages := extsort.New(o), extsort.New(o)
	p := Part{Key: name}
	for i := range feeds {
		if r.Float64() >= share {
			continue
		}
		url := fmt.Sprintf("https://site%d.example/feed", i)
		s := source.State{First: 1000, Last: 2000, Info: source.Info{Time: 1000, URL: url, Title: "Site"}}
		s.Visits = []source.Fetch{{Time: 1000, Digest: uint64(i), Items: 18, Status: 200}}
		for k := range 18 {
			link := fmt.Sprintf("https://site%d.example/%d", i, k)
			item := source.Item{
				ID: source.Hash(link), Link: source.LinkKey(link), Time: int64(k * 3600), First: 1000,
				Marks: source.Dated,
			}
			item.Words = source.Signature(link)
			s.Items = append(s.Items, item)
			s.Entries = append(s.Entries, source.Entry{Time: item.Time, ID: item.ID, URL: link, Title: "An item of the feed"})
			if k%3 > 0 {
				page := source.Page{
					Link: item.Link, Time: 1500, Status: 200, Words: 300, Signature: item.Words, Language: "en", URL: link,
					Title: "An item of the feed", Entities: []source.Name{{Type: "place", Text: fmt.Sprint("Place ", r.IntN(999))}},
				}
				check(b, pages.Add(linkKey(page.Link), source.EncodePage(nil, page)))
			}
		}
		check(b, states.Add([]byte(source.Key(url)), source.Encode(nil, source.Of(s))))
	}
	var err error
	p.States, err = p.run(f, "states", states, joinStates, nil)
	check(b, err)
	check(b, p.writePages(f, pages))
	return p
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkUpdate is the first build, and the merge of a crawl that meets a fifth of the feeds.
func BenchmarkUpdate(b *testing.B) {
	feeds := feedsOfBench()
	o := Options{Sort: SortOptions{MemoryBytes: 128 << 20, TempDir: b.TempDir()}}
	for _, second := range []bool{false, true} {
		b.Run(map[bool]string{false: "first", true: "merge"}[second], func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				f := folder.Open(context.Background(), b.TempDir(), nil)
				db, err := Open(f)
				check(b, err)
				one := crawlOf(b, f, "00000000000000000001", feeds, 1)
				two := crawlOf(b, f, "00000000000000000002", feeds, 0.2)
				if second {
					_, err := db.Update(b.Context(), []Part{one}, o)
					check(b, err)
					one = two
				}
				b.StartTimer()
				_, err = db.Update(b.Context(), []Part{one}, o)
				check(b, err)
				check(b, db.Close())
			}
			b.ReportMetric(float64(feeds)*float64(b.N)/b.Elapsed().Seconds(), "feeds/s")
		})
	}
}
