package postgres

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Pool is a set of connections to a database: as many as there are concurrent transactions. Its methods are safe for
// concurrent use.
type Pool struct {
	to *pgconn.Config

	mu   sync.Mutex
	idle []*pgconn.PgConn
	down bool // a failure of the server was logged
}

// Pool returns a pool, without connecting. Complete must have been called.
func (c *Config) Pool() (*Pool, error) {
	to, err := c.parse()
	if err != nil {
		return nil, secret.Error(err)
	}
	return &Pool{to: to}, nil
}

// Patience returns the total time for a transaction.
func (c *Config) Patience() time.Duration { return cmp.Or(c.RetryTimeout, 5*time.Minute) }

// Close closes the connections.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	// The callers that use the other connections close them.
	for _, c := range p.idle {
		disconnect(c)
	}
	p.idle = nil
	return nil
}

// disconnect closes a connection. Nothing remains to be done with it, so errors do not matter.
func disconnect(c *pgconn.PgConn) {
	// Background, because connections are mostly closed when the run's context has ended.
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.Close(ctx)
}

// The pauses between two attempts double from the first to the last.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Try calls do with a connection until it succeeds, fails for good, or patience is over. do must be repeatable. An
// error may be temporary if it comes from the network, a lost race or a stopping server. See also [Final].
func (p *Pool) Try(ctx context.Context, patience time.Duration, do func(*pgconn.PgConn) error) error {
	// patience counts from the first attempt, and includes the time of attempts.
	deadline := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := p.once(ctx, do)
		switch {
		case err == nil:
			p.works()
			return nil
		// Tested before mayMend: once the context has ended, any error only says so.
		case ctx.Err() != nil:
			return fmt.Errorf("postgres: %w", context.Cause(ctx))
		case !mayMend(err):
			return fmt.Errorf("postgres: %w", secret.Error(err))
		// The next attempt would come too late.
		case time.Until(deadline) < pause:
			return fmt.Errorf("postgres: given up after %v: %w", patience, secret.Error(err))
		}
		p.fails(err, time.Until(deadline))
		select {
		case <-ctx.Done():
		// In both cases once runs again, which sees the context's end.
		case <-time.After(pause):
		}
	}
}

// once calls do with a connection, which is kept if it is sound.
func (p *Pool) once(ctx context.Context, do func(*pgconn.PgConn) error) error {
	c, err := p.connection(ctx)
	if err != nil {
		return err
	}
	if err := do(c); err != nil {
		// After an error the state of a connection is unknown.
		disconnect(c) // which ends its transaction
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
	return nil
}

func (p *Pool) connection(ctx context.Context) (*pgconn.PgConn, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		// The last used one, so that others stay idle until the server closes them.
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return pgconn.ConnectConfig(ctx, p.to)
}

// mayMend reports whether a failed transaction may succeed when it is repeated. For errors of the server this depends
// on the class of SQLSTATE. Temporary are lost connections (08), serialization failures and deadlocks (40), and missing
// resources such as connections or disk space (53). So are locks (55), and servers that stop or start (57). Errors of
// the network are temporary too.
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
	// An untrusted certificate or a local error does not get better.
	var untrusted *tls.CertificateVerificationError
	var local *finalError
	return !errors.As(err, &untrusted) && !errors.As(err, &local)
}

// Final marks err as final: Try does not repeat it. Examples are errors of a temporary file, or of a foreign table.
func Final(err error) error { return &finalError{err} }

// finalError is an error of Final.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// fails logs the first of several failures. Single deadlocks are normal.
func (p *Pool) fails(err error, left time.Duration) {
	var said *pgconn.PgError
	// Class 40 is repeated at once and mostly succeeds, so a message would only worry users.
	if errors.As(err, &said) && said.Code[:min(2, len(said.Code))] == "40" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// Once for a whole outage, whichever unit meets it first.
	if !p.down {
		slog.Warn(fmt.Sprintf("postgres: %s:%d: %v; trying again for up to %v", p.to.Host, p.to.Port, secret.Error(err),
			left.Round(time.Second)))
	}
	p.down = true
}

func (p *Pool) works() {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Only after a logged outage.
	if p.down {
		slog.Info(fmt.Sprintf("postgres: %s:%d answers again", p.to.Host, p.to.Port))
	}
	p.down = false
}
