package datastreamer_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// article is a document with what records have a place for.
func article() *schemas.Document {
	return &schemas.Document{
		URL: "http://www.news.co.uk/2014/story", Timestamp: "2014-06-22T01:08:52.75Z", Status: 200,
		RecordType: schemas.TypeResponse,
		Language:   "en", Title: "A & B", Description: "1 < 2", Authors: []string{"Ann", "Bob"}, Tags: []string{"x"},
		Published: "2014-06-21T03:00:00+02:00", Modified: "2014-06-22", MainHTML: "<p>é</p>", Text: "é",
		Entities: []schemas.Entity{{Type: "handle", Text: "@ann"}, {Type: "email", Text: "a@b.c"}},
		Crawl:    map[string]string{schemas.CrawlRequested: "http://news.co.uk/s"},
	}
}

func TestFromDocument(t *testing.T) {
	page := schemas.Page{Text: "<p>é", Links: []string{"http://a.com/"}, Site: schemas.Site{
		Title: "News", PublisherType: "MAINSTREAM_NEWS", FeedURL: "http://news.co.uk/feed", FeedFormat: "RSS",
		Profiles: []string{"https://social.example/@news"},
	}}
	got := datastreamer.FromDocument(article(), page)
	if got.Sequence == nil || !datastreamer.SequenceTime(*got.Sequence).Equal(datastreamer.SequenceTime(1403399332000000000)) {
		t.Errorf("sequence %v is not of 2014-06-22T01:08:52Z", got.Sequence)
	}
	got.Sequence, got.SequenceRange, got.Bucket = nil, nil, nil
	want := &datastreamer.Content{
		Permalink: "http://news.co.uk/s", PermalinkRedirect: "http://www.news.co.uk/2014/story",
		PermalinkRedirectDomain: "news.co.uk",
		PermalinkRedirectSite:   "www.news.co.uk", Domain: "news.co.uk", Site: "news.co.uk", Resource: "http://news.co.uk/s",
		Hashcode: datastreamer.Hashcode("http://news.co.uk/s"), DateFound: "2014-06-22T01:08:52Z",
		HTML: "<p>é", HTMLLength: new(int64(5)), HTMLChecksum: datastreamer.Checksum("<p>é"),
		Main: "<p>é</p>", MainLength: new(int64(9)), MainChecksum: datastreamer.Checksum("<p>é</p>"), MainFormat: "HTML",
		Extract: "é", ExtractLength: new(int64(2)), ExtractChecksum: datastreamer.Checksum("é"),
		Title: "A & B", Description: "1 &lt; 2", AuthorName: "Ann, Bob", Tags: []string{"x"}, Links: page.Links,
		Mentions:  []string{"ann"},
		Published: "2014-06-21T01:00:00Z", ModifiedPartial: "2014-06-22T00:00:00Z", Lang: "en",
		SourceLink: "http://news.co.uk/", SourceResource: "http://news.co.uk",
		SourceHashcode: datastreamer.Hashcode("http://news.co.uk"),
		SourceTitle:    "News", SourcePublisherType: "MAINSTREAM_NEWS", SourceFeedHref: "http://news.co.uk/feed",
		SourceFeedFormat:      "RSS",
		SourceSpamProbability: new(schemas.Float(-1)), SourceProfiles: []string{"https://social.example/@news"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFromDocument_read: a record keeps what its page does not say, and gets no html that it did not have.
func TestFromDocument_read(t *testing.T) {
	const vendor = `"permalink":"http://a/1","date_found":"2014-06-22T01:08:52Z","lang":"de",` +
		`"published":"2014-06-21T10:00:00Z","likes":12,"author_link":"http://a/ann","sequence":1403399332000100005,` +
		`"source_publisher_type":"MAINSTREAM_NEWS","source_spam_probability":0.1`
	for name, tt := range map[string]struct {
		record     string
		d          schemas.Document // as extracted
		p          schemas.Page
		html, main string
	}{
		"main":    {`"main":"<p>Hallo"`, schemas.Document{}, schemas.Page{Text: "<p>Hallo"}, "", "<p>Hallo"},
		"extract": {`"extract":"Hallo"`, schemas.Document{Text: "Hallo"}, schemas.Page{Text: "Hallo"}, "", ""},
		"html":    {`"html":"<p>Hallo"`, schemas.Document{}, schemas.Page{Text: "<p>Hallo"}, "<p>Hallo", ""},
		"nothing": {`"links":[]`, schemas.Document{}, schemas.Page{Examined: true}, "", ""},
		"extracted": {
			`"html":"<p>Hallo</p>"`,
			schemas.Document{MainHTML: "<p>H</p>"},
			schemas.Page{Text: "<p>Hallo</p>"},
			"<p>Hallo</p>", "<p>H</p>",
		},
	} {
		r, _, err := datastreamer.Decode([]byte("{" + vendor + "," + tt.record + "}"))
		if err != nil {
			t.Fatal(err)
		}
		c := datastreamer.Capture(r, payload.Options{})
		tt.d.URL, tt.d.Timestamp, tt.d.Crawl = c.URL, c.Timestamp.Format(time.RFC3339), c.Crawl
		tt.d.RecordType, tt.d.MIMEDeclared = c.RecordType, c.MIMEDeclared
		got := datastreamer.FromDocument(&tt.d, tt.p)
		if got.HTML != tt.html || got.Main != tt.main || (got.HTMLLength != nil) != (tt.html != "") {
			t.Errorf("%s: html %q, main %q", name, got.HTML, got.Main)
		}
		if got.Published != "2014-06-21T10:00:00Z" || got.Lang != "de" || got.Likes == nil ||
			*got.Sequence != *r.Sequence || got.AuthorLink != "http://a/ann" || got.SourcePublisherType != "MAINSTREAM_NEWS" ||
			*got.SourceSpamProbability != 0.1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// Another language and kind of site that the page states win.
	c := map[string]string{datastreamer.CrawlPrefix + "lang": "de", datastreamer.CrawlPrefix + "title": "Alt"}
	d := &schemas.Document{URL: "http://a/1", Language: "fr", Title: "Neu", Crawl: c}
	got := datastreamer.FromDocument(d, schemas.Page{})
	if got.Lang != "fr" || got.Title != "Neu" {
		t.Errorf("%q, %q", got.Lang, got.Title)
	}
}

// TestFromDocument_root: of the page at the root of a host the site's own fields are known.
func TestFromDocument_root(t *testing.T) {
	d := &schemas.Document{
		URL: "https://www.a.com/", Status: 404, Title: "A", Description: "b", Language: "und",
		Timestamp: "2014-06-22T01:08:52Z",
	}
	got := datastreamer.FromDocument(d, schemas.Page{Text: "<p>"})
	if got.SourceTitle != "A" || got.SourceHTTPStatus == nil || *got.SourceHTTPStatus != 404 ||
		*got.SourceContentLength != 3 ||
		got.SourcePublisherType != "UNKNOWN" || got.SourceHashcode != got.Hashcode || got.Lang != "U" ||
		got.SourceLastUpdated != got.DateFound {
		t.Errorf("FromDocument = %+v", got)
	}
	for _, u := range []string{"dns:a.com", "", "urn:x", "http:///"} {
		if r := datastreamer.FromDocument(&schemas.Document{URL: u}, schemas.Page{}); r.SourceLink != "" ||
			r.DateFound != "" || r.Sequence != nil || r.Lang != "" {
			t.Errorf("the record of %q has source_link %q, date %q, lang %q", u, r.SourceLink, r.DateFound, r.Lang)
		}
	}
}

func TestDocument(t *testing.T) {
	r := datastreamer.FromDocument(article(), schemas.Page{})
	r.Likes = new(int64(3))
	got := datastreamer.Document(r)
	want := article()
	want.Status, want.Entities, want.RecordType, want.Timestamp = 0, nil, schemas.TypeConversion, "2014-06-22T01:08:52Z"
	want.Authors, want.Published = []string{"Ann, Bob"}, "2014-06-21T01:00:00Z"
	if got.Crawl["content.likes"] != "3" || got.Crawl["content.hashcode"] != "" &&
		got.Crawl["content.hashcode"] != r.Hashcode || got.Crawl[schemas.CrawlRequested] != "http://news.co.uk/s" {
		t.Errorf("Crawl = %v", got.Crawl)
	}
	got.Crawl, want.Crawl = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d := datastreamer.Document(&datastreamer.Content{SummaryText: "s", Lang: "U", DateFound: "soon"}); d.Text != "s" ||
		d.Language != "und" || d.Timestamp != "" || d.Crawl["content.date_found"] != "soon" {
		t.Errorf("Document = %+v", d)
	}
}

// TestFromDocument_language: U is a text whose language was looked for without success, and not one where nobody
// looked.
func TestFromDocument_language(t *testing.T) {
	for _, tt := range []struct {
		name, language string
		page           schemas.Page
		want           string
	}{
		{"too short", "", schemas.Page{Text: "<p>1", Examined: true}, "U"},
		{"not asked", "", schemas.Page{Text: "<p>1"}, ""},
		{"no language", "und", schemas.Page{Text: "<p>1", Examined: true}, "U"},
		{"known", "de", schemas.Page{Text: "<p>1", Examined: true}, "de"},
		{"no code of two letters", "nds", schemas.Page{Text: "<p>1", Examined: true}, "U"},
	} {
		d := &schemas.Document{URL: "http://a.example/", Language: tt.language}
		if got := datastreamer.FromDocument(d, tt.page).Lang; got != tt.want {
			t.Errorf("%s: lang %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestRedirect: a redirect that was captured says where it led, in records of documents and of captures.
func TestRedirect(t *testing.T) {
	for _, tt := range []struct {
		name     string
		status   int
		location string
		crawl    map[string]string
		want     string
	}{
		{"moved", 301, "http://b.example/x", nil, "http://b.example/x"},
		{"found, relative", 302, "/y?z", nil, "http://a.example/y?z"},
		{"permanent", 308, "//c.example/", nil, "http://c.example/"},
		{"no redirect", 200, "http://b.example/x", nil, ""},
		{"without a location", 301, "", nil, ""},
		{
			"followed before", 301, "http://b.example/x",
			map[string]string{schemas.CrawlRequested: "http://q.example/"},
			"http://a.example/",
		},
		{"no URL", 301, "http://[", nil, ""},
	} {
		c := &schemas.Capture{URL: "http://a.example/", Status: tt.status, Crawl: tt.crawl}
		c.Header = []schemas.Field{{Name: "location", Value: tt.location}}
		if got := datastreamer.FromCapture(c).PermalinkRedirect; got != tt.want {
			t.Errorf("%s: a capture redirects to %q, want %q", tt.name, got, tt.want)
		}
		if tt.name == "no URL" {
			continue
		}
		d := &schemas.Document{URL: c.URL, Status: tt.status, Crawl: tt.crawl}
		if tt.want != "" {
			d.RedirectURL = tt.want
		}
		if got := datastreamer.FromDocument(d, schemas.Page{}).PermalinkRedirect; got != tt.want {
			t.Errorf("%s: a document redirects to %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSetSource_unknown: the probability is -1 if the source was not judged. A feed's other URLs are not profiles. The
// date of an item does not tell when the bytes of the source's page changed.
func TestSetSource_unknown(t *testing.T) {
	s := schemas.Source{
		URL: "http://a.example/feed", LastItem: "2024-01-02T03:04:05Z",
		Aliases: []schemas.Alias{{URL: "http://a.example/rss"}},
	}
	r := &datastreamer.Content{SourceProfiles: []string{"https://social.example/@a"}}
	datastreamer.SetSource(r, s)
	if len(r.SourceProfiles) != 1 || r.SourceLastPublished != "" || r.SourceLastPosted != s.LastItem ||
		r.SourceSpamProbability == nil || *r.SourceSpamProbability != -1 {
		t.Errorf("without items: %+v", r)
	}
	// A feed's last change has a date of its own, which is neither an item's date nor a visit's.
	s.LastChanged, s.LastRefresh = "2024-02-03T00:00:00Z", "2024-02-09T00:00:00Z"
	if datastreamer.SetSource(r, s); r.SourceLastPublished != s.LastChanged || r.SourceLastUpdated != s.LastRefresh {
		t.Errorf("source_last_published = %q, source_last_updated = %q", r.SourceLastPublished, r.SourceLastUpdated)
	}
	// A capture keeps it on its way to other formats.
	c := &schemas.Capture{URL: "http://a.example/1"}
	datastreamer.NoteSource(c, s)
	if got := datastreamer.FromCapture(c).SourceLastPublished; got != s.LastChanged {
		t.Errorf("source_last_published of a capture = %q", got)
	}
	s.Evidence.Items, s.Evidence.Spam = 3, .5
	if datastreamer.SetSource(r, s); *r.SourceSpamProbability != .5 {
		t.Errorf("with items: %v", *r.SourceSpamProbability)
	}
}
