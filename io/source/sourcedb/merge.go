package sourcedb

import (
	"bytes"
	"container/heap"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// mostAhead limits the runs that are read ahead, each of which holds some hundred kilobytes.
const mostAhead = 32

// merge yields the records of sorted runs in the order of keys, and those of one key in the order of runs. The first
// known runs are of the previous generation.
func merge(runs []iter.Seq2[record, error], known int) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		// Unfinished runs have goroutines of Pull2 to stop.
		var heads cursors
		defer func() {
			for _, c := range heads {
				c.stop()
			}
		}()
		for i, run := range runs {
			pull := pullAhead
			if len(runs) > mostAhead {
				pull = iter.Pull2
			}
			next, stop := pull(run)
			c := &cursor{order: i, known: i < known, next: next, stop: stop}
			ok, err := c.advance()
			if err != nil {
				stop()
				yield(record{}, err)
				return
			}
			if ok {
				heads = append(heads, c)
			}
		}
		// A heap, because there may be as many runs as a collection has units.
		heap.Init(&heads)
		for len(heads) > 0 {
			c := heads[0]
			if !yield(c.head, nil) {
				return
			}
			ok, err := c.advance()
			if err != nil {
				yield(record{}, err)
				return
			}
			if ok {
				// Only the first has changed: its next key may be greater.
				heap.Fix(&heads, 0)
			} else {
				heap.Pop(&heads)
			}
		}
	}
}

// cursor is a run that is being read.
type cursor struct {
	order  int
	known  bool
	head   record
	prefix uint64 // of its key
	next   func() (record, error, bool)
	stop   func()
}

// advance takes the next record. At the end the run is stopped at once: its file is closed then, and not with the last
// of all runs.
func (c *cursor) advance() (ok bool, err error) {
	r, err, ok := c.next()
	if !ok || err != nil {
		c.stop()
		return false, err
	}
	c.head = r
	c.head.before, c.head.fresh = c.known, !c.known
	c.prefix = extsort.Prefix(r.key)
	return true, nil
}

// cursors are a heap by key, then by the order of the runs.
type cursors []*cursor

func (c cursors) Len() int      { return len(c) }
func (c cursors) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *cursors) Push(x any)   { *c = append(*c, x.(*cursor)) }

func (c cursors) Less(i, j int) bool {
	if c[i].prefix != c[j].prefix {
		return c[i].prefix < c[j].prefix
	}
	if d := bytes.Compare(c[i].head.key, c[j].head.key); d != 0 {
		return d < 0
	}
	// The order of the runs decides among equal keys, so that the result is the same each time.
	return c[i].order < c[j].order
}

func (c *cursors) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}

// fold joins the records of one key by a function of the values before and this one.
// The function must not depend on how records are grouped: see source.Merge.
func fold(runs iter.Seq2[record, error], join joinFunc) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		var now record
		for r, err := range runs {
			if err == nil && now.key != nil && bytes.Equal(now.key, r.key) {
				// now outlives the next read: readRecord makes new memory for each record.
				now.before, now.fresh = now.before || r.before, now.fresh || r.fresh
				if now.value, err = join(now.value, r.value); err == nil {
					continue
				}
			}
			if err != nil {
				yield(record{}, err)
				return
			}
			// A record is complete when another key comes, or at the end.
			if now.key != nil && !yield(now, nil) {
				return
			}
			now = r
		}
		if now.key != nil {
			yield(now, nil)
		}
	}
}
