package page

// Declarative shadow roots are content that browsers show in the place of their host's own, with the host's own in the
// slots (HTML Living Standard, section 4.12.3.1; DOM, section 4.2.2). The nodes are put in the order in which they are
// shown: the tree is flattened, and the <template> of a root is an element without rules. A host's own content that no
// slot takes is not shown, and stands after.

// rooted puts the nodes of pages with shadow roots in that order.
type rooted struct {
	p           *Page
	first, next []int32 // of each node: its first child, and the next of its parent's children; -1 for none
	out         []Node
	index       []int32 // the new index of each node
}

// host is an element whose root is being written.
type host struct {
	outer    *host              // that in whose root it stands, nil for none
	assigned map[string][]int32 // its own children by the name of the slot for them
}

// flatten puts the page's nodes in the order in which they are shown, and returns where each went.
func flatten(p *Page) []int32 {
	n := len(p.Nodes)
	r := rooted{p: p, first: unset(nil, n), next: unset(nil, n), index: unset(nil, n), out: make([]Node, 0, n)}
	// Children become lists again, in the order of the document.
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
	// Node 0 is <html>, under which everything is.
	r.write(0, -1, nil, false)
	p.Nodes = append(p.Nodes[:0], r.out...)
	return r.index
}

// write writes node i and all in it below node up of the new order. h is the host in whose root it stands; inside
// reports whether its flags are made again, as they are of all that a root holds or that a slot takes.
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

// root is the shadow root of node i, -1 for none. The first counts.
func (r *rooted) root(i int32) int32 {
	if r.p.Nodes[i].Tag == TagTemplate {
		return -1 // not a host, and neither is what is in a plain one
	}
	for c := r.first[i]; c >= 0; c = r.next[c] {
		if r.p.Nodes[c].marks&isRoot != 0 {
			return c
		}
	}
	return -1
}

// host writes what is in host i, which is at at: its root, and then what no slot of it has taken.
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
	// A root is not a template any more: its text is seen, and its links are found.
	r.p.Nodes[root].Tag = TagOther
	r.p.Nodes[root].Own &^= InSkipped
	r.write(root, at, h, true)
	for _, c := range own {
		// Not written yet: no slot took it. It is there, but is not shown.
		if r.index[c] < 0 {
			r.p.Nodes[c].Own |= InSkipped
			r.write(c, at, outer, true)
		}
	}
}

// slot writes what slot i, which is at at, shows: what its host has for it, or else its own content, which is not
// shown beside the host's. The first slot of a name takes it.
func (r *rooted) slot(i, at int32, h *host) {
	name := r.attr(i, "name")
	taken := h.assigned[name]
	delete(h.assigned, name)
	for _, c := range taken {
		// What is in the slot belongs to the tree around the host, with that tree's slots.
		r.write(c, at, h.outer, true)
	}
	for c := r.first[i]; c >= 0; c = r.next[c] {
		// Every node keeps a place, since others are found by theirs.
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
