package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// columns are the columns of one shard, in the order of its versions.
type columns struct {
	first        uint32
	rows         int
	mark         uint64 // of the shard
	pages, texts []byte // 4 bytes a version
	times        []byte // 8 bytes
	fits         []byte // a byte
	repeats      []repeat
}

// repeat is a version whose text another version had first.
type repeat struct{ text, row uint32 }

// repeated returns the repeats of a shard. They are few, so a search need not look at all versions.
func (c columns) repeated() (list []repeat) {
	for i := range c.rows {
		if t := c.text(i); t != 0 && t != c.first+uint32(i) {
			list = append(list, repeat{t, uint32(i)})
		}
	}
	return slices.Clip(list)
}

// size returns the size in bytes.
func (c columns) size() int64 { return int64(c.rows)*bytesPerVersion + 8*int64(cap(c.repeats)) }

// Decoded in place: a slice of numbers would be a second copy.
func (c columns) page(i int) uint32 { return binary.LittleEndian.Uint32(c.pages[4*i:]) }
func (c columns) text(i int) uint32 { return binary.LittleEndian.Uint32(c.texts[4*i:]) }
func (c columns) time(i int) int64  { return int64(binary.LittleEndian.Uint64(c.times[8*i:])) }

// walk visits the columns of the shards that have versions of a set (nil for all). Columns must not be changed.
func (s *snapshot) walk(ctx context.Context, set *roaring.Bitmap, visit func(columns) error) error {
	// In the order of numbers, so that visited versions ascend.
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	for _, r := range shards {
		// Columns are read whole, so shards without a version of the set are skipped.
		if set != nil && !set.IntersectsWithInterval(uint64(r.first), r.end()) {
			continue
		}
		c, err := s.load(ctx, r)
		if err == nil {
			err = visit(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls visit with the row of each version of a set (nil for all) in the columns.
func (c columns) each(set *roaring.Bitmap, visit func(i int)) {
	if set == nil {
		for i := range c.rows {
			visit(i)
		}
		return
	}
	it := set.Iterator()
	// Versions of a shard are consecutive: the first beyond ends the loop.
	it.AdvanceIfNeeded(c.first)
	for it.HasNext() {
		i := int(it.Next() - c.first)
		// The rest of the set is in later shards.
		if i >= c.rows {
			return
		}
		visit(i)
	}
}

// within returns the versions of a set (nil for all) in an interval of time. Months that are completely inside are
// bitmaps; only for months at its ends are times compared.
func (s *snapshot) within(ctx context.Context, times interval, set *roaring.Bitmap) (*roaring.Bitmap, error) {
	wholes, parts, err := s.months(ctx, times)
	if err != nil {
		return nil, err
	}
	whole, part := narrow(union(wholes), set), narrow(union(parts), set)
	// The interval begins and ends with months, as in most queries.
	if part.IsEmpty() {
		return whole, nil
	}
	// It may be the bitmap of a month, which is shared.
	whole = whole.Clone()
	err = s.walk(ctx, part, func(c columns) error {
		c.each(part, func(i int) {
			if times.holds(c.time(i)) {
				whole.Add(c.first + uint32(i))
			}
		})
		return nil
	})
	return whole, err
}

// union returns the union of sets, without changing them. Of one set it is that set.
func union(sets []*roaring.Bitmap) *roaring.Bitmap {
	if len(sets) == 1 {
		return sets[0]
	}
	return roaring.FastOr(sets...)
}

// months returns the versions of each month that is completely, and partly, in an interval. They are shared and must
// not be changed.
func (s *snapshot) months(ctx context.Context, times interval) (whole, part []*roaring.Bitmap, err error) {
	list, err := s.monthsOf(ctx)
	for _, m := range list {
		both := m.times.intersect(times)
		if both.from >= both.to {
			continue
		}
		set, err := s.bitsOf(ctx, value{kindMonth, m.id})
		if err != nil {
			return nil, nil, err
		}
		// No time need be compared. Captures without a time are a month of their own.
		if both == m.times {
			whole = append(whole, set)
		} else {
			part = append(part, set)
		}
	}
	return whole, part, err
}

// month is a month that has versions.
type month struct {
	id    int64
	times interval // for no time, only noTime
}

// monthsOf returns the months that have versions, the newest first, and no time last.
func (s *snapshot) monthsOf(ctx context.Context) (list []month, err error) {
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return err
		}
		// The empty name is for captures without a time.
		m := month{id, interval{noTime, noTime + 1}}
		if name != "" {
			from, to, ok := monthSpan(name)
			if !ok {
				return fmt.Errorf("%w: a month", ErrDamaged)
			}
			m.times = interval{from, to}
		}
		list = append(list, m)
		return nil
	}, "select id, value from name where kind = ? order by value desc", kindMonth)
	return list, err
}
