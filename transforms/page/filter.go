package page

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// filter writes a page again so that the tree builder does no more than linear work on it and its tree keeps the
// limits. Every element that it opens it also closes, with everything in between; formatting elements hold nothing but
// text, so that none is built twice; comments, SVG and MathML tags are left out. Of a page within the limits it leaves
// out nothing that anybody reads.
type filter struct {
	model
	o     Options
	scan  scanner
	out   bytes.Buffer
	nodes int
	attrs int
	deep  int // start tags left out for their depth, whose end tags are still to come
	roots [3]bool
	cut   cuts
}

// cuts are the limits that cut a page.
type cuts struct{ bytes, nodes, depth, attributes bool }

// list names the limits, as Page.Truncated has them.
func (c cuts) list() []string {
	var names []string
	for _, l := range []struct {
		name string
		cut  bool
	}{{"bytes", c.bytes}, {"nodes", c.nodes}, {"depth", c.depth}, {"attributes", c.attributes}} {
		if l.cut {
			names = append(names, l.name)
		}
	}
	return names
}

// filtered returns src as the filter leaves it, and which limits cut it.
func filtered(src []byte, o Options) ([]byte, cuts) {
	f := filter{o: o, scan: scanner{src: src, maxAttrs: o.MaxAttributes}}
	f.out.Grow(len(src))
	for !f.cut.nodes && f.scan.next() {
		f.token()
	}
	f.fall(0)
	return f.out.Bytes(), f.cut
}

func (f *filter) token() {
	t := &f.scan.tok
	src := f.scan.src[t.all.start:t.all.end]
	switch t.kind {
	case startToken:
		f.start(t)
	case endToken:
		f.end(t)
	case textToken:
		f.text(src)
	case rawToken:
		f.raw(t, src)
	case commentToken:
		if f.out.Len() == 0 || len(src) > 2 && bytes.EqualFold(src[:min(len(src), 9)], []byte("<!doctype")) {
			f.out.Write(src[:min(len(src), maxName)])
		}
	}
}

// node counts a node that is about to be made, and tells whether it may be.
func (f *filter) node() bool {
	if f.nodes >= f.o.MaxNodes {
		f.cut.nodes = true
		return false
	}
	f.nodes++
	return true
}

// text writes text; what is left out between two texts must not make a tag of them.
func (f *filter) text(src []byte) {
	if f.node() {
		f.out.Write(bytes.ReplaceAll(src, []byte("<"), []byte("&lt;")))
	}
}

// raw writes the content of a raw element, which is the top one.
func (f *filter) raw(t *token, src []byte) {
	if top := len(f.stack) - 1; top < 0 || f.stack[top].atom != t.atom || !f.node() {
		return
	}
	switch t.atom {
	case atom.Title, atom.Textarea:
		src = bytes.ReplaceAll(src, []byte("<"), []byte("&lt;"))
	}
	f.out.Write(src)
}

func (f *filter) start(t *token) {
	switch t.atom {
	case atom.Svg, atom.Math, atom.Plaintext:
		return
	case atom.Html, atom.Head, atom.Body:
		f.root(t)
		return
	}
	if t.atom == 0 && t.closed {
		return // a leaf of an SVG
	}
	c := classes[t.atom]
	height, counts := f.closedBy(t.atom, c)
	if !counts {
		return
	}
	f.fall(height)
	if !f.line(t.atom, c) {
		return
	}
	f.rows(t.atom)
	f.open(t, c)
}

// root writes the first tag of <html>, <head> and <body> each; their ends are implied.
func (f *filter) root(t *token) {
	i := slices.Index([]atom.Atom{atom.Html, atom.Head, atom.Body}, t.atom)
	if f.roots[i] || len(f.stack) > 0 {
		return
	}
	f.roots[i] = true
	if f.node() {
		f.tag(t)
	}
}

// line closes the formatting elements on top when a does not belong into a line of text, and tells whether a may be
// opened there: links do not nest, nor do too many formatting elements.
func (f *filter) line(a atom.Atom, c class) bool {
	low, open := len(f.stack), 0
	for i := len(f.stack) - 1; i >= 0 && f.stack[i].class&(formatting|phrasing) != 0; i-- {
		if f.stack[i].class&formatting == 0 {
			continue
		}
		if open++; c&(void|formatting|phrasing) == 0 || f.stack[i].atom == a && (a == atom.A || a == atom.Nobr) {
			low = i
		}
	}
	f.fall(low)
	return c&formatting == 0 || open < maxFormatting
}

// rows opens the parts of a table that a needs around it, as the tree builder would: its depth counts.
func (f *filter) rows(a atom.Atom) {
	if len(f.stack) == 0 {
		return
	}
	if a == atom.Td || a == atom.Th || a == atom.Tr {
		f.within(atom.Table, atom.Tbody)
	}
	if a == atom.Td || a == atom.Th {
		f.within(atom.Tbody, atom.Tr)
		f.within(atom.Thead, atom.Tr)
		f.within(atom.Tfoot, atom.Tr)
	}
}

// within opens element when outer is on top.
func (f *filter) within(outer, element atom.Atom) {
	if f.stack[len(f.stack)-1].atom == outer {
		name := element.String()
		f.out.WriteString("<" + name + ">")
		f.stack = append(f.stack, open{atom: element, class: classes[element], name: name})
	}
}

// open writes a start tag and puts the element on the stack, unless a limit is reached.
func (f *filter) open(t *token, c class) {
	if c&void == 0 && len(f.stack) >= f.o.MaxDepth-4 { // below <html> and <body>, above a cell's <tbody> and <tr>
		f.cut.depth = true
		f.deep++
		return
	}
	if !f.node() {
		return
	}
	f.tag(t)
	if c&void == 0 {
		f.stack = append(f.stack, open{atom: t.atom, class: c, name: f.name(t)})
	}
}

func (f *filter) name(t *token) string {
	return strings.ToLower(string(f.scan.src[t.name.start:t.name.end]))
}

func (f *filter) tag(t *token) {
	f.out.WriteByte('<')
	f.out.Write(f.scan.src[t.name.start:t.name.end])
	f.cut.attributes = f.cut.attributes || t.nAttrs > len(t.attrs)
	for _, a := range t.attrs {
		if f.attrs++; f.attrs > attrsANode*f.o.MaxNodes {
			f.cut.attributes = true
			break
		}
		f.attribute(f.scan.src[a.key.start:a.key.end], f.scan.src[a.value.start:a.value.end])
	}
	f.out.WriteByte('>')
}

func (f *filter) attribute(key, value []byte) {
	if len(value) > maxValue {
		value = value[:maxValue]
		f.cut.attributes = true
	}
	f.out.WriteByte(' ')
	f.out.Write(key)
	f.out.WriteString(`="`)
	f.out.Write(bytes.ReplaceAll(value, []byte{'"'}, []byte("&#34;")))
	f.out.WriteByte('"')
}

func (f *filter) end(t *token) {
	i := f.find(t.atom, classes[t.atom], f.name(t))
	switch {
	case f.deep > 0 && len(f.stack) >= f.o.MaxDepth-4:
		f.deep--
	case i >= 0:
		f.fall(i)
	}
}

// fall closes the open elements from the top down to height.
func (f *filter) fall(height int) {
	for len(f.stack) > height {
		top := len(f.stack) - 1
		f.out.WriteString("</" + f.stack[top].name + ">")
		f.stack = f.stack[:top]
	}
}
