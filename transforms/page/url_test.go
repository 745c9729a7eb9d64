package page

import (
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// slow returns the expected result of resolve.
func (r *resolver) slow(ref string) string {
	u := r.parse(ref)
	if u == nil {
		return ""
	}
	return u.Href(false)
}

func TestResolver_plain(t *testing.T) {
	bases := []string{
		"https://example.org/a/b?c#d", "http://example.org", "https://user:pw@example.org:8080/a/", "file:///a/b",
		"about:blank",
		"no url", "https://example.org/?a/b", "https://example.org/a//b/",
	}
	tests := []struct {
		ref   string
		plain bool // from the first base
	}{
		{"", true},
		{"#", true},
		{"#top/?x", true},
		{"#a#b", false},
		{"#ü", false},
		{"?", true},
		{"?q=1&r=%20#f", true},
		{"?q='", false},
		{"/", true},
		{"/a/b.html?c=d#e", true},
		{"/a//b", true},
		{"/a/./b", false},
		{"/a/../b", false},
		{"/a/%2e%2E/b", false},
		{"/a/%2", false},
		{"/a/%zz/%41", true},
		{"/.well-known", false},
		{"/a\\b", false},
		{"/a b", false},
		{"//other.example/x", true},
		{"///x", false},
		{"page.html", true},
		{" page.html\n", true},
		{"\x00\t", true},
		{"1-page.html", true},
		{"1:2", false},
		{"data:image/svg+xml,%3Csvg%20xmlns='a\"b'><{}[]|^`\\%zz.", true},
		{"data:text/html,a b", false},
		{"data:a?b", false},
		{"data:a#b", false},
		{"data:/a/../b", false},
		{"data:", false},
		{"mailto:a@example.org", true},
		{"mailto:ü@example.org", false},
		{"javascript:void(0)", true},
		{"javascript://a.example/", false},
		{"tel:+1\x7f", false},
		{" tel:+1 ", true},
		{"Tel:1", false},
		{"a/b:c", false},
		{"a:b", false},
		{"./a", true},
		{"./a/b:c?d=.", true},
		{"./http://a.example/", true},
		{"./a/../b", false},
		{"./", false},
		{"./?a", false},
		{"./1", false},
		{"1.html", true},
		{" /a", true},
		{"https://example.org", true},
		{"https://example.org/", true},
		{"https://example.org?x", false},
		{"https://example.org:443/", false},
		{"https://Example.org/", false},
		{"HTTPS://example.org/", false},
		{"https://a..b/", false},
		{"https://-a.b/", false},
		{"https://a-.b/", false},
		{"https://a--b.c/", false},
		{"https://xn--a.example/", false},
		{"https://a_b.example/", false},
		{"https://1.2.3.4/", false},
		{"https://1.2.3/", false},
		{"https://a.0x1/", false},
		{"https://a.1b/", false},
		{"https://1.a/", true},
		{"https:///a", false},
		{"https://a.b./", false},
		{"https://user@a.b/", false},
		{"http:a", false},
		{"javascript:x()", true},
		{"mailto:a@b.c", true},
		{"mailto:a@b.c?subject=x.y&body=%2e#z", true},
		{"mailto:", false},
		{"mailto:/a/../b", false},
		{"mailto:a b@c.d", false},
		{"mailto:a@b.c?subject='x'", false},
		{"MAILTO:a@b.c", false},
		{"tel:+49-30.1", true},
		{"tel://1", false},
		{"tel:ü", false},
		{"../a.html?b#c", true},
		{"../../../a", true},
		{"../a/http://b.example/", true},
		{"../", false},
		{"../../", false},
		{"../..", false},
		{"../a/../b", false},
		{".././a", false},
		{"..//a", false},
		{"../%2e%2e/a", false},
	}
	for i, base := range bases {
		r := newResolver(base)
		for _, tt := range tests {
			got := r.plain(tt.ref)
			if i == 0 && (got != "") != tt.plain {
				t.Errorf("plain(%q) = %q, want something: %v", tt.ref, got, tt.plain)
			}
			if want := r.slow(tt.ref); got != "" && got != want {
				t.Errorf("plain(%q) from %q = %q, want %q", tt.ref, base, got, want)
			}
		}
	}
}

// Links of real pages are resolved like in the URL parser; most of them do not need it.
func TestResolver_realLinks(t *testing.T) {
	pages, _ := corpus(t, 5)
	links, plain := 0, 0
	for _, src := range pages {
		p := Parse(src, Options{URL: "https://example.org/news/2020/?page=1"})
		r := p.resolver()
		for i := range p.Nodes {
			for _, name := range []string{"href", "src"} {
				ref, ok := p.Attr(i, name)
				if !ok || len(ref) > maxURL {
					continue
				}
				links++
				got := r.plain(ref)
				if got == "" {
					continue
				}
				plain++
				if want := r.slow(ref); got != want {
					t.Errorf("plain(%q) = %q, want %q", ref, got, want)
				}
			}
		}
	}
	t.Logf("%d of %d links need no parser", plain, links)
	if plain < links*8/10 {
		t.Errorf("want 8 of 10 at least")
	}
}

// TestNewResolver compares the prefixes with those of the parsed base.
func TestNewResolver(t *testing.T) {
	for _, base := range []string{
		"https://example.org/a/b?c#d", "http://example.org", "http://example.org?a", "http://example.org#a/b",
		"https://EXAMPLE.org/",
		"https://example.org/a/../b", "https://example.org/ü", " https://example.org/a",
		"https://example.org/a#b#c?d", "https://1.2/",
		"https://example.org:443/a", "https://u@example.org/a", "https://example.org/#", "https://example.org/a b",
		"http:/a", "",
		"https://example.org/a/?b=/c/", "data:text/html,a", "https:example.org/a", "https://xn--a/", "https://a--b.example/",
	} {
		var want prefixes
		if u, err := whatwg.Parse(base); err == nil {
			want = prefixesOf(u.Href(true))
		}
		r := newResolver(base)
		if r.own != want {
			t.Errorf("newResolver(%q) has %q, want %q", base, r.own, want)
		}
		if _, err := whatwg.Parse(base); (r.parse("../x") == nil) != (err != nil || r.base.Protocol() == "data:") {
			t.Errorf("newResolver(%q).parse failed, or did not", base)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, ref := range []string{
		"/a/b?c#d", "https://a.example/", "//a.example/b", "#a", "?a", "a/b", "/a/%2e",
		"https://a.0x1/", "./a:b", "", "mailto:a@b.c?d", "tel:/1", "../../a/b", "../..//a",
	} {
		f.Add("https://example.org/a/b?c#d", ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		if len(base) > maxURL || len(ref) > maxURL {
			return
		}
		r := newResolver(base)
		if got := r.plain(ref); got != "" {
			if want := r.slow(ref); got != want {
				t.Errorf("plain(%q) from %q = %q, want %q", ref, base, got, want)
			}
		}
	})
}
