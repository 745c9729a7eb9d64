package pagemeta

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// This file is all that walks the page's tree. The rest of the package sees headings and the pieces of text around one.

// heading is an <h1> or, on a page without one, an <h2>.
type heading struct {
	text     string
	first    bool    // <h1>
	likeness float64 // to a declared title
	node     *html.Node
}

// piece is a run of text that belongs to one element.
type piece struct {
	text  string
	when  string // what <time datetime> or the like says of it
	hints hints  // what the elements around it are called
	block int    // pieces of one block stand on one line
}

const (
	maxHeadings     = 8    // a page with more uses them for something else
	maxHeadingBytes = 1024 // a longer one is no title
	maxAhead        = 12   // pieces looked at before the title
	maxBehind       = 60   // and behind it
	maxProse        = 1500 // bytes of running text behind the title, after which no by-line is to be expected
	longPiece       = 160  // bytes; a longer piece is running text
	hintLevels      = 5    // how many elements around a text may hint at what it is
)

// headings returns the page's titles of the first level in document order; where it has none, those of the second.
func headings(p *page.Page) []heading {
	var first, second []heading
	root := p.Root()
	for n := root; n != nil && len(first) < maxHeadings; n = next(n, root) {
		if n.Type != html.ElementNode || n.DataAtom != atom.H1 && n.DataAtom != atom.H2 {
			continue
		}
		text := oneLine(textOf(n))
		switch {
		case text == "":
		case n.DataAtom == atom.H1:
			first = append(first, heading{text: text, first: n.DataAtom == atom.H1, node: n})
		case len(second) < maxHeadings:
			second = append(second, heading{text: text, first: n.DataAtom == atom.H1, node: n})
		}
	}
	if len(first) == 0 {
		return second
	}
	return first
}

// around returns the pieces of text before and behind a heading, in document order, and those of the heading itself not.
func around(p *page.Page, h heading) (ahead, behind []piece) {
	root := p.Root()
	top := h.node
	w := walk{}
	for n := previous(top); n != nil && len(w.pieces) < maxAhead; n = previous(n) {
		w.note(n)
	}
	slices.Reverse(w.pieces)
	ahead = w.pieces
	w = walk{}
	for n := skip(top, root); n != nil && len(w.pieces) < maxBehind && w.prose < maxProse; n = next(n, root) {
		w.note(n)
	}
	return ahead, w.pieces
}

// walk gathers pieces.
type walk struct {
	pieces []piece
	prose  int
	blocks int
	inside *html.Node // the block of the last piece
}

func (w *walk) note(n *html.Node) {
	if n.Type == html.ElementNode && n.DataAtom == atom.Br {
		w.blocks++
	}
	if n.Type != html.TextNode || unread(n.Parent) {
		return
	}
	text := oneLine(cut(n.Data, 4*longPiece))
	if text == "" {
		return
	}
	if len(text) > longPiece {
		w.prose += len(text)
	}
	if b := blockOf(n); b != w.inside {
		w.blocks++
		w.inside = b
	}
	pc := piece{text: text, block: w.blocks}
	e := n.Parent
	for level := 0; e != nil && level < hintLevels && e.DataAtom != atom.Body; level++ {
		pc.hints |= hintsOf(e)
		if level < 2 && pc.when == "" {
			pc.when = moment(e)
		}
		e = e.Parent
	}
	w.pieces = append(w.pieces, pc)
}

// hintsOf says what an element's names tell of its text.
func hintsOf(e *html.Node) hints {
	var h hints
	switch e.DataAtom {
	case atom.Time:
		h = hintDate
	case atom.Nav, atom.Footer, atom.Aside, atom.Form, atom.Button, atom.Select:
		h = hintAside
	case atom.A:
		h = hintLink
	}
	for i := range e.Attr {
		switch a := &e.Attr[i]; a.Key {
		case "class", "id", "itemprop", "rel", "data-testid", "property":
			h |= nameHints(a.Val)
		}
	}
	return h
}

// moment is what an element says of its date for machines.
func moment(e *html.Node) string {
	for i := range e.Attr {
		switch a := &e.Attr[i]; {
		case a.Key == "datetime":
			return a.Val
		case a.Key == "content" && e.DataAtom != atom.Meta:
			return a.Val
		case a.Key == "title" && e.DataAtom != atom.A && strings.ContainsAny(a.Val, "0123456789"):
			return a.Val
		}
	}
	return ""
}

// blockOf is the nearest element around n that is not inline.
func blockOf(n *html.Node) *html.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Cite, atom.Em, atom.Font, atom.I, atom.Small, atom.Span,
			atom.Strong, atom.Time, atom.U, 0:
		default:
			return n
		}
	}
	return nil
}

func textOf(top *html.Node) string {
	var b strings.Builder
	for n := top; n != nil && b.Len() < maxHeadingBytes; n = within(n, top) {
		switch {
		case n.Type == html.TextNode && !unread(n.Parent):
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && n != top:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// unread tells whether n holds what is no text of the page.
func unread(n *html.Node) bool {
	if n == nil {
		return false
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Title, atom.Template, atom.Noscript, atom.Iframe, atom.Textarea, atom.Option:
		return true
	}
	return false
}

// within is the node behind n in document order inside top.
func within(n, top *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return skip(n, top)
}

// next is the node behind n in document order, without what templates hold.
func next(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	return skip(n, root)
}

// skip is the node behind all that n holds.
func skip(n, top *html.Node) *html.Node {
	for ; n != nil && n != top; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// previous is the node before n in document order.
func previous(n *html.Node) *html.Node {
	if n.PrevSibling == nil {
		return n.Parent
	}
	for n = n.PrevSibling; n.LastChild != nil; n = n.LastChild {
	}
	return n
}
