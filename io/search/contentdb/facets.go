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

// Group is how many captures have the same values of what they are counted by.
type Group struct {
	Values []string // in the order of the fields; "" where a capture has none
	Count  int64
}

// groupBytes is what a group takes in memory beside its values: in a map of texts and numbers.
const groupBytes = 64

// Facets counts the captures that q asks for by the values of some fields: see query.By. The largest groups come first,
// groups of one size by their values; top bounds how many there are, 0 for all, which may be many. Order, Limit and
// After of q mean nothing here.
func (db *DB) Facets(ctx context.Context, q query.Query, by []string, top int) (groups []Group, err error) {
	// Fields are looked up before anything is opened, so that a mistake costs nothing.
	if err := CheckFacets(by); err != nil {
		return nil, err
	}
	q.Order, q.Limit, q.After = query.SURT, 0, nil
	if q, err = db.settled(q); err != nil {
		return nil, err
	}
	if x := db.asked(); x != nil {
		if groups, known, err := db.facetsByIndex(ctx, x, q, by, top); known && (err == nil || !db.lose(err)) {
			return groups, err
		}
	}
	// Half of what a question may use is for finding, which sorts.
	half := db.o
	half.MemoryBytes /= 2
	return CountBy(ctx, half, by, top, func(columns []string) iter.Seq2[*schemas.Document, error] {
		return db.find(ctx, q, columns, half.MemoryBytes)
	})
}

// CountBy counts captures that were found elsewhere as Facets does, by the memory of o. find finds them, with the
// columns at least that it is given.
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
	for d, err := range find(fields.Columns()) { // no more is read of each capture than it is counted by
		if err == nil {
			err = c.add(d, fields)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.largest(top)
}

// CheckFacets tells which of the fields captures cannot be counted by.
func CheckFacets(by []string) error {
	_, err := query.NewBy(by)
	return err
}

// counting counts groups: in memory, and when they are very many on the disk.
type counting struct {
	groups map[string]int64
	used   int // bytes that groups takes
	limit  int
	sorter *extsort.Sorter
	key    []byte
}

// add counts a capture in each of its groups.
func (c *counting) add(d *schemas.Document, fields *query.By) error { return fields.Each(d, c.group) }

// group counts a group.
func (c *counting) group(list []string) error {
	c.key = c.key[:0]
	// Each value ends with 00 00, so that the key can be taken apart again: see values.
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
	// By bytes, and not by how many there are: titles and texts can be counted by, too.
	if c.used < c.limit {
		return nil
	}
	return c.flush()
}

// flush puts the groups of the memory to the sorter.
// The same group may be put there several times: the merge adds them up.
func (c *counting) flush() error {
	for key, n := range c.groups {
		if err := c.sorter.Add([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	// The map's memory is used again for the next groups.
	clear(c.groups)
	c.used = 0
	return nil
}

// largest gives the groups, added up.
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
		if top < math.MaxInt/2 && len(groups) > 2*top { // sorted now and then, so that no more than twice as many are held
			groups = cut(groups, top)
		}
	}
	// The sorter gives equal keys after each other, so one group at a time is added up.
	err = c.sorter.Merge(func(k, v []byte) error {
		if !bytes.Equal(k, key) {
			next()
			key, n = append(key[:0], k...), 0
		}
		// Written by flush, and never anything else.
		m, _ := binary.Uvarint(v)
		n += int64(m)
		return nil
	})
	// The last group has no other after it.
	next()
	return cut(groups, top), err
}

// cut sorts the groups and leaves the first.
func cut(groups []Group, top int) []Group {
	slices.SortFunc(groups, func(a, b Group) int {
		// Groups of the same size are in the order of their values, so that the same question has the same answer.
		return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Values, b.Values))
	})
	return groups[:min(top, len(groups))]
}

// values takes a key of appendText apart.
// It is the inverse of appendText. The bytes are written by this package alone, so damage is not looked for.
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
