package contentsql

import (
	"errors"
	"fmt"
	"iter"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// cursor iterates over the rows of one scan of the table. A join scans often; each scan begins with Filter.
type cursor struct {
	t      *table
	next   func() (row, error, bool)
	stop   func()
	row    row
	there  bool // there is a current row
	filter any  // filter of the scan, or nil
}

// Filter begins a scan.
func (c *cursor) Filter(number int, _ string, values []vtab.Value) error {
	if err := c.Close(); err != nil {
		return err
	}
	p := c.t.plans[number]
	where, filter, err := c.t.where(p, values)
	if err != nil {
		var typed *query.TypeError
		if !errors.As(err, &typed) {
			err = fmt.Errorf("the filter of %s(…): %w", c.t.name, err)
		}
		return c.t.q.fail(fmt.Errorf("%w: %w", ErrStatement, err))
	}
	c.filter = filter
	if where == nothing {
		return nil
	}
	c.next, c.stop = iter.Pull2(c.t.rows(c.t.q.ctx, c.t.q, where, append([]string{}, p.columns...)))
	return c.Next()
}

// nothing matches no document: the result of a comparison with NULL.
var nothing query.Expr = &query.Or{}

// where returns the filter that a scan gives to the collection, and the filter in the statement. It matches at least
// what SQLite will accept.
func (t *table) where(p plan, values []vtab.Value) (where query.Expr, filter any, err error) {
	var list []query.Expr
	for i, x := range p.tests {
		if values[i] == nil {
			return nothing, nil, nil
		}
		if x.column < len(t.columns) {
			if e := t.columns[x.column].push(x.op, values[i]); e != nil {
				list = append(list, e)
			}
			continue
		}
		if !t.filter {
			return nil, nil, fmt.Errorf("filters are for documents and entities, and for custom")
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
	if t.narrow != nil {
		e, err := t.narrow(t, p.tests, values)
		if err != nil {
			return nil, nil, err
		}
		if e != nil {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil, filter, nil
	}
	return &query.And{List: list}, filter, nil
}

// Next advances to the next row.
func (c *cursor) Next() error {
	r, err, ok := c.next()
	c.row, c.there = r, ok && err == nil
	return c.t.q.fail(err)
}

// Eof reports whether there is no current row.
//
//lint:ignore ST1003 the interface of the driver calls it so
func (c *cursor) Eof() bool { return !c.there }

// Column returns a value of the row.
func (c *cursor) Column(i int) (vtab.Value, error) {
	switch i {
	case len(c.t.columns):
		return c.filter, nil
	case len(c.t.columns) + 1:
		return c.row.key(), nil
	}
	v, err := c.t.columns[i].of(c.row.values)
	return v, c.t.q.fail(err)
}

// Rowid is never called: the table has no row numbers.
func (c *cursor) Rowid() (int64, error) { return 0, fmt.Errorf("tables have no row numbers") }

// Close ends a scan, even in the middle.
func (c *cursor) Close() error {
	if c.stop != nil {
		c.stop()
	}
	c.next, c.stop, c.row, c.there, c.filter = nil, nil, row{}, false, nil
	return nil
}
