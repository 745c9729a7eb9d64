package hbase

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// parts returns a row that exceeds the limit to the receiver: a part for its newest times, then the others. It reports
// whether more is wanted.
func (x *scan) parts(key string) (more bool) {
	x.next, x.after, x.wide, x.row, x.bytes = key, true, true, rowstore.Row{}, 0
	r := x.r
	times, err := x.s.sizes(x.ctx, key, r)
	if err != nil {
		x.yield(rowstore.Row{}, err)
		return false
	}
	for len(times) > 0 {
		n, bytes := 0, 0
		for n < len(times) && (n == 0 || bytes+times[n].bytes <= x.s.o.MaxRow/2) {
			bytes += times[n].bytes
			n++
		}
		r.Since, r.Till = rowstore.At(times[n-1].millis), rowstore.At(times[0].millis+1)
		times = times[n:]
		row, err := x.s.Get(x.ctx, key, r)
		if err != nil {
			x.yield(rowstore.Row{}, err)
			return false
		}
		if row = r.Take(row); len(row.Cells) > 0 && !x.yield(row, nil) {
			return false
		}
	}
	if x.left == 1 {
		return false
	}
	x.left = max(0, x.left-1)
	return true
}

// timeSize is the size of all cells of one time.
type timeSize struct {
	millis int64
	bytes  int
}

// sizes returns the sizes of a row's cells by their times, the newest first.
func (s *Store) sizes(ctx context.Context, key string, r rowstore.Range) ([]timeSize, error) {
	// The server sends the lengths of values in their place, in four bytes.
	row, err := s.get(ctx, key, r, filter("KeyOnlyFilter", message(nil).yes(1)))
	if err != nil {
		return nil, err
	}
	byTime := map[int64]int{}
	for _, c := range row.Cells {
		if len(c.Value) != 4 {
			return nil, fmt.Errorf("%w: a length of %d bytes", errWire, len(c.Value))
		}
		length := int(binary.BigEndian.Uint32(c.Value))
		byTime[rowstore.Millis(c.Time)] += length + len(key) + len(c.Family) + len(c.Qualifier) + cellOverhead
	}
	var list []timeSize
	for t, n := range byTime {
		list = append(list, timeSize{t, n})
	}
	slices.SortFunc(list, func(a, b timeSize) int { return cmp.Compare(b.millis, a.millis) })
	return list, nil
}
