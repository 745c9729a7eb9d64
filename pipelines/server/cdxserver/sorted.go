package cdxserver

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"
)

// errMany is that more lines would have to be sorted than are held.
func errMany(c *question) error {
	return bad("sort", c.sort,
		fmt.Sprintf("More than %d captures fit: name a limit, or narrow them by from and to.", maxSorted))
}

// most is how many lines are held: those of the answer, and those that its offset leaves out.
func (c *question) most() int {
	if c.limit == 0 {
		return maxSorted
	}
	return c.limit + c.offset
}

// sorted puts lines into the order that was asked for, and collapses them. It holds no more of them than the answer
// has, and some: memory is bounded by the limit, whatever the collection holds, and nothing that belongs to the answer
// is left out silently.
func (c *question) sorted(each iter.Seq2[entry, error]) ([]entry, error) {
	if c.sort == "closest" {
		return c.closestOf(each)
	}
	return c.lastOf(each)
}

// lastOf are the last lines, in their order, or the other way round.
func (c *question) lastOf(each iter.Seq2[entry, error]) (list []entry, err error) {
	// Of neighbours that are the same the first of the answer stays, which is the last one found where it is turned
	// round.
	reverse, most := c.sort == "reverse", c.most()
	// The last lines of an answer that is turned round are the first ones found.
	first := reverse && c.last
	for e, err := range each {
		if err != nil {
			return nil, err
		}
		if c.collapse.drops(e) {
			if reverse && len(list) > 0 {
				list[len(list)-1] = e
			}
			continue
		}
		// Not before: a neighbour may have taken the place of the last one.
		if first && len(list) == most {
			break
		}
		list = append(list, e)
		if c.limit == 0 && len(list) > most {
			return nil, errMany(c)
		}
		if len(list) >= 2*most && !first {
			// At twice the number and not at each line, so that what is moved costs each line one move
			// at most.
			list = slices.Delete(list, 0, len(list)-most)
		}
	}
	list = list[max(0, len(list)-most):]
	if reverse {
		slices.Reverse(list)
	}
	c.collapse = collapse{}
	return list, nil
}

// closestOf are the lines that are closest to a time, the closest first.
func (c *question) closestOf(each iter.Seq2[entry, error]) (list []entry, err error) {
	most := c.most()
	// Which lines are neighbours is known only when all are there.
	if c.collapse.name != "" {
		most = maxSorted
	}
	for e, err := range each {
		if err != nil {
			return nil, err
		}
		if list = append(list, e); len(list) < 2*most {
			continue
		}
		if c.collapse.name != "" {
			return nil, bad("collapse", "", fmt.Sprintf("More than %d captures fit, which cannot be collapsed by how close "+
				"they "+
				"are: narrow them by from and to.", len(list)-1))
		}
		c.byDistance(list)
		// Replay tools name no limit, and what is far away is of no use to them.
		c.cut = c.limit == 0
		// What is cut off is cleared, so that its text is not kept.
		clear(list[most:])
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

// byDistance sorts lines: by whole seconds, as lines have them, and within one by how well they answer for the URL.
// Stable: of captures equal in that the order is that of the index, the same with each request.
func (c *question) byDistance(list []entry) {
	at := c.closest.Truncate(time.Second)
	far := func(e entry) time.Duration { return e.time.Truncate(time.Second).Sub(at).Abs() }
	slices.SortStableFunc(list, func(a, b entry) int {
		order := cmp.Compare(far(a), far(b))
		// Of one page the index is by time, so that this changes nothing but within a second.
		if order == 0 && c.asked != "" {
			return cmp.Or(cmp.Compare(a.time.Unix(), b.time.Unix()), cmp.Compare(b.fit, a.fit))
		}
		return order
	})
}
