package sanitize

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// open is an element of the output that is not yet closed.
type open struct {
	name    string
	kind    kind
	implied bool  // the page does not have it: the cell around stray content of a table
	end     int32 // the node at which it closes
	tag     int   // its start tag is writer.tags[tag:stop]
	stop    int
}

// writer writes nodes in their order. Its stack holds what is open in the output, which is not always what is open in
// the page: a block ends the paragraph around it. A start tag waits until there is something to write behind it.
type writer struct {
	p       *page.Page
	o       Options
	out     []byte
	stack   []open
	written int     // elements of the stack whose start tags are written
	tags    []byte  // start tags of the stack
	ends    int     // bytes that the end tags of written elements take
	chain   []int32 // memory of nodes
	seen    int32   // the last node that was passed
	full    bool    // the limit is reached: nothing more is written
}

// nodes writes the nodes of r, in what stands around them.
func (w *writer) nodes(r page.Range) {
	w.chain = w.chain[:0]
	for i := w.p.Nodes[r.Start].Parent; i > w.seen; i = w.p.Nodes[i].Parent {
		w.chain = append(w.chain, i)
	}
	for _, i := range slices.Backward(w.chain) {
		w.enter(i)
	}
	for i := r.Start; i < r.End && !w.full; {
		w.seen = i
		switch n := &w.p.Nodes[i]; {
		case n.Flags&never != 0:
			i = n.End
			continue
		case n.Tag == page.TagText:
			w.leave(i)
			w.text(w.source(i))
		case w.enter(i):
			w.flush(0) // a cell counts even when there is nothing in it
		}
		i++
	}
}

// leave closes what ends before node i.
func (w *writer) leave(i int32) {
	height := len(w.stack)
	for height > 0 && w.stack[height-1].end <= i {
		height--
	}
	w.fall(height)
}

// enter opens the element i where it may stand, after closing or opening what that takes. It tells whether it is a
// cell.
func (w *writer) enter(i int32) bool {
	w.leave(i)
	n := &w.p.Nodes[i]
	e := elements[n.Tag]
	if e.name == "" || n.Flags&never != 0 {
		return false
	}
	switch e.kind {
	case section, row, cell, caption:
		if w.place(e.kind) {
			return w.start(i, e) && e.kind == cell
		}
		e = division
	case item:
		if t := w.top().name; t != "dl" && e.name != "li" || t != "ul" && t != "ol" && e.name == "li" {
			e = division
		}
	}
	if w.flow(); w.nested(e) {
		return false
	}
	if e.kind != phrasing && e.kind != formatting && e.kind != empty {
		w.endParagraph()
	}
	w.start(i, e)
	return false
}

func (w *writer) top() open {
	if len(w.stack) == 0 {
		return open{end: int32(len(w.p.Nodes))}
	}
	return w.stack[len(w.stack)-1]
}

// nested tells whether e would stand in one that it may not stand in.
func (w *writer) nested(e element) bool {
	return slices.ContainsFunc(w.stack, func(o open) bool {
		return e.kind == formatting && o.name == e.name || e.kind == heading && o.kind == heading
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
	if t := w.top(); t.implied && t.kind == cell {
		w.fall(len(w.stack) - 1)
	}
	if t := w.top(); t.implied && t.kind == row && k != cell {
		w.fall(len(w.stack) - 1)
	}
	if t := w.top(); t.implied && t.kind == section && (k == section || k == caption) {
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

// structural tells whether the element that is open holds parts of a table and no text.
func (w *writer) structural() bool {
	k := w.top().kind
	return k == table || k == section || k == row
}

// flow makes room for content: what a table holds outside its cells would be moved before it by a parser, so that it
// is put into a cell.
func (w *writer) flow() {
	if w.structural() && w.place(cell) {
		w.imply("td", cell)
	}
}

// imply opens an element that the page does not have.
func (w *writer) imply(name string, k kind) bool {
	o := open{name: name, kind: k, implied: true, end: w.top().end, tag: len(w.tags)}
	w.tags = append(w.tags, '<')
	w.tags = append(w.tags, name...)
	w.tags = append(w.tags, '>')
	return w.push(o)
}

// start opens element i as e, or writes it when it has no content. It returns false when it is not open then.
func (w *writer) start(i int32, e element) bool {
	o := open{name: e.name, kind: e.kind, end: w.p.Nodes[i].End, tag: len(w.tags)}
	if !w.tag(i, e) {
		w.tags = w.tags[:o.tag]
		return false
	}
	if e.kind != empty && e.kind != rule {
		return w.push(o)
	}
	tag := w.tags[o.tag:]
	w.tags = w.tags[:o.tag]
	if w.flush(len(tag)) {
		w.out = append(w.out, tag...)
	}
	return false
}

// push puts o, whose tag was appended last, on the stack. It returns false when that would be too deep; a table is
// opened only where its cells will not be.
func (w *writer) push(o open) bool {
	levels := 1
	if o.kind == table {
		levels = 4
	}
	if len(w.stack)+levels > w.o.MaxDepth {
		w.tags = w.tags[:o.tag]
		return false
	}
	o.stop = len(w.tags)
	w.stack = append(w.stack, o)
	return true
}

// flush writes the start tags that wait, when they, their end tags and n bytes more fit.
func (w *writer) flush(n int) bool {
	for _, o := range w.stack[w.written:] {
		n += o.stop - o.tag + len("</>") + len(o.name)
	}
	if w.full = w.full || len(w.out)+w.ends+n > w.o.MaxBytes; w.full {
		return false
	}
	for _, o := range w.stack[w.written:] {
		w.out = append(w.out, w.tags[o.tag:o.stop]...)
		w.ends += len("</>") + len(o.name)
	}
	w.written = len(w.stack)
	return true
}

// fall closes what is open from the top down to height.
func (w *writer) fall(height int) {
	for len(w.stack) > height {
		o := w.top()
		w.stack = w.stack[:len(w.stack)-1]
		w.tags = w.tags[:o.tag]
		if len(w.stack) < w.written {
			w.written--
			w.ends -= len("</>") + len(o.name)
			w.trim(o)
			w.out = append(w.out, "</"...)
			w.out = append(w.out, o.name...)
			w.out = append(w.out, '>')
		}
	}
}

// trim takes back white space that ends the block o, where it does not show.
func (w *writer) trim(o open) {
	last := len(w.out) - 1
	if o.kind != phrasing && o.kind != formatting && isSpace(w.out[last]) && o.name != "pre" && !named(w.stack, "pre") {
		w.out = w.out[:last]
	}
}
