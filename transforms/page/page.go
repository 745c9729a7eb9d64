// Package page reads an HTML page once, for everything that wants to know something of it: one pass over the bytes
// fills a flat array of nodes, and one over these an array of blocks of text; title, <meta>, links, JSON-LD and
// microdata are read from them when they are asked for. It does not decode character sets, does not run scripts, and
// judges nothing: what the findings mean is for the packages that use them.
//
//	p := page.Parse(src, page.Options{URL: "https://example.org/a"})
//	fmt.Println(p.Title(), p.Lang())
//	for _, b := range p.Blocks {
//		fmt.Printf("%s\n", p.Text[b.Start:b.End])
//	}
//
// Nodes are in document order, parents before their children, so that a node's subtree is the range of indices from
// itself to its End. The tree is that of the HTML Living Standard (https://html.spec.whatwg.org/, section 13.2),
// scripting being on unless Options say otherwise, except for the adoption agency: elements are not opened again after
// a badly nested </a> or </b>. The element then keeps what follows inside the elements that it holds, and their flags
// say that it is no longer in a link, or bold.
//
// A page may be made to harm: the limits of Options and of limits.go bound what is kept, and time is linear in the
// size of the source.
package page

import (
	"cmp"

	"golang.org/x/net/html"
)

// Version changes whenever the same page may yield other findings. Records say which version made them, so that those
// of an older one can be told.
const Version = "6"

// Page is what one pass over a page's HTML found. Its methods must not be called by several goroutines at the same
// time. The page of a Parser is valid until the Parser reads the next one. Findings are made when they are first
// asked for and then kept, which is what makes concurrent calls unsafe.
type Page struct {
	URL       string   // the capture's URL, as given
	Source    []byte   // what was read, UTF-8; cut to Options.MaxBytes
	Nodes     []Node   // in document order; the first is <html>
	Blocks    []Block  // pieces of visible text, in document order
	Text      []byte   // the text of all blocks, a newline after each
	Formulas  []Span   // pieces of Text that are TeX, with their signs, ascending
	Truncated []string // which limits cut the page: "bytes", "nodes", "depth", "attributes"

	o       Options
	named   []int32 // the elements that findings are made of, except for those in templates
	metas   []Meta
	links   []Link
	anchors []Anchor
	scripts []Script
	items   []*Item
	base    string
	link    *resolver
	root    *html.Node
	// The links that the standard's tree has more than once, in the order of where it has them. It is the parser's.
	reopened []reopened
	hasItems bool // an element has itemscope: Items need not look through a page without one
}

// Options bound a pass; the zero value takes the defaults. The defaults take nearly all pages whole; what is beyond
// is cut and said in Page.Truncated.
type Options struct {
	URL           string // of the capture: base for relative URLs
	MaxBytes      int    // of source read; 8 MiB
	MaxNodes      int    // elements and texts kept; 200,000
	MaxDepth      int    // of open elements; 400
	MaxAttributes int    // an element; 256
	NoScripting   bool   // <noscript> in the body holds elements, as for browsers without scripts
}

// withDefaults fills what is zero.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.MaxNodes = cmp.Or(o.MaxNodes, 200_000)
	o.MaxDepth = cmp.Or(o.MaxDepth, 400)
	o.MaxAttributes = cmp.Or(o.MaxAttributes, 256)
	return o
}

// Parser reads pages one after another and uses its memory again. The zero value is ready. Only one page at a time is
// valid. It is for workers that read page after page: an allocation of some megabytes for each would be most of the
// cost.
type Parser struct {
	page Page
	builder
	writer
}

// Parse reads the page src, which is UTF-8 and must not change while the page is used.
func (r *Parser) Parse(src []byte, o Options) *Page {
	o = o.withDefaults()
	// The new Page takes over the memory of the last, which becomes invalid by that.
	r.page = Page{
		URL: o.URL, o: o,
		Nodes: again(r.page.Nodes, keptNodes), Blocks: again(r.page.Blocks, keptBlocks), Text: again(r.page.Text, keptText),
		named: again(r.page.named, keptNodes),
	}
	// The memory of order grows with nodes, and is given up like theirs.
	if cap(r.order.moved) > keptNodes {
		r.order = order{}
	}
	p := &r.page
	// Cutting at a byte may tear a character or a tag: the tokenizer takes both as they are.
	r.cut = cuts{bytes: len(src) > o.MaxBytes}
	p.Source = src[:min(len(src), o.MaxBytes)]
	r.build(p)
	r.write(p)
	p.Truncated = r.cut.list()
	return p
}

// again returns s without its elements, or nothing when it has room for more than limit: the memory of a huge page is
// not kept.
func again[T any](s []T, limit int) []T {
	if cap(s) > limit {
		return nil
	}
	return s[:0]
}

// Parse reads the page src, which is UTF-8 and must not change while the page is used.
func Parse(src []byte, o Options) *Page { return new(Parser).Parse(src, o) }

// Base is what relative URLs are resolved against: URL, or <base href>.
func (p *Page) Base() string {
	p.resolver()
	return p.base
}

// Resolve returns the absolute form of the link ref on this page, or "" when it has none or is too long.
func (p *Page) Resolve(ref string) string { return p.resolver().resolve(ref) }

// resolver makes links absolute; the first <base> that has an href counts, if it is on the web. It is made once: the
// base of a page does not change while it is read.
func (p *Page) resolver() *resolver {
	if p.link != nil {
		return p.link
	}
	p.base, p.link = p.URL, newResolver(p.URL)
	for _, i := range p.named {
		if p.Nodes[i].Tag != TagBase {
			continue
		}
		href, ok := p.Attr(int(i), "href")
		if !ok || href == "" {
			// An empty href does not count; the next <base> is asked.
			continue
		}
		// A base of another kind (data:, javascript:) is refused, as browsers do.
		if base := p.link.resolve(href); hasScheme(base, "http:", "https:") {
			p.base, p.link = base, newResolver(base)
		}
		// The first with an href counts, also where it was refused.
		break
	}
	return p.link
}
