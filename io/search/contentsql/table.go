package contentsql

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"modernc.org/sqlite/vtab"
)

// moduleName is the module of all tables.
const moduleName = "gleaner"

// module creates the tables of questions. The statement that creates one names the question by number, and the
// relation.
type module struct{}

// Create declares a table.
func (module) Create(c vtab.Context, args []string) (vtab.Table, error) {
	if len(args) != 5 {
		return nil, fmt.Errorf("contentsql: %d arguments", len(args))
	}
	q, r := questionOf(args[3]), relationOf(args[4])
	if q == nil || r == nil {
		return nil, fmt.Errorf("contentsql: no table %v", args[3:])
	}
	return &table{q: q, relation: r}, c.Declare(r.declaration())
}

// Connect is Create: the table exists only in this process.
func (m module) Connect(c vtab.Context, args []string) (vtab.Table, error) { return m.Create(c, args) }

// declaration returns the table's definition. It has no row numbers, which differ between index and shards: SQLite uses
// a key to combine rows that it finds in two ways.
func (r *relation) declaration() string {
	var b strings.Builder
	fmt.Fprintf(&b, "create table %s(", r.name)
	for _, c := range r.columns {
		fmt.Fprintf(&b, "%q %s, ", c.name, c.declared())
	}
	fmt.Fprintf(&b, "%q text hidden, %q text hidden primary key) without rowid", filterColumn, keyColumn)
	return b.String()
}

// The hidden columns, after all others: the argument of documents('…'), a filter of the query language, and a key that
// identifies rows.
const filterColumn, keyColumn = "filter", "row_key"

// table is a relation of one question as SQLite sees it.
type table struct {
	*relation
	q     *question
	plans []plan // SQLite keeps their indexes
}

// plan is one way to scan the table, which SQLite passes to a cursor.
type plan struct {
	tests   []test // in the order of the values that come with them
	columns []string
}

// test is a comparison whose right side is known when the cursor begins.
type test struct {
	column int // len(columns) for the filter
	op     vtab.ConstraintOp
}

// maxPlans limits the plans of one statement: SQLite makes some for each self-join.
const maxPlans = 10_000

// BestIndex chooses the comparisons that contentdb can decide. SQLite tests them again, except for the filter.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	p, cost, rows := plan{columns: t.reads(info.ColUsed)}, 1e9, 1e6
	for i := range info.Constraints {
		c := &info.Constraints[i]
		isFilter := c.Column == len(t.columns) && c.Op == vtab.OpEQ
		if isFilter && !c.Usable {
			cost *= 1e9 // for the other order of a join: without the filter no row matches
		}
		if !c.Usable || !isFilter && !t.takes(c.Column, c.Op) {
			continue
		}
		c.ArgIndex, c.Omit = len(p.tests), isFilter
		p.tests = append(p.tests, test{c.Column, c.Op})
		share := t.shareOf(c.Column, c.Op)
		cost, rows = cost*share, max(rows*share, 1)
	}
	if len(t.plans) == maxPlans {
		return errors.New("the statement has too many ways to be answered")
	}
	info.IdxNum, info.IdxStr = int64(len(t.plans)), t.describe(p)
	t.plans = append(t.plans, p)
	info.EstimatedCost, info.EstimatedRows = cost, int64(rows)
	return nil
}

// takes reports whether contentdb can decide a comparison, or a part of it.
func (t *table) takes(column int, op vtab.ConstraintOp) bool {
	if t.narrow != nil && (t.isColumn(column, nameColumn) || t.isColumn(column, valueColumn)) {
		return operators[op] > 0
	}
	return column >= 0 && column < len(t.columns) && t.columns[column].takes(op, t.q.plain)
}

// shareOf estimates the share of rows that pass a test. SQLite only compares plans by it.
func (t *table) shareOf(column int, op vtab.ConstraintOp) float64 {
	switch {
	case column == len(t.columns):
		return .01
	case op == vtab.OpEQ && t.columns[column].selective:
		return 1e-6
	case op == vtab.OpEQ:
		return .05
	}
	return .3
}

// reads returns the columns of documents that a statement reads for the table, with those of the key, which SQLite may
// use without saying so. Its mask has 63 bits for the first 63 columns, and one for the rest.
func (t *table) reads(mask uint64) []string {
	names := []string{"filename", "offset", "sequence"}
	add := func(list []column) {
		for _, c := range list {
			if c.reads != "" {
				names = append(names, c.reads)
			}
		}
	}
	for left := mask; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if i < 63 && i < len(t.columns) {
			add(t.columns[i : i+1])
			continue
		}
		add(t.columns[min(63, len(t.columns)):])
	}
	return names
}

// describe returns the plan as "explain query plan" shows it.
func (t *table) describe(p plan) string {
	operators := map[vtab.ConstraintOp]string{
		vtab.OpEQ: "=?", vtab.OpLT: "<?", vtab.OpLE: "<=?", vtab.OpGT: ">?", vtab.OpGE: ">=?", vtab.OpGLOB: " GLOB ?",
	}
	var b strings.Builder
	for _, x := range p.tests {
		name := filterColumn
		if x.column < len(t.columns) {
			name = t.columns[x.column].name
		}
		b.WriteString(name + operators[x.op] + " ")
	}
	return b.String() + "reads " + strings.Join(p.columns, ",")
}

// Open returns a cursor.
func (t *table) Open() (vtab.Cursor, error) { return &cursor{t: t}, nil }

// Disconnect does nothing: the collection belongs to the caller.
func (t *table) Disconnect() error { return nil }

// Destroy does nothing.
func (t *table) Destroy() error { return nil }
