package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// customTypes are the types of custom columns, by their numbers in the files. New types go at the end.
var customTypes = []schemas.ValueType{
	schemas.TypeText, schemas.TypeInteger, schemas.TypeFloat, schemas.TypeBoolean, schemas.TypeTime,
}

// customRow is a value of a custom column, as an order (query.CustomOrders), and its row in the shard.
type customRow struct {
	order uint64
	row   uint32
}

// customBytes is the size of a customRow in a blob: 8 bytes of the order and 4 of the row, little-endian.
const customBytes = 12

// customRows are the custom values of a shard.
type customRows struct {
	lists map[query.CustomColumn][]customRow
	n     int
	limit int
}

// add adds the values of one row.
func (c *customRows) add(d *schemas.Document, row uint32) error {
	if !d.HasCustom() {
		return nil
	}
	for column, order := range query.CustomOrders(d) {
		// Created with the first value, so that shards without custom columns cost nothing.
		if c.lists == nil {
			c.lists = map[query.CustomColumn][]customRow{}
		}
		// Orders are numbers that compare as the values do, whatever their type.
		list, r := c.lists[column], customRow{order, row}
		// All texts have one order, and equal values may follow each other.
		if len(list) > 0 && list[len(list)-1] == r {
			continue
		}
		// Only malicious data has more.
		if c.n++; c.n > c.limit {
			return fmt.Errorf("%w: it has more than %d values of custom columns", errUnfit, c.limit)
		}
		c.lists[column] = append(list, r)
	}
	return nil
}

// blobs calls write with each list, sorted by value.
func (c *customRows) blobs(write func(kind int, name string, data []byte) error) error {
	// In a fixed order, so that equal shards are written alike.
	for _, column := range slices.SortedFunc(maps.Keys(c.lists), func(a, b query.CustomColumn) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Key, b.Key))
	}) {
		list := c.lists[column]
		slices.SortFunc(list, func(a, b customRow) int {
			return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.row, b.row))
		})
		// A row with a repeated value is listed once.
		list = slices.Compact(list)
		// One blob for each column: a row of SQLite for each value would be ten times as large.
		data := make([]byte, 0, customBytes*len(list))
		for _, r := range list {
			data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(data, r.order), r.row)
		}
		if err := write(slices.Index(customTypes, column.Type), column.Key, data); err != nil {
			return err
		}
	}
	return nil
}

// customColumns are the columns of documents from which customRows are made.
var customColumns = []string{"custom", "custom_integers", "custom_floats", "custom_booleans", "custom_times"}

// withCustom returns the versions that match a comparison of a custom column.
func (s *snapshot) withCustom(ctx context.Context, r query.CustomRange) (*roaring.Bitmap, error) {
	// Each type of the column has its own list.
	set := roaring.New()
	for _, t := range r.Types {
		err := each(ctx, s.index, func(rows *sql.Rows) error {
			var first, n uint32
			// Not copied: the blob is used before the next row is read.
			var data sql.RawBytes
			if err := rows.Scan(&first, &n, &data); err != nil {
				return err
			}
			return addRange(set, r, data, first, n)
		}, "select s.first, s.rows, c.data from shard s join custom c on c.shard = s.id where c.type = ? and c.name = ?",
			slices.Index(customTypes, t), r.Key)
		if err != nil {
			return nil, err
		}
	}
	if !r.Negated {
		return set, nil
	}
	// As in all filters, a negation matches captures without the column.
	all, err := s.all(ctx)
	if err == nil {
		all.AndNot(set)
	}
	return all, err
}

// addRange adds the versions of a shard whose values are in a range. first and n describe the shard's versions.
func addRange(set *roaring.Bitmap, r query.CustomRange, data []byte, first, n uint32) error {
	order := func(i int) uint64 { return binary.LittleEndian.Uint64(data[customBytes*i:]) }
	values := len(data) / customBytes
	// The lists are sorted, so a binary search finds the range.
	from := sort.Search(values, func(i int) bool { return order(i) >= r.First })
	// Adding many numbers at once is much faster.
	buf := make([]uint32, 0, 4096)
	for i := from; i < values && order(i) <= r.Last; i++ {
		row := binary.LittleEndian.Uint32(data[customBytes*i+8:])
		// It would be a version of another shard.
		if row >= n {
			return fmt.Errorf("%w: a value of a custom column", ErrDamaged)
		}
		if buf = append(buf, first+row); len(buf) == cap(buf) {
			set.AddMany(buf)
			buf = buf[:0]
		}
	}
	set.AddMany(buf)
	return nil
}

// custom compares the custom values of a shard with those of its documents.
func (k *checker) custom(ctx context.Context, r shardRange) error {
	have := map[string]string{}
	err := each(ctx, k.s.index, func(rows *sql.Rows) error {
		var kind int
		var name, data string
		err := rows.Scan(&kind, &name, &data)
		// The type's number has one digit, so it cannot run into the name.
		have[fmt.Sprint(kind, name)] = data
		return err
	}, "select c.type, c.name, c.data from shard s join custom c on c.shard = s.id where s.name = ?", r.name)
	if err != nil {
		return err
	}
	err = k.values.blobs(func(kind int, name string, data []byte) error {
		if key := fmt.Sprint(kind, name); have[key] == string(data) {
			// Entries that remain are in no document.
			delete(have, key)
			return nil
		}
		return k.wrong("the values of the custom column %q are others", name)
	})
	if err == nil && len(have) > 0 {
		return k.wrong("%d custom columns have values of it that no capture has", len(have))
	}
	return err
}
