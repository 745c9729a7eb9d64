package page

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse reads src, which is UTF-8, and returns what it found; it never fails: what exceeds a limit is cut, and
// Truncated says so.
func Parse(src []byte, o Options) *Page {
	o = o.withDefaults()
	var cut cuts
	if len(src) > o.MaxBytes {
		src, cut.bytes = src[:o.MaxBytes], true
	}
	p := &Page{URL: o.URL}
	p.root = build(src, o, &cut)
	p.Truncated = cut.list()
	p.collect(o)
	return p
}

// build makes the tree: of src as it is where that is safe, of what the filter leaves of it otherwise.
func build(src []byte, o Options, cut *cuts) *html.Node {
	if harmless(src, o) {
		root, err := html.Parse(bytes.NewReader(src))
		if err == nil && !trim(root, o, &cuts{}) {
			return root
		}
	}
	src, c := filtered(src, o)
	c.bytes = cut.bytes
	*cut = c
	root, err := html.Parse(bytes.NewReader(src))
	if err != nil { // deeper than the builder can go, in a way that the filter's model does not see
		cut.depth = true
		root = empty()
	}
	trim(root, o, cut)
	return root
}

// empty returns the tree of a page that holds nothing.
func empty() *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	root := &html.Node{Type: html.ElementNode, Data: "html", DataAtom: atom.Html}
	doc.AppendChild(root)
	root.AppendChild(&html.Node{Type: html.ElementNode, Data: "head", DataAtom: atom.Head})
	root.AppendChild(&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	return doc
}

// trim cuts from the tree what exceeds the limits and tells whether it did.
func trim(root *html.Node, o Options, cut *cuts) bool {
	var seen, depth int
	for n := root; n != nil; {
		if n.Type == html.ElementNode || n.Type == html.TextNode {
			seen++
		}
		if depth >= o.MaxDepth && n.FirstChild != nil {
			n.FirstChild, n.LastChild = nil, nil
			cut.depth = true
		}
		if len(n.Attr) > o.MaxAttributes {
			n.Attr = n.Attr[:o.MaxAttributes:o.MaxAttributes]
			cut.attributes = true
		}
		if seen >= o.MaxNodes {
			cut.nodes = dropAfter(n) || cut.nodes
		}
		n, depth = nextDepth(n, depth)
	}
	return cut.depth || cut.attributes || cut.nodes
}

// nextDepth returns the node after n in document order and its depth.
func nextDepth(n *html.Node, depth int) (*html.Node, int) {
	if n.FirstChild != nil {
		return n.FirstChild, depth + 1
	}
	for ; n != nil; n, depth = n.Parent, depth-1 {
		if n.NextSibling != nil {
			return n.NextSibling, depth
		}
	}
	return nil, 0
}

// dropAfter cuts everything that follows n in document order and tells whether there was something.
func dropAfter(n *html.Node) bool {
	dropped := n.FirstChild != nil
	n.FirstChild, n.LastChild = nil, nil
	for ; n.Parent != nil; n = n.Parent {
		if n.NextSibling != nil {
			n.NextSibling, n.Parent.LastChild = nil, n
			dropped = true
		}
	}
	return dropped
}
