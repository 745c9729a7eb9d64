package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// columns are those of one shard, in the order of its versions.
type columns struct {
	first        uint32
	rows         int
	pages, texts []byte // 4 bytes a version
	times        []byte // 8 bytes
	fits         []byte // a byte
}

// Read where they stand: a slice of numbers would be a second copy of each column.
func (c columns) page(i int) uint32 { return binary.LittleEndian.Uint32(c.pages[4*i:]) }
func (c columns) text(i int) uint32 { return binary.LittleEndian.Uint32(c.texts[4*i:]) }
func (c columns) time(i int) int64  { return int64(binary.LittleEndian.Uint64(c.times[8*i:])) }

// walk visits the columns of the shards that a set has versions of; nil for all. They are not to be changed.
func (s *snapshot) walk(ctx context.Context, set *roaring.Bitmap, visit func(columns) error) error {
	// Shards in the order of their numbers, so that what is visited ascends.
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	for _, r := range shards {
		// Columns of a shard are read as a whole: one without a version of the set is passed over.
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

// each calls visit with the place in the columns of each version that a set has there; nil for all.
func (c columns) each(set *roaring.Bitmap, visit func(i int)) {
	if set == nil {
		for i := range c.rows {
			visit(i)
		}
		return
	}
	it := set.Iterator()
	// Versions of a shard follow each other: the first that is beyond ends it.
	it.AdvanceIfNeeded(c.first)
	for it.HasNext() {
		i := int(it.Next() - c.first)
		// The set goes on in the next shard.
		if i >= c.rows {
			return
		}
		visit(i)
	}
}

// within is the versions of a set, nil for all, whose time is in an interval. Months that are in it as a whole are
// bitmaps; only of those that it begins and ends in are times looked at.
func (s *snapshot) within(ctx context.Context, times interval, set *roaring.Bitmap) (*roaring.Bitmap, error) {
	// Both are new bitmaps or narrowed copies: whole is added to below.
	whole, part, err := s.months(ctx, times)
	if err != nil {
		return nil, err
	}
	whole, part = narrow(whole, set), narrow(part, set)
	// The interval begins and ends with months, as most that people ask for.
	if part.IsEmpty() {
		return whole, nil
	}
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

// months are the versions of the months that are in an interval as a whole, and of those that are in part.
func (s *snapshot) months(ctx context.Context, times interval) (whole, part *roaring.Bitmap, err error) {
	whole, part = roaring.New(), roaring.New()
	list, err := s.monthsOf(ctx)
	for _, m := range list {
		both := m.times.intersect(times)
		// They have nothing in common.
		if both.from >= both.to {
			continue
		}
		set, err := s.bitsOf(ctx, value{kindMonth, m.id})
		if err != nil {
			return nil, nil, err
		}
		// No time need be looked at. What has no time is a month of its own here.
		if both == m.times {
			whole.Or(set)
		} else {
			part.Or(set)
		}
	}
	return whole, part, err
}

// month is one of those that there are versions of.
type month struct {
	id    int64
	times interval // of no time at all: noTime alone
}

// monthsOf are the months that there are versions of, the newest first, and no time at all last.
func (s *snapshot) monthsOf(ctx context.Context) (list []month, err error) {
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return err
		}
		// The empty name is that of captures without a time.
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
