package sanitize

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// open is an element of the output that is not yet closed. An open element is known by the node at which it ends in
// the page, so that the writer needs no list of the page's own open elements.
type open struct {
	name    string
	kind    kind
	implied bool  // the page does not have it: the cell around stray content of a table
	end     int32 // the node at which it closes
	tag     int   // its start tag is writer.tags[tag:stop]
	stop    int
}

// writer writes nodes in their order. Its stack holds what is open in the output, which is not always what is open in
// the page: a block ends the paragraph around it. A start tag waits until there is something to write after it. That
// start tags wait is also how empty elements come to be left out: when they end before anything was written, their
// tags are dropped. The stack's elements from number written on are those that wait.
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

// nodes writes the nodes of r, in what surrounds them. Between two ranges elements may have begun that hold the
// second; they lie after the last node that was seen, and are opened here from the outermost in.
func (w *writer) nodes(r page.Range) {
	w.chain = w.chain[:0]
	// Parents have smaller numbers than what they hold, so the search ends at the first that was
	// passed before: it is open already, or closed by a rule.
	for i := w.p.Nodes[r.Start].Parent; i > w.seen; i = w.p.Nodes[i].Parent {
		w.chain = append(w.chain, i)
	}
	for _, i := range slices.Backward(w.chain) {
		w.enter(i)
	}
	for i := r.Start; i < r.End && !w.full; {
		w.seen = i
		switch n := &w.p.Nodes[i]; {
		// Its whole subtree is passed by one step.
		case n.Flags&never != 0:
			i = n.End
			continue
		case n.Tag == page.TagText:
			w.leave(i)
			w.text(w.source(i))
		case w.enter(i):
			w.flush(0) // a cell counts even when there is nothing in it
		}
		// All other elements' nodes are passed one by one, whether the element was written or not:
		// what an unknown one holds is kept.
		i++
	}
}

// leave closes what ends before node i. By the page's own ends: whatever was opened in the output for a node, be it
// under another name, closes with it.
func (w *writer) leave(i int32) {
	height := len(w.stack)
	// Ends do not grow towards the top of the stack, so that what closes is the topmost part of it.
	for height > 0 && w.stack[height-1].end <= i {
		height--
	}
	w.fall(height)
}

// enter opens the element i where it may stand, after closing or opening what that takes. It reports whether it is a
// cell.
func (w *writer) enter(i int32) bool {
	w.leave(i)
	n := &w.p.Nodes[i]
	e := elements[n.Tag]
	// Its tags are left out, and what it holds is written in what is open.
	if e.name == "" || n.Flags&never != 0 {
		return false
	}
	switch e.kind {
	// A part of a table is written as one only where a table's parts may stand. Elsewhere a parser
	// would ignore its tag, and its text would run into the text beside it; a <div> keeps them apart.
	case section, row, cell, caption:
		if w.place(e.kind) {
			return w.start(i, e) && e.kind == cell
		}
		e = division
	case item:
		// Likewise for items: li wants a list right around it, dt and dd a dl.
		if t := w.top().name; t != "dl" && e.name != "li" || t != "ul" && t != "ol" && e.name == "li" {
			e = division
		}
	}
	// The other elements are content, for which flow makes a cell when this is between the parts of a
	// table.
	if w.flow(); w.nested(e) {
		return false
	}
	// Whatever is not within the line ends a paragraph, as it would in the parser of the output.
	if e.kind != phrasing && e.kind != formatting && e.kind != empty {
		w.endParagraph()
	}
	w.start(i, e)
	return false
}

// Below the lowest there is an element without a name or a kind, which ends with the page: callers
// need not ask for an empty stack.
func (w *writer) top() open {
	if len(w.stack) == 0 {
		return open{end: int32(len(w.p.Nodes))}
	}
	return w.stack[len(w.stack)-1]
}

// nested reports whether e would be in one that it may not be in. Parsers would close the outer one, or take the
// two apart. The tags of the inner one are left out, whose text keeps the outer's meaning.
func (w *writer) nested(e element) bool {
	return slices.ContainsFunc(w.stack, func(o open) bool {
		return e.kind == formatting && o.name == e.name || e.kind == heading && o.kind == heading
	})
}

// endParagraph closes an open paragraph, as the parser does at a block's start tag. It looks no further than the cell
// or the caption, beyond which a parser does not look either.
func (w *writer) endParagraph() {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch {
		case w.stack[i].name == "p":
			// What is open within the paragraph closes with it, and is not opened again in what
			// follows.
			w.fall(i)
			return
		case w.stack[i].kind == cell || w.stack[i].kind == caption:
			return
		}
	}
}

// place opens or closes what is between the table that is open and a part of it of kind k. It returns false when
// there is no such table, or content is between.
func (w *writer) place(k kind) bool {
	// First what was implied and is in the way of the part is closed, from the inside out.
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
		// In a table: sections and captions are at once, a row needs a section around it and a cell
		// needs both. Parsers would add the same elements; written out, they are there in both trees.
		return k == section || k == caption || w.imply("tbody", section) && (k == row || w.imply("tr", row))
	case section:
		return k == row || k == cell && w.imply("tr", row)
	case row:
		return k == cell
	}
	// A real cell or other content is open: the part is not of this table's structure.
	return false
}

// structural reports whether the element that is open holds parts of a table and no text.
func (w *writer) structural() bool {
	k := w.top().kind
	return k == table || k == section || k == row
}

// flow makes room for content: what a table holds outside its cells would be moved before it by a parser, so that it
// is put into a cell. It is called before any content, and nearly always finds that there is room.
func (w *writer) flow() {
	if w.structural() && w.place(cell) {
		w.imply("td", cell)
	}
}

// imply opens an element that the page does not have.
func (w *writer) imply(name string, k kind) bool {
	// The implied element ends with the one it is put into.
	o := open{name: name, kind: k, implied: true, end: w.top().end, tag: len(w.tags)}
	w.tags = append(w.tags, '<')
	w.tags = append(w.tags, name...)
	w.tags = append(w.tags, '>')
	return w.push(o)
}

// start opens element i as e, or writes it when it has no content. It returns false when it is not open then. The tag
// is appended to the tags that wait; if it comes to nothing they are cut back to where they were.
func (w *writer) start(i int32, e element) bool {
	o := open{name: e.name, kind: e.kind, end: w.p.Nodes[i].End, tag: len(w.tags)}
	if !w.tag(i, e) {
		w.tags = w.tags[:o.tag]
		return false
	}
	// Elements with an end tag wait on the stack.
	if e.kind != empty && e.kind != rule {
		return w.push(o)
	}
	// Those without are content themselves: they make the tags before them be written. The tag is
	// still in the memory of w.tags after its end, from where it is copied; flush appends nothing
	// there.
	tag := w.tags[o.tag:]
	w.tags = w.tags[:o.tag]
	if w.flush(len(tag)) {
		w.out = append(w.out, tag...)
	}
	return false
}

// push puts o, whose tag was appended last, on the stack. It returns false when that would be too deep; a table is
// opened only where its cells will not be. Parsers too have a depth at which they give up on nesting (some
// browsers take 512), and a tree so deep is not text for readers.
func (w *writer) push(o open) bool {
	levels := 1
	if o.kind == table {
		// The table, a section, a row and a cell: otherwise a table might be opened whose content has
		// no place.
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

// flush writes the start tags that wait, when they, their end tags and n bytes more fit. The room that end tags will
// need is counted as used from the moment a start tag is written. So the limit is kept to the byte, and whatever is
// open can always be closed. Once something did not fit, nothing more is written, however small: text would else go
// missing in the middle.
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
		// Its tag is the last in w.tags whether it was written or not.
		w.tags = w.tags[:o.tag]
		// It was written, so its end is too. One that was not leaves no trace.
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

// trim takes back white space that ends the block o, where it does not show. White space at the end of a block does
// not show, as at its beginning. Only one character can be there: space never writes two.
func (w *writer) trim(o open) {
	last := len(w.out) - 1
	if o.kind != phrasing && o.kind != formatting && isSpace(w.out[last]) && o.name != "pre" && !named(w.stack, "pre") {
		w.out = w.out[:last]
	}
}
