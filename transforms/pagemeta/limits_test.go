package pagemeta

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestExtract_hostileTime: the time is linear in the size of the page. Each title is compared with all blocks.
func TestExtract_hostileTime(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, format, k)
		}
		return b.String()
	}
	const blocks = 90_000
	paragraphs := many(blocks, "<p>bbbbbbbb%06d")
	article := func(list string) string {
		return `<script type="application/ld+json">{"@type":"Article",` + list + `}</script>`
	}
	for name, src := range map[string]string{
		"headlines": article(`"headline":["x"` + many(50_000, `,"aaaaaaaa%06d"`) + `]`),
		"names":     article(`"headline":"x","name":["x"` + many(50_000, `,"aaaaaaaa%06d"`) + `]`),
		"headlines of other lengths": article(`"headline":["x"` + many(1000, `,"aaaaaaaa%06d"`) +
			many(1000, `,"aaaaaaaa aaaaaaaaaaa %06d"`) + `]`),
		"microdata": `<div itemscope itemtype="https://schema.org/Article">` +
			many(8000, `<b itemprop=headline>aaaaaaaa%06d</b>`) + `</div>`,
		"og:title":   many(250, `<meta property=og:title content="aaaaaaaa%06d">`),
		"same block": article(`"headline":["x"`+many(20_000, `,"bbbbbbbb%06d"`)+`]`) + "<h1>Some other heading</h1>",
	} {
		t.Run(name, func(t *testing.T) {
			p := page.Parse([]byte(src+paragraphs), page.Options{URL: "https://example.com/a/b"})
			ld := jsonld.Nodes(p.Scripts(), jsonld.Options{})
			if took := cputime.Of(func() { Extract(p, ld, Options{}) }); took > 2*time.Second {
				t.Errorf("%v for %d bytes", took, len(src)+len(paragraphs))
			}
		})
	}
}
