package contentsql

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"modernc.org/sqlite/vtab"
)

// moduleName is the name of the module that all tables are of.
const moduleName = "gleaner"

// module gives out the tables of questions, by the arguments in the statement that creates one: the number of the
// question and the name of the relation.
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

// Connect is Create: nothing of the table is anywhere but here.
func (m module) Connect(c vtab.Context, args []string) (vtab.Table, error) { return m.Create(c, args) }

// declaration is the table's definition. It has no row numbers, which the index and the pages of shards do not share:
// SQLite tells rows apart by a key, where it looks for them in two ways.
func (r *relation) declaration() string {
	var b strings.Builder
	fmt.Fprintf(&b, "create table %s(", r.name)
	for _, c := range r.columns {
		fmt.Fprintf(&b, "%q %s, ", c.name, c.declared())
	}
	fmt.Fprintf(&b, "%q text hidden, %q text hidden primary key) without rowid", filterColumn, keyColumn)
	return b.String()
}

// The hidden columns, which follow the others: that which a filter of the query language is given to, documents('…'),
// and that which tells rows apart.
const filterColumn, keyColumn = "filter", "row_key"

// table is a relation of one question as SQLite sees it.
type table struct {
	*relation
	q     *question
	plans []plan // of which SQLite keeps the numbers
}

// plan is one way to ask the table: what SQLite gives to a cursor.
type plan struct {
	tests   []test // by the places of the values that come with them
	columns []string
}

// test is a comparison whose right side is known when the cursor begins.
type test struct {
	column int // after all columns for the filter
	op     vtab.ConstraintOp
}

// maxPlans bounds what SQLite makes of one statement: some for each join of the table with itself.
const maxPlans = 10_000

// BestIndex chooses what contentdb can decide. SQLite tests all of it again, except for the filter.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	p, cost, rows := plan{columns: t.reads(info.ColUsed)}, 1e9, 1e6
	for i := range info.Constraints {
		c := &info.Constraints[i]
		isFilter := c.Column == len(t.columns) && c.Op == vtab.OpEQ
		if isFilter && !c.Usable {
			cost *= 1e9 // the other order of a join: without the filter nothing comes
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

// shareOf guesses which part of the rows a test takes: SQLite only compares it with that of other plans.
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

// reads are the columns of documents that a statement reads for the table, and those of the key, which SQLite may use
// unsaid. SQLite has 63 bits for the first 63 columns, and one for the rest.
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

// describe is the plan as "explain query plan" shows it.
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

// Open makes a cursor.
func (t *table) Open() (vtab.Cursor, error) { return &cursor{t: t}, nil }

// Disconnect does nothing: the collection is the caller's.
func (t *table) Disconnect() error { return nil }

// Destroy likewise.
func (t *table) Destroy() error { return nil }
