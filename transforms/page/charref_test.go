package page

import (
	"html"
	"strings"
	"testing"
)

func TestUnescape(t *testing.T) {
	for _, tt := range []struct{ s, want string }{
		{"", ""},
		{"plain", "plain"},
		{"Caf&eacute; &#8220;Central&#8221; &#x2014; a &amp; b", "Café “Central” — a & b"},
		{"&copy 2020 &amp", "© 2020 &"},
		{"https://shop.example/p?id=7&region=eu&timestamp=1", "https://shop.example/p?id=7&region=eu&timestamp=1"},
		{"/i?a=1&copy=2&section=3&notify=4&currency=5&para", "/i?a=1&copy=2&section=3&notify=4&currency=5¶"},
		{"?a=1&amp;region=eu&amp;times=2", "?a=1&region=eu&times=2"},
		{"&notin; &notit; &NotEqualTilde;!", "∉ &notit; ≂̸!"},
		{"a & b && c &; &#; &#x; &unknown;", "a & b && c &; &#; &#x; &unknown;"},
		{"&", "&"},
		{"&CounterClockwiseContourIntegral;", "∳"},
		{"&#128;&#0;", "€\ufffd"},
		{"&lt;p&gt;", "<p>"},
	} {
		if got := Unescape(tt.s); got != tt.want {
			t.Errorf("Unescape(%q) = %q, want %q", tt.s, got, tt.want)
		}
	}
}

// FuzzUnescape: it is what the standard's decoder of attributes makes, except for line ends and NUL.
func FuzzUnescape(f *testing.F) {
	f.Add("a&amp;b &copy=1 &#60; &notit;")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, "\r\x00") || strings.Contains(s, "&#0") || strings.Contains(s, "&#x0") {
			return
		}
		got := Unescape(s)
		if want := decode([]byte(s), inAttribute); got != want {
			t.Errorf("Unescape(%q) = %q, want %q", s, got, want)
		}
		if escaped := html.EscapeString(s); Unescape(escaped) != s {
			t.Errorf("Unescape(%q) = %q, want %q", escaped, Unescape(escaped), s)
		}
	})
}
