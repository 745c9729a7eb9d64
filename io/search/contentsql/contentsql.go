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
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ErrStatement is a statement that SQLite does not take, or that does more than read documents. Others are errors of
// the collection.
var ErrStatement = errors.New("contentsql: the statement is refused")

// maxValue bounds a single value in bytes, as of group_concat: SQLite's own bound is a gigabyte.
const maxValue = 256 << 20

// dsn is a database in memory, which has the tables alone. What is sorted goes to temporary files beyond its cache
// of 64 MiB. Texts in double quotation marks are names, and never texts when there is no such column: a slip is told.
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
}

// Sources is a database of sources, by which captures have a source: see package sourceindex.
type Sources interface {
	// All yields all sources. It ends after an error.
	All(ctx context.Context) iter.Seq2[schemas.Source, error]
	// SourceOf gives the id of the source that the page of a URL is of. ok is false for a page of none.
	SourceOf(ctx context.Context, url string) (id string, ok bool, err error)
}

// Options say what else a statement may read; the zero value is nothing.
type Options struct {
	Sources Sources // the table sources, and source_id of documents; nil for none
}

// Query asks a statement, which ctx ends at any time. db and what the options name must stay open until the rows are
// closed.
func Query(ctx context.Context, db *contentdb.DB, statement string, o Options) (_ *Rows, err error) {
	if err := single(statement); err != nil {
		return nil, err
	}
	d, err := openDriver()
	if err != nil {
		return nil, err
	}
	q := &question{ctx: ctx, db: db, sources: o.Sources, plain: !collates(statement)}
	r := &Rows{q: q, number: q.number(), db: sql.OpenDB(connector{d})}
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
	// A text stands where no expression may, as in "as '…'"; or the error is to be told of what was written.
	if err != nil && strings.Contains(err.Error(), "syntax error") {
		r.rows, err = r.conn.QueryContext(ctx, statement)
	}
	if err != nil {
		return nil, r.explain(err)
	}
	if r.columns, err = r.rows.Columns(); err != nil {
		return nil, err
	}
	// A column without a name has that of its expression.
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

// prepare makes the tables of a question, and lets nothing but reading be done from then on.
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
	if _, err := conn.ExecContext(ctx, hosts); err != nil {
		return err
	}
	return conn.Raw(func(c any) error {
		guarded, ok := c.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("contentsql: the driver has no authorizer")
		}
		return guarded.RegisterAuthorizer(authorize)
	})
}

// authorize allows what reads. Everything else is refused, what later versions of SQLite may bring too.
func authorize(action sqlite.AuthorizerActionCode, _, _, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthFunction, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}

// connector opens the connection of one question.
type connector struct{ d *sqlite.Driver }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.d.Open(dsn) }
func (c connector) Driver() driver.Driver                        { return c.d }

// Columns are the names of the answer's columns.
func (r *Rows) Columns() []string { return r.columns }

// Next goes to the next row, if there is one.
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

// Values are those of the row: nil, int64, float64, string or []byte. They are the caller's.
func (r *Rows) Values() []any { return r.values }

// Err is what has ended the rows before their end.
func (r *Rows) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.explain(r.rows.Err())
}

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

// explain tells an error of reading, of which SQLite says no more than that there was one, and marks those of the
// statement.
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
		switch failed.Code() & 0xff { // the rest says more closely which
		case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
			return fmt.Errorf("%w: %w", ErrStatement, err)
		}
	}
	return err
}
