package crawl

import (
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// TestRead_future: dates long after the visit are left out, as in ingest.
func TestRead_future(t *testing.T) {
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	for date, want := range map[string]string{
		"Fri, 01 May 2026 09:00:00 GMT": "2026-05-01", "Fri, 01 May 2076 09:00:00 GMT": "",
		"Fri, 01 May 2037 09:00:00 GMT": "", "Wed, 01 May 2030 09:00:00 GMT": "2026-05-01", // no later than the visit,
	} {
		c, err := New(Options{Fetch: (*fetch.Client)(nil), Archive: &listed{}, Agent: "gleaner", End: at.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		body := `<rss version="2.0"><channel><title>A</title><item><title>Piece</title><link>http://a.example/1</link>` +
			"<pubDate>" + date + "</pubDate></item></channel></rss>"
		const url = "http://a.example/feed.xml"
		f := &feed{key: source.Key(url), url: url}
		a := Answer{URL: url, Time: at, Ended: at}
		a.Capture = captureOf(url, at, []byte("HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n"), []byte(body))
		if !c.read(f, "", a) {
			t.Fatal("it is not a feed")
		}
		s, err := source.Decode(f.state)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range s.Dates() {
			if i := s.Items[0]; i.Marks&source.Dated != 0 {
				got += d.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%s gives the date %q, want %q", date, got, want)
		}
	}
}
