// Package page reads an HTML page once, for all its readers. A pass over the bytes fills a flat array of nodes, and a
// pass over these an array of text blocks. Title, <meta>, links, JSON-LD and microdata are read from them on demand.
// The package does not decode character sets, run scripts, or interpret its findings.
//
//	p := page.Parse(src, page.Options{URL: "https://example.org/a"})
//	fmt.Println(p.Title(), p.Lang())
//	for _, b := range p.Blocks {
//		fmt.Printf("%s\n", p.Text[b.Start:b.End])
//	}
//
// Nodes are in document order, so a node's subtree is the range of indices from itself to its End. The tree is that of
// the HTML Living Standard (https://html.spec.whatwg.org/, section 13.2), by default with scripting. The exception is
// the adoption agency: elements are not opened again after a badly nested </a> or </b>. What follows stays in the
// elements inside, whose flags then say that it is no longer in a link, or bold.
//
// A page may be hostile. The limits of Options and limits.go bound the memory, and time is linear in the size of the
// source.
package page

import (
	"cmp"

	"golang.org/x/net/html"
)

// Version changes whenever the same page may yield other findings. Records have it, so that those of an older version
// can be recognised.
const Version = "13"

// Page is what a pass over a page's HTML found. Its methods are not safe for concurrent use, since findings are made
// and kept on first use. The page of a Parser is valid until the Parser reads the next one.
type Page struct {
	URL       string   // of the capture, as given
	Source    []byte   // UTF-8, at most Options.MaxBytes
	Nodes     []Node   // in document order; the first is <html>
	Blocks    []Block  // pieces of visible text, in document order
	Text      []byte   // of all blocks, a newline after each
	Stated    []int32  // elements whose attributes state their text, ascending: formulae, protected mail addresses
	Formulas  []Span   // parts of Text that are TeX, with their signs, ascending
	Truncated []string // limits that truncated the page: "bytes", "nodes", "depth", "attributes"

	o       Options
	named   []int32 // elements of findings, except those in templates
	metas   []Meta
	links   []Link
	anchors []Anchor
	scripts []Script
	items   []*Item
	base    string
	link    *resolver
	root    *html.Node
	// reopened has the links that the standard's tree has more than once, in its order. It is the parser's.
	reopened    []reopened
	anchorsLeft int  // links beyond maxAnchors
	hasItems    bool // an element has itemscope; without, Items does not search
	hasMail     bool // an element has data-cfemail
}

// Options bound a pass; the zero value takes the defaults, which nearly all pages fit in. Page.Truncated names the
// limits that a page exceeded.
type Options struct {
	URL           string // of the capture
	Base          string // of relative URLs, if the page has no <base>; default URL
	MaxBytes      int    // of source read; default 8 MiB
	MaxNodes      int    // elements and texts kept; default 200,000
	MaxDepth      int    // of open elements; default 400
	MaxAttributes int    // per element; default 256
	NoScripting   bool   // <noscript> in the body holds elements, as for browsers without scripts
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.MaxNodes = cmp.Or(o.MaxNodes, 200_000)
	o.MaxDepth = cmp.Or(o.MaxDepth, 400)
	o.MaxAttributes = cmp.Or(o.MaxAttributes, 256)
	return o
}

// HasProtectedMail reports whether the page may have a mail address that Cloudflare hides from harvesters, in
// data-cfemail.
func (p *Page) HasProtectedMail() bool { return p.hasMail }

// Parser reads one page after another and reuses its memory, some megabytes. The zero value is ready. Only the last
// page is valid.
type Parser struct {
	page Page
	builder
	writer
}

// Parse reads the page src, which is UTF-8 and must not change while the page is used.
func (r *Parser) Parse(src []byte, o Options) *Page {
	o = o.withDefaults()
	// The new Page takes over the memory of the last, which becomes invalid.
	r.page = Page{
		URL: o.URL, o: o,
		Nodes: again(r.page.Nodes, keptNodes), Blocks: again(r.page.Blocks, keptBlocks), Text: again(r.page.Text, keptText),
		named: again(r.page.named, keptNodes),
	}
	// The memory of order grows with nodes, and is dropped like theirs.
	if cap(r.order.moved) > keptNodes {
		r.order = order{}
	}
	p := &r.page
	// Truncation may split a character or a tag, which the tokenizer accepts.
	r.cut = cuts{bytes: len(src) > o.MaxBytes}
	p.Source = src[:min(len(src), o.MaxBytes)]
	r.build(p)
	r.write(p)
	p.Truncated = r.cut.list()
	return p
}

// again returns s without its elements, or nil if its capacity exceeds limit: the memory of a huge page is not kept.
func again[T any](s []T, limit int) []T {
	if cap(s) > limit {
		return nil
	}
	return s[:0]
}

// Parse reads the page src, which is UTF-8 and must not change while the page is used.
func Parse(src []byte, o Options) *Page { return new(Parser).Parse(src, o) }

// Base is the base of relative URLs: URL, or <base href>.
func (p *Page) Base() string {
	p.resolver()
	return p.base
}

// Resolve returns the absolute form of the link ref on this page, or "" if there is none or it is too long.
func (p *Page) Resolve(ref string) string { return p.resolver().resolve(ref) }

// resolver makes links absolute. The first <base> with an href counts, if it leads to the web.
func (p *Page) resolver() *resolver {
	if p.link != nil {
		return p.link
	}
	p.base = cmp.Or(p.o.Base, p.URL)
	p.link = newResolver(p.base)
	for _, i := range p.named {
		if p.Nodes[i].Tag != TagBase {
			continue
		}
		href, ok := p.Attr(int(i), "href")
		if !ok || href == "" {
			continue
		}
		// Other schemes (data:, javascript:) are refused, as in browsers.
		if base := p.link.resolve(href); hasScheme(base, "http:", "https:") {
			p.base, p.link = base, newResolver(base)
		}
		// The first with an href counts, even if it was refused.
		break
	}
	return p.link
}
