package contentdb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Group is the number of captures that share the values of the counted fields.
type Group struct {
	Values []string // in the order of the fields; "" if a capture has none
	Count  int64
}

// groupBytes is the memory of a group beside its values.
const groupBytes = 64

// Facets counts the captures that match q by the values of some fields: see query.By. The largest groups come first,
// equal ones by their values. top limits the number of groups, 0 means all, which may be many. It ignores Order, Limit
// and After of q.
func (db *DB) Facets(ctx context.Context, q query.Query, by []string, top int) (groups []Group, err error) {
	// Checked before anything is opened, so that a mistake costs nothing.
	fields, err := query.NewBy(by)
	if err != nil {
		return nil, err
	}
	q.Order, q.Limit, q.After = query.SURT, 0, nil
	if q, err = db.settled(q); err != nil {
		return nil, err
	}
	q.Where = db.limits.counting(q.Where, fields.Columns())
	if x := db.asked(); x != nil {
		if groups, known, err := db.facetsByIndex(ctx, x, q, by, top); known && (err == nil || !db.lose(err)) {
			return groups, err
		}
	}
	// Half of the memory is for finding, which sorts.
	half := db.o
	half.MemoryBytes /= 2
	return CountBy(ctx, half, by, top, func(columns []string) iter.Seq2[*schemas.Document, error] {
		return db.find(ctx, q, columns, half.MemoryBytes)
	})
}

// CountBy counts captures of another source as Facets does, with the memory of o. find yields them with at least the
// given columns.
func CountBy(
	ctx context.Context, o Options, by []string, top int, find func(columns []string) iter.Seq2[*schemas.Document, error],
) (groups []Group, err error) {
	fields, err := query.NewBy(by)
	if err != nil {
		return nil, err
	}
	// Half for the groups, and half for their sorter.
	half := o.withDefaults().MemoryBytes / 2
	c := &counting{sorter: extsort.New(extsort.Options{MemoryBytes: half, TempDir: o.TempDir}), limit: half}
	defer func() { err = errors.Join(err, c.sorter.Close()) }()
	for d, err := range find(fields.Columns()) { // only the columns to count by
		if err == nil {
			err = c.add(d, fields)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.largest(top)
}

// CheckFacets returns an error if captures cannot be counted by one of the fields.
func CheckFacets(by []string) error {
	_, err := query.NewBy(by)
	return err
}

// counting counts groups in memory and, if there are very many, on disk.
type counting struct {
	groups map[string]int64
	used   int // bytes of groups
	limit  int
	sorter *extsort.Sorter
	key    []byte
}

// add counts a capture in each of its groups.
func (c *counting) add(d *schemas.Document, fields *query.By) error { return fields.Each(d, c.group) }

func (c *counting) group(list []string) error {
	c.key = c.key[:0]
	// Each value ends with 00 00, so that values can split the key.
	for _, text := range list {
		c.key = appendText(c.key, text)
	}
	if c.groups == nil {
		c.groups = map[string]int64{}
	}
	n := len(c.groups)
	if c.groups[string(c.key)]++; len(c.groups) > n {
		c.used += len(c.key) + groupBytes
	}
	// Limited by bytes, because titles and texts can be counted, too.
	if c.used < c.limit {
		return nil
	}
	return c.flush()
}

// flush moves the groups from memory to the sorter. A group may get there several times; the merge adds it up.
func (c *counting) flush() error {
	for key, n := range c.groups {
		if err := c.sorter.Add([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	clear(c.groups)
	c.used = 0
	return nil
}

// largest returns the top groups.
func (c *counting) largest(top int) (groups []Group, err error) {
	if err := c.flush(); err != nil {
		return nil, err
	}
	if top <= 0 {
		top = math.MaxInt
	}
	var key []byte
	var n int64
	next := func() {
		if n > 0 {
			groups = append(groups, Group{Values: values(key), Count: n})
		}
		if top < math.MaxInt/2 && len(groups) > 2*top { // cut now and then, so that at most twice as many groups are held
			groups = cut(groups, top)
		}
	}
	// The sorter yields equal keys together.
	err = c.sorter.Merge(func(k, v []byte) error {
		if !bytes.Equal(k, key) {
			next()
			key, n = append(key[:0], k...), 0
		}
		m, _ := binary.Uvarint(v)
		n += int64(m)
		return nil
	})
	// The last group has no successor.
	next()
	return cut(groups, top), err
}

// cut sorts the groups and returns the first.
func cut(groups []Group, top int) []Group {
	slices.SortFunc(groups, func(a, b Group) int {
		// Groups of equal size are sorted by values, so that answers are the same each time.
		return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Values, b.Values))
	})
	return groups[:min(top, len(groups))]
}

// values splits a key that appendText made.
func values(key []byte) (list []string) {
	var b strings.Builder
	for i := 0; i+1 < len(key); i++ {
		switch {
		case key[i] != 0:
			b.WriteByte(key[i])
		case key[i+1] == 0:
			list = append(list, b.String())
			b.Reset()
			i++
		default:
			b.WriteByte(0)
			i++
		}
	}
	return list
}
