// Package sanitize writes parts of a page as HTML that is safe to show: it holds nothing that a browser would run, load
// in a frame or send anywhere on its own, except images over HTTP.
//
//	p := page.Parse(src, page.Options{URL: url})
//	out := sanitize.HTML(p, []page.Range{{Start: 0, End: int32(len(p.Nodes))}}, sanitize.Options{})
//
// It is an allow-list: only the elements and attributes of the tables in allow.go are written, with their names taken
// from the tables and not from the page. What an unknown element holds is kept; scripts, styles, frames, what a form's
// controls hold, SVG and MathML are left out. URLs are absolute and have one of three schemes. Text and attribute
// values are escaped again. Nothing is written that a parser would move elsewhere, so that the parse of the output is
// the tree that was written: this closes the class of attacks that rely on markup changing its meaning when it is
// parsed twice (Heiderich et al., "mXSS Attacks", CCS 2013), and makes HTML idempotent.
//
// Elements that hold nothing are left out, but not the cells of a table. White space is collapsed outside <pre>.
package sanitize

import (
	"bytes"
	"cmp"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same page may be written otherwise.
const Version = "2"

// Options say how much is written; the zero value takes the defaults.
type Options struct {
	MaxBytes int // of the output; 4 MiB
	MaxDepth int // of elements within elements; the tags of deeper ones are left out, their text is kept; 100
}

// A zero is the default, as in all options of the module; there is no way to ask for no limit.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 4<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 100)
	return o
}

// HTML returns the nodes of p in keep as safe HTML. The ranges are ascending, do not overlap, and none is empty.
// Elements around them are written too, up to the first that holds all of them and means something alone: a list, but
// not an item; a paragraph, but not a link. What is hidden on the page is written when it is kept.
func HTML(p *page.Page, keep []page.Range, o Options) string {
	if len(keep) == 0 {
		return ""
	}
	// A page without ranges has nothing to say, and the code below relies on a first and a last.
	w := writer{p: p, o: o.withDefaults()}
	first, last := keep[0].Start, keep[len(keep)-1].End
	// The length in the source of what is kept and what is between: an estimate from above for
	// most pages, and never more memory than the limit.
	text := int(p.Nodes[last-1].TextEnd - p.Nodes[first].TextStart)
	w.out = make([]byte, 0, min(w.o.MaxBytes, text+text/4)) // a guess: tags take a fifth
	// The elements outside of the one that HTML begins with count as passed, so that nodes does not
	// open them.
	w.seen = around(p, first, last) - 1
	for _, r := range keep {
		w.nodes(r)
	}
	// Even when the limit is reached: room for the end tags was kept, and the output is well-formed.
	w.fall(0)
	return string(bytes.TrimRight(w.out, " \n"))
}

// around returns the element that HTML begins with. Node 0 is the end of the search in any case, and is never written
// itself unless it is such an element.
func around(p *page.Page, first, last int32) int32 {
	i := first
	for i > 0 && (p.Nodes[i].End < last || !elements[p.Nodes[i].Tag].alone()) {
		i = p.Nodes[i].Parent
	}
	return i
}
