package flow

import "strings"

const (
	// maxHeading bounds a title, in bytes. maxAbove bounds the text above a heading that is the title.
	maxHeading, maxAbove = 300, 400
)

// Ranks of headings as titles.
const (
	Title = iota + 1 // a paragraph with the style of titles
	First            // a heading of the first level
)

// heading is a paragraph that may be the title.
type heading struct {
	rank, start int    // of the open one; rank is 0 outside of one
	best        int    // rank of shown, or 0
	shown       string // the title so far
}

// Heading tells that the text up to the next paragraph is a heading of a rank; others have rank 0.
func (t *Text) Heading(rank int) { t.heading.rank, t.heading.start = rank, len(t.buf) }

// Shown returns the title that the document shows by its styles, or "". It is the first title near the beginning, or
// else the first heading there.
func (t *Text) Shown() string {
	t.endHeading()
	return t.heading.shown
}

// endHeading keeps a heading that is better than those before.
func (t *Text) endHeading() {
	h := &t.heading
	if h.rank == 0 || h.start > len(t.buf) {
		return
	}
	text := strings.Join(strings.Fields(string(t.buf[h.start:min(len(t.buf), h.start+maxHeading+1)])), " ")
	if text == "" {
		return
	}
	if (h.best == 0 || h.rank < h.best) && h.start <= maxAbove && len(text) <= maxHeading {
		h.best, h.shown = h.rank, text
	}
	h.rank = 0
}
