package index

import (
	"context"
	"database/sql"
	"time"
)

// Overview is what an index has as a whole: all captures, and not the newest of each page alone.
type Overview struct {
	Captures int64
	Pages    int64     // with several volumes, a page counts in each that has it
	First    time.Time // of the captures that have a time; zero where none has
	Last     time.Time
	// Values are the most frequent values of each of FacetFields; Distinct how many values there are, without "", with
	// several volumes not known for sure: a value may be of some.
	Values   map[string][]Facet
	Distinct map[string]int64
}

// Overview counts what there is by each of FacetFields, top values of each, 0 for all. No capture and no bitmap is
// looked at: how many captures have a value is in the index.
func (x *Index) Overview(ctx context.Context, top int) (o Overview, err error) {
	// Maps that are empty and not nil: a collection without captures has an overview, too.
	o = Overview{Values: map[string][]Facet{}, Distinct: map[string]int64{}}
	tallies := map[string]tally{}
	for _, v := range x.volumes {
		if err := v.overview(ctx, &o, tallies, len(x.volumes) == 1, top); err != nil {
			return o, x.noted(err)
		}
	}
	for name, t := range tallies {
		o.Values[name] = t.top(top)
	}
	return o, nil
}

// overview adds a volume. Of one that is not alone all values are counted: what is rare here may be frequent there.
func (v *volume) overview(ctx context.Context, o *Overview, tallies map[string]tally, alone bool, top int) error {
	s, err := v.snapshot(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	limit := -1
	// SQLite sorts and cuts; with more volumes the sums are known only at the end.
	if alone && top > 0 {
		limit = top
	}
	for _, f := range smalls {
		// The tallies of all volumes are one, since a value may be of several.
		if tallies[f.facet] == nil {
			tallies[f.facet] = tally{}
		}
		if err := s.values(ctx, f.kind, limit, tallies[f.facet]); err != nil {
			return err
		}
		var n int64
		err := s.index.QueryRowContext(ctx, "select count(*) from name where kind = ? and value <> ''", f.kind).Scan(&n)
		if err != nil {
			return explain(err)
		}
		// Counted by names and not by the values that are shown, which may be cut.
		o.Distinct[f.facet] += n
	}
	return s.span(ctx, o)
}

// values counts the captures of the most frequent values of a kind, limit of them; -1 for all.
func (s *snapshot) values(ctx context.Context, k kind, limit int, t tally) error {
	return each(ctx, s.index, func(rows *sql.Rows) error {
		var text string
		var n int64
		if err := rows.Scan(&text, &n); err != nil {
			return err
		}
		// How many values are counted is bounded there: see maxFacets.
		return t.note([]string{text}, uint64(n))
	}, `select m.value, c.n from (select value, sum(n) n from bits where kind = ? group by value) c
		join name m on m.id = c.value order by c.n desc, m.value limit ?`, k, limit)
}

// span adds how many captures and pages there are, and between which times.
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
	// A capture is in one volume, so that sums are right.
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
