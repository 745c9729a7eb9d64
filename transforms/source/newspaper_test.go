package source

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/department"
)

// TestPublisher: a newspaper has pages of several departments; a magazine, a blog and a party do not.
func TestPublisher(t *testing.T) {
	for name, tt := range map[string]struct {
		url, title string
		paths      []string
		want       string
	}{
		"newspaper": {
			"https://a.example/rss", "A",
			[]string{"politik/1", "lokales/2", "sport/3", "wirtschaft/4"},
			schemas.PublisherMainstreamNews,
		},
		"with accents": {"https://a.example/rss", "A", []string{
			"política/1", "deportes/2", "economía/3", "Opinión/4",
			"mundo/5",
		}, schemas.PublisherMainstreamNews},
		"named like one": {
			"https://a.example/rss", "Cork Herald",
			[]string{"news/local/1", "sport/2"},
			schemas.PublisherMainstreamNews,
		},
		"named by domain": {
			"https://www.badische-zeitung.de/rss", "BZ",
			[]string{"panorama/x", "kultur/y"},
			schemas.PublisherMainstreamNews,
		},
		"name alone":      {"https://a.example/rss", "The Daily Bread", []string{"2024/bread", "recipes/cake"}, ""},
		"sports magazine": {"https://a.example/rss", "Tennis News", []string{"sport/1", "business/2"}, ""},
		"culture, tech": {
			"https://a.example/rss", "Blog",
			[]string{"tech/1", "culture/2", "business/3", "opinion/4"},
			"",
		},
		"slug is no section": {"https://a.example/rss", "A", []string{"politics", "world", "sport", "local", "economy"}, ""},
	} {
		s := State{Info: Info{URL: tt.url, Title: tt.title}}
		for i, path := range tt.paths {
			s.Entries = append(s.Entries, Entry{Time: int64(100 - i), URL: fmt.Sprintf("https://a.example/%s", path)})
		}
		if got := s.publisher(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	// Votes of pages come first; a single page is not enough.
	s := State{Pages: []Page{{Link: 1, Publisher: schemas.PublisherForum}, {Link: 2, Publisher: schemas.PublisherForum}}}
	if got := s.publisher(); got != schemas.PublisherForum {
		t.Errorf("two pages of a forum: %q", got)
	}
	s.Pages = s.Pages[:1]
	if got := s.publisher(); got != "" {
		t.Errorf("one page of a forum: %q", got)
	}
}

// FuzzPathOf: the short way gives the same path as url.Parse.
func FuzzPathOf(f *testing.F) {
	for _, link := range []string{
		"https://a.example/politik/wien/1-x?q=/a#b", "http://a.example", "http://a.example?x/y", "https://A.example:80/b/c",
		"https://a.example/%70olitik/a", "https://a.example/a b/c", "mailto:a@b.example", "/politik/x", "https:///a/b",
		"https://a.example/a#%zz", "https://a.example/ñ/b", "https://a@b.example/x/y", "http://a.example/a?b\x7f",
	} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		path, ok := pathOf(link)
		u, err := url.Parse(link)
		if ok != (err == nil) || ok && path != u.Path {
			t.Errorf("pathOf(%q) = %q, %v; url.Parse has %v, %v", link, path, ok, u, err)
		}
	})
}

// TestPublisher_votes: links on half of the pages count. A single page needs as many to be sure. A magazine's
// departments differ from a newspaper's.
func TestPublisher_votes(t *testing.T) {
	paper := signsOf([]string{"politics", "world", "sport", "economy", "weather"})
	magazine := signsOf([]string{"NewsArticle", "culture", "economy", "latest", "science"})
	front := signsOf([]string{"politics", "economy", "sport"})
	others := signsOf([]string{"world", "nation", "opinion", "weather"})
	for name, tt := range map[string]struct {
		pages []SiteSigns
		want  string
	}{
		"one page":        {[]SiteSigns{paper}, ""},
		"surer one page":  {[]SiteSigns{paper | signsOf([]string{"NewsArticle", "crime"})}, schemas.PublisherMainstreamNews},
		"two pages":       {[]SiteSigns{paper, paper}, schemas.PublisherMainstreamNews},
		"half of them":    {[]SiteSigns{paper, 0, paper, 0}, schemas.PublisherMainstreamNews},
		"fewer than half": {[]SiteSigns{paper, 0, 0}, ""},
		"few departments": {[]SiteSigns{front, front, 0, 0}, ""},
		"more in quarter": {[]SiteSigns{front, front, others, 0}, schemas.PublisherMainstreamNews},
		"less in quarter": {[]SiteSigns{front, front, front, others, 0}, ""},
		"none on half":    {[]SiteSigns{front, front, front, others, others, others, 0}, schemas.PublisherMainstreamNews},
		"magazine":        {[]SiteSigns{magazine, magazine, magazine}, ""},
		"nothing":         {[]SiteSigns{0, 0}, ""},
	} {
		s := State{Info: Info{URL: "https://a.example/rss", Title: "A"}}
		for i, signs := range tt.pages {
			page := Page{Link: uint64(i + 1), URL: fmt.Sprintf("https://a.example/%d", i), Signs: signs}
			s.Pages = append(s.Pages, page)
		}
		if got := s.publisher(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestNewsSigns_severalPages: the number of linked departments of general news counts if pages can vote on it. A
// department that fewer than half of the pages link to counts in part.
func TestNewsSigns_severalPages(t *testing.T) {
	signs := signsOf([]string{"politics", "world", "crime", "sport"})
	s := State{Info: Info{URL: "https://a.example/rss"}, Pages: []Page{{Link: 1, Signs: signs}}}
	want := newsSigns{always: whole}
	for d := range signs.departments().All() {
		want[d] = whole
	}
	if got := s.newsSigns(); got != want {
		t.Errorf("one page: %v, want %v", got, want)
	}
	s.Pages = append(s.Pages, Page{Link: 2, Signs: signs}, Page{Link: 3, Signs: signsOf([]string{"weather"})})
	want[department.Weather] = 66
	want[several], want[generalLinks], want[generalLinks+1], want[generalLinks+2] = whole, whole, whole, whole
	if got := s.newsSigns(); got != want {
		t.Errorf("three pages: %v, want %v", got, want)
	}
}

// TestSiteSigns_departments: all departments are restored from their bits, and types are the same as in earlier
// states.
func TestSiteSigns_departments(t *testing.T) {
	for d := range department.Count {
		signs := signsOf([]string{d.String(), "NewsArticle", "NewsMediaOrganization"})
		if got := signs.departments(); got != 1<<d {
			t.Errorf("%s: %b in %b", d, got, signs)
		}
	}
	if got := signsOf([]string{"politics", "science", "NewsArticle", "NewsMediaOrganization"}); got != 0b1110_0000_0001 {
		t.Errorf("signs of earlier states: %b", got)
	}
}
