package page

// Browsers show a declarative shadow root instead of its host's own content, which fills the slots (HTML Living
// Standard, section 4.12.3.1; DOM, section 4.2.2). The nodes here are in the order of display: the tree is flattened,
// and the <template> of a root is an element without rules. Own content of a host without a slot is not shown and
// comes last.

// rooted reorders the nodes of pages with shadow roots.
type rooted struct {
	p           *Page
	first, next []int32 // by node: its first child, and its next sibling; -1 for none
	out         []Node
	index       []int32 // new index of each node
}

type host struct {
	outer    *host              // host of the root around it, or nil
	assigned map[string][]int32 // its own children by the name of their slot
}

// flatten puts the page's nodes in the order of display and returns the new index of each.
func flatten(p *Page) []int32 {
	n := len(p.Nodes)
	r := rooted{p: p, first: unset(nil, n), next: unset(nil, n), index: unset(nil, n), out: make([]Node, 0, n)}
	// Make lists of children, in document order.
	last := unset(nil, n)
	for i := 1; i < n; i++ {
		up := p.Nodes[i].Parent
		if last[up] < 0 {
			r.first[up] = int32(i)
		} else {
			r.next[last[up]] = int32(i)
		}
		last[up] = int32(i)
	}
	// Node 0 is <html>, the root.
	r.write(0, -1, nil, false)
	p.Nodes = append(p.Nodes[:0], r.out...)
	return r.index
}

// write writes node i and its descendants below node up of the new order. Parameter h is the host of the root around
// it. The parameter inside is set for the content of a root or a slot, whose flags are computed again.
func (r *rooted) write(i, up int32, h *host, inside bool) {
	n := r.p.Nodes[i]
	at := int32(len(r.out))
	r.index[i] = at
	n.Parent = up
	if up >= 0 {
		n.Depth = r.out[up].Depth + 1
	}
	if inside {
		n.Flags = n.Own&^attrNames | r.out[up].Flags
	}
	r.out = append(r.out, n)
	// A host shows its root; a slot in a root shows what its host has for it.
	switch root := r.root(i); {
	case root >= 0:
		r.host(i, at, root, h)
	case n.Tag == TagSlot && h != nil:
		r.slot(i, at, h)
	default:
		for c := r.first[i]; c >= 0; c = r.next[c] {
			r.write(c, at, h, inside)
		}
	}
	r.out[at].End = int32(len(r.out))
}

// root is the first shadow root of node i, or -1.
func (r *rooted) root(i int32) int32 {
	if r.p.Nodes[i].Tag == TagTemplate {
		return -1 // neither a host nor around one
	}
	for c := r.first[i]; c >= 0; c = r.next[c] {
		if r.p.Nodes[c].marks&isRoot != 0 {
			return c
		}
	}
	return -1
}

// host writes the content of host i, at new index at: its root, then its own content that no slot has taken.
func (r *rooted) host(i, at, root int32, outer *host) {
	h := &host{outer: outer, assigned: map[string][]int32{}}
	var own []int32
	for c := r.first[i]; c >= 0; c = r.next[c] {
		if c != root {
			// A text has no name, and goes to the slot without one.
			name := r.attr(c, "slot")
			h.assigned[name] = append(h.assigned[name], c)
			own = append(own, c)
		}
	}
	// A root is no longer a template: its text is shown, and its links are found.
	r.p.Nodes[root].Tag = TagOther
	r.p.Nodes[root].Own &^= InSkipped
	r.write(root, at, h, true)
	for _, c := range own {
		// No slot took it, so it is not shown.
		if r.index[c] < 0 {
			r.p.Nodes[c].Own |= InSkipped
			r.write(c, at, outer, true)
		}
	}
}

// slot writes the content of slot i, at new index at. It shows what its host has for it, or else its own content. The
// first slot of a name takes it.
func (r *rooted) slot(i, at int32, h *host) {
	name := r.attr(i, "name")
	taken := h.assigned[name]
	delete(h.assigned, name)
	for _, c := range taken {
		// Content of a slot belongs to the tree around the host, with that tree's slots.
		r.write(c, at, h.outer, true)
	}
	for c := r.first[i]; c >= 0; c = r.next[c] {
		// Every node keeps a place, since indices refer to it.
		if len(taken) > 0 {
			r.p.Nodes[c].Own |= InSkipped
		}
		r.write(c, at, h, true)
	}
}

func (r *rooted) attr(i int32, name string) string {
	if r.p.Nodes[i].Tag == TagText {
		return ""
	}
	v, _ := r.p.Attr(int(i), name)
	return v
}
