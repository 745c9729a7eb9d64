package index

import (
	"context"
	"database/sql"
	"iter"
	"slices"
	"time"
)

// Overview summarises an index: all captures, not only the newest of each page.
type Overview struct {
	Captures int64
	Pages    int64     // a page counts in each volume that has it
	First    time.Time // of the captures that have a time; zero if none has
	Last     time.Time
	// Values are the most frequent values of each of the fields with bitmaps; Distinct is the number of values, without
	// "".
	Values   map[string][]Facet
	Distinct map[string]int64
}

// Overview counts captures by each of the fields with bitmaps, with the top values of each, or all for 0. It reads
// neither captures nor bitmaps: the index stores how many captures have a value.
func (x *Index) Overview(ctx context.Context, top int) (o Overview, err error) {
	// Not nil, because a collection without captures has an overview, too.
	o = Overview{Values: map[string][]Facet{}, Distinct: map[string]int64{}}
	var list []*snapshot
	defer func() {
		for _, s := range list {
			s.close()
		}
	}()
	for _, v := range x.volumes {
		s, err := v.snapshot(ctx)
		if err != nil {
			return o, x.noted(err)
		}
		list = append(list, s)
		if err := s.span(ctx, &o); err != nil {
			return o, x.noted(err)
		}
	}
	for _, f := range smalls {
		if len(list) == 1 {
			err = list[0].values(ctx, f, top, &o)
		} else {
			err = mergeValues(ctx, list, f, top, &o)
		}
		if err != nil {
			return o, x.noted(err)
		}
	}
	return o, nil
}

// values counts the captures of the most frequent values of a kind.
func (s *snapshot) values(ctx context.Context, f small, top int, o *Overview) error {
	limit := -1 // -1 means no limit
	if top > 0 {
		limit = top
	}
	list := []Facet{}
	err := each(ctx, s.index, func(rows *sql.Rows) error {
		v := Facet{Values: make([]string, 1)}
		err := rows.Scan(&v.Values[0], &v.Count)
		list = append(list, v)
		return err
	}, `select m.value, c.n from (select value, sum(n) n from bits where kind = ? group by value) c
		join name m on m.id = c.value order by c.n desc, m.value limit ?`, f.kind, limit)
	if err != nil {
		return err
	}
	var n int64
	// Counts all names, not only the returned values.
	err = s.index.QueryRowContext(ctx, "select count(*) from name where kind = ? and value <> ''", f.kind).Scan(&n)
	o.Values[f.facet], o.Distinct[f.facet] = list, n
	return explain(err)
}

// mergeValues is values for several volumes. A value that is rare in each may be frequent in total, so all values are
// merged in order, and the most frequent are kept.
func mergeValues(ctx context.Context, volumes []*snapshot, f small, top int, o *Overview) error {
	type stream struct {
		next func() (Facet, error, bool)
		now  Facet
	}
	var open []*stream
	// advance takes the next value of a stream, and removes the stream at its end.
	advance := func(s *stream) (err error) {
		var more bool
		if s.now, err, more = s.next(); !more {
			open = slices.DeleteFunc(open, func(other *stream) bool { return other == s })
		}
		return err
	}
	for _, s := range volumes {
		next, stop := iter.Pull2(s.inOrder(ctx, f.kind))
		defer stop()
		open = append(open, &stream{next: next})
		if err := advance(open[len(open)-1]); err != nil {
			return err
		}
	}
	best := []Facet{}
	for len(open) > 0 {
		// A linear search, because there are only as many streams as months.
		least := slices.MinFunc(open, func(a, b *stream) int { return slices.Compare(a.now.Values, b.now.Values) }).now
		least.Count = 0
		for _, s := range slices.Clone(open) {
			if s.now.Values[0] == least.Values[0] {
				least.Count += s.now.Count
				if err := advance(s); err != nil {
					return err
				}
			}
		}
		if least.Values[0] != "" {
			o.Distinct[f.facet]++
		}
		// Cut now and then, to bound memory.
		if best = append(best, least); top > 0 && len(best) >= 2*top+1000 {
			best = mostFrequent(best, top)
		}
	}
	o.Values[f.facet] = mostFrequent(best, top)
	return nil
}

// inOrder yields the values of a kind that captures have, in bytewise order.
func (s *snapshot) inOrder(ctx context.Context, k kind) iter.Seq2[Facet, error] {
	return func(yield func(Facet, error) bool) {
		// The index on names has this order, so nothing is sorted.
		err := each(ctx, s.index, func(rows *sql.Rows) error {
			v := Facet{Values: make([]string, 1)}
			if err := rows.Scan(&v.Values[0], &v.Count); err != nil {
				return err
			}
			if v.Count > 0 && !yield(v, nil) {
				return errEnough
			}
			return nil
		}, `select value, (select coalesce(sum(n), 0) from bits b where b.kind = m.kind and b.value = m.id) from name m
			where kind = ? order by value`, k)
		if err != nil {
			yield(Facet{}, err)
		}
	}
}

// span adds the numbers of captures and pages, and the first and last times.
func (s *snapshot) span(ctx context.Context, o *Overview) error {
	var captures, pages int64
	var first, last sql.NullInt64
	err := s.index.QueryRowContext(ctx, `select (select coalesce(sum(rows), 0) from shard),
		(select count(*) from page), (select min(ts) from version where ts > ?), (select max(ts) from version)`,
		int64(noTime)).
		Scan(&captures, &pages, &first, &last)
	if err != nil {
		return explain(err)
	}
	// Each capture is in one volume, so sums are right.
	o.Captures += captures
	o.Pages += pages
	if first.Valid && (o.First.IsZero() || moment(first.Int64).Before(o.First)) {
		o.First = moment(first.Int64)
	}
	if last.Valid && last.Int64 != noTime && moment(last.Int64).After(o.Last) {
		o.Last = moment(last.Int64)
	}
	return nil
}
