package index

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// list is a field of which a version has any number of values.
type list struct {
	kind  kind
	field string // of query.Compare and of Facets
	each  func(d *schemas.Document, take func(string) error) error
}

// lists are the fields whose values are in the table list. Most of their values are rare, so a bitmap of each would
// take several times as long to write and to read.
var lists = []list{
	{kindAuthor, "authors", func(d *schemas.Document, take func(string) error) error {
		return takeAll(d.Authors, take)
	}},
	{kindTag, "tags", func(d *schemas.Document, take func(string) error) error { return takeAll(d.Tags, take) }},
	{kindEntity, "entities.text", func(d *schemas.Document, take func(string) error) error {
		for i := range d.Entities {
			if err := take(d.Entities[i].Text); err != nil {
				return err
			}
		}
		return nil
	}},
	{kindFlag, "flags", func(d *schemas.Document, take func(string) error) error { return takeAll(d.Flags, take) }},
	{kindHasText, textField, func(d *schemas.Document, take func(string) error) error {
		if d.Text == "" {
			return nil
		}
		return take("*")
	}},
}

// textField has one value for all texts: the list only decides whether there is a text.
const textField = "text"

// listColumns are the columns of documents from which the lists are made.
var listColumns = []string{"authors", "entities", "flags", "tags"}

func takeAll[T ~string](values []T, take func(string) error) error {
	for _, v := range values {
		if err := take(string(v)); err != nil {
			return err
		}
	}
	return nil
}

// listOf returns the list with this name in Facets.
func listOf(field string) (list, bool) {
	i := slices.IndexFunc(lists, func(l list) bool { return l.field == field && field != textField })
	if i < 0 {
		return list{}, false
	}
	return lists[i], true
}

// listFor returns the list that decides a comparison.
func listFor(c *query.Compare) (list, bool) {
	if c.Field == textField && c.Value.Any {
		return lists[len(lists)-1], true
	}
	return listOf(c.Field)
}

// A block has the lists of at most maxBlockRows consecutive rows of a shard. It ends early at maxBlockPairs, to bound
// memory.
const (
	blockBits     = 16
	maxBlockRows  = 1 << blockBits
	maxBlockPairs = 1 << 20
)

// listRows collects the values of the rows of a shard, until a block is written.
type listRows struct {
	pairs [][]uint64 // one for each of lists: a value's number, followed by blockBits of a row in the block
	all   int        // of pairs
	first uint32     // row of the shard with which the block begins
	rows  uint32
}

// add adds the values of the next row. number returns the number of a value.
func (r *listRows) add(d *schemas.Document, number func(kind, string) (int64, error)) error {
	if r.pairs == nil {
		r.pairs = make([][]uint64, len(lists))
	}
	for i, l := range lists {
		err := l.each(d, func(text string) error {
			// Filters do not count an empty text as a value either.
			if text == "" {
				return nil
			}
			id, err := number(l.kind, text)
			r.pairs[i] = append(r.pairs[i], uint64(id)<<blockBits|uint64(r.rows))
			r.all++
			return err
		})
		if err != nil {
			return err
		}
	}
	r.rows++
	return nil
}

// full reports whether to write the block.
func (r *listRows) full() bool { return r.rows == maxBlockRows || r.all >= maxBlockPairs }

// write calls write with each list of the block that has values, and begins the next block.
func (r *listRows) write(write func(k kind, b block) error) error {
	for i, l := range lists {
		if len(r.pairs) == 0 || len(r.pairs[i]) == 0 {
			continue
		}
		b := encodeBlock(r.pairs[i])
		b.first, b.rows = r.first, r.rows
		if err := write(l.kind, b); err != nil {
			return err
		}
		r.pairs[i] = r.pairs[i][:0]
	}
	r.first, r.rows, r.all = r.first+r.rows, 0, 0
	return nil
}

// block has the values of one field for the rows of a block. For each value, in the order of numbers, ids has the
// distance from the number before, and how many bytes of data are its rows. Rows are distances, too. All are varints.
type block struct {
	first, rows uint32
	ids, data   []byte
}

// encodeBlock sorts pairs, of which equal ones count once.
func encodeBlock(pairs []uint64) (b block) {
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	for last := uint64(0); len(pairs) > 0; {
		id, before, row := pairs[0]>>blockBits, len(b.data), uint64(0)
		for len(pairs) > 0 && pairs[0]>>blockBits == id {
			next := pairs[0] & (maxBlockRows - 1)
			b.data = binary.AppendUvarint(b.data, next-row)
			row, pairs = next, pairs[1:]
		}
		b.ids = binary.AppendUvarint(binary.AppendUvarint(b.ids, id-last), uint64(len(b.data)-before))
		last = id
	}
	return b
}

// lists adds the values of the version that was added last.
func (b *batch) lists(ctx context.Context, d *schemas.Document) error {
	err := b.listed.add(d, func(k kind, text string) (int64, error) { return b.w.name(ctx, k, text) })
	if err == nil && b.listed.full() {
		err = b.writeLists(ctx)
	}
	return err
}

func (b *batch) writeLists(ctx context.Context) error {
	return b.listed.write(func(k kind, one block) error {
		_, err := b.w.exec(ctx, "insert into list values(?, ?, ?, ?, ?, ?)",
			b.shard, k, one.first, one.rows, one.ids, one.data)
		return err
	})
}
