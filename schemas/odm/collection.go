package odm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Cell is a value of a column at a time.
type Cell struct {
	Column
	Time  time.Time // UTC, whole milliseconds
	Value []byte
}

// Cells are those of a row.
type Cells struct {
	Key   string
	Cells []Cell
}

// Store is what a collection needs of a table.
type Store interface {
	// PutCells writes cells of a row; those that are there are replaced. All are there then, or none.
	PutCells(ctx context.Context, row Cells) error
	// DeleteCells removes the cells of a row that are older than till; all with the zero time.
	DeleteCells(ctx context.Context, key string, till time.Time) error
	// ScanCells returns rows from one key on, up to another one, in order, with all versions from since on and before
	// till. Empty keys and zero times are not bounds.
	ScanCells(ctx context.Context, from, to string, since, till time.Time) iter.Seq2[Cells, error]
}

// Database is a set of tables.
type Database interface {
	// UseTable opens a table that is there.
	UseTable(ctx context.Context, name string) (Store, error)
	// CreateTable makes a table with families, or opens it when it is there.
	CreateTable(ctx context.Context, name string, families []string) (Store, error)
}

// ErrNoTable is a collection that was not told its table.
var ErrNoTable = errors.New("odm: the collection has no table: UseTable or CreateTable comes first")

// Collection is rows with keys of type K and versions of type V, in a table.
type Collection[K Key, V Version] struct {
	db     Database
	schema *RowSchema
	table  Store // nil until it is known
}

// NewCollection returns a collection without a table. createSchema says which columns its rows have.
func NewCollection[K Key, V Version](db Database, createSchema func(*RowSchema)) *Collection[K, V] {
	c := &Collection[K, V]{db: db, schema: &RowSchema{}}
	createSchema(c.schema)
	return c
}

// UseTable has the collection use a table that is there.
func (c *Collection[K, V]) UseTable(ctx context.Context, name string) (err error) {
	c.table, err = c.db.UseTable(ctx, name)
	return err
}

// CreateTable makes a table with the families of the schema, which becomes the collection's.
func (c *Collection[K, V]) CreateTable(ctx context.Context, name string) (err error) {
	c.table, err = c.db.CreateTable(ctx, name, c.schema.Families())
	return err
}

// NewRow returns a row without versions. It is in the table once it was put.
func (c *Collection[K, V]) NewRow(key K) *Row[K, V] { return &Row[K, V]{Key: key, schema: c.schema} }

// Put writes the versions of a row. Other versions of it that the table has stay.
func (c *Collection[K, V]) Put(ctx context.Context, r *Row[K, V]) error {
	if c.table == nil {
		return ErrNoTable
	}
	cells := Cells{Key: keyText(r.Key)}
	for _, v := range r.Versions {
		rv := version(v)
		for column, value := range rv.values {
			cells.Cells = append(cells.Cells, Cell{column, rv.time, value})
		}
	}
	slices.SortFunc(cells.Cells, func(a, b Cell) int { // maps have no order, and the same row is to be the same request
		return cmp.Or(strings.Compare(a.Family, b.Family), strings.Compare(a.Qualifier, b.Qualifier), b.Time.Compare(a.Time))
	})
	return c.table.PutCells(ctx, cells)
}

// Delete removes the versions of a row that are older than till; all with the zero time. It removes what other columns
// than the schema's have, too.
func (c *Collection[K, V]) Delete(ctx context.Context, key K, till time.Time) error {
	if c.table == nil {
		return ErrNoTable
	}
	return c.table.DeleteCells(ctx, keyText(key), till)
}

// Get returns a row with its versions from since on and before till; zero times are not bounds. A row that is not there
// has no versions.
func (c *Collection[K, V]) Get(ctx context.Context, key K, since, till time.Time) (*Row[K, V], error) {
	for row, err := range c.scan(ctx, keyText(key), keyText(key)+"\x00", since, till) {
		return row, err // there is one at most
	}
	return c.NewRow(key), nil
}

// At returns the version of a row that was current at a time: the newest that is not after it. ok reports whether there
// is one.
func (c *Collection[K, V]) At(ctx context.Context, key K, at time.Time) (v V, ok bool, err error) {
	r, err := c.Get(ctx, key, time.Time{}, at.Truncate(time.Millisecond).Add(time.Millisecond))
	if err != nil || len(r.Versions) == 0 {
		return v, false, err
	}
	return r.Versions[0], true, nil
}

// All returns the rows from one key on, up to another one, in order, with all of their versions.
func (c *Collection[K, V]) All(ctx context.Context, from, to K) iter.Seq2[*Row[K, V], error] {
	return c.scan(ctx, bound(from), bound(to), time.Time{}, time.Time{})
}

func (c *Collection[K, V]) scan(
	ctx context.Context, from, to string, since, till time.Time,
) iter.Seq2[*Row[K, V], error] {
	return func(yield func(*Row[K, V], error) bool) {
		if c.table == nil {
			yield(nil, ErrNoTable)
			return
		}
		for cells, err := range c.table.ScanCells(ctx, from, to, since, till) {
			if err != nil {
				yield(nil, fmt.Errorf("odm: %w", err))
				return
			}
			row, err := c.row(cells)
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// row makes a row of cells. Those of columns that the schema has not are left out: others may use the table, too.
func (c *Collection[K, V]) row(cells Cells) (*Row[K, V], error) {
	key, err := keyOf[K](cells.Key)
	if err != nil {
		return nil, err
	}
	r := c.NewRow(key)
	for _, x := range cells.Cells {
		if _, err := c.schema.typeOf(x.Column); err == nil {
			version(r.CreateRowVersion(x.Time)).values[x.Column] = x.Value
		}
	}
	return r, nil
}
