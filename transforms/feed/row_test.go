package feed

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

func captureOf(header ...schemas.Field) *schemas.Capture {
	return &schemas.Capture{
		URL: captureURL, Timestamp: time.Date(2014, 3, 11, 0, 0, 0, 0, time.UTC), Status: 200, Digest: "sha1:A",
		Header: header,
		Origin: schemas.Origin{File: "a.warc.gz", Offset: 7, Sequence: 1},
	}
}

func rowsOf(t *testing.T, body string, header ...schemas.Field) []schemas.FeedCapture {
	t.Helper()
	return Rows(captureOf(header...), mustRead(t, body))
}

func TestRows_feed(t *testing.T) {
	got := rowsOf(t, `<rss version="2.0"><channel><title>N</title><link>https://news.example/</link><ttl>60</ttl>
<item><title>A</title><link>/a</link><guid isPermaLink="false">1</guid><pubDate>2014-03-10</pubDate></item>
<item><title>B</title><guid>https://news.example/b</guid><pubDate>2014-03-09</pubDate><atom:updated>2014-03-10</atom:updated></item></channel></rss>`,
		schemas.Field{Name: "Link", Value: `<https://hub.example/>; rel="hub", <https://news.example/rss>; rel=self`},
		schemas.Field{Name: "Cache-Control", Value: "public, Max-Age=300"}, schemas.Field{Name: "Expires", Value: "0"},
		schemas.Field{Name: "ETag", Value: `W/"x"`}, schemas.Field{Name: "Last-Modified", Value: "Mon, 10 Mar 2014 " +
			"08:00:00 GMT"},
		schemas.Field{Name: "Content-Language", Value: "en"})
	age := int64(300)
	want := []schemas.FeedCapture{{
		Kind: "feed", URL: captureURL, Type: "rss", Class: "main", Host: "news.example", Domain: "news.example",
		Timestamp: "2014-03-11T00:00:00Z", Status: 200, Version: "2.0", Title: "N", Link: "https://news.example/",
		Self: "https://news.example/rss", Language: "en", Oldest: "2014-03-09T00:00:00Z", Newest: "2014-03-10T00:00:00Z",
		Count: 2,
		Items: []schemas.FeedItem{
			{URL: "https://news.example/a", ID: "1", Title: "A", Published: "2014-03-10T00:00:00Z"},
			{URL: "https://news.example/b", Title: "B", Published: "2014-03-09T00:00:00Z", Updated: "2014-03-10T00:00:00Z"},
		},
		Hubs: []string{"https://hub.example/"}, Refresh: &schemas.Refresh{
			TTL: 60, MaxAge: &age, ETag: `W/"x"`,
			LastModified: "2014-03-10T08:00:00Z",
		},
		Digest: "sha1:A", Filename: "a.warc.gz", Offset: 7, Sequence: 1,
	}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Rows (-want +got):\n%s", diff)
	}
	if rows := rowsOf(t, "<rss/>"); rows[0].Refresh != nil {
		t.Errorf("Refresh = %v where nothing is said", rows[0].Refresh)
	}
}

// TestRows_timestamp: rows have the capture's time in the same form as its document.
func TestRows_timestamp(t *testing.T) {
	for at, want := range map[time.Time]string{
		{}: "",
		time.Date(2014, 3, 11, 0, 0, 1, 0, time.UTC):                          "2014-03-11T00:00:01Z",
		time.Date(2014, 3, 11, 0, 0, 1, 500e6, time.UTC):                      "2014-03-11T00:00:01.5Z",
		time.Date(2014, 3, 11, 1, 0, 1, 123456789, time.FixedZone("", 60*60)): "2014-03-11T00:00:01.123456789Z",
	} {
		c := captureOf()
		c.Timestamp = at
		rows := append(Rows(c, mustRead(t, "<rss/>")), AnnouncedRows(c, []schemas.Feed{{URL: captureURL}})...)
		for _, row := range rows {
			if row.Timestamp != want {
				t.Errorf("the %s row of %v has the time %q, want %q", row.Kind, at, row.Timestamp, want)
			}
		}
	}
}

func TestRows_outlines(t *testing.T) {
	rows := rowsOf(t, `<opml><body><outline title="T" xmlUrl="https://t.example/rss" htmlUrl="https://t.example/"/></body></opml>`)
	want := schemas.FeedCapture{
		Kind: "announced", URL: "https://t.example/rss", Type: "rss", Class: "main", Host: "t.example", Domain: "t.example",
		Page: captureURL, Timestamp: "2014-03-11T00:00:00Z", Title: "T",
		Link: "https://t.example/", Filename: "a.warc.gz", Offset: 7, Sequence: 1,
	}
	if len(rows) != 2 {
		t.Fatalf("%d rows, want the list's and the feed's", len(rows))
	}
	if diff := cmp.Diff(want, rows[1]); diff != "" {
		t.Errorf("second row (-want +got):\n%s", diff)
	}
	many := rowsOf(t, "<opml><body>"+strings.Repeat(`<outline xmlUrl="https://t.example/rss"/>`, 6000)+"</body></opml>")
	if len(many) != 1+maxOutlineRows || !many[0].Truncated {
		t.Errorf("%d rows of 6,000 outlines, truncated %v", len(many), many[0].Truncated)
	}
}

// Of too many items, the newest are kept. A row is small even if its items' texts are long.
func TestRows_bounded(t *testing.T) {
	var many, long strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&many, "<url><loc>https://news.example/%d</loc><lastmod>%s</lastmod></url>", i,
			day("2014-01-01").Add(time.Duration(i)*time.Hour).Format(time.RFC3339))
		fmt.Fprintf(&long, "<item><link>https://news.example/%s</link><title>%s</title></item>", strings.Repeat("u", 1500),
			strings.Repeat("t", 3000))
	}
	row := rowsOf(t, "<urlset>"+many.String()+"</urlset>")[0]
	if len(row.Items) != maxRowItems || !row.Truncated || row.Count != 1500 ||
		row.Items[0].URL != "https://news.example/1499" {
		t.Errorf("%d items of %d, truncated %v, the first %v", len(row.Items), row.Count, row.Truncated, row.Items[0])
	}
	row = rowsOf(t, "<rss><channel>"+long.String()+"</channel></rss>")[0]
	b, err := json.Marshal(row)
	if err != nil || len(b) > maxRowBytes*2 || len(row.Items) < 100 || !row.Truncated {
		t.Errorf("row of %d bytes, %d items, truncated %v, %v", len(b), len(row.Items), row.Truncated, err)
	}
}

// Rows wait to be written, so they must not keep the feeds in memory.
func TestRows_holdNoBodies(t *testing.T) {
	body := []byte(strings.Replace(rss, "<item>", "<description>"+strings.Repeat("x", 1<<20)+
		"</description><item><link>https://news.example/1</link><guid>2</guid>", 1))
	var kept [][]schemas.FeedCapture
	var infos []*schemas.FeedInfo
	before := heap()
	for range 16 {
		f, err := Read(body, "", captureURL, Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept, infos = append(kept, Rows(captureOf(), f)), append(infos, f.Info())
	}
	if grown := int64(heap()) - int64(before); grown > 4<<20 {
		t.Errorf("%d rows and %d infos hold %d bytes", len(kept), len(infos), grown)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(infos)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAnnouncedByHeader(t *testing.T) {
	tests := []struct {
		value string
		want  []string // type, URL, title
	}{
		{`<https://hub.example/>; rel="hub"`, []string{"websub https://hub.example/ "}},
		{
			`</rss>; rel=self, <https://a.example/?x=1,2;3>; rel="hub self"; title="a, \"b\""`,
			[]string{"self https://news.example/rss ", `websub https://a.example/?x=1,2;3 a, "b"`},
		},
		{`</rss>; rel=self`, nil},
		{
			`</style.css>; rel=preload; as=style, </feed>; rel=alternate; type="application/rss+xml; charset=utf-8"; title=News`,
			[]string{"rss https://news.example/feed News"},
		},
		{`</de>; rel=alternate; hreflang=de`, nil},
		{`<https://a.example/`, nil},
		{`; rel=hub`, nil},
		{`,,<>;;rel`, nil},
		{`<a>; rel="hub`, []string{"websub https://news.example/feeds/a "}},
	}
	for _, tt := range tests {
		var got []string
		for _, f := range announcedByHeader([]schemas.Field{
			{Name: "link", Value: tt.value},
			{Name: "X", Value: "<x>; rel=hub"},
		}, captureURL) {
			got = append(got, f.Type+" "+f.URL+" "+f.Title)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("announcedByHeader(%s) (-want +got):\n%s", tt.value, diff)
		}
	}
	long := []schemas.Field{{Name: "Link", Value: strings.Repeat("<a>; rel=hub,", 10_000)}}
	if got := announcedByHeader(long, captureURL); len(got) != 256 {
		t.Errorf("%d links, want %d", len(got), 256)
	}
}

// The page's own URL is only announced together with a hub, at any position.
func TestAnnounced_webSub(t *testing.T) {
	p := page.Parse([]byte(`<link rel=self href="/self"><title>x</title>`), page.Options{URL: captureURL})
	if got := Announced(p, nil); got != nil {
		t.Errorf("Announced = %v without a hub", got)
	}
	got := Announced(p, []schemas.Field{{Name: "Link", Value: "<https://hub.example/>; rel=hub"}})
	want := []schemas.Feed{{URL: "https://hub.example/", Type: "websub"}, {URL: "https://news.example/self", Type: "self"}}
	if !slices.Equal(got, want) {
		t.Errorf("Announced = %v, want %v", got, want)
	}
}

func FuzzAnnouncedByHeader(f *testing.F) {
	f.Add(`<https://hub.example/>; rel="hub", </rss>; rel=self; title="a\"b"`)
	f.Add(`<;,=">`)
	f.Fuzz(func(t *testing.T, value string) {
		for _, feed := range announcedByHeader([]schemas.Field{{Name: "Link", Value: value}}, captureURL) {
			if feed.URL == "" || feed.Type == "" || len(feed.Title) > maxRowTitleBytes {
				t.Errorf("announcedByHeader(%q) = %+v", value, feed)
			}
		}
	})
}
