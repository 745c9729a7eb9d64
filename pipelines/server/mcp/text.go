package mcp

import (
	"context"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// pageText is the text of a capture as its readers see it.
type pageText struct {
	shown   string
	removed string // text that the page hides
	hidden  int    // characters of it, and of characters that nobody sees
	checked bool
	why     string // why it was not checked
}

// visible returns the text of a capture without what its page hides.
func (s *Server) visible(_ context.Context, _ string, res *view.Resource) (t pageText) {
	text := res.Document.Text
	if text == "" && res.TextAt != "" {
		text = joined(res.Text)
	}
	shown, n := clean(text)
	t.shown, t.hidden = string(shown), n
	return t
}

// joined returns the text of paragraphs.
func joined(list []view.Paragraph) string {
	var b strings.Builder
	for _, p := range list {
		for _, r := range p.Runs {
			b.WriteString(r.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
