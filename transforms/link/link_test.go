package link

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestSameSite(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"same host", "http://example.com/a", "https://example.com:8443/b?c#d", true},
		{"subdomains", "http://www.example.co.uk/", "http://shop.example.co.uk/", true},
		{"siblings under a suffix", "http://a.co.uk/", "http://b.co.uk/", false},
		{"private suffix", "https://ada.github.io/", "https://bo.github.io/", false},
		{"suffix itself", "https://github.io/", "https://GitHub.io./x", true},
		{"suffix and a site under it", "https://github.io/", "https://ada.github.io/", false},
		{"user and case", "http://me:pw@WWW.Example.COM/", "http://example.com", true},
		{"address", "http://192.0.2.7/", "http://192.0.2.8/", false},
		{"same address", "http://192.0.2.7:80/", "http://192.0.2.7:8080/x", true},
		{"IPv6", "http://[2001:DB8::1]:80/", "http://[2001:db8::1]/", true},
		{"other IPv6", "http://[2001:db8::1]/", "http://[2001:db8::2]/", false},
		{"single label", "http://localhost/", "http://localhost:8080/", true},
		{"IDN", "https://bücher.example/", "https://www.xn--bcher-kva.example/", true},
		{"IDN of a letter that two rules map", "http://faß.de/", "http://fass.de/x", true},
		{"IDN with an underscore", "http://exämple_.com/", "http://xn--exmple_-6wa.com/", true},
		{"escaped host", "http://exa%6dple.com/", "http://example.com/", true},
		{"an address as a number", "http://2130706433/", "http://127.0.0.1/", true},
		{"an address in octal", "http://0177.0.0.1/", "http://127.0.0.1/", true},
		{"bare hosts", "example.com", "www.example.com", true},
		{"lookalike", "http://example.com/", "http://badexample.com/", false},
		{"user that looks like a host", "http://example.com/", "http://example.com@evil.test/", false},
		{"backslash", "http://example.com/", `http://evil.test\@example.com/`, false},
		{"no host", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SameSite(tt.a, tt.b); got != tt.want {
				t.Errorf("SameSite(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
			if got := SameSite(tt.b, tt.a); got != tt.want {
				t.Errorf("SameSite(%q, %q) = %v, want %v", tt.b, tt.a, got, tt.want)
			}
		})
	}
}

func TestCount(t *testing.T) {
	hrefs := []string{
		"https://www.example.com/a", "https://www.example.com/a#two", "https://blog.example.com/", "HTTP://EXAMPLE.COM/x",
		"https://www.example.com/page#top", "https://www.example.com/page",
		"https://other.test/", "https://other.test/?q", "https://other.test/?q#z", "mailto:a@example.com", "tel:+1", "",
		"http",
	}
	tests := []struct {
		name, url          string
		internal, external int
	}{
		{"page", "https://www.example.com/page", 3, 2},
		{"another site", "https://other.test/", 1, 4},
		{"no URL", "", 0, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var anchors []page.Anchor
			for _, h := range hrefs {
				anchors = append(anchors, page.Anchor{Href: h})
			}
			internal, external := Count(tt.url, anchors)
			if internal != tt.internal || external != tt.external {
				t.Errorf("Count = %d, %d, want %d, %d", internal, external, tt.internal, tt.external)
			}
		})
	}
}

func FuzzSameSite(f *testing.F) {
	f.Add("http://example.com/", "https://www.example.co.uk:80/#x")
	f.Add("http://[::1]:80", `http:\\a@b`)
	f.Fuzz(func(t *testing.T, a, b string) {
		if SameSite(a, b) != SameSite(b, a) {
			t.Errorf("SameSite(%q, %q) is not symmetric", a, b)
		}
		if hostOf(authority(a)) != "" && !SameSite(a, a) {
			t.Errorf("SameSite(%q) of itself is false", a)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	var anchors []page.Anchor
	bytes := 0
	for i := range 300 {
		href := fmt.Sprintf("https://www.example%d.com/story/%d", i%10, i)
		bytes += len(href)
		anchors = append(anchors, page.Anchor{Href: href})
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		Count("https://www.example.com/", anchors)
	}
}
