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

// unit is the rows of a unit on their way.
type unit struct {
	ctx    context.Context // of the unit
	d      *database
	refuse func(schemas.Reject) error
	spool  *spool // nil when the unit has ended
}

// Write puts a row into the temporary file.
func (u *unit) Write(m *sink.Message) error {
	if err := u.ctx.Err(); err != nil {
		return fmt.Errorf("postgres: %w", context.Cause(u.ctx))
	}
	if err := u.spool.add(m); err != nil {
		return fmt.Errorf("postgres: temporary file: %w", err)
	}
	return nil
}

// Abort gives up the rows, of which the server has none.
// It is called after Commit, too, and then has nothing to do.
func (u *unit) Abort() {
	if u.spool != nil {
		u.spool.close()
	}
	u.spool = nil
}

// Commit writes all rows in one transaction, and tells of those that the server has refused.
func (u *unit) Commit() error {
	defer u.Abort()
	// A unit without documents needs no connection.
	if u.spool.size == 0 {
		return nil
	}
	var refused []schemas.Reject
	err := u.d.Try(u.ctx, u.d.patience, func(c *pgconn.PgConn) error {
		// A new one for each attempt, so that refusals are not told twice.
		t := transaction{u.ctx, c, u.d.table, nil}
		err := t.write(u.spool)
		refused = t.refused
		return err
	})
	// Only after the transaction stands: another attempt might refuse others.
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
	// A temporary table is the connection's own, and is gone with the transaction.
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

// batch writes rows. When the server refuses some, those that it takes are found by halving, in their order.
func (t *transaction) batch(rows []row) error {
	// Inside a transaction an error makes all further statements fail until one goes back to a savepoint.
	if err := t.exec("SAVEPOINT batch"); err != nil {
		return err
	}
	err := t.insert(rows)
	if err == nil {
		// Emptied for the next batch.
		return t.exec("TRUNCATE gleaner_rows; RELEASE batch")
	}
	// Not about the rows: the transaction is repeated as a whole.
	reason := refusal(err)
	if reason == "" {
		return err
	}
	if err := t.exec("ROLLBACK TO batch; RELEASE batch"); err != nil {
		return err
	}
	// Halved down to this one.
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

// insert copies rows next to the table, and from there into it: COPY is the fastest way to the server, and knows
// nothing of rows that are there already.
func (t *transaction) insert(rows []row) error {
	parts := make([]io.Reader, len(rows))
	for i, r := range rows {
		parts[i] = bytes.NewReader(r.value)
	}
	// Rows are not put together in memory once more: the client reads them one after the other.
	if err := Copy(t.ctx, t.c, "gleaner_rows", io.MultiReader(parts...)); err != nil {
		return err
	}
	return t.exec(upsert(t.table))
}

// refusal is why rows are themselves wrong; "" when they are not. By SQLSTATE: two rows that are one (21), values (22),
// constraints (23), limits of the server, such as of an index (54), and what somebody's trigger says (P0).
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
