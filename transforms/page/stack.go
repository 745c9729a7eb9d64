package page

// open is an element of the stack of open elements. It copies what is asked of it again and again (tag, traits,
// flags) from the node and the table.
type open struct {
	node   int32
	name   uint32 // a hash of its name, if the tag does not tell it
	flags  Flags  // of what is put into it
	traits trait
	tag    Tag // noTag when its end tag came before those of elements inside
	kind   kind
}

// noTag is the tag of an element whose end tag was seen while elements inside are still open: it no longer counts.
const noTag = TagText

// top is the innermost open element.
func (b *builder) top() *open { return &b.stack[len(b.stack)-1] }

// pop closes the innermost open element. The node's End is known only now: everything that was appended since is in
// it.
func (b *builder) pop() {
	top := b.top()
	b.p.Nodes[top.node].End = int32(len(b.p.Nodes))
	b.opened[top.tag]--
	b.stack = b.stack[:len(b.stack)-1]
	if len(b.active) > 0 {
		b.popped()
	}
}

// popTo closes open elements until height are left, and those next whose end tags came early. Elements that ended
// early go as soon as they are on top.
func (b *builder) popTo(height int) {
	for len(b.stack) > height {
		b.pop()
	}
	for b.top().tag == noTag {
		b.pop()
	}
}

// find returns the height of the innermost open element of set, or 0 when it is out of scope. 0 stands for "none",
// because height 0 is <html>, which nobody looks for.
func (b *builder) find(set, bounds *tagSet) int {
	for i := len(b.stack) - 1; i > 0; i-- {
		t := b.stack[i].tag
		if set.has(t) {
			return i
		}
		if bounds.has(t) {
			break
		}
	}
	return 0
}

// close closes the innermost open element of set that is in scope, with all inside, and reports whether there is one.
// That is what most end tags do.
func (b *builder) close(set, bounds *tagSet) bool {
	i := b.find(set, bounds)
	if i > 0 {
		b.popTo(i)
	}
	return i > 0
}

// closeTag is close for one tag. The count by tags answers most calls without a look at the stack.
func (b *builder) closeTag(t Tag, bounds *tagSet) bool {
	if b.opened[t] == 0 {
		return false
	}
	set := setOf(t)
	return b.close(&set, bounds)
}

// inScope reports whether an element t is open and in scope. Bounds are the general ones.
func (b *builder) inScope(t Tag) bool {
	set := setOf(t)
	return b.opened[t] > 0 && b.find(&set, &bounds) > 0
}

// endEarly ends the element at height i of the stack while those inside stay open: what follows is theirs, and is no
// longer in a link, bold, or whatever the element made of its content. The entry stays in the stack as a placeholder,
// so heights do not shift.
func (b *builder) endEarly(i int) {
	b.opened[b.stack[i].tag]--
	b.opened[noTag]++
	b.stack[i].tag, b.stack[i].traits = noTag, 0
	// Flags of what is inside are computed again without it, from the outside in.
	for ; i < len(b.stack); i++ {
		e := &b.stack[i]
		e.flags = b.stack[i-1].flags
		if e.tag != noTag {
			e.flags |= b.p.Nodes[e.node].Own &^ attrNames
		}
	}
}
