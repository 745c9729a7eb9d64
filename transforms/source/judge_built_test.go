package source

import (
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestJudge_built: pages that all get their date when a program builds the site, and pieces with the same date for
// other reasons.
func TestJudge_built(t *testing.T) {
	pages := []string{
		"/a/", "Our cellar", "/b/", "The vineyards", "/c/", "How we press", "/d/", "Visits", "/e/", "Prices",
	}
	folders := []string{"/en/a/", "Our cellar", "/en/b/", "The vineyards", "/de/a/", "Unser Keller", "/de/b/", "Weinberge"}
	posts := []string{"/blog/a/", "Frost in May", "/blog/b/", "The last barrel", "/blog/c/", "Rain", "/blog/d/", "Snails"}
	slugs := []string{"/x/2021-09-29-frost/", "Frost", "/x/2021-10-02-rain/", "Rain", "/x/2021-11-03-snow/", "Snow"}
	news := []string{"/town/a-1/", "Mayor resigns", "/town/b-2/", "Bridge opens", "/sport/c-3/", "Goals", "/d/", "Hail"}
	long := noon.AddDate(0, -3, 0).Add(-7*time.Minute - 11*time.Second)
	// dated gives all items the same date, except for those from a number on, which are a week apart.
	dated := func(date string, from int, pairs ...string) *schemas.FeedCapture {
		row := at(pairs...)
		for n := range min(from, len(row.Items)) {
			row.Items[n].Published = date
		}
		return row
	}
	second, day := long.Format(time.RFC3339), long.Format(time.DateOnly)
	sitemap := dated(second, 9, pages...)
	sitemap.Type = "sitemap"
	imported := append(append([]string{}, pages...), "/f/", "Frost", "/g/", "Rain", "/h/", "Snow", "/i/", "Hail",
		"/j/", "Fog")
	for _, tt := range []struct {
		name            string
		row             *schemas.FeedCapture
		verdict, reason string
	}{
		{"pages of a firm", dated(second, 9, pages...), Rejected, "pages"},
		{"in folders of languages", dated(second, 9, folders...), Rejected, "pages"},
		{"by the day, long ago", dated(day, 9, pages...), Rejected, "pages"},
		{"most of them", dated(second, 3, pages...), Rejected, "pages"},
		{"and one post", dated(second, 5, append(pages[:10:10], posts[:2]...)...), Rejected, "pages"},
		{"and posts", dated(second, 5, append(pages[:10:10], posts...)...), Valid, ""},
		{"by the moment of the visit", dated(noon.Add(-11*time.Second).Format(time.RFC3339), 9, news...), Undecided, "pages"},
		{"news of a day", dated(noon.Format(time.DateOnly), 9, news...), Valid, ""},
		{"an edition", dated(noon.Truncate(24*time.Hour).Add(5*time.Hour).Format(time.RFC3339), 9, news...), Valid, ""},
		{"news of an Indian day", dated(noon.Format(time.DateOnly)+"T00:00:00+05:30", 9, news...), Valid, ""},
		{"posts that were put there at once", dated(second, 9, posts...), Valid, ""},
		{"posts named by a day", dated(second, 9, slugs...), Valid, ""},
		{"pieces that go on in no folder", dated(second, 5, imported...), Valid, ""},
		{"two of one time", dated(second, 9, pages[:4]...), Valid, ""},
		{"a sitemap", sitemap, Valid, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdict, reasons, e := Judge(with(tt.row, func(int, *schemas.Document) {}))
			if verdict != tt.verdict || (len(reasons) > 0) != (tt.reason != "") || tt.reason != "" && reasons[0] != tt.reason {
				t.Errorf("%s %q, want %s %q\n%+v", verdict, reasons, tt.verdict, tt.reason, e)
			}
		})
	}
}

// TestJudge_notPieces: names by which a site sorts its pieces, test posts, entries of directories, and pieces that
// look similar.
func TestJudge_notPieces(t *testing.T) {
	posts := []string{"/posts/a/", "Frost", "/posts/b/", "Rain on the quay", "/posts/c/", "Snow"}
	makers := []string{
		"/projects/a/", "Lathe", "/projects/b/", "Kiln", "/projects/c/", "Loom", "/projects/d/", "Forge",
		"/projects/e/", "Press",
	}
	for _, tt := range []struct {
		name   string
		pairs  []string
		words  int
		reason string // "" if valid
	}{
		{"tags", []string{"/tags/go/", "Go", "/tags/rust/", "Rust", "/tags/wine/", "Wine"}, 300, "list"},
		{"categories", []string{"/category/a/", "Cellar", "/categories/b/", "Oak", "/categories/c/", "Views"}, 300, "list"},
		{"categories in German", []string{"/kategorien/a/", "Wein", "/kategorien/b/", "Bier"}, 300, "list"},
		{"tags beside posts", append([]string{"/tags/go/", "Go", "/tags/rust/", "Rust"}, posts...), 300, ""},
		{
			"posts that are in categories",
			[]string{"/category/wine/frost/", "Frost", "/category/beer/rain/", "Rain", "/category/beer/hop/", "Hop"},
			300, "",
		},
		{"a post named by a year", append([]string{"/posts/1984/", "Nineteen Eighty-Four, read again"}, posts...), 300, ""},
		{"the front page and a post", []string{"/", "Ann", "/posts/a/", "Frost"}, 300, "one item"},
		{"the front page and posts", append([]string{"/", "Ann", "/index.html", "Ann's"}, posts...), 300, ""},
		{"posts by number", []string{"/?p=3", "Frost", "/?p=17", "Rain on the quay", "/?p=21", "Snow"}, 300, ""},
		{"posts by path", []string{"/?q=node/3", "Frost", "/?q=node/17", "Rain", "/?q=node/21", "Snow"}, 300, ""},
		{"posts of a script", []string{"/?/archives/3-a", "Frost", "/?/archives/4-b#c", "Rain"}, 300, ""},
		{"a counted front page", []string{"/?utm_source=rss", "Ann", "/#top", "Ann", "/posts/a/", "Frost"}, 300, "one item"},
		{
			"a try beside posts", append([]string{"/posts/test/", "Probe"}, posts...), 300, "",
		},
		{
			"texts on tests and samples", []string{
				"/posts/test-your-wine/", "Test your wine", "/posts/sample-sizes/", "Sample sizes", "/posts/an-example-of-courage/",
				"An example of courage",
			}, 300, "",
		},
		{"articles of a law", []string{"/1/", "Article 1", "/2/", "Article 2", "/3/", "Article 3"}, 300, ""},
		{"entries of projects", makers, 300, "list"},
		{"long reports of a maker", makers, 900, ""},
		{"a directory of places", []string{"/places/a/", "Quay", "/places/b/", "Mill", "/place/c/", "Inn"}, 300, "list"},
		{"a directory of firms", []string{"/listing/a/", "Smith", "/listing/b/", "Mill", "/company/c/", "Inn"}, 300, "list"},
		{"news of a firm", []string{"/company/news/a/", "We move", "/company/news/b/", "A new press"}, 300, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdict, reasons, e := Judge(with(at(tt.pairs...), func(_ int, d *schemas.Document) { d.Quality.Words = tt.words }))
			if tt.reason == "" && verdict != Valid || tt.reason != "" && (verdict != Rejected || reasons[0] != tt.reason) {
				t.Errorf("%s %q, want %q\n%+v", verdict, reasons, tt.reason, e)
			}
		})
	}
}
