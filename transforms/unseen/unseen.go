// Package unseen finds the text of a page that its readers do not see. Styles hide it, or its characters show nothing.
// Such text is often spam, and it may be an order to a program that reads the page.
//
//	p := unseen.Find(html)         // of UTF-8
//	shown, removed := p.Remove(text)
//	shown, n := unseen.Clean(shown)
//
// Find reads inline styles and the page's own style sheets, with the cascade of CSS. The properties that hide text are
// display, visibility, opacity, sizes near 0, places off the screen, clips, and colours like the background. It does
// not read other style sheets and runs no script. Where one of these may decide a colour, the text counts as seen.
// Text that a script shows later, such as a faded-in paragraph, counts as unseen.
//
// All work is bounded by counts: see the constants. A page beyond them is partly checked, and Partly says so.
package unseen

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// These limit the work for a page.
const (
	MaxBytes = 4 << 20 // of HTML
	maxDepth = 500     // of elements
	maxRules = 2000    // of style sheets, that may hide
	maxSteps = 1 << 20 // comparisons of elements with rules
	maxRuns  = 4000    // hidden pieces of text
	maxFinds = 256 << 20
)

// Page is the hidden text of a page. One goroutine at a time may use it.
type Page struct {
	// Partly means that a limit ended the check.
	Partly bool
	hidden []run
	seen   []rune // letters and digits of the visible text
	steps  int
	walked int               // nodes that selectors visited
	marks  *strings.Replacer // of hidden pieces; nil before the first use
}

// run is a piece of hidden text.
type run struct{ letters []rune }

// Find finds the hidden text of a page.
func Find(source []byte) *Page {
	p := &Page{}
	if len(source) > MaxBytes {
		p.Partly = true
		return p
	}
	root, err := html.Parse(bytes.NewReader(source))
	if err != nil {
		// Elements are nested too deeply.
		p.Partly = true
		return p
	}
	numbers, sizes := map[*html.Node]int{}, map[*html.Node]int{}
	w := &walk{page: p, sheet: sheetOf(root), numbers: numbers, sizes: sizes}
	p.Partly = w.sheet.partly
	first := look{size: 16, color: black, back: white, backKnown: !w.sheet.others, colorKnown: !w.sheet.others}
	w.node(root, first, 0)
	w.end()
	return p
}

// Any reports whether the page hides text.
func (p *Page) Any() bool { return len(p.hidden) > 0 }
