package source

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// feedOf is a row of a feed whose items have these titles and are a day apart, the newest at noon.
func feedOf(titles ...string) *schemas.FeedCapture {
	row := &schemas.FeedCapture{
		Kind: "feed", URL: "https://a.example/feed", Domain: "a.example", Link: "https://a.example/",
		Timestamp: noon.Format(time.RFC3339), Status: 200, Count: len(titles),
	}
	for i, title := range titles {
		row.Items = append(row.Items, schemas.FeedItem{
			URL: "https://a.example/" + strings.ReplaceAll(title, " ", "-"), Title: title,
			Published: noon.AddDate(0, 0, -i).Format(time.RFC3339),
		})
	}
	return row
}

// with adds the captures of the items' pages, as changed by change.
func with(row *schemas.FeedCapture, change func(i int, d *schemas.Document)) State {
	s := FromFeed(row)
	for i, item := range row.Items {
		if item.URL == "" {
			continue
		}
		d := &schemas.Document{
			URL: item.URL, Title: item.Title + " - A", Status: 200, PageType: "article", Language: "en",
			Timestamp: noon.Format(time.RFC3339), Simhash: strings.Repeat(string(rune('1'+i)), 16),
			Quality: &schemas.Quality{Words: 300},
		}
		change(i, d)
		s = Merge(s, Of(State{Pages: []Page{FromDocument(d).At(LinkKey(item.URL))}}))
	}
	return s
}

func TestJudge(t *testing.T) {
	plain := []string{"The river rises", "A bridge is built", "Mayor resigns over bridge", "Winter begins"}
	as := func(change func(*schemas.Document)) func(int, *schemas.Document) {
		return func(_ int, d *schemas.Document) { change(d) }
	}
	none := as(func(*schemas.Document) {})
	elsewhere := feedOf(plain...)
	elsewhere.Domain, elsewhere.Link = "b.example", "https://b.example/"
	linkBlog := feedOf(plain...)
	linkBlog.Domain, linkBlog.Link = "b.example", "https://b.example/"
	for i := range linkBlog.Items {
		linkBlog.Items[i].ID = "https://b.example/linked/" + linkBlog.Items[i].Title
	}
	tests := []struct {
		name    string
		state   State
		verdict string
		reason  string
	}{
		{"articles", with(feedOf(plain...), none), Valid, ""},
		{"pages without titles", with(feedOf(plain...), as(func(d *schemas.Document) { d.Title = "" })), Valid, ""},
		{"a link blog", with(linkBlog, none), Valid, ""},
		{"an aggregator", with(elsewhere, none), Rejected, "elsewhere"},
		{
			"only announced", FromFeed(&schemas.FeedCapture{Kind: "announced", URL: "https://a.example/feed"}), Undecided,
			"never captured",
		},
		{"no items", FromFeed(feedOf()), Rejected, "empty"},
		{"one item", with(feedOf(plain[0]), none), Rejected, "one item"},
		{"no page captured", FromFeed(feedOf(plain...)), Undecided, "nothing captured"},
		{"comments", FromFeed(feedOf("Comment on X by Ann", "Comment on Y by Ann", "By: Ann")), Rejected, "comments"},
		{"as installed", FromFeed(feedOf("Hello world!")), Rejected, "placeholder"},
		{"as installed, in Polish", FromFeed(feedOf("Witaj, świecie!")), Rejected, "placeholder"},
		{"spam", with(feedOf("31 syair togel", "casino bonus", "slot gacor today"), none), Rejected, "spam"},
		{"pages of a site", with(feedOf("Contact", "Impressum", "Our town"), none), Rejected, "pages"},
		{"gone", with(feedOf(plain...), as(func(d *schemas.Document) { d.Status = 404 })), Rejected, "gone"},
		{
			"moved to the front page", with(feedOf(plain...), as(func(d *schemas.Document) { d.URL = "https://a.example/" })),
			Rejected, "gone",
		},
		{
			"soft 404", with(feedOf(plain...), as(func(d *schemas.Document) { d.Title, d.Simhash = "Welcome", "1" })), Rejected,
			"same page",
		},
		{"other pages", with(feedOf(plain...),
			as(func(d *schemas.Document) { d.Title = "Something else entirely" + d.Simhash })), Rejected, "titles disagree"},
		{"no text", with(feedOf(plain...), as(func(d *schemas.Document) { d.Quality.Words = 3 })), Rejected, "no text"},
		{"a shop", with(feedOf(plain...), as(func(d *schemas.Document) { d.PageType = "product" })), Rejected, "no articles"},
		{
			"a blog with code", with(feedOf(plain...), as(func(d *schemas.Document) { d.PageType = "documentation" })), Valid,
			"",
		},
	}
	for _, tt := range tests {
		verdict, reasons, e := Judge(tt.state)
		if verdict != tt.verdict || tt.reason == "" != (len(reasons) == 0) || tt.reason != "" &&
			!slices.Contains(reasons, tt.reason) {
			t.Errorf("%s: %s %q, want %s %q\n%+v", tt.name, verdict, reasons, tt.verdict, tt.reason, e)
		}
	}
}

// TestJudge_madeSources: sources made from real pages, each with a known defect.
func TestJudge_madeSources(t *testing.T) {
	f, err := os.Open("../../../shared/corpora/sources/validation.jsonl.gz")
	if err != nil {
		t.Skip("the sources are not there: ", err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	taken, right, valid := 0, 0, 0
	for lines.Scan() {
		var m made
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		verdict, reasons, e := Judge(m.state())
		switch {
		case m.Valid < 0 && verdict != Undecided:
			t.Errorf("%s: %s %q, want undecided\n%+v", m.Kind, verdict, reasons, e)
		case verdict == Valid:
			taken++
		}
		if m.Valid == 1 {
			valid++
			if verdict == Valid {
				right++
			}
		}
	}
	precision, recall := float64(right)/float64(taken), float64(right)/float64(valid)
	t.Logf("precision %.3f, recall %.3f of %d valid sources", precision, recall, valid)
	if precision < 0.97 || recall < 0.97 {
		t.Errorf("precision %.3f, recall %.3f, want 0.97", precision, recall)
	}
}

// made is one such source. Dates are in days since 1970.
type made struct {
	Kind, Host string
	Valid      int
	Items      []struct {
		URL, Title string
		Date       *float64
	}
	Pages map[string]struct {
		Title, Type, Lang string
		Words, Status     int
		Sim, Final        *string
	}
}

func (m made) state() State {
	row := &schemas.FeedCapture{
		Kind: "feed", URL: "https://" + m.Host + "/feed", Domain: m.Host, Link: "https://" + m.Host + "/",
		Timestamp: "2024-10-04T00:00:00Z", Count: len(m.Items),
	}
	var pages []Page
	for _, i := range m.Items {
		item := schemas.FeedItem{URL: i.URL, Title: i.Title}
		if i.Date != nil {
			item.Published = time.Unix(int64(*i.Date*24*3600), 0).UTC().Format(time.RFC3339)
		}
		row.Items = append(row.Items, item)
		link, _, _ := strings.Cut(i.URL, "#")
		p, ok := m.Pages[link]
		if !ok {
			continue
		}
		d := &schemas.Document{
			URL: link, Title: p.Title, PageType: p.Type, Language: p.Lang, Status: p.Status,
			Quality: &schemas.Quality{Words: p.Words},
		}
		if p.Sim != nil {
			d.Simhash = *p.Sim
		}
		if p.Final != nil {
			d.URL = *p.Final
		}
		pages = append(pages, FromDocument(d).At(LinkKey(i.URL)))
	}
	return Merge(FromFeed(row), Of(State{Pages: pages}))
}

func TestDescribe(t *testing.T) {
	s := with(feedOf("The river rises", "A bridge is built", "Mayor resigns over bridge"),
		func(_ int, d *schemas.Document) {
			d.Entities = []schemas.Entity{
				{Type: "place", Text: "Harbour", Count: 3},
				{Type: "organization", Text: "Reuters", Count: 9},
			}
		})
	d := Describe(Key("https://a.example/feed"), s, noon, Policy{}, World{})
	switch {
	case d.Verdict != Valid || d.Class != ClassMain || d.Language != "en" || d.Health.State != Live || len(d.Pages) != 3:
	case d.Refresh.Rate < 0.5 || d.Refresh.Rate > 2 || d.Refresh.Basis != "dates":
	case len(d.Entities) != 1 || d.Entities[0].Text != "Harbour" || d.Entities[0].Pages != 3:
	default:
		return
	}
	t.Errorf("%+v", d)
}

func TestDescribe_health(t *testing.T) {
	s := FromFeed(feedOf("The river rises", "A bridge is built"))
	if d := Describe("k", s, noon.AddDate(1, 0, 0), Policy{}, World{}); d.Health.State != Dormant {
		t.Errorf("a year later: %s, want dormant", d.Health.State)
	}
	s = WithFate(s, Page{Visits: []Fetch{{Time: noon.AddDate(0, 0, 1).Unix(), Status: 410}}})
	if d := Describe("k", s, noon.AddDate(0, 0, 2), Policy{}, World{}); d.Health.State != Gone {
		t.Errorf("after 410: %s, want gone", d.Health.State)
	}
}
