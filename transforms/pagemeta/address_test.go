package pagemeta

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestExtract_ordinaryCanonical: URLs with brackets that are words of a name, and hosts of one network.
func TestExtract_ordinaryCanonical(t *testing.T) {
	for _, tt := range []struct{ own, href, want string }{
		{"https://a.example/2012/05/%5Bvideo%5D-new-song.html", "", ""},
		{"https://a.example/wiki/Song_[live]", "", ""},
		{"https://a.example/blog/%5Binterview%5D-ann-lee", "", ""},
		{"https://a.example/[Live]-a", "", ""},
		{"https://a.example/wiki/[live]", "", ""},
		{"https://a.example/b", "/{slug}/[live]", "none"},
		{"https://a.example/b", "https://a.example/blog/{slug}.html", "none"},
		{"https://a.example/b", "/p-{id}/", "none"},
		{"https://a.example/b", "/%7Byear%7D-a/", "none"},
		{"https://a.example/b", "/blog/%7bslug%7d.html", "none"},
		{"https://a.example/b", "/[year]/[slug].html", "none"},
		{"https://a.example/wiki/%7Blive%7D-a", "", ""},
		{"https://a.example/b", "https://a.example/%7B3f2504e0-4f89%7D", ""},
		{"https://a.example/amp/%7Blive%7D-b", "https://a.example/%7Blive%7D-a", ""},
		{"http://intranet.lan/a", "http://www.intranet.lan/a", ""},
		{"http://10.0.0.5/a", "http://10.0.0.6/a", ""},
		{"http://wiki.corp.internal/a", "http://docs.corp.internal/a", ""},
		{"https://a.example/b", "http://docs.corp.internal/a", "none"},
	} {
		if tt.href == "" {
			tt.href = tt.own
		}
		switch tt.want {
		case "":
			tt.want = strings.NewReplacer("[", "%5B", "]", "%5D").Replace(tt.href)
		case "none":
			tt.want = ""
		}
		p := page.Parse([]byte("<link rel=canonical href='"+tt.href+"'>"), page.Options{URL: tt.own})
		got := strings.NewReplacer("[", "%5B", "]", "%5D").Replace(Extract(p, nil, Options{}).Canonical)
		if got != tt.want {
			t.Errorf("canonical %s at %s = %q, want %q", tt.href, tt.own, got, tt.want)
		}
	}
}
