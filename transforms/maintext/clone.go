package maintext

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// The extractor is shown no more than this of an attribute, in bytes: its patterns look for words in names and
// classes, and what is longer is data.
const (
	maxAttribute = 1 << 10
	maxLink      = 8 << 10 // href, src
)

// cloner copies a tree for the extractor, which changes what it is given, while the page's tree is shared. It leaves
// out what is never text of the page. Scripts must not be in the copy: the extractor reads JSON-LD in the order of a
// Go map, which is another one every time.
type cloner struct {
	nodes int
	depth int
	// work is what walking from every node over all below it costs, in bytes: the extractor does that with each
	// element it weighs.
	work int
	// leave are texts that come without their words, see Options.Boilerplate.
	leave map[*html.Node]bool
}

// boilerplate returns the texts in p.Root() that stand in the blocks that are marked.
func boilerplate(p *page.Page, marks []bool) map[*html.Node]bool {
	if !slices.Contains(marks, true) {
		return nil
	}
	var nodes []*html.Node // as in p.Nodes, which are in document order, too
	for n := range p.Root().Descendants() {
		nodes = append(nodes, n)
	}
	leave := map[*html.Node]bool{}
	for i := range min(len(marks), len(p.Blocks)) {
		for k := p.Blocks[i].First; marks[i] && k < p.Blocks[i].Last; k++ {
			leave[nodes[k]] = nodes[k].Type == html.TextNode
		}
	}
	return leave
}

// nodeWork is what a node costs beside its text.
const nodeWork = 64

// clone returns a copy of the tree under n.
func (c *cloner) clone(n *html.Node) *html.Node {
	root := c.copy(n)
	to := root
	for from := n; ; {
		if child := firstKept(from.FirstChild); child != nil {
			c.depth++
			from, to = child, c.appendCopy(to, child)
			continue
		}
		for from != n && firstKept(from.NextSibling) == nil {
			c.depth--
			from, to = from.Parent, to.Parent
		}
		if from == n {
			return root
		}
		from = firstKept(from.NextSibling)
		to = c.appendCopy(to.Parent, from)
	}
}

// firstKept returns the first of n and its later siblings that is not dropped, or nil.
func firstKept(n *html.Node) *html.Node {
	for n != nil && dropped(n) {
		n = n.NextSibling
	}
	return n
}

func dropped(n *html.Node) bool {
	switch n.Type {
	case html.TextNode, html.DocumentNode:
		return false
	case html.ElementNode:
		return n.Namespace != "" || hidden(n.DataAtom)
	}
	return true
}

// hidden tells whether browsers with scripts never show what an element holds.
func hidden(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Noembed, atom.Noframes, atom.Meta,
		atom.Link, atom.Object, atom.Embed, atom.Canvas:
		return true
	}
	return false
}

func (c *cloner) appendCopy(parent, n *html.Node) *html.Node {
	child := c.copy(n)
	parent.AppendChild(child)
	return child
}

func (c *cloner) copy(n *html.Node) *html.Node {
	c.nodes++
	c.work += c.depth * (len(n.Data) + nodeWork)
	to := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data}
	if c.leave[n] {
		to.Data = ""
	}
	if len(n.Attr) > 0 {
		to.Attr = slices.Clone(n.Attr)
	}
	for i := range to.Attr {
		a := &to.Attr[i]
		limit := maxAttribute
		if a.Key == "href" || a.Key == "src" {
			limit = maxLink
		}
		if len(a.Val) > limit {
			a.Val = ""
		}
	}
	return to
}
