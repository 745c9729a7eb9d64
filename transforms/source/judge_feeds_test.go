package source

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// labelledFeed is a feed of testdata/feeds.txt.
type labelledFeed struct {
	site, path, part, why string
	valid                 bool
	row                   schemas.FeedCapture
	words                 []int // of each item's page; 300 if there are none
	bare                  bool  // no page was captured
}

// themed begins the title of an item whose text is that of a theme.
const themed = "~"

// readLabelled reads the labelled feeds. A feed begins with @, its repository, path, part, verdict and reason. Each
// item is a line with its date or -, the path of its link, and its title.
func readLabelled(t testing.TB) (list []labelledFeed) {
	t.Helper()
	text, err := os.ReadFile("testdata/feeds.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "@ "); ok {
			list = append(list, newLabelled(t, strings.SplitN(rest, " ", 5)))
			continue
		}
		f := strings.SplitN(line, " ", 3)
		last := &list[len(list)-1].row
		item := schemas.FeedItem{URL: strings.TrimSuffix(last.Link, "/") + f[1], Title: f[2]}
		if len(f[0]) > len("2006-01-02") {
			item.Published = f[0] + ":00Z"
		} else if f[0] != "-" {
			item.Published = f[0]
		}
		last.Items, last.Count = append(last.Items, item), last.Count+1
	}
	return list
}

func newLabelled(t testing.TB, f []string) labelledFeed {
	t.Helper()
	if len(f) != 5 || f[3] != Valid && f[3] != Rejected && f[3] != Undecided {
		t.Fatalf("not a labelled feed: %q", f)
	}
	owner, _, _ := strings.Cut(f[0], "/")
	host := strings.ToLower(owner) + ".github.io"
	row := schemas.FeedCapture{
		Kind: "feed", URL: "https://" + host + "/index.xml", Type: "rss", Status: 200, Link: "https://" + host + "/",
		Timestamp: "2026-11-28T00:00:00Z", Host: host, Domain: urlkey.RegistrableDomain(host),
	}
	return labelledFeed{site: f[0], path: f[1], part: f[2], why: f[4], valid: f[3] == Valid, row: row}
}

// state returns the feed with invented pages: all exist, have the items' titles, and are articles.
func (f labelledFeed) state() State {
	samples := make([]bool, len(f.row.Items))
	for n := range f.row.Items {
		f.row.Items[n].Title, samples[n] = strings.CutPrefix(f.row.Items[n].Title, themed)
	}
	if f.bare {
		return FromFeed(&f.row)
	}
	return with(&f.row, func(n int, d *schemas.Document) {
		if f.words != nil {
			d.Quality.Words = f.words[n]
		}
		if samples[n] {
			d.Text = "Three hundred and forty-eight years, six months, and nineteen days ago to-day"
		}
	})
}

// TestJudge_labelledFeeds judges real feeds by themselves: all their pages agree with the items. The figures are those
// of docs/sources.md, of the worst of five folds by site, and of each part.
func TestJudge_labelledFeeds(t *testing.T) {
	var folds [5]score
	parts := map[string]*score{}
	for _, f := range readLabelled(t) {
		verdict, reasons, e := Judge(f.state())
		if (verdict == Valid) != f.valid {
			t.Logf("%s (%s): %s %q, labelled: %s\n%+v", f.site, f.part, verdict, reasons, f.why, e)
		}
		if parts[f.part] == nil {
			parts[f.part] = new(score)
		}
		folds[fold(f.site, 5)].add(verdict == Valid, f.valid)
		parts[f.part].add(verdict == Valid, f.valid)
	}
	for part, c := range parts {
		t.Logf("%s: %v", part, c)
	}
	for n, c := range folds {
		t.Logf("fold %d: %v", n, c)
		if c.precision() < 0.95 || c.recall() < 0.95 {
			t.Errorf("fold %d: %v, want 0.95", n, c)
		}
	}
}

// score counts verdicts: all feeds, valid ones, feeds accepted as valid, and correctly accepted ones.
type score struct{ all, valid, taken, right int }

func (s *score) add(taken, valid bool) {
	s.all++
	if taken {
		s.taken++
	}
	if valid {
		s.valid++
	}
	if taken && valid {
		s.right++
	}
}

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.taken)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.valid)) }

func (s score) String() string {
	return fmt.Sprintf("%d sites, %d valid: precision %.3f (%d of %d), recall %.3f (%d of %d)",
		s.all, s.valid, s.precision(), s.right, s.taken, s.recall(), s.right, s.valid)
}

// at is a feed of a site with one item per week; paths and titles alternate. A title that begins with - has no date.
func at(pairs ...string) *schemas.FeedCapture {
	row := feedOf()
	for n := 0; n < len(pairs); n += 2 {
		item := schemas.FeedItem{URL: "https://a.example" + pairs[n], Title: strings.TrimPrefix(pairs[n+1], "-")}
		if item.Title == pairs[n+1] {
			item.Published = noon.AddDate(0, 0, -7*n).Format(time.RFC3339)
		}
		row.Items = append(row.Items, item)
	}
	row.Count = len(row.Items)
	return row
}

// TestJudge_own: feeds with other content besides a source's own articles, or instead of them. No labelled site has
// these forms.
func TestJudge_own(t *testing.T) {
	good := func(int, *schemas.Document) {}
	page := func(kind string, words int) func(int, *schemas.Document) {
		return func(_ int, d *schemas.Document) { d.PageType, d.Quality.Words = kind, words }
	}
	text := func(text string) func(int, *schemas.Document) {
		return func(_ int, d *schemas.Document) { d.Text = text }
	}
	posts := []string{
		"/2024/03/a/", "Spring", "/2024/02/b/", "Frost", "/2024/01/c/", "Snow on the quay", "/2023/12/d/",
		"The longest night", "/2023/11/e/", "Fog",
	}
	works := []string{"/works/a/", "A house by the sea", "/works/b/", "The glass library", "/works/c/", "Station roof"}
	repository := at("/portfolio/one/", "Tides", "/portfolio/two/", "Moons", "/portfolio/three/", "Stars")
	repository.URL, repository.Link = "https://ann.github.io/portfolio/feed.xml", "https://ann.github.io/portfolio/"
	repository.Domain = "ann.github.io"
	for i := range repository.Items {
		repository.Items[i].URL = strings.Replace(repository.Items[i].URL, "a.example", "ann.github.io", 1)
	}
	for _, tt := range []struct {
		name   string
		row    *schemas.FeedCapture
		page   func(int, *schemas.Document)
		reason string // "" if valid
	}{
		{"works of an architect", at(works...), good, "list"},
		{"people", at("/team/ann/", "Ann", "/team/bo/", "Bo", "/staff/cy/", "Cy"), good, "list"},
		{"projects in German", at("/de/projekte/a/", "Haus am See", "/de/projekte/b/", "Turm"), good, "list"},
		{"works beside posts", at(append(works, posts...)...), good, ""},
		{"a site in a repository named portfolio", repository, good, ""},
		{"long reports of a maker", at("/projects/a/", "Lathe", "/projects/b/", "Kiln", "/projects/c/", "Loom",
			"/projects/d/", "Forge", "/projects/e/", "Press"), page("article", 900), ""},
		{"posts, and about", at(append([]string{"/about/", "About"}, posts[:6]...)...), good, ""},
		{
			"a post, and pages without dates", at("/blog/a/", "Spring", "/imprint/", "-Impressum", "/x/", "-Our house"), good,
			"pages",
		},
		{"pages of a theme", at(posts...), text("Voluptatem sequi nesciunt neque porro quisquam est qui dolorem ipsum " +
			"quia dolor sit amet consectetur adipisci velit sed quia non numquam eius modi tempora incidunt ut labore et " +
			"dolore magnam aliquam quaerat voluptatem"), "placeholder"},
		{"a text on typography", at(posts...), text("Printers set lorem ipsum dolor sit amet where a text is to stand, " +
			"since a reader who sees words reads them, and does not look at the page. The custom is old, and comes from " +
			"a speech of Cicero whose lines were cut and mixed until nothing could be read in them any more."), ""},
		{
			"numbered tries", at("/post/1/", "Test post 1", "/post/2/", "Test post 2", "/post/3/", "My third post"), good,
			"placeholder",
		},
		{
			"numbered letters", at("/1/", "Letter 101: on rain", "/2/", "Letter 102: on wind", "/3/", "Letter 103: on ice"),
			good, "",
		},
		{"pictures with dates", at(posts...), page("article", 4), ""},
		{
			"pages of a program in a browser, all of a day", feedOf("The river rises", "Winter begins"), page("article", 4),
			"no text",
		},
		{"posts that are taken for services", at(posts...), page("service", 300), ""},
		{
			"a shop", at("/a/", "Lamp", "/b/", "Chair", "/c/", "Table", "/d/", "Shelf", "/e/", "Bed"), page("product", 90),
			"no articles",
		},
		{
			"a manual without dates", at("/docs/a/", "-Install", "/docs/b/", "-Configure", "/docs/c/", "-Upgrade"), good,
			"no articles",
		},
		{"lessons with dates", at("/docs/a/", "Install", "/docs/b/", "Configure", "/docs/c/", "Upgrade"), good, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdict, reasons, e := Judge(with(tt.row, tt.page))
			if tt.reason == "" && verdict != Valid || tt.reason != "" && (verdict != Rejected || reasons[0] != tt.reason) {
				t.Errorf("%s %q, want %q\n%+v", verdict, reasons, tt.reason, e)
			}
		})
	}
}
