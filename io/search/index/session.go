package index

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// pool keeps unused sessions of a database with their prepared statements: preparing takes as long as most queries.
type pool struct {
	db   *sql.DB
	mu   sync.Mutex
	free []*session
}

// session is a connection within a read transaction. It is for one goroutine, and for one open result of a statement at
// a time.
type session struct {
	pool  *pool
	conn  *sql.Conn
	stmts map[string]*sql.Stmt // by their texts, which are constants of this package
}

// begin takes a session and begins a transaction, which sees the state at its first statement.
func (p *pool) begin(ctx context.Context) (*session, error) {
	p.mu.Lock()
	var s *session
	if n := len(p.free); n > 0 {
		// The last one used has the most pages in its cache.
		s, p.free = p.free[n-1], p.free[:n-1]
	}
	p.mu.Unlock()
	if s == nil {
		conn, err := p.db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		s = &session{p, conn, map[string]*sql.Stmt{}}
	}
	// Deferred: nothing is locked or read before the first statement.
	if _, err := s.conn.ExecContext(ctx, "begin"); err != nil {
		return nil, errors.Join(err, s.conn.Close())
	}
	return s, nil
}

// end ends the transaction and returns the session to the pool, or closes it after an error. There is nothing to
// commit.
func (s *session) end() {
	// Not the caller's context, which may have ended: an open transaction would keep the log from shrinking.
	if _, err := s.conn.ExecContext(context.Background(), "rollback"); err != nil {
		_ = s.close()
		return
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	s.pool.free = append(s.pool.free, s)
}

func (s *session) close() error {
	var errs []error
	for _, stmt := range s.stmts {
		// Statements are closed before their connection.
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, s.conn.Close())...)
}

// close closes the unused sessions and the database.
func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, s := range p.free {
		errs = append(errs, s.close())
	}
	p.free = nil
	return errors.Join(append(errs, p.db.Close())...)
}

// QueryContext runs a query with a prepared statement.
func (s *session) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext is QueryContext for a single row.
func (s *session) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := s.prepared(ctx, query)
	if err != nil {
		return s.conn.QueryRowContext(ctx, query, args...) // it returns the same error
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (s *session) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.stmts[query]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, query)
	if err == nil {
		// Never dropped: texts are constants of this package, and values are parameters.
		s.stmts[query] = stmt
	}
	return stmt, err
}
