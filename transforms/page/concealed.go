package page

import (
	"bytes"
	"html"
	"strings"
)

// maxConcealed and maxConcealedNodes bound a key that sorts a column, in bytes and nodes.
const (
	maxConcealed      = 64
	maxConcealedNodes = 16
)

// Conceals reports whether element i itself is hidden by its attribute or style, and not only from screen readers. It
// takes no place: a hidden cell does not move those after it.
func (p *Page) Conceals(i int) bool {
	if p.Nodes[i].Own&InHidden == 0 {
		return false
	}
	if hidden, ok := p.RawAttr(i, "hidden"); ok && !isFold(hidden, "until-found") {
		return true
	}
	style, _ := p.RawAttr(i, "style")
	return styleFlags(style)&InHidden != 0
}

// minPhone is the least digits of an international phone number, as +2904000.
const minPhone = 7

// isConcealed reports whether text node i is a hidden key in a visible block. It is one word with a digit, such as a
// sort key of Wikipedia. In a cell with other content it is any short text. Scripts show other hidden texts on a click,
// such as phone numbers and "Read more".
func (w *writer) isConcealed(i int) bool {
	cell := w.stack[len(w.stack)-1].owner
	owner := &w.p.Nodes[cell]
	if owner.Flags&InHidden != 0 {
		return false
	}
	at := w.p.Nodes[i].Parent
	for at > 0 && w.p.Nodes[at].Own&InHidden == 0 {
		at = w.p.Nodes[at].Parent
	}
	// Elements of scripts are shown by these.
	if at <= 0 || w.p.Nodes[at].Tag == TagOther || w.p.Nodes[at].End-at > maxConcealedNodes || !w.p.Conceals(int(at)) {
		return false
	}
	text := trim([]byte(w.p.sourceText(int(at), int(w.p.Nodes[at].End), maxConcealed)))
	if len(text) >= maxConcealed || isPhone(text) {
		return false
	}
	if owner.Own&InCell != 0 {
		return w.p.isBeside(at, cell)
	}
	return bytes.ContainsAny(text, "0123456789") && !bytes.ContainsAny(text, " \n\t\r\f")
}

// isPhone reports whether a text of the source is an international phone number. No country has a code with 0 first.
func isPhone(text []byte) bool {
	if len(text) <= minPhone || text[0] != '+' {
		return false
	}
	digits := 0
	for _, c := range html.UnescapeString(string(text[1:])) {
		switch {
		case c == '0' && digits == 0:
			return false
		case c >= '0' && c <= '9':
			digits++
		case !strings.ContainsRune(" \u00a0().-‑–", c):
			return false
		}
	}
	return digits >= minPhone
}

// isBeside reports whether a visible text, picture or field is near the hidden element at in its cell.
func (p *Page) isBeside(at, cell int32) bool {
	end := min(p.Nodes[cell].End, p.Nodes[at].End+maxConcealedNodes)
	for i := max(cell, at-maxConcealedNodes); i < end; i++ {
		n := &p.Nodes[i]
		if n.Flags&InHidden == 0 && (solid.has(n.Tag) || n.Tag == TagText && n.Flags&InSkipped == 0 &&
			len(trim(p.Source[n.srcStart:n.srcEnd])) > 0) {
			return true
		}
	}
	return false
}
