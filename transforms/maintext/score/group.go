package score

import "github.com/gleaner-web/gleaner/transforms/page"

// group is an element that holds several blocks, as a range of blocks. Elements around the same blocks are one group.
type group struct {
	parent      int32 // next larger group; -1 for the first, the page
	node        int32 // innermost element
	first, last int32 // the blocks are [first, last)
	own         page.Flags
	sig         uint32
}

// sums are totals before some block, so two of them give the totals of a range. Fields linked and heads count blocks,
// the others their words and characters.
type sums struct{ chars, links, words, prose, linked, heads int32 }

func (a sums) sub(b sums) sums {
	return sums{
		a.chars - b.chars, a.links - b.links, a.words - b.words, a.prose - b.prose, a.linked - b.linked,
		a.heads - b.heads,
	}
}

// layout finds the groups of a page. before and totals have one entry more than nodes and blocks, so that ends are
// indices too.
type layout struct {
	p      *page.Page
	before []int32 // by node: number of blocks that begin before it
	groups []group
	in     []int32 // by block: smallest group that holds it and others
	own    []page.Flags
	totals []sums // len(blocks)+1
	open   []int32
	path   []int32
}

// read finds the groups of p. The first group is the page.
func (l *layout) read(p *page.Page) {
	l.p = p
	l.count()
	l.groups = append(l.groups[:0], group{parent: -1, last: int32(len(p.Blocks))})
	l.in, l.own = l.in[:0], l.own[:0]
	l.open = append(l.open[:0], 0)
	for i := range p.Blocks {
		l.place(int32(i))
	}
}

// count adds up blocks and counts, for each node, those that begin before it.
func (l *layout) count() {
	p := l.p
	l.before = resize(l.before, len(p.Nodes)+1)
	l.totals = append(l.totals[:0], sums{})
	at, t := 0, sums{}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for ; at <= int(b.First); at++ {
			l.before[at] = int32(i)
		}
		t.chars += b.Chars
		t.links += b.LinkChars
		t.words += b.Words
		// More than four fifths of the block are links.
		if b.LinkChars*5 > b.Chars*4 {
			t.linked++
		}
		if b.Flags&page.InHeading != 0 {
			t.heads++
		}
		if isProse(b) {
			t.prose += b.Chars
		}
		l.totals = append(l.totals, t)
	}
	// Nodes after the last block.
	for ; at < len(l.before); at++ {
		l.before[at] = int32(len(p.Blocks))
	}
}

// isProse reports whether a block is long enough, with few enough links, to be a paragraph.
func isProse(b *page.Block) bool { return b.Words >= 10 && b.LinkChars*3 < b.Chars }

// place finds the groups that block i opens, and the smallest that holds it.
func (l *layout) place(i int32) {
	p := l.p
	b := &p.Blocks[i]
	// Close groups that ended before this block; the page never ends.
	for l.groups[l.open[len(l.open)-1]].last <= i {
		l.open = l.open[:len(l.open)-1]
	}
	top := l.open[len(l.open)-1]
	// The block's own element, or the innermost that holds all of its text.
	n := b.Node
	if inner := p.Nodes[b.First].Parent; p.Nodes[inner].End >= b.Last {
		n = inner
	}
	var own page.Flags
	l.path = l.path[:0]
	for ; n > l.groups[top].node; n = p.Nodes[n].Parent {
		switch first, last := l.before[n], l.before[p.Nodes[n].End]; {
		// An element with only this block is not a group; the block gets its flags.
		case last-first <= 1:
			own |= p.Nodes[n].Own
		default:
			l.path = append(l.path, n)
		}
	}
	// Groups open from the outside in.
	for k := len(l.path) - 1; k >= 0; k-- {
		top = l.push(top, l.path[k])
	}
	l.in, l.own = append(l.in, top), append(l.own, own)
}

// push opens the group of element n within the group parent, or joins n to it if they hold the same blocks. The inner
// of two <div> around the same blocks gives the look.
func (l *layout) push(parent, n int32) int32 {
	node := &l.p.Nodes[n]
	first, last := l.before[n], l.before[node.End]
	if g := &l.groups[parent]; g.first == first && g.last == last {
		g.node, g.sig = n, node.Sig
		g.own |= node.Own
		return parent
	}
	i := int32(len(l.groups))
	l.groups = append(l.groups, group{parent: parent, node: n, first: first, last: last, own: node.Own, sig: node.Sig})
	l.open = append(l.open, i)
	return i
}

func (l *layout) sum(g *group) sums { return l.totals[g.last].sub(l.totals[g.first]) }

// dominant returns the deepest group that is reached from the page by steps to a child with this share of its parent's
// prose.
func (l *layout) dominant(share float32) int32 {
	cur := int32(0)
	most := l.sum(&l.groups[0]).prose
	for i := range l.groups {
		g := &l.groups[i]
		if g.parent != cur {
			continue
		}
		if prose := l.sum(g).prose; prose > 0 && float32(prose) >= share*float32(most) {
			cur, most = int32(i), prose
		}
	}
	return cur
}

// resize returns s with n elements of any value. It grows by half more than needed, so that a slightly larger page
// next time costs nothing.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
