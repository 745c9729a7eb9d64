package crawl

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/robots"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// TestDue_rejected: a rejected source is fetched again after 30 days, and then after twice as many days each time. A
// source that is gone for good is never fetched again, nor a source of another class by its name.
func TestDue_rejected(t *testing.T) {
	const url = "http://a.example/feed.xml"
	visited := func(daysAgo, again int) FeedEntry {
		return FeedEntry{
			Key: source.Key(url), URL: url, Visited: start.AddDate(0, 0, -daysAgo), Next: start.AddDate(0, 0, 3-daysAgo),
			Again: again,
		}
	}
	failing := visited(40, 1)
	failing.Fails, failing.Next = 3, start.AddDate(0, 0, -33)
	over := visited(400, 0)
	over.Over = overGone
	gone := func(last ...int) schemas.Source {
		return schemas.Source{Health: schemas.SourceHealth{State: source.Gone, Last: last}}
	}
	comments := schemas.Source{URL: "http://a.example/comments/feed/", Class: source.ClassComments}
	for name, tt := range map[string]struct {
		source  schemas.Source
		daysAgo int // that the Source DB has it captured
		entry   *FeedEntry
		due     bool
	}{
		"empty, ten days ago":            {schemas.Source{Reasons: []string{"empty"}}, 10, nil, false},
		"empty, 29 days ago":             {schemas.Source{Reasons: []string{"empty"}}, 29, nil, false},
		"empty, 31 days ago":             {schemas.Source{Reasons: []string{"empty"}}, 31, nil, true},
		"a placeholder":                  {schemas.Source{Class: source.ClassPlaceholder}, 31, nil, true},
		"a list":                         {schemas.Source{Class: source.ClassList}, 31, nil, true},
		"pages":                          {schemas.Source{Class: source.ClassPage}, 31, nil, true},
		"comments by their name":         {comments, 400, nil, false},
		"visited ten days ago":           {schemas.Source{}, 10, new(visited(10, 0)), false},
		"visited 31 days ago":            {schemas.Source{}, 31, new(visited(31, 0)), true},
		"looked at again 31 days ago":    {schemas.Source{}, 31, new(visited(31, 1)), false},
		"looked at again 61 days ago":    {schemas.Source{}, 61, new(visited(61, 1)), true},
		"a third time, 100 days ago":     {schemas.Source{}, 100, new(visited(100, 2)), false},
		"ten times, 300 days ago":        {schemas.Source{}, 300, new(visited(300, 10)), false},
		"ten times, a year ago":          {schemas.Source{}, 366, new(visited(366, 10)), true},
		"its last look failed":           {schemas.Source{}, 70, &failing, true},
		"captured since by another":      {schemas.Source{}, 5, new(visited(60, 0)), false},
		"over":                           {schemas.Source{}, 400, &over, false},
		"gone for good":                  {gone(410), 400, nil, false},
		"gone for good, after answers":   {gone(410, 200), 31, nil, false},
		"not there for long":             {gone(404), 31, nil, true},
		"not there for long, a week ago": {gone(404), 7, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := tt.source, &Book{Feeds: map[string]FeedEntry{}}
			if s.URL == "" {
				s.URL = url
			}
			if s.Class == "" {
				s.Class = source.ClassMain
			}
			s.Verdict = source.Rejected
			s.LastRefresh = start.AddDate(0, 0, -tt.daysAgo).Format(time.RFC3339)
			s.Refresh.Next = start.AddDate(0, 0, 3-tt.daysAgo).Format(time.RFC3339)
			if tt.entry != nil {
				b.Feeds[tt.entry.Key] = *tt.entry
			}
			c := &Crawl{o: Options{Due: start, Classes: []string{source.ClassMain}}}
			if f := c.due(s, b); (f != nil) != tt.due {
				t.Errorf("%+v, want due: %v", f, tt.due)
			}
		})
	}
}

// TestDue_gone: a valid source that did not answer for long is fetched again; one that answers 410 (Gone) is not.
func TestDue_gone(t *testing.T) {
	for last, want := range map[int]bool{404: true, 503: true, 410: false} {
		c := &Crawl{o: Options{Due: start, Classes: []string{source.ClassMain}}}
		s := schemas.Source{
			URL: "http://a.example/feed.xml", Class: source.ClassMain, Verdict: source.Valid,
			Health:      schemas.SourceHealth{State: source.Gone, Last: []int{last}},
			LastRefresh: start.AddDate(0, 0, -31).Format(time.RFC3339),
		}
		if f := c.due(s, &Book{}); (f != nil) != want {
			t.Errorf("%d: %+v, want due: %v", last, f, want)
		}
	}
}

// TestDue_class: a feed of another class is visited if it is named, or is the new URL of a visited feed.
func TestDue_class(t *testing.T) {
	const url = "https://a.example/tag/politik/feed/"
	read := FeedEntry{Key: source.Key(url), URL: url, Visited: start.AddDate(0, 0, -2), Checked: url}
	moved, over, waits := read, read, read
	moved.Moved = true
	over.Moved, over.Over = true, overGone
	waits.Next = start.AddDate(0, 0, 1)
	for name, tt := range map[string]struct {
		entry FeedEntry
		named []string
		due   bool
	}{
		"neither":                  {read, nil, false},
		"named":                    {read, []string{url}, true},
		"named in another form":    {read, []string{"http://www.a.example/tag/politik/feed"}, true},
		"another one is named":     {read, []string{"https://a.example/feed/"}, false},
		"moved to it":              {moved, nil, true},
		"moved to it, then gone":   {over, []string{url}, false},
		"named, but not due":       {waits, []string{url}, false},
		"named, and never visited": {FeedEntry{}, []string{url}, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := &Book{Feeds: map[string]FeedEntry{}}
			if tt.entry.Key != "" {
				b.Feeds[tt.entry.Key] = tt.entry
			}
			c, err := New(Options{
				Fetch: &fetch.Client{}, Archive: &listed{}, Agent: "gleaner", End: start, Due: start, Feeds: tt.named,
			})
			if err != nil {
				t.Fatal(err)
			}
			s := schemas.Source{URL: url, Class: source.ClassCategory, Verdict: source.Valid}
			f := c.due(s, b)
			if (f != nil) != tt.due {
				t.Errorf("%+v, want due: %v", f, tt.due)
			}
			if f != nil && f.moved != tt.entry.Moved {
				t.Errorf("moved: %v, want %v", f.moved, tt.entry.Moved)
			}
		})
	}
}

// TestBook_moved: the book has whether a feed moved to its URL, for good and to another key.
func TestBook_moved(t *testing.T) {
	for status, want := range map[int]bool{301: true, 308: true, 302: false, 307: false} {
		_, c := hostile(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/feed.xml" {
				http.Redirect(w, r, "/category/news/feed.xml", status)
				return
			}
			_, _ = fmt.Fprint(w, rss("http://a.example/1"))
		}, Options{Clock: &stillClock{now: start}, End: start.Add(time.Hour)}, "a.example")
		dir := folder.Open(t.Context(), t.TempDir(), nil)
		if err := writeBook(dir, "book", c.Book(&Book{}, start)); err != nil {
			t.Fatal(err)
		}
		b, err := readBook(dir, "book")
		if err != nil {
			t.Fatal(err)
		}
		moved := b.Feeds[source.Key("http://a.example/category/news/feed.xml")]
		if moved.Moved != want || b.Feeds[source.Key("http://a.example/feed.xml")].Moved {
			t.Errorf("%d: %+v", status, b.Feeds)
		}
	}
}

// TestBook_robotsInAnyEncoding: the rules of a robots.txt are the same in the next round, whatever its bytes.
func TestBook_robotsInAnyEncoding(t *testing.T) {
	for _, path := range []string{
		"/admin/", "/п/", "/\xef\xee\xe8\xf1\xea/", "/caf\xe9", "/\xff\xfe", "/\x00", "/%EF%EE/",
	} {
		text := []byte("User-agent: *\nDisallow: " + path + "\n")
		c := &Crawl{o: Options{Agent: "gleaner"}, hosts: map[string]*host{}}
		c.hostOf("a.example").rules["http://a.example"] = &rules{
			until: start.Add(time.Hour), text: text, known: robots.Parse(text, "gleaner"),
		}
		dir := folder.Open(t.Context(), t.TempDir(), nil)
		if err := writeBook(dir, "book", c.Book(&Book{}, start)); err != nil {
			t.Fatal(err)
		}
		b, err := readBook(dir, "book")
		if err != nil {
			t.Fatal(err)
		}
		next := &Crawl{o: Options{Agent: "gleaner"}, hosts: map[string]*host{}}
		next.Fill(b)
		r := next.hostOf("a.example").rules["http://a.example"]
		if r == nil || string(r.text) != string(text) {
			t.Errorf("%q: %+v", path, r)
			continue
		}
		for _, p := range []string{path, robots.PathOf("http://a.example" + path + "x"), "/else"} {
			if got, want := r.known.Allowed(p), robots.Parse(text, "gleaner").Allowed(p); got != want {
				t.Errorf("%q: %q is allowed: %v, want %v", path, p, got, want)
			}
		}
	}
}

// TestFill_changedRobots: rules of which an earlier version wrote other characters are requested again.
func TestFill_changedRobots(t *testing.T) {
	c := &Crawl{o: Options{Agent: "gleaner"}, hosts: map[string]*host{}}
	c.Fill(&Book{Hosts: map[string]HostEntry{"a.example": {Host: "a.example", Rules: []RulesEntry{
		{Origin: "http://a.example", Known: true, Text: "User-agent: *\nDisallow: /\ufffd\ufffd/\n"},
		{Origin: "https://a.example", Known: true, Text: "User-agent: *\nDisallow: /\n"},
	}}}})
	if got := c.hostOf("a.example").rules; len(got) != 1 || got["https://a.example"] == nil {
		t.Errorf("%v", got)
	}
}

// TestUnread_links: of the links of items in a state, the fragment is cut, and links that are not whole are left out.
func TestUnread_links(t *testing.T) {
	long := func(n int, end string) string {
		return "https://a.example/" + strings.Repeat("x", n-len("https://a.example/")-len(end)) + end
	}
	for link, want := range map[string]string{
		"https://a.example/1":                     "https://a.example/1",
		"https://a.example/2#atom-everything":     "https://a.example/2",
		"https://a.example/3?a=b#c?d":             "https://a.example/3?a=b",
		"https://a.example/#/hash/route":          "https://a.example/",
		long(maxURL, ""):                          long(maxURL, ""),
		long(maxURL+1, ""):                        "",
		long(maxURL+1, "\u00e9"):                  "",
		long(3*maxURL, "?id=7"):                   "",
		long(maxURL-9, "") + "#a-long-fragment":   long(maxURL-9, ""),
		long(maxURL, "") + "#fragment":            long(maxURL, ""),
		long(maxURL, "#in-the-end"):               long(maxURL-len("#in-the-end"), ""),
		"https://a.example/4?utm_source=rss#more": "https://a.example/4?utm_source=rss",
	} {
		state := source.FromFeed(&schemas.FeedCapture{
			URL: "https://a.example/feed.xml", Kind: "feed", Timestamp: start.Format(time.RFC3339),
			Items: []schemas.FeedItem{{ID: "1", URL: link, Title: "A post"}},
		})
		links := map[uint64]bool{}
		got := ""
		for _, p := range unread(state, links) {
			got += p.url
		}
		if got != want {
			t.Errorf("%s: %q is wanted, want %q", link, got, want)
		}
		if captured, is := links[source.LinkKey(want)]; want != "" && (!is || captured) {
			t.Errorf("%s: nobody asks whether it is captured", link)
		}
	}
}
