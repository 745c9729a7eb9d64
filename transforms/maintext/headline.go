package maintext

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	// fewestHeadline is how many letters a headline must have: a section's name may be in the title too.
	fewestHeadline = 8
	// headlineShare is the share of the title's letters that a headline must have: the rest is often the site's name.
	headlineShare = 0.3
	maxTitle      = 300 // letters that are compared
)

// headline recognises the blocks that repeat the page's title.
type headline struct{ title, buffer []byte }

// read takes the title of p.
func (h *headline) read(p *page.Page) {
	h.title, _ = appendLetters(h.title[:0], []byte(p.Title()), maxTitle)
}

// is reports whether block i is the headline: the title has its letters. Old pages have headlines without heading
// elements.
func (h *headline) is(p *page.Page, i int) bool {
	b := &p.Blocks[i]
	if b.Words < 2 || len(h.title) == 0 || int(b.End-b.Start) > 2*maxTitle {
		return false
	}
	var n int
	h.buffer, n = appendLetters(h.buffer[:0], p.Text[b.Start:b.End], maxTitle)
	return n >= fewestHeadline && float32(len(h.buffer)) >= headlineShare*float32(len(h.title)) &&
		bytes.Contains(h.title, h.buffer)
}
