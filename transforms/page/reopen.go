package page

import "slices"

// reopened says that the standard's tree has the <a> at node link once more: it makes a copy of a link whose end tag is
// missing or badly nested, each time that content of the line comes after the block in which the link ended
// ("reconstruct the active formatting elements", section 13.2.4.3), and in each block that is open at its end tag
// ("adoption agency algorithm", section 13.2.6.4.7). The tree of this package has no such copies, but who lists links
// as browsers do needs to know of them: one page in thirty has some.
type reopened struct {
	link   int32
	node   int32 // the copy is in front of this node,
	inside bool  // or at its beginning
}

// maxReopened bounds the copies of a page, and with that what an unclosed link can make of it.
const maxReopened = maxAnchors

// activeLink is an <a> in the standard's list of active formatting elements.
type activeLink struct {
	node   int32
	marker int  // height in the stack of the cell (or the like) outside of which it is not seen; 0 for none
	open   bool // it or its last copy is in the stack of open elements
	// floor is the height at which it no longer is: its own height in the stack, or of a copy, which is not in our stack,
	// that of the element in which it was made.
	floor int
}

// maxAdopted is how often the adoption agency goes round, and so how many copies one end tag makes.
const maxAdopted = 8

// linkOpened notes the <a> that was just opened.
func (b *builder) linkOpened() {
	top := len(b.stack) - 1
	// At a limit it was not opened, and the top is another element.
	if int(b.stack[top].node) == len(b.p.Nodes)-1 && b.stack[top].kind == ofHTML {
		b.active = append(b.active, activeLink{node: b.stack[top].node, marker: b.marker(), open: true, floor: top})
	}
}

// marker is the height of the innermost open element that has a marker in the standard's list; 0 for none.
func (b *builder) marker() int {
	for i := len(b.stack) - 1; i > 0; i-- {
		if b.stack[i].traits&marker != 0 {
			return i
		}
	}
	return 0
}

// popped is told after each element that was closed, while there are active links.
func (b *builder) popped() {
	height := len(b.stack)
	for n := len(b.active); n > 0 && b.active[n-1].marker >= max(height, 1); n-- {
		b.active = b.active[:n-1] // the list is cleared up to the marker
	}
	// Those outside of a marker are in the stack below it, and so are those that were copied there.
	for i := len(b.active) - 1; i >= 0 && (b.active[i].floor >= height || !b.active[i].open); i-- {
		b.active[i].open = false
	}
}

// reopen notes a copy of the active link in front of the node that comes next, if it is not open. It is called where
// the standard reconstructs the active formatting elements.
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

// linkEnded is told of an end tag of <a>, or of a start tag that ends the link before it, which drops it from the list
// in any case.
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

// reconstructing are the start tags that open the active formatting elements again (section 13.2.6.4.7), beside those
// of elements that are not special: blocks and what belongs in the head do not.
var reconstructing = setOf(TagArea, TagBr, TagEmbed, TagImg, TagInput, TagWbr, TagKeygen, TagButton, TagApplet,
	TagMarquee, TagObject, TagSelect, TagXmp, TagImage, TagNoscript)

// notReconstructing are those that are not special and do not.
var notReconstructing = setOf(TagRb, TagRt, TagRp, TagRtc)

// reconstructs reports whether the start tag of n opens active formatting elements again.
func reconstructs(n *Node) bool {
	if elements[n.Tag].traits&special != 0 {
		return reconstructing.has(n.Tag)
	}
	return elements[n.Tag].traits&inHead == 0 && !notReconstructing.has(n.Tag)
}

// settled puts the copies in the order of the nodes. index has the nodes' places where they were sorted, else it is
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
		// One place for both kinds.
		if r := &b.reopened[i]; r.inside {
			r.node, r.inside = r.node+1, false
		}
	}
	slices.SortStableFunc(b.reopened, func(x, y reopened) int { return int(x.node) - int(y.node) })
	return b.reopened
}
