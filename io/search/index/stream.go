package index

import (
	"context"
	"database/sql"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// candidate is a version that may become a hit.
type candidate struct {
	id, page, text uint32
	ts             int64
	score          float64
}

// visitor gets candidates in an order, in runs that are equal so far: it decides by SURT, filename, offset and
// sequence. It reports whether it wants more.
type visitor func(run []candidate) (more bool, err error)

// stream visits the candidates of a plan in an order other than Relevance, which ranked handles.
func (s *snapshot) stream(ctx context.Context, p *plan, order query.Order, one bool, visit visitor) error {
	// Few candidates are read and sorted here.
	if p.set != nil && p.set.GetCardinality() <= uint64(s.limits.sortable) {
		_, err := s.sorted(ctx, p.set, order, visit)
		return err
	}
	if order == query.SURT {
		// A cross join forces SQLite to go page by page in the order of SURTs.
		_, err := s.rows(ctx, p, order, one, visit, `from page p cross join version v indexed by version_page
			on v.page = p.id where p.surt >= ? order by p.surt, v.ts`, p.from)
		return err
	}
	if order == query.Length {
		_, err := s.pieces(ctx, p, visit, "", "v.length desc, v.ts desc, p.surt, f.value, v.offset, v.sequence")
		return err
	}
	months, err := s.monthsOf(ctx)
	if err != nil {
		return err
	}
	if order == query.Oldest {
		slices.Reverse(months)
	}
	// Month by month: a month's bitmap narrows the candidates, and reading ends with the month that completes the
	// answer.
	for _, m := range months {
		times := m.times.intersect(p.times)
		if times.from >= times.to {
			continue
		}
		if more, err := s.month(ctx, p, m, order, one, visit); err != nil || !more {
			return err
		}
	}
	return nil
}

// month visits the candidates of one month.
func (s *snapshot) month(
	ctx context.Context, p *plan, m month, order query.Order, one bool, visit visitor,
) (more bool, err error) {
	if p.set != nil {
		// The month's bitmap gives the number of candidates without reading rows.
		set, err := s.bitsOf(ctx, value{kindMonth, m.id})
		if err != nil {
			return false, err
		}
		// Of the whole month, to know the density of candidates.
		total := set.GetCardinality()
		set = roaring.And(set, p.set)
		n := set.GetCardinality()
		// If at least one row in 16 is a candidate, reading rows in order finds the first faster than sorting a list.
		sparse := n <= uint64(s.limits.sortable) && 16*n <= total
		switch {
		case n == 0:
			return true, nil
		case sparse || n <= s.limits.few:
			return s.sorted(ctx, set, order, visit)
		}
	}
	// In the order of the index by time.
	direction := "desc"
	if order == query.Oldest {
		direction = "asc"
	}
	times := m.times.intersect(p.times)
	return s.rows(ctx, p, order, one, visit, `from version v indexed by version_time where v.ts >= ? and v.ts < ?
		order by v.ts `+direction, times.from, times.to)
}

// sorted visits a few candidates.
func (s *snapshot) sorted(
	ctx context.Context, set *roaring.Bitmap, order query.Order, visit visitor,
) (more bool, err error) {
	list, err := s.candidates(ctx, set)
	if err != nil {
		return false, err
	}
	if order == query.SURT || order == query.Length {
		return visit(list) // one run: SURTs and lengths are not known yet
	}
	return byTime(list, order, visit)
}

// byTime sorts candidates by time and visits them. Equal times form one run.
func byTime(list []candidate, order query.Order, visit visitor) (more bool, err error) {
	slices.SortFunc(list, func(a, b candidate) int {
		if order == query.Oldest {
			a, b = b, a
		}
		return compare(b.ts, a.ts)
	})
	for len(list) > 0 {
		// The visitor decides between candidates of one moment.
		n := 1
		for n < len(list) && list[n].ts == list[0].ts {
			n++
		}
		if more, err := visit(list[:n]); err != nil || !more {
			return false, err
		}
		list = list[n:]
	}
	return true, nil
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// rows visits the candidates among rows that SQLite returns in order.
func (s *snapshot) rows(
	ctx context.Context, p *plan, order query.Order, one bool, visit visitor, from string, args ...any,
) (more bool, err error) {
	more = true
	var run []candidate
	long := false // the current run was too long, and is visited already
	visitRun := func() (err error) {
		if more && len(run) > 0 && !long {
			more, err = visit(run)
		}
		// Visitors do not keep runs, so the memory is reused.
		run, long = run[:0], false
		return err
	}
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var c candidate
		if err := rows.Scan(&c.id, &c.page, &c.ts, &c.text); err != nil || p.set != nil && !p.set.Contains(c.id) {
			return err
		}
		// Another time or page completes the run.
		if len(run) > 0 && (run[0].ts != c.ts || order == query.SURT && run[0].page != c.page) {
			if err := visitRun(); err != nil {
				return err
			}
		}
		if !more {
			return errEnough
		}
		// A run is complete only when the next one begins.
		if len(run) < s.limits.longestRun {
			run = append(run, c)
			return nil
		}
		// Too many to hold: SQLite sorts them in a separate query, and the rest of this run is skipped.
		if !long {
			long = true
			more, err = s.longRun(ctx, p, run[0], order, one, visit)
		}
		return err
	}, "select v.id, v.page, v.ts, v.text "+from, args...)
	if err == nil {
		err = visitRun()
	}
	return more, err
}

// longRun visits all candidates with one time, or those of one page with it, piece by piece in their order.
func (s *snapshot) longRun(
	ctx context.Context, p *plan, like candidate, order query.Order, one bool, visit visitor,
) (more bool, err error) {
	where, args := "where v.ts = ?", []any{like.ts}
	if order == query.SURT {
		where, args = where+" and v.page = ?", append(args, like.page)
	}
	direction := ""
	if one {
		direction = " desc" // the newest comes first, and is taken
	}
	return s.pieces(ctx, p, visit, where, "p.surt, f.value"+direction+", v.offset"+direction+", v.sequence"+direction,
		args...)
}

// pieces visits the candidates of a plan in a final order by SQLite, piece by piece to bound memory. where may be
// empty.
func (s *snapshot) pieces(
	ctx context.Context, p *plan, visit visitor, where, orderBy string, args ...any,
) (more bool, err error) {
	more = true
	var piece []candidate
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var c candidate
		if err := rows.Scan(&c.id, &c.page, &c.ts, &c.text); err != nil || p.set != nil && !p.set.Contains(c.id) {
			return err
		}
		if piece = append(piece, c); len(piece) < s.limits.sortable {
			return nil
		}
		more, err = visit(piece)
		if piece = piece[:0]; err == nil && !more {
			return errEnough
		}
		return err
	}, "select v.id, v.page, v.ts, v.text from version v join page p on p.id = v.page join name f on f.id = v.filename "+
		where+" order by "+orderBy, args...)
	if err == nil && more && len(piece) > 0 {
		more, err = visit(piece)
	}
	return more, err
}
