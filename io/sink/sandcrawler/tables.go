package sandcrawler

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// Tables are Sandcrawler's tables in a database of PostgreSQL. It is a [fileset.Sink].
type Tables struct {
	pool     *postgres.Pool
	patience time.Duration

	mu      sync.Mutex
	skipped map[string]int64
}

var _ fileset.Sink = (*Tables)(nil)

// startTime is the time for a server to answer at the start, where a wrong address is more likely than an outage.
const startTime = 30 * time.Second

// OpenTables connects to the database in c, and makes missing tables. It completes c, and ignores its table.
func OpenTables(ctx context.Context, c postgres.Config) (*Tables, error) {
	// Complete requires some table; it does not matter which, since statements name theirs.
	c.Table = tables[platforms].name
	if err := c.Complete(); err != nil {
		return nil, err
	}
	pool, err := c.Pool()
	if err != nil {
		return nil, err
	}
	t := &Tables{pool: pool, patience: c.Patience(), skipped: map[string]int64{}}
	// All of it is repeatable: applied steps are recorded in their own transaction.
	err = pool.Try(ctx, min(startTime, t.patience), func(conn *pgconn.PgConn) error {
		if err := migrate(ctx, conn); err != nil {
			return err
		}
		return check(ctx, conn)
	})
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return t, nil
}

//go:embed migrations/*.sql
var migrations embed.FS

// latest is the number of the last file in migrations.
const latest = 1

// migrate applies the missing steps to the database. Concurrent programs do this one after the other: the lock belongs
// to the transaction, and its number is arbitrary.
func migrate(ctx context.Context, c *pgconn.PgConn) error {
	err := run(ctx, c, `BEGIN; SELECT pg_advisory_xact_lock(6712043905);
		CREATE TABLE IF NOT EXISTS gleaner_migration (number integer PRIMARY KEY, `+
		`applied timestamp with time zone DEFAULT now())`)
	if err != nil {
		return err
	}
	done := c.ExecParams(ctx, "SELECT coalesce(max(number), 0) FROM gleaner_migration", nil, nil, nil, nil).Read()
	if done.Err != nil {
		return done.Err
	}
	had, err := strconv.Atoi(string(done.Rows[0][0]))
	if err != nil {
		return postgres.Final(err)
	}
	// Older programs must not guess at newer tables.
	if had > latest {
		return postgres.Final(fmt.Errorf("the tables are of a later version of this program: %d, and this one knows %d",
			had, latest))
	}
	// Number and step are in one transaction: a kill leaves both or neither.
	for n := had + 1; n <= latest; n++ {
		sql, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", n))
		if err != nil {
			return postgres.Final(err)
		}
		if err := run(
			ctx, c, string(sql)+fmt.Sprintf("; INSERT INTO gleaner_migration (number) VALUES (%d)", n),
		); err != nil {
			return fmt.Errorf("migration %d: %w", n, err)
		}
	}
	return run(ctx, c, "COMMIT")
}

// check returns an error if existing tables lack our columns, before any work that would be lost.
func check(ctx context.Context, c *pgconn.PgConn) error {
	for _, t := range tables {
		// Checks the columns without reading rows, for tables of any size.
		sql := "SELECT " + t.names(t.columns) + " FROM " + t.name + " LIMIT 0"
		if err := run(ctx, c, sql); err != nil {
			return postgres.Final(fmt.Errorf("the table %s is not Sandcrawler's: %w", t.name, err))
		}
	}
	return nil
}

func run(ctx context.Context, c *pgconn.PgConn, sql string) error { return c.Exec(ctx, sql).Close() }

// Close closes the connections.
func (t *Tables) Close() error { return t.pool.Close() }

// Skipped returns the number of rows that the tables cannot hold, by the column that causes it. Examples are a URL that
// is too long, or a request without its origin. Repeated work counts again.
func (t *Tables) Skipped() map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.skipped)
}

// Begin begins a unit. Only Commit sends requests to the server.
func (t *Tables) Begin(ctx context.Context, _ string) (fileset.SinkWriter, error) {
	return &tablesWriter{ctx: ctx, t: t, spills: make([]spill, len(tables)), skipped: map[string]int64{}}, nil
}

// tablesWriter has the rows of a unit.
type tablesWriter struct {
	ctx     context.Context // of the unit
	t       *Tables
	spills  []spill // by table
	skipped map[string]int64
}

// Write stores the rows of a result.
func (w *tablesWriter) Write(result *schemas.FilesetResult, file *schemas.FileResult) error {
	rows, skipped, err := rowsOf(result, file)
	if err != nil {
		return err
	}
	// Counted by unit, and added by Commit, so that an aborted unit has skipped nothing.
	for _, why := range skipped {
		w.skipped[why]++
	}
	for _, r := range rows {
		// The row's number in the unit comes first, as the column n: COPY keeps no order, and the last of equal keys
		// has to win.
		s := &w.spills[r.to]
		b := postgres.AppendBig(postgres.AppendRow(nil, len(tables[r.to].columns)+1), s.rows)
		s.rows++
		if _, err := s.Write(append(b, r.values...)); err != nil {
			return fmt.Errorf("sandcrawler: temporary file: %w", err)
		}
	}
	return nil
}

// Commit writes all rows in one transaction.
func (w *tablesWriter) Commit() error {
	defer w.Abort()
	// Repeated as a whole. Spills are read again each time, and written rows are overwritten.
	err := w.t.pool.Try(w.ctx, w.t.patience, func(c *pgconn.PgConn) error { return w.transaction(c) })
	if err != nil {
		return err
	}
	// Only committed rows count; all units share t's counts.
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	for why, n := range w.skipped {
		w.t.skipped[why] += n
	}
	return nil
}

func (w *tablesWriter) transaction(c *pgconn.PgConn) error {
	if err := run(w.ctx, c, "BEGIN"); err != nil {
		return err
	}
	// The tables have a fixed order, and so have the keys within each, so that units cannot deadlock.
	for i := range w.spills {
		// Most units have no rows for some of the tables; each would need three statements.
		if w.spills[i].rows == 0 {
			continue
		}
		t := tables[i]
		if err := run(w.ctx, c, t.incoming()); err != nil {
			return err
		}
		if err := postgres.Copy(w.ctx, c, t.temporary(), w.spills[i].reader()); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if err := run(w.ctx, c, t.take()); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	// A commit may succeed although its answer is lost. Repeating it changes only the time in updated.
	return run(w.ctx, c, "COMMIT")
}

// Abort drops the rows. Errors of temporary files do not matter then.
func (w *tablesWriter) Abort() {
	for i := range w.spills {
		_ = w.spills[i].close()
		w.spills[i] = spill{}
	}
}
