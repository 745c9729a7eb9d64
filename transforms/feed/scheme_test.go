package feed

import (
	"testing"
	"time"
)

func TestResolve_withoutScheme(t *testing.T) {
	const base = "https://site.example/blog/feed.xml"
	tests := []struct{ name, ref, want string }{
		{"www", "www.site.example/a/1", "https://www.site.example/a/1"},
		{"www of another site", "www.other.com", "https://www.other.com"},
		{"the site itself", "site.example/a/1", "https://site.example/a/1"},
		{"the site alone", "site.example", "https://site.example"},
		{"a part of the site", "blog.site.example?p=3", "https://blog.site.example?p=3"},
		{"another host with a path", "other.co.uk/x", "https://other.co.uk/x"},
		{"a port", "site.example:8080/a", "https://site.example:8080/a"},
		{"no colon", "http//site.example/a", "http://site.example/a"},
		{"a slash", "http:/site.example/a", "http://site.example/a"},
		{"no slash", "https:site.example/a", "https://site.example/a"},
		{"twice", "http://http://site.example/a", "http://site.example/a"},
		{"both", "http://https://site.example/a", "https://site.example/a"},
		{"capitals", "WWW.Site.Example/A", "https://WWW.Site.Example/A"},
		{"a file", "post.html", "https://site.example/blog/post.html"},
		{"a file with a path", "index.php/2025/post", "https://site.example/blog/index.php/2025/post"},
		{"a name that is a file", "notes.md", "https://site.example/blog/notes.md"},
		{"a folder", "2025/06/post.html", "https://site.example/blog/2025/06/post.html"},
		{"a query", "index.php?id=3", "https://site.example/blog/index.php?id=3"},
		{"a version", "v1.2/notes", "https://site.example/blog/v1.2/notes"},
		{"mail", "mailto:a@site.example", "mailto:a@site.example"},
		{"a URN", "urn:uuid:1", "urn:uuid:1"},
		{"a path in a URL", "https://web.archive.example/web/http://site.example/a", "https://web.archive.example/web/http://site.example/a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := resolve(base, tt.ref); got != tt.want {
				t.Errorf("resolve(%q) = %q, want %q", tt.ref, got, tt.want)
			}
		})
	}
}

// TestRead_future: dates with a wrong century are not dates, those of events are.
func TestRead_future(t *testing.T) {
	tests := []struct {
		name, date string
		want       bool
	}{
		{"a century ahead", "Mon, 02 Jun 2125 10:00:00 GMT", false},
		{"three decades ahead", "02 Jun 2052", false},
		{"a wrong century, in ISO 8601", "2125-06-02T10:00:00Z", false},
		{"a year of another calendar", "2568-06-02", false},
		{"today", "Mon, 02 Jun 2025 10:00:00 GMT", true},
		{"next year", "2026-06-02", true},
		{"five years ahead", "2030-06-02", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "<rss version='2.0'><channel><title>a</title><item><title>b</title><pubDate>" + tt.date + "</pubDate></item></channel></rss>"
			f, err := Read([]byte(src), "", "", Options{Captured: time.Date(2025, 6, 15, 0, 0, 0, 0, time.UTC)})
			if err != nil || f.Items[0].Published.IsZero() == tt.want || f.Newest().IsZero() == tt.want {
				t.Errorf("Read(%s): %v, published %v, want a date: %v", src, err, f.Items[0].Published, tt.want)
			}
		})
	}
}
