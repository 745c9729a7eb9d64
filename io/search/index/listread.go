package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

var errBlock = fmt.Errorf("%w: a list of values", ErrDamaged)

// numbers calls visit with the number of each value, in order, and how many bytes its rows have.
func (b block) numbers(visit func(id int64, size uint64) error) error {
	for ids, id := b.ids, uint64(0); len(ids) > 0; {
		step, n := binary.Uvarint(ids)
		if n <= 0 {
			return errBlock
		}
		size, m := binary.Uvarint(ids[n:])
		// A value has rows, and its number is larger than that before.
		if m <= 0 || step == 0 || step > maxNumber || size == 0 {
			return errBlock
		}
		if id += step; id > maxNumber {
			return errBlock
		}
		if err := visit(int64(id), size); err != nil {
			return err
		}
		ids = ids[n+m:]
	}
	return nil
}

// values calls visit with the number of each value, in order, and the bytes of its rows.
func (b block) values(visit func(id int64, rows []byte) error) error {
	data := b.data
	err := b.numbers(func(id int64, size uint64) error {
		if size > uint64(len(data)) {
			return errBlock
		}
		rows := data[:size]
		data = data[size:]
		return visit(id, rows)
	})
	if err == nil && len(data) > 0 {
		return errBlock
	}
	return err
}

// maxNumber is above the numbers of all names.
const maxNumber = 1 << 47

// rowsOf calls visit with each row of a value's bytes, and reports whether they are valid.
func (b block) rowsOf(rows []byte, visit func(row uint32)) bool {
	row := uint64(0)
	for len(rows) > 0 {
		step, n := uint64(rows[0]), 1
		if step >= 0x80 {
			if step, n = binary.Uvarint(rows); n <= 0 || step > maxBlockRows {
				return false
			}
		}
		if row += step; row >= uint64(b.rows) {
			return false
		}
		visit(uint32(row))
		rows = rows[n:]
	}
	return true
}

// countRows marks the rows of a value's bytes in some, and returns how many of them are wanted. It is rowsOf without
// calls, since it sees all rows of an index.
func (b block) countRows(rows []byte, wanted, some *[maxBlockRows / 64]uint64) (n uint64, valid bool) {
	row := uint64(0)
	for len(rows) > 0 {
		step, size := uint64(rows[0]), 1
		if step >= 0x80 {
			if step, size = binary.Uvarint(rows); size <= 0 || step > maxBlockRows {
				return 0, false
			}
		}
		if row += step; row >= uint64(b.rows) || row >= maxBlockRows {
			return 0, false
		}
		some[row>>6] |= 1 << (row & 63)
		n += wanted[row>>6] >> (row & 63) & 1
		rows = rows[size:]
	}
	return n, true
}

// blocks calls visit with each block of a kind that has versions of a set. Its first is the number of a version.
func (s *snapshot) blocks(ctx context.Context, k kind, set *roaring.Bitmap, visit func(block) error) error {
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	for _, r := range shards {
		if set != nil && !set.IntersectsWithInterval(uint64(r.first), r.end()) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// Read without watching the context, which would take a goroutine for each shard.
		err := each(context.WithoutCancel(ctx), s.index, func(rows *sql.Rows) error {
			b, err := scanBlock(rows)
			if err != nil {
				return err
			}
			if uint64(b.first)+uint64(b.rows) > uint64(r.rows) {
				return errBlock
			}
			b.first += r.first
			return visit(b)
		}, "select first, rows, ids, data from list where shard = ? and kind = ?", r.id, k)
		if err != nil {
			return err
		}
	}
	return nil
}

// scanBlock reads a block, whose bytes are valid until the next row.
func scanBlock(rows *sql.Rows) (b block, err error) {
	var ids, data sql.RawBytes
	if err := rows.Scan(&b.first, &b.rows, &ids, &data); err != nil {
		return b, err
	}
	if b.rows > maxBlockRows {
		return b, errBlock
	}
	b.ids, b.data = ids, data
	return b, nil
}

// countLists counts the versions of a set by the values of a list. A version counts for each of its values, and for
// number 0 if it has none.
func (s *snapshot) countLists(ctx context.Context, k kind, set *roaring.Bitmap) (*counts, error) {
	list, err := s.newCounts(ctx)
	if err != nil {
		return nil, err
	}
	none := set.GetCardinality()
	var wanted, some [maxBlockRows / 64]uint64
	err = s.blocks(ctx, k, set, func(b block) error {
		clear(wanted[:])
		clear(some[:])
		b.wanted(set, &wanted)
		err := b.values(func(id int64, rows []byte) error {
			n, valid := b.countRows(rows, &wanted, &some)
			if !valid {
				return errBlock
			}
			if n == 0 { // mostly
				return nil
			}
			return list.add(id, n)
		})
		for i, w := range wanted {
			none -= uint64(bits.OnesCount64(w & some[i]))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, list.add(noValue, none)
}

// noValue stands for the missing value of a list; names have numbers from 1 on.
const noValue = 0

// wanted marks the rows of the block that are in a set.
func (b block) wanted(set *roaring.Bitmap, marks *[maxBlockRows / 64]uint64) {
	it := set.Iterator()
	it.AdvanceIfNeeded(b.first)
	for it.HasNext() {
		row := it.Next() - b.first
		if row >= b.rows {
			return
		}
		marks[row>>6] |= 1 << (row & 63)
	}
}

// withList returns the versions of which a value of a list matches.
func (s *snapshot) withList(ctx context.Context, l list, c *query.Compare) (*roaring.Bitmap, error) {
	positive := *c
	if c.Op == query.NotEqual {
		positive.Op = query.Equal
	}
	set, err := s.withPositive(ctx, l, &positive)
	if err != nil || c.Op != query.NotEqual {
		return set, err
	}
	all, err := s.all(ctx)
	if err == nil {
		all.AndNot(set)
	}
	return all, err
}

func (s *snapshot) withPositive(ctx context.Context, l list, c *query.Compare) (*roaring.Bitmap, error) {
	if c.Value.Any {
		return s.withNumbers(ctx, l.kind, nil)
	}
	if c.Op != query.Equal || c.Value.Before || c.Value.After {
		test := c.Test()
		ids, err := s.valuesThat(ctx, l.kind, test.Text)
		if err != nil {
			return nil, err
		}
		slices.Sort(ids)
		return s.withNumbers(ctx, l.kind, append([]int64{}, ids...)) // not nil
	}
	id, found, err := s.nameID(ctx, l.kind, c.Value.Text)
	if err != nil || !found {
		return roaring.New(), err
	}
	v := value{l.kind, id}
	if set := s.bitmaps.get(s.generation, v); set != nil {
		return set, nil
	}
	set, err := s.withNumbers(ctx, l.kind, []int64{id})
	if err == nil {
		s.bitmaps.keep(s.generation, v, set)
	}
	return set, err
}

// withNumbers returns the versions that have a value with one of these numbers, which are sorted, or any value for nil.
func (s *snapshot) withNumbers(ctx context.Context, k kind, ids []int64) (*roaring.Bitmap, error) {
	set := roaring.New()
	if ids != nil && len(ids) == 0 {
		return set, nil
	}
	var buf []uint32
	err := s.blocks(ctx, k, nil, func(b block) error {
		left := ids
		return b.values(func(id int64, rows []byte) error {
			for len(left) > 0 && left[0] < id {
				left = left[1:]
			}
			if ids != nil && (len(left) == 0 || left[0] != id) {
				return nil
			}
			buf = buf[:0]
			if !b.rowsOf(rows, func(row uint32) { buf = append(buf, b.first+row) }) {
				return errBlock
			}
			set.AddMany(buf)
			return nil
		})
	})
	return set, err
}

// maxBeside is the number of values of a list that are counted together with other fields.
const maxBeside = 200

// addBeside counts the versions of a set by the combinations of a list, fields[at], and other fields.
func (t tally) addBeside(ctx context.Context, s *snapshot, set *roaring.Bitmap, fields []small, at int) error {
	k, others := fields[at].kind, slices.Delete(slices.Clone(fields), at, at+1)
	c, err := s.countLists(ctx, k, set)
	if err != nil {
		return err
	}
	all := c.list()
	if len(all) > maxBeside {
		return ErrManyFacets
	}
	for _, v := range all {
		text, part := "", set
		if v.id == noValue {
			some, err := s.withNumbers(ctx, k, nil)
			if err != nil {
				return err
			}
			part = roaring.AndNot(set, some)
		} else {
			some, err := s.withNumbers(ctx, k, []int64{v.id})
			if err != nil {
				return err
			}
			part = roaring.And(set, some)
			if text, err = s.name(ctx, v.id); err != nil {
				return err
			}
		}
		one := tally{}
		if err := one.add(ctx, s, part, others); err != nil {
			return err
		}
		for _, f := range one {
			if err := t.note(slices.Insert(f.Values, at, text), uint64(f.Count)); err != nil {
				return err
			}
		}
	}
	return nil
}
