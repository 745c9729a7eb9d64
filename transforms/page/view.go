package page

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Root is a view of the page as a tree of golang.org/x/net/html. The first call builds it, and callers must not change
// it. It costs more than 100 bytes per node, so it is for selectors and other libraries only.
func (p *Page) Root() *html.Node {
	if p.root == nil {
		p.root = &html.Node{Type: html.DocumentNode}
		p.view(p.root, 0, len(p.Nodes))
	}
	return p.root
}

// Document is a view of the page for goquery, on the same tree as Root. Callers must not change it.
func (p *Page) Document() *goquery.Document { return goquery.NewDocumentFromNode(p.Root()) }

// view adds the nodes [i, end) to parent. A parent precedes its children, so no recursion is needed.
func (p *Page) view(parent *html.Node, i, end int) {
	made := make([]*html.Node, end-i)
	for k := range made {
		n := p.viewNode(i + k)
		made[k] = n
		// The index of the parent in made, or below 0 if it is parent itself.
		up := parent
		if above := int(p.Nodes[i+k].Parent) - i; above >= 0 {
			up = made[above]
		}
		up.AppendChild(n)
	}
}

// viewNode makes one node of the view, with content decoded as in x/net/html.
func (p *Page) viewNode(i int) *html.Node {
	n := &p.Nodes[i]
	if n.Tag == TagText {
		return &html.Node{Type: html.TextNode, Data: p.Content(i)}
	}
	name := p.Name(i)
	v := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	switch {
	case n.marks&ofSVG != 0:
		v.Namespace = "svg"
	case n.marks&ofMathML != 0:
		v.Namespace = "math"
	}
	// The first of a name counts; a tag has 256 attributes at most, so a linear search is cheap enough.
	attrs(p.Source[n.srcStart:n.srcEnd], p.o.MaxAttributes, func(name, value []byte) bool {
		key := strings.ToLower(string(name))
		for _, have := range v.Attr {
			if have.Key == key {
				return true
			}
		}
		v.Attr = append(v.Attr, html.Attribute{Key: key, Val: decode(value, inAttribute)})
		return true
	})
	return v
}
