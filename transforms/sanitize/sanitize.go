// Package sanitize writes parts of a page as HTML that is safe to show. The output has nothing that a browser would
// run, load in a frame or send on its own, except requests for images over HTTP.
//
//	p := page.Parse(src, page.Options{URL: url})
//	out, whole := sanitize.HTML(p, []page.Range{{Start: 0, End: int32(len(p.Nodes))}}, sanitize.Options{})
//
// It is an allow-list: only elements and attributes in the tables of allow.go are written, with their names from
// there. The content of an unknown element is kept. Scripts, styles, frames, contents of form controls, SVG and MathML
// are left out. URLs are absolute and have one of three schemes. Text and attribute values are escaped again. Nothing
// is written that a parser would move elsewhere, so parsing the output gives the tree that was written. This prevents
// attacks whose markup changes its meaning when it is parsed twice (Heiderich et al., "mXSS Attacks", CCS 2013). It
// also makes HTML idempotent.
//
// Empty elements are left out, except for table cells. White space outside <pre> is collapsed.
package sanitize

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the output for a page may change.
const Version = "2"

// Options bound the output; a zero field means its default.
type Options struct {
	MaxBytes int // of the output; 4 MiB
	MaxDepth int // of nested elements; deeper ones lose their tags and keep their text; 100
}

// Zero means the default, as in all options of the module. An unlimited value does not exist.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 4<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 100)
	return o
}

// Sanitizer writes one page after another and reuses its memory. The zero value is ready. It is not safe for
// concurrent use.
type Sanitizer struct{ writer }

// keptBytes bounds the memory that a Sanitizer keeps for the output of the next page.
const keptBytes = 1 << 20

// HTML returns the nodes of p in keep as safe HTML. The ranges ascend, do not overlap, and none is empty. Their
// ancestors are written too, up to the first that holds all of them and has a meaning alone. For example that is a
// list and not an item, or a paragraph and not a link. Hidden parts of the page are written if they are in keep. whole
// reports whether MaxBytes left nothing out.
func (s *Sanitizer) HTML(p *page.Page, keep []page.Range, o Options) (out string, whole bool) {
	if len(keep) == 0 {
		return "", true
	}
	// Without ranges there is no output; the code below needs a first and a last.
	w := &s.writer
	*w = writer{
		p: p, o: o.withDefaults(), out: w.out[:0], stack: w.stack[:0], tags: w.tags[:0], chain: w.chain[:0],
		content: w.content[:0],
	}
	first, last := keep[0].Start, keep[len(keep)-1].End
	// This is the length in the source of the kept parts and of the parts between. For most pages it is too high, but
	// memory never exceeds the limit.
	text := int(p.Nodes[last-1].TextEnd - p.Nodes[first].TextStart)
	w.out = slices.Grow(w.out, min(w.o.MaxBytes, text+text/4)) // a guess: tags take a fifth
	// Elements outside the outermost one count as passed, so nodes does not open them.
	w.seen = around(p, first, last) - 1
	for _, r := range keep {
		w.nodes(r)
	}
	// This is done even at the limit: there is room for the end tags, and the output is well-formed.
	w.fall(0)
	out = string(bytes.TrimRight(w.out, " \n"))
	w.p = nil
	if cap(w.out)+cap(w.tags)+cap(w.content) > keptBytes {
		w.out, w.tags, w.content = nil, nil, nil
	}
	return out, !w.full
}

// HTML is Sanitizer.HTML for one page.
func HTML(p *page.Page, keep []page.Range, o Options) (out string, whole bool) {
	return new(Sanitizer).HTML(p, keep, o)
}

// around returns the outermost element of the output. The search ends at node 0 at the latest, which is written only
// if it is such an element.
func around(p *page.Page, first, last int32) int32 {
	i := first
	for i > 0 && (p.Nodes[i].End < last || !elements[p.Nodes[i].Tag].alone()) {
		i = p.Nodes[i].Parent
	}
	return i
}
