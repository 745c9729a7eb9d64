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

// Tables are Sandcrawler's in a database of PostgreSQL. It is a [fileset.Sink].
type Tables struct {
	pool     *postgres.Pool
	patience time.Duration

	mu      sync.Mutex
	skipped map[string]int64
}

var _ fileset.Sink = (*Tables)(nil)

// startTime is how long a server may take to answer at the start, where a wrong address is more likely than an outage.
const startTime = 30 * time.Second

// OpenTables connects to the database that c names, and makes the tables that are not there. c is completed; its table
// is of no matter.
func OpenTables(ctx context.Context, c postgres.Config) (*Tables, error) {
	// Complete wants a table; which of ours it is does not matter, since statements name theirs.
	c.Table = tables[platforms].name
	if err := c.Complete(); err != nil {
		return nil, err
	}
	pool, err := c.Pool()
	if err != nil {
		return nil, err
	}
	t := &Tables{pool: pool, patience: c.Patience(), skipped: map[string]int64{}}
	// All of it may be repeated: steps that were applied are recorded in the same transaction as they
	// are made.
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

// migrate makes of the database what this program needs, by the steps that it has not had. Programs that start at the
// same time do it one after the other: the lock is the transaction's, and its number is any that others do not use.
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
	// Older programs do not guess at newer tables.
	if had > latest {
		return postgres.Final(fmt.Errorf("the tables are of a later version of this program: %d, and this one knows %d",
			had, latest))
	}
	// Number and step in one transaction: a kill leaves both or neither.
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

// check reports whether tables that were there before have our columns, before anything is done that could not be kept.
func check(ctx context.Context, c *pgconn.PgConn) error {
	for _, t := range tables {
		// Asks for the columns and reads nothing, however large the table is.
		sql := "SELECT " + t.names(t.columns) + " FROM " + t.name + " LIMIT 0"
		if err := run(ctx, c, sql); err != nil {
			return postgres.Final(fmt.Errorf("the table %s is not Sandcrawler's: %w", t.name, err))
		}
	}
	return nil
}

func run(ctx context.Context, c *pgconn.PgConn, sql string) error { return c.Exec(ctx, sql).Close() }

// Close ends the connections.
func (t *Tables) Close() error { return t.pool.Close() }

// Skipped counts the rows that the tables cannot hold, by the column that is why: a URL that is too long, a request
// that does not say where it comes from. What was done twice is counted twice.
func (t *Tables) Skipped() map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.skipped)
}

// Begin begins a unit. Nothing is asked of the server before Commit.
func (t *Tables) Begin(ctx context.Context, _ string) (fileset.SinkWriter, error) {
	return &tablesWriter{ctx: ctx, t: t, spills: make([]spill, len(tables)), skipped: map[string]int64{}}, nil
}

// tablesWriter is the rows of a unit.
type tablesWriter struct {
	ctx     context.Context // of the unit
	t       *Tables
	spills  []spill // by table
	skipped map[string]int64
}

// Write keeps the rows of a result.
func (w *tablesWriter) Write(result *schemas.FilesetResult, file *schemas.FileResult) error {
	rows, skipped, err := rowsOf(result, file)
	if err != nil {
		return err
	}
	// Counted by unit, and added up by Commit: a unit that is given up has skipped nothing.
	for _, why := range skipped {
		w.skipped[why]++
	}
	for _, r := range rows {
		// The row's number in the unit goes first, as the column n: COPY keeps no order, and the last
		// of equal keys is to win.
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
	// Repeated as a whole. Spills are read again each time, and rows that an attempt did write are
	// written over.
	err := w.t.pool.Try(w.ctx, w.t.patience, func(c *pgconn.PgConn) error { return w.transaction(c) })
	if err != nil {
		return err
	}
	// Only what was committed counts; t's own counts are shared by all units.
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
	// In one order of tables, as within each by keys, so that units wait for each other and not in a circle.
	for i := range w.spills {
		// Most units have nothing for some of the tables; each would cost three statements.
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
	// A commit whose answer is lost may have happened. Doing it again changes nothing but the time in
	// updated.
	return run(w.ctx, c, "COMMIT")
}

// Abort drops the rows. What is wrong with a temporary file then is no matter.
func (w *tablesWriter) Abort() {
	for i := range w.spills {
		_ = w.spills[i].close()
		w.spills[i] = spill{}
	}
}
