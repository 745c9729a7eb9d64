package maintext

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestHeadline_is(t *testing.T) {
	tests := []struct {
		name, title, block string
		want               bool
	}{
		{"the whole title", "The Tay Bridge Disaster", "<p>The Tay Bridge Disaster", true},
		{"before the site's name", "The Tay Bridge Disaster - Scot Clans", "<b>The Tay Bridge Disaster</b>", true},
		{"after the site's name", "Bridge News | Le pont du Tay s’écroule", "<div>Le pont du Tay s'écroule</div>", true},
		{"in other cases", "Die Brücke am Tay", "<td><font size=5>DIE BRÜCKE AM TAY</font></td>", true},
		{"in Cyrillic", "Катастрофа моста через Тей — Новости", "<div class=title>Катастрофа моста через Тей</div>", true},
		{"the site's name alone", "How the bridge over the Tay fell in the storm of 1879 - Scot Clans", "<p>Scot Clans", false},
		{"one word", "Disasters", "<p>Disasters", false},
		{"another title", "The Tay Bridge Disaster", "<p>The Forth Bridge opens", false},
		{"a paragraph that begins so", "The Tay Bridge", "<p>The Tay Bridge fell in a storm", false},
		{"no title", "", "<p>The Tay Bridge Disaster", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte("<title>"+tt.title+"</title><body>"+tt.block), page.Options{})
			var h headline
			h.read(p)
			if got := h.is(p, 0); got != tt.want {
				t.Errorf("is(%q) = %v with the title %q, want %v", p.Text, got, tt.title, tt.want)
			}
		})
	}
}

// TestHeadline_long bounds the work: no block of many letters is a headline.
func TestHeadline_long(t *testing.T) {
	long := strings.Repeat("bridge ", 500)
	p := page.Parse([]byte("<title>"+long+"</title><p>"+long), page.Options{})
	var h headline
	h.read(p)
	if h.is(p, 0) {
		t.Error("a text of 3,500 letters is a headline")
	}
}
