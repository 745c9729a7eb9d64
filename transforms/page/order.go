package page

import "slices"

// foster is a node in front of the table in whose markup it was found ("foster parenting"). Nodes are appended as they
// are found, so its index is after that of the table, which it should precede.
type foster struct{ node, table int32 }

// order restores document order after foster parenting. It makes lists of children and writes the tree again from its
// root. Indices instead of pointers let it reuse its memory from page to page.
type order struct {
	first, last []int32 // by node: its children; then, by node again: nodes in front of it
	next        []int32 // sibling; -1 at the end
	moved       []Node
	index       []int32 // new index of each node
}

// sort returns the nodes in document order. The next call reuses the memory of nodes. fostered is in the order of
// nodes.
func (o *order) sort(nodes []Node, fostered []foster) []Node {
	n := len(nodes)
	// Two lists for each node, hence 2*n: its children, and the nodes in front of it.
	o.first, o.last = unset(o.first, 2*n), unset(o.last, 2*n)
	o.next, o.index = unset(o.next, n), unset(o.index, n)
	o.moved = slices.Grow(o.moved[:0], n)
	for i := 1; i < n; i++ {
		list := int(nodes[i].Parent)
		// The next foster child; all other nodes are children of their parents.
		if len(fostered) > 0 && int(fostered[0].node) == i {
			list = n + int(fostered[0].table)
			fostered = fostered[1:]
		}
		o.add(list, int32(i))
	}
	// Node 0 is <html>, the root.
	o.move(nodes, 0)
	for i := range o.moved {
		m := &o.moved[i]
		// A node ends after itself, and below after its last descendant.
		m.End = int32(i + 1)
		if i > 0 {
			// Parents were moved before their children, so index has them already.
			m.Parent = o.index[m.Parent]
		}
	}
	// Backwards, so that all descendants of a node are counted before it.
	for i := n - 1; i > 0; i-- {
		up := &o.moved[o.moved[i].Parent]
		up.End = max(up.End, o.moved[i].End)
	}
	sorted := o.moved
	// The two slices change places, so neither is allocated again.
	o.moved = nodes
	return sorted
}

func unset(list []int32, n int) []int32 {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = -1
	}
	return list
}

// add puts node i at the end of a list. Lists are linked by o.next, as a node is in exactly one list.
func (o *order) add(list int, i int32) {
	if o.first[list] < 0 {
		o.first[list] = i
	} else {
		o.next[o.last[list]] = i
	}
	o.last[list] = i
}

// move moves node i with the nodes in front of it and in it. Options.MaxDepth bounds the recursion. A foster child may
// have others in front of it, at deeper tables.
func (o *order) move(nodes []Node, i int32) {
	for k := o.first[len(nodes)+int(i)]; k >= 0; k = o.next[k] {
		o.move(nodes, k)
	}
	o.index[i] = int32(len(o.moved))
	o.moved = append(o.moved, nodes[i])
	for k := o.first[i]; k >= 0; k = o.next[k] {
		o.move(nodes, k)
	}
}
