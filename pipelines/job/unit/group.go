package unit

import "sync/atomic"

// groupBytes bounds the payloads of a group. One payload may be larger.
const groupBytes = 4 << 20

// group is consecutive items that are finished together, in one batch for plugs. Which items a group has depends on the
// unit alone: not on the number of workers, nor on how long anything takes.
type group struct {
	items   []*item
	seen    int // items and rejects since its start
	bytes   int64
	dropped bool         // nobody waits for results
	under   atomic.Int32 // items under way, and 1 while the group is open
}

// join adds an item to the open group, or to a new one.
func (q *queue) join(it *item) {
	if q.batch <= 1 {
		return
	}
	if q.open != nil && q.open.bytes+it.bytes > groupBytes {
		q.seal()
	}
	if q.open == nil {
		q.open = &group{}
		q.open.under.Store(1)
	}
	it.group = q.open
	q.open.items = append(q.open.items, it)
	q.open.under.Add(1)
	q.pass(it)
}

// pass counts an item that waits with the open group.
func (q *queue) pass(it *item) {
	if q.open == nil {
		return
	}
	q.open.seen++
	q.open.bytes += it.bytes
	if q.open.seen >= q.batch || q.open.bytes > groupBytes {
		q.seal()
	}
}

// seal closes the open group. If all its items are done already, a worker finishes it.
func (q *queue) seal() {
	g := q.open
	q.open = nil
	if g.under.Add(-1) == 0 {
		q.slots <- struct{}{}
		go q.run(func() []*item { return g.end(q.finish) })
	}
}

// leave notes that one item is done. After the last one it finishes the group, and returns its items.
func (g *group) leave(finish func([]*item)) []*item {
	if g.under.Add(-1) > 0 {
		return nil
	}
	return g.end(finish)
}

func (g *group) end(finish func([]*item)) []*item {
	if !g.dropped {
		finish(g.items)
	}
	return g.items
}
