package cdxserver

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"
)

// errMany returns the error for more lines than can be sorted.
func errMany(c *question) error {
	return bad("sort", c.sort,
		fmt.Sprintf("More than %d captures fit: name a limit, or narrow them by from and to.", maxSorted))
}

// hold adds a line to those that are held, up to maxSortedBytes.
func (c *question) hold(list []entry, e entry) ([]entry, error) {
	if c.held += len(e.text); c.held > maxSortedBytes {
		return nil, bad("sort", c.sort, fmt.Sprintf("The lines that fit have more than %d MB: name a smaller limit, or "+
			"narrow them by from and to.", maxSortedBytes>>20))
	}
	return append(list, e), nil
}

// release clears lines, so that their text is released.
func (c *question) release(list []entry) {
	for _, e := range list {
		c.held -= len(e.text)
	}
	clear(list)
}

// most returns the number of lines to hold: those of the answer, and those that its offset skips.
func (c *question) most() int {
	if c.limit == 0 {
		return maxSorted
	}
	return c.limit + c.offset
}

// sorted sorts lines in the requested order and collapses them. It holds only slightly more lines than the answer has.
// So the limit bounds memory, whatever the collection's size, and no line of the answer is lost silently.
func (c *question) sorted(each iter.Seq2[entry, error]) ([]entry, error) {
	if c.sort == "closest" {
		return c.closestOf(each)
	}
	return c.lastOf(each)
}

// lastOf returns the last lines, in order or reversed.
func (c *question) lastOf(each iter.Seq2[entry, error]) (list []entry, err error) {
	// Of equal adjacent lines the first of the answer stays. In reverse that is the last one found.
	reverse, most := c.sort == "reverse", c.most()
	// The last lines of a reversed answer are the first ones found.
	first := reverse && c.last
	for e, err := range each {
		if err != nil {
			return nil, err
		}
		if c.collapse.drops(e) {
			if reverse && len(list) > 0 {
				c.release(list[len(list)-1:])
				if list, err = c.hold(list[:len(list)-1], e); err != nil {
					return nil, err
				}
			}
			continue
		}
		// This is after the check above, since an equal line may have replaced the last one.
		if first && len(list) == most {
			break
		}
		if list, err = c.hold(list, e); err != nil {
			return nil, err
		}
		if c.limit == 0 && len(list) > most {
			return nil, errMany(c)
		}
		if len(list) >= 2*most && !first {
			// This is done at twice the number, so that each line is moved at most once.
			gone := len(list) - most
			c.release(list[:gone])
			list = slices.Delete(list, 0, gone)
		}
	}
	list = list[max(0, len(list)-most):]
	if reverse {
		slices.Reverse(list)
	}
	c.collapse = collapse{}
	return list, nil
}

// closestOf returns the lines closest to a time, the closest first.
func (c *question) closestOf(each iter.Seq2[entry, error]) (list []entry, err error) {
	most, n := c.most(), 0
	// Adjacent lines are known only when all are there.
	if c.collapse.name != "" {
		most = maxSorted
	}
	for e, err := range each {
		if err != nil {
			return nil, err
		}
		n++
		e.n = n
		if list, err = c.hold(list, e); err != nil {
			return nil, err
		}
		if len(list) < 2*most {
			continue
		}
		if c.collapse.name != "" {
			return nil, bad("collapse", "", fmt.Sprintf("More than %d captures fit, which cannot be collapsed by how close "+
				"they "+
				"are: narrow them by from and to.", len(list)-1))
		}
		c.byDistance(list)
		// Replay tools give no limit, and distant lines are useless for them.
		c.cut = c.limit == 0
		c.release(list[most:])
		list = list[:most]
	}
	c.byDistance(list)
	list = slices.DeleteFunc(list, c.collapse.drops)
	if c.limit == 0 && len(list) > maxSorted {
		c.cut, list = true, list[:maxSorted]
	}
	c.collapse = collapse{}
	return list, nil
}

// byDistance sorts lines by distance in whole seconds, the precision of lines. Those of one page are in the order of
// contentdb.SortNear, so that all doors lead to the same capture. Others keep the order of the index.
func (c *question) byDistance(list []entry) {
	at := c.closest.Truncate(time.Second)
	far := func(e entry) time.Duration { return e.time.Truncate(time.Second).Sub(at).Abs() }
	slices.SortStableFunc(list, func(a, b entry) int {
		order := cmp.Compare(far(a), far(b))
		if order == 0 && c.asked != "" {
			return cmp.Or(cmp.Compare(b.time.Unix(), a.time.Unix()), cmp.Compare(b.fit, a.fit), b.time.Compare(a.time),
				cmp.Compare(b.n, a.n))
		}
		return order
	})
}
