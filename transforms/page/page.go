// Package page reads an HTML page once, for everything that wants to know something of it: one parse, and one walk
// over the tree that gathers title, <meta>, links, JSON-LD and microdata. It does not decode character sets, does not
// run scripts, and judges nothing: what the findings mean is for the packages that use them.
//
//	p := page.Parse(src, page.Options{URL: "https://example.org/a"})
//	fmt.Println(p.Title, p.Lang)
//	for _, a := range p.Anchors {
//		fmt.Println(a.Href, a.Text)
//	}
//
// The tree is that of golang.org/x/net/html, which follows the HTML Living Standard (https://html.spec.whatwg.org/,
// section 13.2) as browsers do; links are resolved by its companion, the URL Living Standard.
//
// A page may be made to harm: some pages of a few hundred kilobytes have trees of millions of nodes, or take the
// builder quadratic time. A survey of the source (see survey.go), at a tenth of the parser's cost, finds these and
// pages beyond the limits; they are rewritten by a filter (see filter.go) before they are parsed. Beside the limits
// of Options there are those of limits.go. With the defaults none of the hostile pages of limits_test.go, made 8 MiB
// large, took more than 116 MB of heap beside its source (sampled every millisecond), or 2.1 s.
package page

import (
	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// Version changes whenever the same page may yield other findings.
const Version = "1"

// Page is what one pass over a page's HTML found. It is made by Parse, never changes afterwards and may be read by
// several goroutines.
type Page struct {
	URL       string   // the capture's URL, as given
	Base      string   // what relative URLs are resolved against: URL, or <base href>
	Lang      string   // lang of <html>, as declared
	Title     string   // text of the first <title> outside SVG, white space collapsed
	Metas     []Meta   // <meta>, in document order
	Links     []Link   // <link>, in document order
	Anchors   []Anchor // <a href> and <area href>, in document order
	Scripts   []Script // <script> blocks whose type is JSON: JSON-LD, application/json
	Items     []*Item  // top-level microdata items
	Truncated []string // which limits cut the page: "bytes", "nodes", "depth", "attributes"
	root      *html.Node
}

// Meta is one <meta> element.
type Meta struct {
	Name    string // lower case, of name, property, http-equiv or itemprop, the first that is there
	Content string // as written, character references resolved
}

// Link is one <link> element.
type Link struct {
	Rel      []string // lower case
	Href     string   // absolute; empty links are left out
	Type     string   // lower case, without parameters
	Title    string
	Hreflang string
}

// Anchor is one <a href> or <area href>.
type Anchor struct {
	Href string // absolute http(s), mailto: or tel: URL; others are left out
	Rel  string // lower case, as written
	Text string // its text, white space collapsed, at most 256 bytes
}

// Script is one block of JSON in the page.
type Script struct {
	Type string // lower case media type, without parameters
	ID   string
	Text string // raw
}

// Item is one microdata item (HTML Living Standard, section 5).
type Item struct {
	Type  []string // itemtype, as written
	ID    string
	Props []Prop
}

// Prop is one property of an item: Item is set when the value is an item itself, Value otherwise.
type Prop struct {
	Name  string
	Value string // URL properties absolute, <time datetime>, content=, or the text, white space collapsed
	Item  *Item
}

// Options bound a pass; the zero value takes the defaults.
type Options struct {
	URL           string // of the capture: base for relative URLs
	MaxBytes      int    // of source read; 8 MiB
	MaxNodes      int    // elements and texts kept; 200,000
	MaxDepth      int    // of open elements; 400
	MaxAttributes int    // an element; 256
}

// Root is a view of the page as a tree of golang.org/x/net/html. It is shared: callers must not change it.
func (p *Page) Root() *html.Node { return p.root }

// Document is a view of the page for goquery. It is shared: callers must not change it.
func (p *Page) Document() *goquery.Document { return goquery.NewDocumentFromNode(p.root) }
