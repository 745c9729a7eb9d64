// Package sanitize writes the tree of a page's main content as HTML that is safe to show: it holds nothing that a
// browser would run, load in a frame or send anywhere on its own, except images over HTTP.
//
//	r := maintext.Extract(p, maintext.Options{})
//	out := sanitize.HTML(r.Node, sanitize.Options{Base: p.Base()})
//
// It is an allow-list: only the elements and attributes of the tables in allow.go are written, with their names taken
// from the tables and not from the page. What an unknown element holds is kept; what an element of raw text, a frame,
// a form's control, SVG or MathML holds is left out with it. URLs are absolute and have one of three schemes. Text and
// attribute values are escaped anew. Nothing is written that a parser would move elsewhere, so that the parse of the
// output is the tree that was written: this closes the class of attacks that rely on markup changing its meaning when
// it is parsed twice (Heiderich et al., "mXSS Attacks", CCS 2013), and makes HTML idempotent.
package sanitize

import (
	"cmp"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"
)

// Version changes whenever the same tree may be written otherwise.
const Version = "1"

// Options say how the tree is written; the zero value takes the defaults.
type Options struct {
	Base     string // what relative URLs are resolved against; without it they are left out
	MaxBytes int    // of the output, the end tags that close it not counted; 4 MiB
	MaxDepth int    // of elements within elements; the tags of deeper ones are left out, their text is kept; 100
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 4<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 100)
	return o
}

// HTML returns the tree under n as safe HTML, or "" when n is nil. It does not change the tree.
func HTML(n *html.Node, o Options) string {
	if n == nil {
		return ""
	}
	o = o.withDefaults()
	w := writer{o: o}
	if base, err := whatwg.Parse(o.Base); err == nil {
		w.base = base
	}
	w.tree(n)
	return strings.TrimSpace(w.b.String())
}
