package index

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
)

// counts are numbers of versions by the number of a value.
type counts struct {
	dense  []uint32 // by number; nil if the numbers are too large, or the values few
	sparse map[int64]uint64
}

// maxDense is the largest number of a name for which counts are a slice: 32 MB. It is much faster than a map.
const maxDense = 8 << 20

// newCounts returns counts for the values of a list, which are many.
func (s *snapshot) newCounts(ctx context.Context) (*counts, error) {
	var most int64
	err := s.index.QueryRowContext(ctx, "select coalesce(max(id), 0) from name").Scan(&most)
	if err != nil {
		return nil, explain(err)
	}
	if most > maxDense {
		return &counts{sparse: map[int64]uint64{}}, nil
	}
	return &counts{dense: make([]uint32, most+1)}, nil
}

// add adds n to the count of a number.
func (c *counts) add(id int64, n uint64) error {
	switch {
	case c.dense == nil:
		if n > 0 {
			c.sparse[id] += n
		}
	case id < 0 || id >= int64(len(c.dense)):
		return errBlock
	default:
		c.dense[id] += uint32(n)
	}
	return nil
}

// counted is a value with its count.
type counted struct {
	id int64
	n  uint64
}

// list returns the values that have a count.
func (c *counts) list() []counted {
	all := make([]counted, 0, len(c.sparse))
	for id, n := range c.dense {
		if n > 0 {
			all = append(all, counted{int64(id), uint64(n)})
		}
	}
	for id, n := range c.sparse {
		if n > 0 {
			all = append(all, counted{id, n})
		}
	}
	return all
}

// singly is how many names are looked up one by one; more are read in one statement.
const singly = 1000

// top returns the most frequent values of a list, or all for 0, sorted as mostFrequent does. It reads only the names it
// needs: a search for frequent words finds captures of 20,000 hosts.
func (s *snapshot) top(ctx context.Context, k kind, all []counted, top int) ([]Facet, error) {
	least := uint64(0)
	if top > 0 && len(all) > top {
		least = leastOf(all, top)
	}
	var named, equal []counted
	for _, v := range all {
		switch {
		case v.n > least:
			named = append(named, v)
		case v.n == least:
			equal = append(equal, v)
		}
	}
	facets, err := s.named(ctx, k, named, len(named))
	if err != nil || len(equal) == 0 {
		return mostFrequent(facets, top), err
	}
	// Equally frequent values are sorted by name.
	rest, err := s.named(ctx, k, equal, top-len(named))
	return mostFrequent(append(facets, rest...), top), err
}

// leastOf returns the count of the top-th of the most frequent values.
func leastOf(all []counted, top int) uint64 {
	ns := make([]uint64, len(all))
	for i, v := range all {
		ns[i] = v.n
	}
	slices.Sort(ns)
	return ns[len(ns)-top]
}

// named returns the values with their names. Of many it returns at least the first n by name.
func (s *snapshot) named(ctx context.Context, k kind, list []counted, n int) ([]Facet, error) {
	facets := make([]Facet, 0, min(len(list), max(n, singly)))
	if len(list) <= singly {
		for _, v := range list {
			text := ""
			if v.id != noValue {
				var err error
				if text, err = s.name(ctx, v.id); err != nil {
					return nil, err
				}
			}
			facets = append(facets, Facet{[]string{text}, int64(v.n)})
		}
		return facets, nil
	}
	slices.SortFunc(list, func(a, b counted) int { return cmp.Compare(a.id, b.id) })
	if list[0].id == noValue {
		facets = append(facets, Facet{[]string{""}, int64(list[0].n)})
	}
	if len(facets) >= n {
		return facets, nil
	}
	if n <= singly {
		order, err := s.nameOrder(ctx, k)
		if err != nil {
			return nil, err
		}
		if order != nil {
			return s.firstNamed(ctx, order, list, facets, n)
		}
	}
	err := each(ctx, s.index, func(rows *sql.Rows) error {
		var id int64
		var text sql.RawBytes
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		i, is := placeOfID(list, id)
		if !is {
			return nil
		}
		if facets = append(facets, Facet{[]string{string(text)}, int64(list[i].n)}); len(facets) == n {
			return errEnough
		}
		return nil
	}, "select id, value from name where kind = ? order by value", k)
	return facets, err
}

// placeOfID returns where a number is in a list that is sorted by numbers.
func placeOfID(list []counted, id int64) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(v counted, id int64) int { return cmp.Compare(v.id, id) })
}

// firstNamed adds the first values by name, until there are n. It reads only their names.
func (s *snapshot) firstNamed(
	ctx context.Context, order []int64, list []counted, facets []Facet, n int,
) ([]Facet, error) {
	for _, id := range order {
		i, is := placeOfID(list, id)
		if !is {
			continue
		}
		text, err := s.name(ctx, id)
		if err != nil {
			return nil, err
		}
		if facets = append(facets, Facet{[]string{text}, int64(list[i].n)}); len(facets) == n {
			break
		}
	}
	return facets, nil
}
