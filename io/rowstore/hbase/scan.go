package hbase

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Scan returns rows. It scans one region after the other.
func (s *Store) Scan(ctx context.Context, r rowstore.Range) iter.Seq2[rowstore.Row, error] {
	return func(yield func(rowstore.Row, error) bool) {
		if r.NoTime() {
			return
		}
		// Made for each iteration of the sequence, so that it can be repeated.
		x := &scan{s: s, ctx: ctx, r: r, yield: yield, left: r.Limit}
		spans := r.Spans()
		// Spans with gaps: the server's filter skips the gaps, in one scan instead of many.
		if len(spans) > maxSpans || len(spans) > 1 && r.Where == nil {
			// One scan that seeks from span to span.
			x.among, spans = spans, []rowstore.Span{{From: spans[0].From, To: spans[len(spans)-1].To}}
		}
		for _, span := range spans {
			if !x.span(span) {
				return
			}
		}
	}
}

// maxSpans is the limit of spans with a scan each if there is a filter. With spans in its filter, a server reads all
// families of their rows, because MultiRowRangeFilter makes them essential. Otherwise it reads only those that the
// filter tests.
const maxSpans = 50

// scan is a running scan.
type scan struct {
	s     *Store
	ctx   context.Context
	r     rowstore.Range
	among []rowstore.Span // for the server's filter; nil for none
	yield func(rowstore.Row, error) bool
	left  int // remaining rows; 0 for all

	next  string       // the next row to read
	after bool         // continue after next
	row   rowstore.Row // the partial row so far
	bytes int          // of row
	wide  bool         // a row was read in parts: the scan continues after it
}

// span reads a span, and reports whether to continue.
func (x *scan) span(span rowstore.Span) bool {
	// x.next is the progress of a scan: after a failure the next attempt continues after the last row.
	x.next, x.after = span.From, false
	for p := x.s.patience(); ; {
		before := x.next
		more, err := x.region(span.To)
		switch {
		case err == nil && !more:
			return false
		case err == nil:
			p.progress()
			// The next region begins after the span, or there is none.
			if x.next == "" || span.To != "" && x.next >= span.To {
				return true
			}
			continue
		case x.next != before:
			p.progress() // rows came
		}
		// A partial row is requested again.
		x.row, x.bytes = rowstore.Row{}, 0
		if err := p.wait(x.ctx, err); err != nil {
			x.yield(rowstore.Row{}, err)
			return false
		}
	}
}

// region continues in one region, to its end or till, and reports whether the receiver wants more. Afterwards x.next is
// the start of the next region, or "" after the last.
func (x *scan) region(till string) (more bool, err error) {
	// The row after a key is in the key's region: no region begins between the two.
	r, err := x.s.locate(x.ctx, x.next)
	if err != nil {
		return false, err
	}
	// A scanner belongs to one region and one server. It is always closed, because the server holds memory for it.
	from := &regionScanner{s: x.s, address: r.address}
	defer from.close()
	parts, err := from.start(x.ctx, x.open(r, till))
	// The number of rows needs no limit here: open limits the bytes of an answer.
	for came := false; ; parts, err = from.following(x.ctx, math.MaxInt32) {
		if err != nil {
			x.s.moved(r, err)
			return false, err
		}
		// After each answer, since the receiver may take its time.
		from.hold(x.ctx)
		for _, p := range parts {
			came = true
			if more, err := x.take(p); !more || x.wide {
				x.wide = false
				return more, err
			}
		}
		if from.more() {
			continue
		}
		if !x.flush() {
			return false, nil
		}
		// A scan may end within a region by its limit or by its filter. The limit counts rows that are left out here.
		// If no rows came, it is the filter.
		if from.ended || !came {
			x.next, x.after = r.To, false
		}
		return true, nil
	}
}

// open returns the request that opens a scanner.
func (x *scan) open(r *region, till string) message {
	o := x.s.o
	// Field 10 limits an answer in bytes. Field 21 excludes the first row, which was already returned.
	m := appendRange(nil, x.r).num(8, 1).num(10, uint64(o.ScanBytes)).text(3, x.next).text(4, till)
	if x.after {
		m = m.no(21)
	}
	if f := filterMessage(x.among, x.r.Where); f != nil {
		// Families that no filter tests are read only for rows that it takes.
		m = m.bytes(5, f).yes(13)
	}
	// Caching: as many rows as fit into the answer.
	m = m.num(17, math.MaxInt32)
	q := message(nil).bytes(1, regionNamed(r.name)).bytes(2, m).num(4, math.MaxInt32).yes(7).yes(8)
	// The server stops by itself at that many rows. take and flush count again, since some are left out here.
	if x.left > 0 {
		q = q.num(11, uint64(x.left))
	}
	return q
}

// appendRange appends the fields that a Scan and a Get share, with the Scan's numbers.
func appendRange(m message, r rowstore.Range) message {
	for _, f := range families(r) {
		m = m.bytes(1, message(nil).text(1, f))
	}
	if t := timeRange(r); t != nil {
		m = m.bytes(6, t)
	}
	return m.num(7, versions(r))
}

// families returns the families to read, including those of the filter, which would not see others. flush removes the
// latter.
func families(r rowstore.Range) []string {
	if r.Families == nil {
		return nil
	}
	all := slices.Clone(r.Families)
	for _, f := range rowstore.FamiliesOf(r.Where) {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// timeRange returns a TimeRange, or nil for all times. HBase.proto.
func timeRange(r rowstore.Range) (m message) {
	if !r.Since.IsZero() {
		m = m.num(1, uint64(rowstore.Millis(r.Since)))
	}
	if !r.Till.IsZero() {
		m = m.num(2, uint64(rowstore.Millis(r.Till)))
	}
	return m
}

// versions returns the number of versions to request: with a filter all, since it sees only requested ones.
func versions(r rowstore.Range) uint64 {
	if r.Versions < 0 || r.Where != nil {
		return math.MaxInt32
	}
	return uint64(max(1, r.Versions))
}

// take takes a row or a part of one, and reports whether more is wanted.
func (x *scan) take(p part) (more bool, err error) {
	if len(p.Cells) == 0 {
		return true, nil
	}
	// A part of another row means that the previous row is complete, even if it was marked as partial.
	if x.row.Key != p.Key && !x.flush() {
		return false, nil
	}
	// Counted as rows come, before the next part is kept, so that an endless row does not fill the memory.
	for _, c := range p.Cells {
		x.bytes += len(c.Value) + len(c.Qualifier) + cellOverhead
	}
	if x.bytes > x.s.o.MaxRow && x.r.Parts && x.r.Versions < 0 {
		return x.parts(p.Key), nil
	}
	if x.bytes > x.s.o.MaxRow {
		return false, fmt.Errorf("row %.80q has more than %d bytes: %w", p.Key, x.s.o.MaxRow, rowstore.ErrLimit)
	}
	x.row.Key, x.row.Cells = p.Key, append(x.row.Cells, p.Cells...)
	if p.partial {
		return true, nil
	}
	return x.flush(), nil
}

// flush returns the complete row to the receiver. After that, reading always continues after it.
func (x *scan) flush() (more bool) {
	row := x.row
	if row.Key == "" {
		return true
	}
	// It is set before the receiver sees the row: what fails afterwards must not give the row again.
	x.next, x.after, x.row, x.bytes = row.Key, true, rowstore.Row{}, 0
	// Values are parts of a whole answer, which each would keep in memory, and a filter needs additional cells.
	if row = x.r.Take(row); len(row.Cells) == 0 {
		return true
	}
	if x.left == 1 {
		x.yield(row, nil)
		return false
	}
	x.left = max(0, x.left-1)
	return x.yield(row, nil)
}
