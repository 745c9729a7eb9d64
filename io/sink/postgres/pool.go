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

// Pool is the connections to a database: as many as there are transactions at the same time. Its methods may be called
// by several goroutines.
type Pool struct {
	to *pgconn.Config

	mu   sync.Mutex
	idle []*pgconn.PgConn
	down bool // the user was told that the server fails
}

// Pool returns a pool, without connecting. Complete has been called.
func (c *Config) Pool() (*Pool, error) {
	to, err := c.parse()
	if err != nil {
		return nil, secret.Error(err)
	}
	return &Pool{to: to}, nil
}

// Patience is how long a transaction is tried.
func (c *Config) Patience() time.Duration { return cmp.Or(c.RetryTimeout, 5*time.Minute) }

// Close ends the connections.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Those that are in use are ended by callers that use them.
	for _, c := range p.idle {
		disconnect(c)
	}
	p.idle = nil
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

// Try calls do with a connection until it succeeds, or fails in a way that another attempt does not mend, or patience
// is over. do must be such that it may be repeated. Its error is mended by another attempt if it is of the network, of
// a lost race or of a server that stops; see also [Final].
func (p *Pool) Try(ctx context.Context, patience time.Duration, do func(*pgconn.PgConn) error) error {
	// patience counts from the first attempt, and the time that attempts take counts as well.
	deadline := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := p.once(ctx, do)
		switch {
		case err == nil:
			p.works()
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
		p.fails(err, time.Until(deadline))
		select {
		case <-ctx.Done():
		// In both cases once is called again, which sees the context's end.
		case <-time.After(pause):
		}
	}
}

// once calls do with a connection, which is kept when it is sound.
func (p *Pool) once(ctx context.Context, do func(*pgconn.PgConn) error) error {
	c, err := p.connection(ctx)
	if err != nil {
		return err
	}
	if err := do(c); err != nil {
		// After an error the state of a connection is not known.
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
		// The one used last, so that others may idle and be ended by the server.
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return pgconn.ConnectConfig(ctx, p.to)
}

// mayMend reports whether what failed may succeed when it is tried again. Of what the server says, these are by
// SQLSTATE: connections that end (08), serialization failures and deadlocks (40), too few resources, among them too
// many connections and full disks (53), locks (55), and servers that stop or start (57). What is not an answer of the
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

// Final is err as one that another attempt does not mend: of a temporary file, or of a table that is not ours.
func Final(err error) error { return &finalError{err} }

// finalError is an error of Final.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// fails says the first of several failures. A deadlock or two are an everyday matter.
func (p *Pool) fails(err error, left time.Duration) {
	var said *pgconn.PgError
	// Class 40 is repeated at once and succeeds as a rule: to tell of it would only worry.
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
	// Only after an outage that was told.
	if p.down {
		slog.Info(fmt.Sprintf("postgres: %s:%d answers again", p.to.Host, p.to.Port))
	}
	p.down = false
}
