package hbase

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Scan returns rows. It asks one region after the other.
func (s *Store) Scan(ctx context.Context, r rowstore.Range) iter.Seq2[rowstore.Row, error] {
	return func(yield func(rowstore.Row, error) bool) {
		if r.NoTime() {
			return
		}
		// Made for each use of the sequence, so that it can be gone through twice.
		x := &scan{s: s, ctx: ctx, r: r, yield: yield, left: r.Limit}
		spans := r.Spans()
		// Spans with a gap between them: the server's filter jumps over the gaps, in one scan instead of many.
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

// maxSpans is for how many spans a filtered scan is begun again. A server that is told of them in a filter reads all
// families of all of their rows (MultiRowRangeFilter says that they are essential), and without it those alone that the
// filter looks at.
const maxSpans = 50

// scan is a scan under way.
type scan struct {
	s     *Store
	ctx   context.Context
	r     rowstore.Range
	among []rowstore.Span // for the server's filter; nil for none
	yield func(rowstore.Row, error) bool
	left  int // rows that are still wanted; 0 for all

	next  string       // the row that is asked for next,
	after bool         // or the one after it
	row   rowstore.Row // of which parts have come
	bytes int          // of these
}

// span reads a span, and reports whether to go on.
func (x *scan) span(span rowstore.Span) bool {
	// The progress of a scan is x.next: an attempt that fails after some rows goes on after the last of them.
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
		// A row that did not come whole is asked for again.
		x.row, x.bytes = rowstore.Row{}, 0
		if err := p.wait(x.ctx, err); err != nil {
			x.yield(rowstore.Row{}, err)
			return false
		}
	}
}

// region reads on in one region, to its end or till, and reports whether the receiver wants more. x.next is then where
// the next region begins, "" after the last.
func (x *scan) region(till string) (more bool, err error) {
	// The row after a key is in the key's region: regions begin at keys, and none at one that a row has passed.
	r, err := x.s.locate(x.ctx, x.next)
	if err != nil {
		return false, err
	}
	// A scanner is of one region and one server. It is closed whatever happens: the server holds memory for it.
	from := &regionScanner{s: x.s, address: r.address}
	defer from.close()
	parts, err := from.start(x.ctx, x.open(r, till))
	// The limit of rows is no matter here: answers are bounded by bytes, which open asks for.
	for came := false; ; parts, err = from.following(x.ctx, math.MaxInt32) {
		if err != nil {
			x.s.moved(r, err)
			return false, err
		}
		// After each answer, since the receiver may take its time over the rows.
		from.hold(x.ctx)
		for _, p := range parts {
			came = true
			if more, err := x.take(p); !more {
				return false, err
			}
		}
		if from.more() {
			continue
		}
		if !x.flush() {
			return false, nil
		}
		// A scan ends within a region by its limit, which counts rows that are left out here, or by a filter that takes
		// nothing behind: when nothing came, it is that.
		if from.ended || !came {
			x.next, x.after = r.To, false
		}
		return true, nil
	}
}

// open is the request that opens a scanner.
func (x *scan) open(r *region, till string) message {
	o := x.s.o
	// Field 10 bounds an answer in bytes. Field 21 leaves out the first row, which was given away already.
	m := appendRange(nil, x.r).num(8, 1).num(10, uint64(o.ScanBytes)).text(3, x.next).text(4, till)
	if x.after {
		m = m.no(21)
	}
	if f := filterMessage(x.among, x.r.Where); f != nil {
		// Families that no filter looks at are read of the rows alone that it takes.
		m = m.bytes(5, f).yes(13)
	}
	// Caching: as many rows as fit into the answer.
	m = m.num(17, math.MaxInt32)
	q := message(nil).bytes(1, regionNamed(r.name)).bytes(2, m).num(4, math.MaxInt32).yes(7).yes(8)
	// The server stops by itself at so many rows; take and flush count again, since some are left out
	// here.
	if x.left > 0 {
		q = q.num(11, uint64(x.left))
	}
	return q
}

// appendRange appends what a Scan and a Get have in fields of the same meaning, with the Scan's numbers.
func appendRange(m message, r rowstore.Range) message {
	for _, f := range families(r) {
		m = m.bytes(1, message(nil).text(1, f))
	}
	if t := timeRange(r); t != nil {
		m = m.bytes(6, t)
	}
	return m.num(7, versions(r))
}

// families are those to be read: a filter sees nothing of others.
// Those that only the filter needs are taken out again by flush.
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

// timeRange is a TimeRange, nil for all times. HBase.proto.
func timeRange(r rowstore.Range) (m message) {
	if !r.Since.IsZero() {
		m = m.num(1, uint64(rowstore.Millis(r.Since)))
	}
	if !r.Till.IsZero() {
		m = m.num(2, uint64(rowstore.Millis(r.Till)))
	}
	return m
}

// versions is how many versions a server is to return: with a filter all, since it would not see more than it returns.
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
	// A part of another row says that the row before is complete, even if it was marked as partial.
	if x.row.Key != p.Key && !x.flush() {
		return false, nil
	}
	// Counted as rows come, before the next part is kept, so that a row without end does not fill the memory.
	for _, c := range p.Cells {
		x.bytes += len(c.Value) + len(c.Qualifier) + cellOverhead
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

// flush gives away the row of which all has come. After that, reading goes on after it whatever happens.
func (x *scan) flush() (more bool) {
	row := x.row
	if row.Key == "" {
		return true
	}
	// It is set before the receiver sees the row: what fails afterwards must not give the row again.
	x.next, x.after, x.row, x.bytes = row.Key, true, rowstore.Row{}, 0
	// Values are parts of a whole answer, which would stay as long as one of them, and a filter has had more read.
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
