package pagestore_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/capture/capturetest"
	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/io/pagestore"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestWrite_items: which pages become items of a feed, in RSS and Atom.
func TestWrite_items(t *testing.T) {
	const rss = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://a/home</link><item><atom:link href="http://a/no"/>` +
		`<link>http://a/yes</link></item><item><link>http://a/feed</link></item><item><link><!-- none --></link></item></channel></rss>`
	const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/home"/><entry><link rel="replies" href="/no"/><link rel="alternate" href="/yes"/></entry>` +
		`<entry><link href="/also"/></entry></feed>`
	for _, tt := range []struct {
		name, feed string
		items      []string
	}{
		{"RSS", rss, []string{"http://a/yes"}},
		{"Atom", atom, []string{"http://a/yes", "http://a/also"}},
		{"cut", rss[:len(rss)/2+60], []string{"http://a/yes"}},
	} {
		w := func(url, body string) *schemas.Capture {
			return &schemas.Capture{URL: url, Body: []byte(body), Timestamp: time.Date(2009, 1, 5, 1, 0, 0, 0, time.UTC)}
		}
		list := []*schemas.Capture{w("http://a/feed", tt.feed), w("http://a/feed", tt.feed)}
		for _, url := range []string{"http://a/yes", "http://a/also", "http://a/no", "http://a/home"} {
			list = append(list, w(url, "a page\n"))
		}
		m, _ := write(t, codec.WriteOptions{}, list...)
		var got []string
		for e, err := range pagestore.Entries(m.Files["2009/1/5/"+pagestore.Hash("http://a/feed")+"/META"]) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.URL)
		}
		if diff := cmp.Diff(tt.items, got); diff != "" || m.Files["2009/1/5/"+pagestore.Hash("http://a/feed")+"/contents.html"] == nil {
			t.Errorf("%s: items -want +got:\n%s\nof %v", tt.name, diff, m.Names)
		}
	}
}

// TestRead_itemOfAFeedWithoutColumns: what the item's line says counts.
func TestRead_itemOfAFeedWithoutColumns(t *testing.T) {
	f, a := pagestore.Hash("http://f/"), pagestore.Hash("http://a/")
	s := read(t, place(t, map[string]string{
		"2009/1/5/META":                              "" + f + " http://f/\n",
		"2009/1/5/" + f + "/contents.html":           "<rss/>",
		"2009/1/5/" + f + "/META":                    a + " http://a/ 158 rssitem en\n",
		"2009/1/5/" + f + "/" + a + "/contents.html": "a",
	}), unit.DefaultSize)
	want := map[string]string{"kind": "rssitem", "feed_id": "158", "language": "en", "feed_url": "http://f/"}
	if len(s.captures) != 2 || len(s.rejects) > 0 {
		t.Fatalf("%d captures, rejects %v", len(s.captures), s.rejects)
	}
	for _, c := range s.captures {
		if c.URL == "http://a/" && !cmp.Equal(c.Crawl, want) {
			t.Errorf("crawl %v, want %v", c.Crawl, want)
		}
	}
}

// TestMigrateDay_dryRunSaysTheSame: a dry run's report is that of the run behind it, of a feed too that is renamed.
func TestMigrateDay_dryRunSaysTheSame(t *testing.T) {
	const feed = "http://f/"
	old, a := "0123456789abcdef0123456789abcdef", pagestore.Hash("http://a/")
	dir := place(t, map[string]string{
		"2009/1/5/META":                                old + " \n" + feed + "\n" + old + " \n" + feed + "\n",
		"2009/1/5/" + old + "/contents.html":           "<rss/>",
		"2009/1/5/" + old + "/META":                    a + " http://a/\n",
		"2009/1/5/" + old + "/" + a + "/contents.html": "a",
	})
	o := from(pagestore.Table{feed: {ID: "7", Kind: "rss", Language: "en"}})
	dry, wet := migrate(t, dir, o, true), migrate(t, dir, o, false)
	dry[0].Changed, wet[0].Changed = nil, nil // folders have their old names in a dry run
	if diff := cmp.Diff(wet, dry); diff != "" || len(wet[0].Renames) != 1 || len(wet[0].Missing) > 0 || wet[0].Items.Enriched != 1 {
		t.Errorf("%+v (-run +dry run):\n%s", wet[0], diff)
	}
}

// FuzzWrite: whatever a feed holds, the store that is written has lines that are read.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(feedXML), "http://f.example/2")
	f.Add([]byte(`<feed><entry><link href="a"/><link>b`), "http://a/a b 1 url en")
	f.Fuzz(func(t *testing.T, feed []byte, url string) {
		m := &capturetest.Memory{}
		w := pagestore.NewWriter(m, codec.WriteOptions{})
		for _, c := range []*schemas.Capture{
			{URL: "http://f.example/", Body: feed, Timestamp: day(2009, 1, 5), Crawl: map[string]string{"kind": "rss", "language": "en"}},
			{URL: url, Body: []byte("x"), Timestamp: day(2009, 1, 5)},
		} {
			if err := w.Write(c); err != nil && !errors.Is(err, codec.ErrRefused) {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for name, b := range m.Files {
			if !strings.HasSuffix(name, "META") {
				continue
			}
			for e, err := range pagestore.Entries(b) {
				if err != nil || !e.Sound() {
					t.Fatalf("%s: %+v, %v", name, e, err)
				}
			}
		}
	})
}
