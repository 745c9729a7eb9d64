package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// database is a table as a sink. A unit that commits has a connection to itself; there are as many as units commit at
// the same time.
type database struct {
	to       *pgconn.Config
	table    string
	patience time.Duration // until a transaction is given up

	mu   sync.Mutex
	idle []*pgconn.PgConn
	down bool // the user was told that the server fails
}

// Encode makes the row of a page.
// It is called by several goroutines, and needs no connection.
func (*database) Encode(p *sink.Page) (*sink.Message, error) {
	row, err := appendRow(p)
	if err != nil {
		return nil, err
	}
	return &sink.Message{ID: p.ID(), Value: row}, nil
}

// Begin begins a unit.
func (d *database) Begin(ctx context.Context, refuse func(schemas.Reject) error) (sink.Writer, error) {
	// No connection yet: a unit takes minutes until it commits, and servers have few.
	s, err := newSpool()
	if err != nil {
		return nil, err
	}
	return &unit{ctx: ctx, d: d, refuse: refuse, spool: s}, nil
}

// Close ends the connections.
func (d *database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	// Those that are in use are ended by their units.
	for _, c := range d.idle {
		disconnect(c)
	}
	d.idle = nil
	return nil
}

// disconnect ends a connection. Nothing was left to be done with it, so how that ends is no matter.
func disconnect(c *pgconn.PgConn) {
	// Background, because connections are ended above all when the run's context has ended.
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.Close(ctx)
}

// The pauses between two attempts: doubling from the first to the last.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
)

// try calls do with a connection until it succeeds, or fails in a way that another attempt does not mend, or patience
// is over. do must be such that it may be repeated.
func (d *database) try(ctx context.Context, patience time.Duration, do func(*pgconn.PgConn) error) error {
	// patience counts from the first attempt, and the time that attempts take counts as well.
	deadline := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := d.once(ctx, do)
		switch {
		case err == nil:
			d.works()
			return nil
		// Before mayMend: with the context gone any error only says so.
		case ctx.Err() != nil:
			return fmt.Errorf("postgres: %w", context.Cause(ctx))
		case !mayMend(err):
			return fmt.Errorf("postgres: %w", secret.Error(err))
		// The next attempt would come too late.
		case time.Until(deadline) < pause:
			return fmt.Errorf("postgres: given up after %v: %w", patience, secret.Error(err))
		}
		d.fails(err, time.Until(deadline))
		select {
		case <-ctx.Done():
		// In both cases once is called again, which sees the context's end.
		case <-time.After(pause):
		}
	}
}

// once calls do with a connection, which is kept when it is sound.
func (d *database) once(ctx context.Context, do func(*pgconn.PgConn) error) error {
	c, err := d.connection(ctx)
	if err != nil {
		return err
	}
	if err := do(c); err != nil {
		// After an error the state of a connection is not known.
		disconnect(c) // which ends its transaction
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.idle = append(d.idle, c)
	return nil
}

func (d *database) connection(ctx context.Context) (*pgconn.PgConn, error) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		// The one used last, so that others may idle and be ended by the server.
		c := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		return c, nil
	}
	d.mu.Unlock()
	return pgconn.ConnectConfig(ctx, d.to)
}

// mayMend tells whether what failed may succeed when it is tried again. Of what the server says, these are by
// SQLSTATE: connections that end (08), serialization failures and deadlocks (40), too few resources, among them too
// many connections and full disks (53), locks (55), and servers that stop or start (57). What is no answer of the
// server is of the network.
func mayMend(err error) bool {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		// The first two of five characters are the class (PostgreSQL's manual, appendix A).
		switch said.Code[:min(2, len(said.Code))] {
		case "08", "40", "53", "55", "57":
			return true
		}
		return false
	}
	// Neither a certificate that is not trusted nor a local error gets better by waiting.
	var untrusted *tls.CertificateVerificationError
	var local *finalError
	return !errors.As(err, &untrusted) && !errors.As(err, &local)
}

// finalError is one that another attempt does not mend: of the temporary file, or of a table that is not ours.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// fails says the first of several failures. A deadlock or two are an everyday matter.
func (d *database) fails(err error, left time.Duration) {
	var said *pgconn.PgError
	// Class 40 is repeated at once and succeeds as a rule: to tell of it would only worry.
	if errors.As(err, &said) && said.Code[:min(2, len(said.Code))] == "40" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// Once for a whole outage, whichever unit meets it first.
	if !d.down {
		slog.Warn(fmt.Sprintf("postgres: %s:%d: %v; trying again for up to %v", d.to.Host, d.to.Port, secret.Error(err),
			left.Round(time.Second)))
	}
	d.down = true
}

func (d *database) works() {
	d.mu.Lock()
	defer d.mu.Unlock()
	// Only after an outage that was told.
	if d.down {
		slog.Info(fmt.Sprintf("postgres: %s:%d answers again", d.to.Host, d.to.Port))
	}
	d.down = false
}
