package source

import (
	"fmt"
	"testing"
	"time"
)

// blog is a feed with 18 items, two in three of which have a page with three names.
func blog() (key string, s State) {
	url := "https://site.example/feed"
	s = State{First: 1000, Last: 2000, Info: Info{Time: 1000, URL: url, Title: "The site", Language: "en"}}
	s.Visits = []Fetch{{Time: 90_000, Digest: 1, Items: 18, Status: 200}}
	for k := range 18 {
		link := fmt.Sprintf("https://site.example/2026/%d-the-title-of-this-post", k)
		title := fmt.Sprint("On words of a title, part ", k)
		i := Item{ID: Hash(link), Link: LinkKey(link), Time: int64(k * 3600), First: 1000, Marks: Dated}
		i.Words = Signature(title)
		s.Items = append(s.Items, i)
		s.Entries = append(s.Entries, Entry{Time: i.Time, ID: i.ID, URL: link, Title: title})
		if k%3 == 0 {
			continue
		}
		s.Pages = append(s.Pages, Page{
			Link: i.Link, Time: 1500, Status: 200, Words: 300, Simhash: i.Link, Signature: i.Words, Language: "en",
			URL: link, Title: title, Path: "html>body>main>article", Filename: "crawl-00001.warc.gz", Offset: int64(k) << 20,
			Entities: []Name{{"place", fmt.Sprint("Place ", k)}, {"person", "Ann Other"}, {"organisation", "The Society"}},
		})
	}
	return Key(url), Of(s)
}

// BenchmarkDescribe measures a source that the crawl has visited.
func BenchmarkDescribe(b *testing.B) {
	key, s := blog()
	b.ReportAllocs()
	for b.Loop() {
		DescribeWhole(key, s, time.Unix(100_000, 0), Policy{}, worldOf(0))
	}
}

// BenchmarkRenew measures a source that the crawl has not visited.
func BenchmarkRenew(b *testing.B) {
	key, s := blog()
	row, f := DescribeWhole(key, s, time.Unix(100_000, 0), Policy{}, worldOf(0))
	line, facts := appendJSON(nil, row), EncodeFacts(nil, f)
	s.Pages = nil
	state, room := Encode(nil, s), []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		times, err := DecodeTimes(state)
		if err != nil {
			b.Fatal(err)
		}
		if f, err = DecodeFacts(facts); err != nil {
			b.Fatal(err)
		}
		got, err := Renew(room[:0], line, times, f, time.Unix(200_000, 0), Policy{}, true, worldOf(1))
		if err != nil {
			b.Fatal(err)
		}
		room = got.Row
	}
}
