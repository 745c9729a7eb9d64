package source

import (
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestJudge_listed: lists that programs and people put into feeds, recognised by the names in them, and pieces that
// look similar.
func TestJudge_listed(t *testing.T) {
	posts := []string{"/blog/a/", "Frost on the quay", "/blog/b/", "Rain in the old town", "/blog/c/", "Snow again"}
	on := func(host string, row *schemas.FeedCapture) *schemas.FeedCapture {
		row.URL, row.Link, row.Host, row.Domain = "https://"+host+"/feed.xml", "https://"+host+"/", host, host
		for n := range row.Items {
			row.Items[n].URL = strings.Replace(row.Items[n].URL, "a.example", host, 1)
		}
		return row
	}
	titled := func(title string, row *schemas.FeedCapture) *schemas.FeedCapture {
		row.Title = title
		return row
	}
	section := func(title string) *schemas.FeedCapture {
		row := titled(title, on("ann.github.io", at("/project/a/", "Lathe", "/project/b/", "Kiln", "/project/c/", "Loom")))
		row.URL, row.Link = "https://ann.github.io/project/index.xml", "https://ann.github.io/project/"
		return row
	}
	manual := []string{
		"/install/", "-Install it on a server", "/x/y/ports/", "-Which ports are open", "/x/keys/", "-How keys are kept safe",
	}
	dated := func(pairs []string) []string {
		pairs = append([]string{}, pairs...)
		for n := range pairs {
			pairs[n] = strings.TrimPrefix(pairs[n], "-")
		}
		return pairs
	}
	for _, tt := range []struct {
		name            string
		row             *schemas.FeedCapture
		verdict, reason string
	}{
		{
			"terms without dates",
			at("/a/", "-Algemene Voorwaarden", "/b/", "-Klachtenregeling", "/c/", "-Team en tarief"), Rejected, "pages",
		},
		{"terms in German", at("/a/", "AGB", "/b/", "Datenschutz", "/c/", "Lieferung"), Rejected, "pages"},
		{"terms in Chinese", at("/a/", "隐私政策", "/b/", "服务条款", "/c/", "产品"), Rejected, "pages"},
		{"names without dates", at("/a/", "-Shaper", "/b/", "-Old Mill", "/c/", "-Quay"), Undecided, "pages"},
		{"two names in a folder of news", at("/news/a/", "-Shaper", "/news/b/", "-Square licence"), Undecided, "pages"},
		{
			"headings without dates",
			at("/a/", "-The mayor opens the bridge at last", "/b/", "-Hail breaks forty windows in town", "/c/",
				"-School closes early for heat"), Valid, "",
		},
		{
			"many names in a folder of posts",
			at("/blog/a/", "-Frost", "/blog/b/", "-Rain", "/blog/c/", "-Snow", "/blog/d/", "-Hail", "/blog/e/", "-Fog"),
			Valid, "",
		},

		{
			"tries",
			at("/blog/first/", "On courage", "/blog/second/", "On rain", "/blog/third/", "On snow"), Rejected, "placeholder",
		},
		{
			"tries of posts",
			at("/p/test-1.html", "Quay", "/p/sample-post.html", "Mill", "/p/hello-world.html", "Inn"), Rejected, "placeholder",
		},
		{"a first post", at(append([]string{"/blog/my-first-post/", "Why I write"}, posts...)...), Valid, ""},
		{"names with such words", at("/blog/first-aid/", "First aid", "/blog/test-cricket/", "Five days", "/blog/bar-exam/",
			"The bar"), Valid, ""},

		{
			"works in the places of a theme's posts",
			at("/blog/markdown-style-guide/", "Quay", "/blog/mathematics-examples.html", "Mill",
				"/blog/theme-documentation-basics", "Inn"), Rejected, "placeholder",
		},
		{
			"one such place",
			at("/blog/markdown-style-guide/", "How we write", "/blog/frost/", "The frost", "/blog/rain/", "The rain"), Valid, "",
		},
		{
			"short names",
			at("/blog/pandas/", "Two pandas came to town", "/blog/soccer/", "We lost again", "/blog/apples/", "The harvest"),
			Valid, "",
		},

		{"a manual by its host", on("docs.b.example", at(manual...)), Rejected, "no articles"},
		{"a manual by its title", titled("Home on Kettle Developer Documentation", at(manual...)), Rejected, "no articles"},
		{"a manual in Chinese", titled("水壶 开发文档", at(manual...)), Rejected, "no articles"},
		{"dated texts of such a site", on("docs.b.example", at(dated(manual)...)), Valid, ""},
		{"posts of such a site", on("docs.b.example", at(posts...)), Valid, ""},

		{
			"a list of feeds",
			at("/rss/blog.xml", "Our blog", "/rss/homes.xml", "Homes", "/towns.atom", "Towns"), Rejected, "list",
		},
		{
			"films by their numbers",
			at("/news/video-naruto-10", "Naruto", "/news/video-bleach-11", "Bleach", "/news/film-akira-7", "Akira"),
			Rejected, "list",
		},
		{
			"houses by their numbers",
			at("/p/property-old-mill-4711", "Old Mill", "/p/property-quay-12-4712", "Quay 12"), Rejected, "list",
		},
		{"posts that begin like them", at("/blog/video-killed-the-radio-star/", "Radio", "/blog/product-photos/", "Light",
			"/blog/item-7/", "The seventh"), Valid, ""},

		{"work", at("/2024/01/a/", "Software Developer Team Lead", "/2024/01/b/", "IT Helpdesk Support", "/2024/02/c/",
			"Data Analyst Supervisor", "/2024/03/d/", "Sales Manager (London)"), Rejected, "list"},
		{"work in German", at("/news/a/", "Bäcker (m/w/d)", "/news/b/", "Fahrer (m/w/d) in Vollzeit – Köln", "/news/c/",
			"Mitarbeiter Lager (w/m/d)"), Rejected, "list"},
		{
			"work by its folder",
			at("/jobs/a/", "Baker", "/jobs/b/", "Driver wanted", "/careers/c/", "Night shift"), Rejected, "list",
		},
		{
			"texts on work",
			at("/blog/a/", "How I became a manager and left again after a year", "/blog/b/", "Our new driver tells", "/blog/c/",
				"A day with the baker"), Valid, "",
		},

		{
			"subjects named twice",
			at("/g/a/", "Naruto: all episodes - Naruto", "/g/b/", "Bleach: all episodes - Bleach", "/g/c/",
				"Akira: the film - Akira"), Rejected, "spam",
		},
		{"in Japanese", at("/g/a/", "A3! 最新情報 — A3!", "/g/b/", "雀魂 最新情報 — 雀魂", "/g/c/", "荒野 最新情報 — 荒野"), Rejected, "spam"},
		{"the site's name at both ends", at("/blog/a/", "Quay news: frost | Quay", "/blog/b/", "Quay news: rain | Quay",
			"/blog/c/", "Quay news: snow | Quay"), Valid, ""},

		{"a section of projects", section("Projects | Ann"), Rejected, "list"},
		{"of Hugo", section("Projects on Ann"), Rejected, "list"},
		{"a site in a repository of that name", section("Ann makes things"), Valid, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdict, reasons, e := Judge(with(tt.row, func(int, *schemas.Document) {}))
			if verdict != tt.verdict || (len(reasons) > 0) != (tt.reason != "") || tt.reason != "" && reasons[0] != tt.reason {
				t.Errorf("%s %q, want %s %q\n%+v", verdict, reasons, tt.verdict, tt.reason, e)
			}
		})
	}
}

// TestJudge_timeless: names without dates are pieces if others came after them. Pages of a club, with a date or
// without, have no text.
func TestJudge_timeless(t *testing.T) {
	row := at("/a/", "-Shaper", "/b/", "-Old Mill", "/c/", "-Quay")
	first := with(row, func(int, *schemas.Document) {})
	if verdict, reasons, e := Judge(first); verdict != Undecided {
		t.Errorf("at the first visit: %s %q\n%+v", verdict, reasons, e)
	}
	later := at("/d/", "-Fog", "/a/", "-Shaper", "/b/", "-Old Mill")
	later.Timestamp = noon.AddDate(0, 0, 9).Format(time.RFC3339)
	if verdict, reasons, e := Judge(Merge(first, with(later, func(int, *schemas.Document) {}))); verdict != Valid {
		t.Errorf("when another came: %s %q\n%+v", verdict, reasons, e)
	}
	club := at("/post/a/", "Winter ride", "/post/b/", "Gallery", "/post/c/", "People", "/post/d/", "Information",
		"/post/e/", "Statistics", "/post/f/", "Summer ride")
	short := with(club, func(_ int, d *schemas.Document) { d.Quality.Words = 5 })
	if verdict, reasons, e := Judge(short); verdict != Rejected {
		t.Errorf("pages of a club: %s %q\n%+v", verdict, reasons, e)
	}
}
