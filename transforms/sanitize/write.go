package sanitize

import (
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// open is an open element of the output. It is identified by the node at which it ends in the page, so the writer
// needs no list of the page's open elements.
type open struct {
	name    string
	kind    kind
	implied bool  // the page does not have it: the cell around misplaced content of a table
	end     int32 // the node at which it closes
	tag     int   // its start tag is writer.tags[tag:stop]
	stop    int
}

// writer writes nodes in order. Its stack holds the open elements of the output. These may differ from those of the
// page: a block ends the paragraph around it. A start tag waits until there is content after it. So empty elements are
// left out: their tags are dropped if they end before any content. The waiting elements of the stack are those from
// index written on.
type writer struct {
	p       *page.Page
	o       Options
	out     []byte
	stack   []open
	written int     // elements of the stack whose start tags are written
	tags    []byte  // start tags of the stack
	ends    int     // bytes needed for the end tags of written elements
	chain   []int32 // memory of method nodes
	content []byte  // memory of method source
	seen    int32   // the last node passed
	full    bool    // the limit is reached: nothing more is written
}

// nodes writes the nodes of r, inside their ancestors. Between two ranges, elements may have begun that hold the
// second. They come after the last node passed, and are opened from the outermost in.
func (w *writer) nodes(r page.Range) {
	w.chain = w.chain[:0]
	// Parents have smaller numbers than their content, so the search ends at the first that was passed before. That
	// one is open already, or closed by a rule.
	for i := w.p.Nodes[r.Start].Parent; i > w.seen; i = w.p.Nodes[i].Parent {
		w.chain = append(w.chain, i)
	}
	for _, i := range slices.Backward(w.chain) {
		w.enter(i)
	}
	for i := r.Start; i < r.End && !w.full; {
		w.seen = i
		switch n := &w.p.Nodes[i]; {
		// This skips its whole subtree.
		case n.Flags&never != 0:
			i = n.End
			continue
		case n.Tag == page.TagText:
			w.leave(i)
			w.text(w.source(i))
		case w.enter(i):
			w.flush(0) // a cell counts even if it is empty
		}
		// The nodes of all other elements are passed one by one, written or not: the content of an unknown element is
		// kept.
		i++
	}
}

// leave closes elements that end before node i in the page. So every element opened for a node, even under another
// name, closes with it.
func (w *writer) leave(i int32) {
	height := len(w.stack)
	// The ends on the stack do not increase towards its top, so the closed elements are the topmost ones.
	for height > 0 && w.stack[height-1].end <= i {
		height--
	}
	w.fall(height)
}

// enter opens the element i at an allowed place, closing or opening other elements if necessary. It reports whether it
// is a cell.
func (w *writer) enter(i int32) bool {
	w.leave(i)
	n := &w.p.Nodes[i]
	e := &elements[n.Tag]
	// Its tags are left out, and its content is written into the open element.
	if e.name == "" || n.Flags&never != 0 {
		return false
	}
	switch e.kind {
	// A part of a table is written as one only at an allowed place. Elsewhere a parser would ignore its tag, and its
	// text would join the text beside it. A <div> separates them.
	case section, row, cell, caption:
		if w.place(e.kind) {
			return w.start(i, e) && e.kind == cell
		}
		e = &division
	case item:
		// The same holds for items: li needs a list as its parent, dt and dd a dl.
		if t := w.top().name; t != "dl" && e.name != "li" || t != "ul" && t != "ol" && e.name == "li" {
			e = &division
		}
	}
	// The other elements are content. Between the parts of a table, flow makes a cell for it.
	if w.flow(); w.nested(e) {
		return false
	}
	// Anything but inline elements ends a paragraph, as in the parser of the output.
	if e.kind != phrasing && e.kind != formatting && e.kind != empty {
		w.endParagraph()
	}
	w.start(i, e)
	return false
}

// Below the lowest element there is one without a name or a kind, which ends with the page. So callers need not check
// for an empty stack.
func (w *writer) top() open {
	if len(w.stack) == 0 {
		return open{end: int32(len(w.p.Nodes))}
	}
	return w.stack[len(w.stack)-1]
}

// nested reports whether e would be inside an element that cannot contain it. Parsers would close the outer one, or
// separate the two. The tags of the inner one are left out, and its text belongs to the outer one.
func (w *writer) nested(e *element) bool {
	switch e.kind {
	case formatting:
		return named(w.stack, e.name)
	case heading:
		for i := range w.stack {
			if w.stack[i].kind == heading {
				return true
			}
		}
	}
	return false
}

// endParagraph closes an open paragraph, as the parser does at a block's start tag. Like a parser, it does not look
// beyond the cell or caption.
func (w *writer) endParagraph() {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch {
		case w.stack[i].name == "p":
			// Elements open within the paragraph are closed with it, and not opened again.
			w.fall(i)
			return
		case w.stack[i].kind == cell || w.stack[i].kind == caption:
			return
		}
	}
}

// place opens or closes the elements between the open table and a part of it of kind k. It returns false if there is
// no such table, or content is between.
func (w *writer) place(k kind) bool {
	// First, implied elements in the way of the part are closed, from the inside out.
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
		// In a table, sections and captions fit directly. A row needs a section around it, and a cell needs both.
		// Parsers would add the same elements; with them, both trees are equal.
		return k == section || k == caption || w.imply("tbody", section) && (k == row || w.imply("tr", row))
	case section:
		return k == row || k == cell && w.imply("tr", row)
	case row:
		return k == cell
	}
	// A real cell or other content is open, so the part does not belong to this table's structure.
	return false
}

// structural reports whether the open element holds parts of a table and no text.
func (w *writer) structural() bool {
	// This runs for each word of text.
	if len(w.stack) == 0 {
		return false
	}
	k := w.stack[len(w.stack)-1].kind
	return k == table || k == section || k == row
}

// flow makes room for content. A parser would move content outside the cells of a table to a place before the table,
// so flow puts it into a cell. It is called before any content, and nearly always there is room.
func (w *writer) flow() {
	if w.structural() && w.place(cell) {
		w.imply("td", cell)
	}
}

// imply opens an element that the page does not have.
func (w *writer) imply(name string, k kind) bool {
	// The implied element ends with its parent.
	o := open{name: name, kind: k, implied: true, end: w.top().end, tag: len(w.tags)}
	w.tags = append(w.tags, '<')
	w.tags = append(w.tags, name...)
	w.tags = append(w.tags, '>')
	return w.push(o)
}

// start opens element i as e, or writes it if it is a void element. It returns false if the element is not open
// afterwards. The tag is appended to the waiting tags, and removed again if it is not needed.
func (w *writer) start(i int32, e *element) bool {
	o := open{name: e.name, kind: e.kind, end: w.p.Nodes[i].End, tag: len(w.tags)}
	if !w.tag(i, e) {
		w.tags = w.tags[:o.tag]
		return false
	}
	// Elements with an end tag wait on the stack.
	if e.kind != empty && e.kind != rule {
		return w.push(o)
	}
	// Elements without an end tag are content themselves, so the waiting tags are written before them. The tag is
	// copied from the memory of w.tags after its end; flush appends nothing there.
	tag := w.tags[o.tag:]
	w.tags = w.tags[:o.tag]
	if w.flush(len(tag)) {
		w.out = append(w.out, tag...)
	}
	return false
}

// push puts o, whose tag was appended last, on the stack. It returns false if that would be too deep. A table is
// opened only if its cells will fit. Parsers too have a maximum depth of nesting (512 in some browsers), and readers
// need no tree so deep.
func (w *writer) push(o open) bool {
	levels := 1
	if o.kind == table {
		// These are the table, a section, a row and a cell. Otherwise a table could be opened whose content has no
		// place.
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

// flush writes the waiting start tags if they, their end tags and n bytes more fit. The room for an end tag counts as
// used as soon as its start tag is written. So the limit is exact, and open elements can always be closed. After
// something did not fit, nothing more is written, since text would be missing in the middle.
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

// fall closes the open elements from the top down to height.
func (w *writer) fall(height int) {
	for len(w.stack) > height {
		o := w.top()
		w.stack = w.stack[:len(w.stack)-1]
		// Its tag is the last in w.tags, written or not.
		w.tags = w.tags[:o.tag]
		// If it was written, its end tag is too. An element not written leaves no trace.
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

// trim removes white space at the end of the block o, where it is not visible. There is at most one character: space
// never writes two.
func (w *writer) trim(o open) {
	last := len(w.out) - 1
	if o.kind != phrasing && o.kind != formatting && isSpace(w.out[last]) && o.name != "pre" && !named(w.stack, "pre") {
		w.out = w.out[:last]
	}
}
