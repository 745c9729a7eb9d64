package page

import "testing"

// TestItems_textOfLink: text properties have the text of a link, and URL properties its address.
func TestItems_textOfLink(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"name", `<a itemprop=name href=/u/7>Jane Doe</a>`, "Jane Doe"},
		{"legalName", `<a itemprop=legalName href=/>Bridges Ltd</a>`, "Bridges Ltd"},
		{"headline", `<a itemprop="headline" href=/a><b>How</b> it was</a>`, "How it was"},
		{"name", `<area itemprop=name href=/u/7>`, "https://example.com/u/7"},
		{"name", `<a itemprop=name href=/u/7 content="Jane">Doe</a>`, "Jane"},
		{"name", `<a itemprop=name href=/u/7><img src=a.png></a>`, "https://example.com/u/7"},
		{"name", `<link itemprop=name href=/u/7>`, "https://example.com/u/7"},
		{"url", `<a itemprop=url href=/u/7>Jane Doe</a>`, "https://example.com/u/7"},
		{"sameAs", `<a itemprop=sameAs href=https://social.example/jane>Jane Doe</a>`, "https://social.example/jane"},
		{"name", `<a itemprop="url name" href=/u/7>Jane Doe</a>`, "Jane Doe"},
		{"url", `<a itemprop="name url" href=/u/7>Jane Doe</a>`, "https://example.com/u/7"},
	}
	for _, tt := range tests {
		p := Parse([]byte("<div itemscope>"+tt.html+"</div>"), Options{URL: "https://example.com/a"})
		got := ""
		for _, prop := range p.Items()[0].Props {
			if prop.Name == tt.name {
				got = prop.Value
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.html, tt.name, got, tt.want)
		}
	}
}
