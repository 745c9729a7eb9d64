package page

import "bytes"

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

// isConcealed reports whether text node i is a hidden key in a visible block. It is one word with a digit, such as a
// sort key of Wikipedia, or any short text in a cell. Scripts show other hidden texts on a click ("Read more").
func (w *writer) isConcealed(i int) bool {
	owner := &w.p.Nodes[w.stack[len(w.stack)-1].owner]
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
	return len(text) < maxConcealed && (owner.Own&InCell != 0 || bytes.ContainsAny(text, "0123456789") &&
		!bytes.ContainsAny(text, " \n\t\r\f"))
}
