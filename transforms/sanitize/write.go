package sanitize

import (
	"slices"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"
)

// open is an element that has been written and not yet closed.
type open struct {
	name  string
	kind  kind
	owner *html.Node // nil of one that the tree does not have: the cell around stray content of a table
}

// writer writes a tree. Its stack holds what is open in the output, which is not always what is open in the tree:
// a block ends the paragraph around it.
type writer struct {
	o     Options
	base  *whatwg.Url
	b     strings.Builder
	stack []open
	ends  int  // bytes that the end tags of the stack take
	pre   int  // the output's length behind the <pre> that was opened last
	full  bool // the limit is reached: nothing more is written
}

// tree writes the tree under root. It takes no recursion, since the tree may be deeper than any stack.
func (w *writer) tree(root *html.Node) {
	for n := root; n != nil; {
		if w.enter(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		w.leave(n)
		for n != root && n.NextSibling == nil {
			n = n.Parent
			w.leave(n)
		}
		if n == root {
			break
		}
		n = n.NextSibling
	}
	w.fall(0)
}

// enter writes n's start and tells whether what n holds is to be written.
func (w *writer) enter(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return false
	case html.DocumentNode:
		return true
	case html.ElementNode:
	default:
		return false
	}
	if n.Namespace != "" || dropped[n.Data] || has(n, "hidden") || w.full {
		return false
	}
	if e, ok := elements[n.Data]; ok {
		w.element(n, e)
	}
	return true
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// leave closes n, unless it is closed already or was not written.
func (w *writer) leave(n *html.Node) {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if w.stack[i].owner == n {
			w.fall(i)
			return
		}
	}
}

// element writes n where e may stand, after closing or opening what that takes.
func (w *writer) element(n *html.Node, e element) {
	name := n.Data
	switch e.kind {
	case section, row, cell, caption:
		if w.place(e.kind) {
			w.start(name, n, e)
			return
		}
		name, e = "div", elements["div"]
	case item:
		if !slices.Contains(lists[name], w.top().name) {
			name, e = "div", elements["div"]
		}
	}
	w.flow()
	if w.nested(name, e.kind) {
		return
	}
	if e.kind != phrasing && e.kind != formatting && e.kind != empty {
		w.endParagraph()
	}
	w.start(name, n, e)
}

func (w *writer) top() open {
	if len(w.stack) == 0 {
		return open{}
	}
	return w.stack[len(w.stack)-1]
}

// nested tells whether an element called name would stand in one that it may not stand in.
func (w *writer) nested(name string, k kind) bool {
	return slices.ContainsFunc(w.stack, func(o open) bool {
		return k == formatting && o.name == name || k == heading && o.kind == heading
	})
}

// endParagraph closes an open paragraph, as the parser does at a block's start tag.
func (w *writer) endParagraph() {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch {
		case w.stack[i].name == "p":
			w.fall(i)
			return
		case w.stack[i].kind == cell || w.stack[i].kind == caption:
			return
		}
	}
}

// place opens or closes what stands between the table that is open and a part of it of kind k. It returns false when
// there is no such table, or content stands between.
func (w *writer) place(k kind) bool {
	if t := w.top(); t.kind == cell && t.owner == nil {
		w.fall(len(w.stack) - 1)
	}
	if t := w.top(); t.kind == row && t.owner == nil && k != cell {
		w.fall(len(w.stack) - 1)
	}
	if t := w.top(); t.kind == section && t.owner == nil && (k == section || k == caption) {
		w.fall(len(w.stack) - 1)
	}
	switch w.top().kind {
	case table:
		return k == section || k == caption || w.imply("tbody", section) && (k == row || w.imply("tr", row))
	case section:
		return k == row || k == cell && w.imply("tr", row)
	case row:
		return k == cell
	}
	return false
}

// flow makes room for content: what a table holds outside its cells would be moved before it by a parser, so that it
// is put into a cell.
func (w *writer) flow() {
	switch w.top().kind {
	case table, section, row:
		if w.place(cell) {
			w.imply("td", cell)
		}
	}
}

// imply opens an element that the tree does not have.
func (w *writer) imply(name string, k kind) bool {
	return w.push("<"+name+">", open{name: name, kind: k})
}

// start writes n's start tag, under name, and puts it on the stack when it has content.
func (w *writer) start(name string, n *html.Node, e element) {
	tag, ok := w.tag(name, n, e)
	if !ok {
		return
	}
	if e.kind == empty || e.kind == rule {
		w.put(tag, 0)
		return
	}
	if len(w.stack) < w.o.MaxDepth {
		w.push(tag, open{name: name, kind: e.kind, owner: n})
	}
}

func (w *writer) push(tag string, o open) bool {
	end := len("</>") + len(o.name)
	if !w.put(tag, end) {
		return false
	}
	w.ends += end
	w.stack = append(w.stack, o)
	if o.name == "pre" {
		w.pre = w.b.Len()
	}
	return true
}

// put writes s, for which an end tag of end bytes will be due, when both fit.
func (w *writer) put(s string, end int) bool {
	if w.full || w.b.Len()+len(s)+w.ends+end > w.o.MaxBytes {
		w.full = true
		return false
	}
	w.b.WriteString(s)
	return true
}

// fall closes what is open from the top down to height.
func (w *writer) fall(height int) {
	for len(w.stack) > height {
		name := w.top().name
		w.b.WriteString("</" + name + ">")
		w.ends -= len("</>") + len(name)
		w.stack = w.stack[:len(w.stack)-1]
	}
}

// text writes text, escaped, without control characters.
func (w *writer) text(s string) {
	if k := w.top().kind; (k == table || k == section || k == row) && strings.TrimSpace(s) == "" {
		return
	}
	w.flow()
	if k := w.top().kind; k == table || k == section || k == row {
		return // no room for a cell
	}
	for i := 0; i < len(s) && !w.full; {
		r, n := utf8.DecodeRuneInString(s[i:])
		first := r == '\n' && w.b.Len() == w.pre // of a <pre>, where parsers drop it
		if printable(r) && !first {
			w.put(escaped(r, s[i:i+n]), 0)
		}
		i += n
	}
}

// printable tells whether r may stand in a document: no control character, nothing that is no character, and no byte
// order mark, which is lost wherever it comes first.
func printable(r rune) bool {
	return r >= ' ' && r != 0x7F && (r < 0x80 || r > 0x9F) && r&0xFFFE != 0xFFFE && (r < 0xFDD0 || r > 0xFDEF) && r != 0xFEFF ||
		r == '\n' || r == '\t'
}

// escaped returns s, which is r, as it is written in text and in quoted attribute values.
func escaped(r rune, s string) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	case utf8.RuneError:
		return "\uFFFD"
	}
	return s
}
