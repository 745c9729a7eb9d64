package page

import "slices"

// foster is a node that stands in front of a table in whose markup it was found ("foster parenting").
type foster struct{ node, table int32 }

// order puts nodes in the order of the document when some were found behind the table in front of which they stand.
type order struct {
	first, last []int32 // of each node's children; then, for each node, of those that stand in front of it
	next        []int32 // sibling; -1 at the end
	moved       []Node
	index       []int32 // the new index of each node
}

// sort returns the nodes in the order of the document. It gives back the memory of nodes with the next call.
func (o *order) sort(nodes []Node, fostered []foster) []Node {
	n := len(nodes)
	o.first, o.last = unset(o.first, 2*n), unset(o.last, 2*n)
	o.next, o.index = unset(o.next, n), unset(o.index, n)
	o.moved = slices.Grow(o.moved[:0], n)
	for i := 1; i < n; i++ {
		list := int(nodes[i].Parent)
		if len(fostered) > 0 && int(fostered[0].node) == i {
			list = n + int(fostered[0].table)
			fostered = fostered[1:]
		}
		o.add(list, int32(i))
	}
	o.move(nodes, 0)
	for i := range o.moved {
		m := &o.moved[i]
		m.End = int32(i + 1)
		if i > 0 {
			m.Parent = o.index[m.Parent]
		}
	}
	for i := n - 1; i > 0; i-- {
		up := &o.moved[o.moved[i].Parent]
		up.End = max(up.End, o.moved[i].End)
	}
	sorted := o.moved
	o.moved = nodes
	return sorted
}

// unset returns list with n times -1.
func unset(list []int32, n int) []int32 {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = -1
	}
	return list
}

// add puts node i at the end of a list.
func (o *order) add(list int, i int32) {
	if o.first[list] < 0 {
		o.first[list] = i
	} else {
		o.next[o.last[list]] = i
	}
	o.last[list] = i
}

// move moves node i with what stands in front of it and all that is in it. The nesting is bounded by Options.MaxDepth.
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
