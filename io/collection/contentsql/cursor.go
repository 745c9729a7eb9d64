package contentsql

import (
	"fmt"
	"iter"
	"slices"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// cursor goes over the rows of one look at the table. A join looks often, and each look begins with Filter.
type cursor struct {
	t      *table
	next   func() (*schemas.Document, error, bool)
	stop   func()
	d      *schemas.Document // nil at the end
	filter any               // the filter of the look, or nil
}

// Filter begins a look.
func (c *cursor) Filter(number int, _ string, values []vtab.Value) error {
	if err := c.Close(); err != nil {
		return err
	}
	p := c.t.plans[number]
	where, filter, err := p.where(values)
	if err != nil {
		return c.t.fail(fmt.Errorf("%w: the filter of documents(…): %w", ErrStatement, err))
	}
	c.filter = filter
	if where == nothing {
		return nil
	}
	c.next, c.stop = iter.Pull2(c.t.db.Each(c.t.ctx, where, slices.Compact(slices.Sorted(slices.Values(p.columns)))))
	return c.Next()
}

// nothing takes no document: what is compared with NULL.
var nothing query.Expr = &query.Or{}

// where is what a look asks of the collection, and the filter in it. It takes what SQLite will take, and may take more.
func (p plan) where(values []vtab.Value) (where query.Expr, filter any, err error) {
	var list []query.Expr
	for i, t := range p.tests {
		if values[i] == nil {
			return nothing, nil, nil
		}
		if t.column < len(columns) {
			if e := columns[t.column].push(t.op, values[i]); e != nil {
				list = append(list, e)
			}
			continue
		}
		text, ok := values[i].(string)
		if !ok {
			return nil, nil, fmt.Errorf("a text, not %v", values[i])
		}
		e, err := query.Parse(text)
		if err != nil {
			return nil, nil, err
		}
		if filter = text; e != nil {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil, filter, nil
	}
	return &query.And{List: list}, filter, nil
}

// Next goes to the next row.
func (c *cursor) Next() error {
	d, err, ok := c.next()
	if c.d = d; !ok || err != nil {
		c.d = nil
	}
	return c.t.fail(err)
}

// Eof tells whether there is no row.
//
//lint:ignore ST1003 the interface of the driver calls it so
func (c *cursor) Eof() bool { return c.d == nil }

// Column is a value of the row.
func (c *cursor) Column(i int) (vtab.Value, error) {
	switch i {
	case len(columns):
		return c.filter, nil
	case len(columns) + 1: // the key: no two captures begin at the same place
		return fmt.Sprintf("%s:%d:%d", c.d.Filename, c.d.Offset, c.d.Sequence), nil
	}
	v, err := columns[i].of(c.d)
	return v, c.t.fail(err)
}

// Rowid is not called: the table has none.
func (c *cursor) Rowid() (int64, error) { return 0, fmt.Errorf("documents have no row numbers") }

// Close ends a look, also one in the middle.
func (c *cursor) Close() error {
	if c.stop != nil {
		c.stop()
	}
	c.next, c.stop, c.d, c.filter = nil, nil, nil, nil
	return nil
}
