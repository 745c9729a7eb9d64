package page

import "slices"

// reopened is a copy of the <a> at node link in the standard's tree. The standard copies a link with a missing or
// badly nested end tag in two cases. One is inline content after the block in which the link ended ("reconstruct the
// active formatting elements", section 13.2.4.3). The other is each block that is open at its end tag ("adoption
// agency algorithm", section 13.2.6.4.7). The tree of this package has no such copies, but a list of links as in
// browsers needs them: one page in thirty has some.
type reopened struct {
	link   int32
	node   int32 // the copy precedes this node,
	inside bool  // or is at its start
}

// maxReopened bounds the copies of a page, so an unclosed link cannot make more.
const maxReopened = maxAnchors

// activeLink is an <a> in the standard's list of active formatting elements.
type activeLink struct {
	node   int32
	marker int  // height in the stack of the cell (or the like) outside which it is invisible; 0 for none
	open   bool // it or its last copy is in the stack of open elements
	// floor is the height at which it closes: its own height in the stack. A copy is not in our stack and has the
	// height of the element in which it was made.
	floor int
}

// maxAdopted is how often the adoption agency loops, and so how many copies one end tag makes.
const maxAdopted = 8

func (b *builder) linkOpened() {
	top := len(b.stack) - 1
	// At a limit it was not opened, and the top is another element.
	if int(b.stack[top].node) == len(b.p.Nodes)-1 && b.stack[top].kind == ofHTML {
		b.active = append(b.active, activeLink{node: b.stack[top].node, marker: b.marker(), open: true, floor: top})
	}
}

// marker is the height of the innermost open element with a marker in the standard's list, or 0.
func (b *builder) marker() int {
	for i := len(b.stack) - 1; i > 0; i-- {
		if b.stack[i].traits&marker != 0 {
			return i
		}
	}
	return 0
}

// popped updates the active links after an element was closed.
func (b *builder) popped() {
	height := len(b.stack)
	for n := len(b.active); n > 0 && b.active[n-1].marker >= max(height, 1); n-- {
		b.active = b.active[:n-1] // the list is cleared up to the marker
	}
	// Links outside a marker are below it in the stack, and so are their copies.
	for i := len(b.active) - 1; i >= 0 && (b.active[i].floor >= height || !b.active[i].open); i-- {
		b.active[i].open = false
	}
}

// reopen notes a copy of the active link before the next node, if it is not open. It runs where the standard
// reconstructs the active formatting elements.
func (b *builder) reopen() {
	l := &b.active[len(b.active)-1]
	if l.open || l.marker != b.marker() {
		return
	}
	l.open, l.floor = true, len(b.stack)-1
	b.copied(reopened{link: l.node, node: int32(len(b.p.Nodes))})
}

func (b *builder) copied(r reopened) {
	if len(b.reopened) < maxReopened {
		b.reopened = append(b.reopened, r)
	}
}

// linkEnded handles an end tag of <a>, or a start tag that ends the link before it. A start tag always drops it from
// the list.
func (b *builder) linkEnded(byStart bool) {
	l := b.active[len(b.active)-1]
	if l.marker != b.marker() {
		return
	}
	if l.open {
		var blocks []int32
		for i := l.floor + 1; i < len(b.stack); i++ {
			// Not in scope: the end tag means nothing.
			if bounds.has(b.stack[i].tag) {
				if byStart {
					blocks = nil
					break
				}
				return
			}
			if b.stack[i].traits&special != 0 && len(blocks) < maxAdopted {
				blocks = append(blocks, b.stack[i].node)
			}
		}
		for _, node := range blocks {
			b.copied(reopened{link: l.node, node: node, inside: true})
		}
	}
	b.active = b.active[:len(b.active)-1]
}

// reconstructing are the special elements whose start tags reopen the active formatting elements (section 13.2.6.4.7).
// Elements that are not special do so too; blocks and elements of the head do not.
var reconstructing = setOf(TagArea, TagBr, TagEmbed, TagImg, TagInput, TagWbr, TagKeygen, TagButton, TagApplet,
	TagMarquee, TagObject, TagSelect, TagXmp, TagImage, TagNoscript)

// notReconstructing are exceptions among those that are not special.
var notReconstructing = setOf(TagRb, TagRt, TagRp, TagRtc)

// reconstructs reports whether the start tag of n reopens active formatting elements.
func reconstructs(n *Node) bool {
	if elements[n.Tag].traits&special != 0 {
		return reconstructing.has(n.Tag)
	}
	return elements[n.Tag].traits&inHead == 0 && !notReconstructing.has(n.Tag)
}

// settled puts the copies in the order of the nodes. index has the new indices of nodes if they were sorted, or is
// nil.
func (b *builder) settled(index []int32) []reopened {
	for i := range b.reopened {
		if r := &b.reopened[i]; index != nil && int(r.node) < len(index) {
			r.node = index[r.node]
		}
		if r := &b.reopened[i]; index != nil {
			r.link = index[r.link]
		}
	}
	for i := range b.reopened {
		// The start of a node is the place before its first child.
		if r := &b.reopened[i]; r.inside {
			r.node, r.inside = r.node+1, false
		}
	}
	slices.SortStableFunc(b.reopened, func(x, y reopened) int { return int(x.node) - int(y.node) })
	return b.reopened
}
