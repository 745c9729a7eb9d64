package sourceindex

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestSearched: a text is found in titles and URLs whatever its case and script.
func TestSearched(t *testing.T) {
	tests := []struct{ title, url, find, miss string }{
		{"The Times", "https://times.example/feed", "tiMES", "timers"},
		{"Österreich heute", "https://a.example/", "österreich", "osterreich"},
		{"Москва 24", "https://a.example/", "москва", "мосты"},
		{"Ελλάς", "https://a.example/", "ΕΛΛΆΣ", "ελλάδα"},
		{"L'Écho", "https://a.example/", "écho", "echo"},
		{"L'E\u0301cho", "https://a.example/", "éCHO", "echo"},
		{"İstanbul", "https://a.example/", "İSTANBUL", "ankara"},
		{"Աշխարհ", "https://a.example/", "աշխարհ", "հայ"},
		{"", "https://xn--mnchen-3ya.example/feed", "MÜNCHEN", "munchen"},
		{"", "https://xn--mnchen-3ya.example/feed", "xn--mnchen", "xn--x"},
		{"", "https://ru.example/%D0%A2%D0%B5%D0%BC%D0%B0?q=%C3%89cho", "тема?q=écho", "тема/"},
		{"", "https://ru.example/%D0%A2?a=100%", "%d0%a2?a=100%", "?b"},
		{"", "https://ru.example/%FF/Feed", "/feed", "feeds"},
		{"", "HTTPS://[::1]:80/a%zz", "A%ZZ", "b"},
	}
	for _, tt := range tests {
		s := schemas.Source{Title: tt.title, URL: tt.url}
		if !strings.Contains(searched(s), fold(tt.find)) {
			t.Errorf("%q is not found in %q", tt.find, searched(s))
		}
		if strings.Contains(searched(s), fold(tt.miss)) {
			t.Errorf("%q is found in %q", tt.miss, searched(s))
		}
	}
}
