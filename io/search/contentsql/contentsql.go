package contentsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ErrStatement means that SQLite refuses the statement, or that it does more than read documents. Other errors are the
// collection's.
var ErrStatement = errors.New("contentsql: the statement is refused")

// maxValue limits a single value in bytes, for example of group_concat: SQLite's own limit is a gigabyte.
const maxValue = 256 << 20

// dsn opens a database in memory that only has the tables. Sorting beyond its cache of 64 MiB uses temporary files.
// Texts in double quotes are always names, so that a misspelt column is an error.
const dsn = ":memory:?_pragma=temp_store(file)&_pragma=cache_size(-65536)&_pragma=trusted_schema(off)&_dqs=0"

// Rows are the answer of a statement. They are for one goroutine.
type Rows struct {
	db      *sql.DB
	conn    *sql.Conn
	rows    *sql.Rows
	q       *question
	number  string // of the question
	columns []string
	values  []any
	err     error

	statement string
}

// Sources is a database of sources, which gives captures their source: see package sourceindex.
type Sources interface {
	// All yields all sources. It ends after an error.
	All(ctx context.Context) iter.Seq2[schemas.Source, error]
	// SourceOf returns the ID of the source to which the page of a URL belongs. ok is false if it belongs to none.
	SourceOf(ctx context.Context, url string) (id string, ok bool, err error)
}

// Options say what else a statement may read; the zero value is nothing.
type Options struct {
	Sources Sources // table sources, and source_id of documents; may be nil
}

// Query runs a statement, until ctx ends. db and what the options name must stay open until the rows are closed.
func Query(ctx context.Context, db *contentdb.DB, statement string, o Options) (_ *Rows, err error) {
	if err := single(statement); err != nil {
		return nil, err
	}
	d, err := openDriver()
	if err != nil {
		return nil, err
	}
	q := &question{ctx: ctx, db: db, sources: o.Sources, plain: !collates(statement)}
	r := &Rows{q: q, number: q.number(), db: sql.OpenDB(connector{d}), statement: statement}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if r.conn, err = r.db.Conn(ctx); err != nil {
		return nil, err
	}
	if err := prepare(ctx, r.conn, r.number); err != nil {
		return nil, err
	}
	r.rows, err = r.conn.QueryContext(ctx, withMoments(statement))
	// The change to moments may break a statement, for example in "as '…'". The error must also be about the original
	// one.
	if err != nil && strings.Contains(err.Error(), "syntax error") {
		r.rows, err = r.conn.QueryContext(ctx, statement)
	}
	if err != nil {
		return nil, r.explain(err)
	}
	if r.columns, err = r.rows.Columns(); err != nil {
		return nil, err
	}
	// Unnamed columns are named after their expression.
	for i, name := range r.columns {
		if !strings.Contains(statement, asMoment) {
			r.columns[i] = strings.ReplaceAll(name, asMoment, "")
		}
	}
	if len(r.columns) == 0 {
		return nil, fmt.Errorf("%w: it has no answer; it begins with select, values, with or explain", ErrStatement)
	}
	return r, nil
}

// prepare creates the tables of a question, and then forbids everything but reading.
func prepare(ctx context.Context, conn *sql.Conn, number string) error {
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, maxValue); err != nil {
		return err
	}
	for _, r := range relations {
		create := fmt.Sprintf("create virtual table %s using %s(%s, %[1]s)", r.name, moduleName, number)
		if _, err := conn.ExecContext(ctx, create); err != nil {
			return err
		}
	}
	for _, view := range []string{hosts, hostIndex} {
		if _, err := conn.ExecContext(ctx, view); err != nil {
			return err
		}
	}
	return conn.Raw(func(c any) error {
		guarded, ok := c.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("contentsql: the driver has no authorizer")
		}
		return guarded.RegisterAuthorizer(authorize)
	})
}

// authorize allows reading the tables. It refuses everything else, including actions of later SQLite versions. For
// AuthRead, name is a table; common table expressions have an empty name or their own.
func authorize(action sqlite.AuthorizerActionCode, name, _, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthFunction, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthRead:
		if !internal().MatchString(name) {
			return sqlite.AuthorizerOK
		}
	}
	return sqlite.AuthorizerDeny
}

// internal matches tables that every connection of SQLite has and that are about its files and its memory. The list of
// tables, sqlite_schema, is not one of them.
var internal = pattern.Lazy(`(?i)^(dbstat$|sqlite_dbpage$|sqlite_stmt$|sqlite_memstat$|bytecode$|` +
	`tables_used$|pragma_)`)

// connector opens the connection of one question.
type connector struct{ d *sqlite.Driver }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.d.Open(dsn) }
func (c connector) Driver() driver.Driver                        { return c.d }

// Columns returns the names of the answer's columns.
func (r *Rows) Columns() []string { return r.columns }

// Next advances to the next row, if there is one.
func (r *Rows) Next() bool {
	if r.err != nil || !r.rows.Next() {
		return false
	}
	r.values = make([]any, len(r.columns))
	to := make([]any, len(r.columns))
	for i := range to {
		to[i] = &r.values[i]
	}
	r.err = r.rows.Scan(to...)
	return r.err == nil
}

// Values returns the values of the row: nil, int64, float64, string or []byte. They belong to the caller.
func (r *Rows) Values() []any { return r.values }

// Err returns the error that ended the rows early.
func (r *Rows) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.explain(r.rows.Err())
}

// Notes returns sentences about the answer after all rows, without their dots: why it may be empty, and which values
// are estimates.
func (r *Rows) Notes() []string { return r.q.notes }

// Close ends the question.
func (r *Rows) Close() error {
	var errs []error
	defer questions.Delete(r.number)
	if r.rows != nil {
		errs = append(errs, r.rows.Close())
	}
	if r.conn != nil {
		errs = append(errs, r.conn.Close())
	}
	return errors.Join(append(errs, r.db.Close())...)
}

// explain replaces SQLite's generic error by the reading error that caused it, and marks errors of the statement.
func (r *Rows) explain(err error) error {
	var failed *sqlite.Error
	var typed *query.TypeError
	switch {
	case err == nil:
		return nil
	case errors.As(r.q.failed, &typed): // of documents('FILTER')
		return fmt.Errorf("%w: %w", ErrStatement, typed)
	case r.q.failed != nil:
		return r.q.failed
	case r.q.ctx.Err() != nil:
		return r.q.ctx.Err()
	case errors.As(err, &failed):
		switch failed.Code() & 0xff { // the other bits are details
		case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
			return fmt.Errorf("%w: %w", ErrStatement, mistake(r.q.ctx, r.conn, r.statement, failed))
		}
	}
	return err
}
