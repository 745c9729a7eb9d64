package contentsql

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
)

// tableName is the name of the module that the table is of.
const tableName = "gleaner_documents"

// module gives out the one table of a question.
type module struct{ t *table }

// Create declares the table.
func (m module) Create(c vtab.Context, _ []string) (vtab.Table, error) {
	return m.t, c.Declare(declaration())
}

// Connect is Create: nothing of the table is anywhere but here.
func (m module) Connect(c vtab.Context, args []string) (vtab.Table, error) { return m.Create(c, args) }

// declaration is the table's definition. It has no row numbers, which the index and the pages of shards do not share:
// SQLite tells rows apart by a key, where it looks for them in two ways.
func declaration() string {
	var b strings.Builder
	b.WriteString("create table documents(")
	for _, c := range columns {
		fmt.Fprintf(&b, "%q %s, ", c.name, c.declared)
	}
	fmt.Fprintf(&b, "%q text hidden, key text hidden primary key) without rowid", filterColumn)
	return b.String()
}

// filterColumn is the hidden column that a filter of the query language is given to: documents('…').
const filterColumn = "filter"

// table is the collection as SQLite sees it.
type table struct {
	ctx   context.Context //nolint:containedctx // SQLite's calls have none, and a table is one question's
	db    *contentdb.DB
	plain bool // texts are compared byte by byte: the statement names no collation

	plans  []plan // of which SQLite keeps the numbers
	failed error  // the first error of reading
}

// plan is one way to ask the table: what SQLite gives to a cursor.
type plan struct {
	tests   []test // by the places of the values that come with them
	columns []string
}

// test is a comparison whose right side is known when the cursor begins.
type test struct {
	column int // len(columns) for the filter
	op     vtab.ConstraintOp
}

// maxPlans bounds what SQLite makes of one statement: some for each join of the table with itself.
const maxPlans = 10_000

// BestIndex chooses what contentdb can decide. SQLite tests all of it again, but for the filter.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	p, cost, rows := plan{columns: used(info.ColUsed)}, 1e9, 1e6
	for i := range info.Constraints {
		c := &info.Constraints[i]
		isFilter := c.Column == len(columns) && c.Op == vtab.OpEQ
		if isFilter && !c.Usable {
			cost *= 1e9 // the other order of a join: without the filter nothing comes
		}
		if !c.Usable || !isFilter && !t.takes(c.Column, c.Op) {
			continue
		}
		c.ArgIndex, c.Omit = len(p.tests), isFilter
		p.tests = append(p.tests, test{c.Column, c.Op})
		share := shareOf(c.Column, c.Op)
		cost, rows = cost*share, max(rows*share, 1)
	}
	if len(t.plans) == maxPlans {
		return errors.New("the statement has too many ways to be answered")
	}
	info.IdxNum, info.IdxStr = int64(len(t.plans)), p.String()
	t.plans = append(t.plans, p)
	info.EstimatedCost, info.EstimatedRows = cost, int64(rows)
	return nil
}

// takes tells whether contentdb can decide a comparison, or a part of it.
func (t *table) takes(column int, op vtab.ConstraintOp) bool {
	if column < 0 || column >= len(columns) {
		return false
	}
	switch k := columns[column].kind; op {
	case vtab.OpEQ:
		return k != isJSON && k != isReal && k != isStated && (t.plain || !k.isText())
	case vtab.OpLT, vtab.OpLE, vtab.OpGT, vtab.OpGE:
		return k == isInteger || t.plain && (k == isText || k == isTime)
	case vtab.OpGLOB: // has a collation of its own
		return k == isText
	}
	return false
}

// shareOf guesses which part of the rows a test takes: SQLite only compares it with that of other plans.
func shareOf(column int, op vtab.ConstraintOp) float64 {
	switch {
	case column == len(columns):
		return .01
	case op == vtab.OpEQ && columns[column].selective:
		return 1e-6
	case op == vtab.OpEQ:
		return .05
	}
	return .3
}

// used are the columns that a statement reads of the table, and those of the key, which SQLite may use unsaid. It has
// 63 bits for the first 63, and one for the rest.
func used(mask uint64) (names []string) {
	names = []string{"filename", "offset", "sequence"}
	for left := mask; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if i < 63 && i < len(columns) {
			names = append(names, columns[i].name)
			continue
		}
		for _, c := range columns[min(63, len(columns)):] {
			names = append(names, c.name)
		}
	}
	return names
}

// String is the plan as "explain query plan" shows it.
func (p plan) String() string {
	operators := map[vtab.ConstraintOp]string{
		vtab.OpEQ: "=?", vtab.OpLT: "<?", vtab.OpLE: "<=?", vtab.OpGT: ">?", vtab.OpGE: ">=?", vtab.OpGLOB: " GLOB ?",
	}
	var b strings.Builder
	for _, t := range p.tests {
		name := filterColumn
		if t.column < len(columns) {
			name = columns[t.column].name
		}
		b.WriteString(name + operators[t.op] + " ")
	}
	return b.String() + "reads " + strings.Join(p.columns, ",")
}

// Open makes a cursor.
func (t *table) Open() (vtab.Cursor, error) { return &cursor{t: t}, nil }

// Disconnect does nothing: the collection is the caller's.
func (t *table) Disconnect() error { return nil }

// Destroy likewise.
func (t *table) Destroy() error { return nil }

// fail keeps the first error, which SQLite would lose, and returns it.
func (t *table) fail(err error) error {
	if err != nil && t.failed == nil {
		t.failed = err
	}
	return err
}
