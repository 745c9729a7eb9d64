package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// unit is the rows of a unit that are being written.
type unit struct {
	ctx    context.Context // of the unit
	d      *database
	refuse func(schemas.Reject) error
	spool  *spool // nil when the unit has ended
}

// Write adds a row to the temporary file.
func (u *unit) Write(m *sink.Message) error {
	if err := u.ctx.Err(); err != nil {
		return fmt.Errorf("postgres: %w", context.Cause(u.ctx))
	}
	if err := u.spool.add(m); err != nil {
		return fmt.Errorf("postgres: temporary file: %w", err)
	}
	return nil
}

// Abort drops the rows, of which the server has none. After Commit it does nothing.
func (u *unit) Abort() {
	if u.spool != nil {
		u.spool.close()
	}
	u.spool = nil
}

// Commit writes all rows in one transaction, and reports the refused ones.
func (u *unit) Commit() error {
	defer u.Abort()
	// A unit without documents needs no connection.
	if u.spool.size == 0 {
		return nil
	}
	var refused []schemas.Reject
	err := u.d.Try(u.ctx, u.d.patience, func(c *pgconn.PgConn) error {
		// A new one for each attempt, so that refusals are not reported twice.
		t := transaction{u.ctx, c, u.d.table, nil}
		err := t.write(u.spool)
		refused = t.refused
		return err
	})
	// Only after the commit: another attempt might refuse others.
	for _, r := range refused {
		if err == nil {
			err = u.refuse(r)
		}
	}
	return err
}

// transaction writes the rows of a unit.
type transaction struct {
	ctx     context.Context // of the unit
	c       *pgconn.PgConn
	table   string
	refused []schemas.Reject
}

func (t *transaction) write(s *spool) error {
	// A temporary table belongs to the connection, and is dropped with the transaction.
	if err := t.exec("BEGIN; CREATE TEMPORARY TABLE gleaner_rows (" + definitions() + ") ON COMMIT DROP"); err != nil {
		return err
	}
	if err := s.batches(t.batch); err != nil {
		return err
	}
	return t.exec("COMMIT")
}

func (t *transaction) exec(sql string) error {
	return t.c.Exec(t.ctx, sql).Close()
}

// batch writes rows. If the server refuses some, it finds the accepted ones by halving, in their order.
func (t *transaction) batch(rows []row) error {
	// Inside a transaction all statements fail after an error until a rollback to a savepoint.
	if err := t.exec("SAVEPOINT batch"); err != nil {
		return err
	}
	err := t.insert(rows)
	if err == nil {
		// Emptied for the next batch.
		return t.exec("TRUNCATE gleaner_rows; RELEASE batch")
	}
	// The error does not concern the rows: the transaction is repeated as a whole.
	reason := refusal(err)
	if reason == "" {
		return err
	}
	if err := t.exec("ROLLBACK TO batch; RELEASE batch"); err != nil {
		return err
	}
	// The halving has found this row.
	if len(rows) == 1 {
		r, err := rows[0].rejected(reason)
		t.refused = append(t.refused, r)
		return err
	}
	// One bad row among 2000 takes some eleven halvings.
	if err := t.batch(rows[:len(rows)/2]); err != nil {
		return err
	}
	return t.batch(rows[len(rows)/2:])
}

// insert copies rows to a temporary table, and from there into the table. COPY is the fastest way to the server, but
// cannot handle existing rows.
func (t *transaction) insert(rows []row) error {
	parts := make([]io.Reader, len(rows))
	for i, r := range rows {
		parts[i] = bytes.NewReader(r.value)
	}
	// The client reads the rows one after the other, so that they are not copied in memory.
	if err := Copy(t.ctx, t.c, "gleaner_rows", io.MultiReader(parts...)); err != nil {
		return err
	}
	return t.exec(upsert(t.table))
}

// refusal returns the reason why rows are themselves wrong, or "". It depends on SQLSTATE: duplicate rows (21), values
// (22) and constraints (23). Limits of the server such as of an index (54), and errors of triggers (P0), count too.
func refusal(err error) string {
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		return ""
	}
	switch said.Code[:min(2, len(said.Code))] {
	case "21", "22", "23", "54", "P0":
		return fmt.Sprintf("postgres: %.500s (SQLSTATE %s)", secret.Redact(said.Message), said.Code)
	}
	return ""
}
