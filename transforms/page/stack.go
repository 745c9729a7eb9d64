package page

// open is an element of the stack of open elements. It copies frequently used values (tag, traits, flags) from the
// node and the table.
type open struct {
	node   int32
	name   uint32 // hash of its name, if the tag does not show it
	flags  Flags  // of its content
	traits trait
	tag    Tag // noTag after an early end tag
	kind   kind
}

// noTag is the tag of an element whose end tag came while elements inside are open: it no longer counts.
const noTag = TagText

func (b *builder) top() *open { return &b.stack[len(b.stack)-1] }

// pop closes the innermost open element. Its End is only known now: all later nodes are in it.
func (b *builder) pop() {
	top := b.top()
	b.p.Nodes[top.node].End = int32(len(b.p.Nodes))
	b.opened[top.tag]--
	b.stack = b.stack[:len(b.stack)-1]
	if len(b.active) > 0 {
		b.popped()
	}
}

// popTo closes open elements until height are left, then those on top that ended early.
func (b *builder) popTo(height int) {
	for len(b.stack) > height {
		b.pop()
	}
	for b.top().tag == noTag {
		b.pop()
	}
}

// find returns the height of the innermost open element of set, or 0 if it is out of scope. Height 0 is <html>, which
// nobody looks for.
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
func (b *builder) close(set, bounds *tagSet) bool {
	i := b.find(set, bounds)
	if i > 0 {
		b.popTo(i)
	}
	return i > 0
}

// closeTag is close for one tag. The count by tag rules out most calls.
func (b *builder) closeTag(t Tag, bounds *tagSet) bool {
	if b.opened[t] == 0 {
		return false
	}
	set := setOf(t)
	return b.close(&set, bounds)
}

// inScope reports whether an element t is open and in the general scope.
func (b *builder) inScope(t Tag) bool {
	set := setOf(t)
	return b.opened[t] > 0 && b.find(&set, &bounds) > 0
}

// endEarly ends the element at height i of the stack while those inside stay open. What follows belongs to them, and
// is no longer in a link, bold or the like. The entry stays in the stack as a placeholder, so heights do not shift.
func (b *builder) endEarly(i int) {
	b.opened[b.stack[i].tag]--
	b.opened[noTag]++
	b.stack[i].tag, b.stack[i].traits = noTag, 0
	// Recompute the flags of the elements inside without it, from the outside in.
	for ; i < len(b.stack); i++ {
		e := &b.stack[i]
		e.flags = b.stack[i-1].flags
		if e.tag != noTag {
			e.flags |= b.p.Nodes[e.node].Own &^ attrNames
		}
	}
}
