package source

import (
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestSiteName(t *testing.T) {
	tests := []struct {
		name   string
		titles []string
		want   string // of the first title
	}{
		{"after a bar", []string{"One | Gazette", "Two | Gazette", "Three | Gazette"}, "One"},
		{"after a dash", []string{"One – Gazette", "Two – Gazette", "Three – Gazette"}, "One"},
		{"after a colon in front", []string{"Gazette: One", "Gazette: Two", "Gazette: Three"}, "One"},
		{"before a dash", []string{"Gazette - One", "Gazette - Two", "Gazette - Three"}, "One"},
		{"without spaces", []string{"橋が開通｜港新聞", "魚市場｜港新聞", "灯台｜港新聞"}, "橋が開通"},
		{"other separators in titles", []string{"One - a story | Gazette", "Two | Gazette", "3 | Gazette"}, "One - a story"},
		{"a gap", []string{"One | Gazette", "", "Two | Gazette", "Three | Gazette"}, "One"},
		{"not all", []string{"One | Gazette", "Two | Gazette", "Three"}, "One | Gazette"},
		{"too few", []string{"One | Gazette", "Two | Gazette"}, "One | Gazette"},
		{"hyphens inside of words", []string{"e-mail", "b-mail", "c-mail"}, "e-mail"},
		{"replies", []string{"Re: One", "Re: Two", "Re: Three"}, "Re: One"},
		{"comments", []string{"Comment: One", "Comment: Two", "Comment: Three"}, "Comment: One"},
		{"a series", []string{"One – Tides", "Two – Tides", "Three – Tides"}, "One – Tides"},
		{"a shorter name", []string{"One | The Gazette", "Two | The Gazette", "Three | The Gazette"}, "One"},
		{"nothing but the name", []string{" | Gazette", "Two | Gazette", "Three | Gazette"}, "| Gazette"},
		{"all the same", []string{"Weather - today", "Weather - today", "Weather - today"}, "Weather - today"},
	}
	for _, tt := range tests {
		var items []schemas.FeedItem
		for _, title := range tt.titles {
			items = append(items, schemas.FeedItem{Title: title})
		}
		if got := siteNameOf("Comments of The Gazette, 港新聞", items).cut(tt.titles[0]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
