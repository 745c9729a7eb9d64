// Package hbase implements [rowstore.Store] with a table of Apache HBase 2, by HBase's own protocol.
//
//	s, err := hbase.Open(hbase.Options{Masters: []string{"127.0.0.1:16000"}, Table: "pages"})
//	defer s.Close()
//	err = s.Prepare(ctx, []string{"content", "metadata"}, nil) // makes the table if it is missing
//	err = s.Put(ctx, rows)
//
// It needs no ZooKeeper: a master gives the place of hbase:meta (since HBase 2.3), which has the places of regions. It
// repeats requests that fail because of a split or moved region, or a busy, stopped or starting server. Writes and
// filters do no harm when a server executes them twice.
//
// There is no authentication: servers with Kerberos refuse connections. Connections are not encrypted. Use a private
// network or a tunnel.
//
// Deleted versions stay hidden even after they are written again, until a major compaction of their region. See
// section 28.3 of the reference guide, "Current Limitations".
package hbase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Store is a table. Its methods are safe for concurrent use.
type Store struct {
	o       Options
	table   table
	regions regions

	mu       sync.Mutex
	pools    map[string]*pool // by address and service
	meta     string           // address of the server of hbase:meta; empty if unknown
	families []string         // of the table, once known
	closed   bool
}

var _ rowstore.Store = (*Store)(nil)

// Open returns a table without connecting.
func Open(o Options) (*Store, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Store{o: o, table: tableOf(o.Table), pools: map[string]*pool{}}, nil
}

// errClosed ends calls when the Store is closed.
var errClosed = errors.New("the store was closed")

// Close closes all connections, and ends running calls.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, p := range s.pools {
		p.close()
	}
	return nil
}

// The services of servers, each with its own connections.
const (
	registryService = "ClientMetaService" // of masters: the places of regions
	masterService   = "MasterService"
	regionService   = "ClientService"
)

// conn returns a connection to a service of a server. It does not hold the lock while connecting: a silent server must
// not block other calls.
func (s *Store) conn(ctx context.Context, address, service string) (*conn, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, fmt.Errorf("%w: %w", rowstore.ErrRefused, errClosed)
	}
	key := address + " " + service
	p := s.pools[key]
	if p == nil {
		p = &pool{slots: make([]slot, s.o.Connections)}
		s.pools[key] = p
	}
	s.mu.Unlock()
	return p.get(ctx, s.o, address, service)
}

// call calls a method of a server, within the time limit of a call.
func (s *Store) call(ctx context.Context, address, service, method string, m message, cells ...[]byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.CallTimeout)
	defer cancel()
	// The time for connecting is part of the call's.
	c, err := s.conn(ctx, address, service)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", address, err)
	}
	a, err := c.call(ctx, method, m, cells...)
	if err != nil {
		// Only the call's own time-out closes the connection: if the caller's context was canceled, the server may be
		// fine, and others use the connection.
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			c.close(errors.New("a call was not answered in time")) // a hanging server keeps its connections open
		}
		return a, fmt.Errorf("%s: %s: %w", address, method, err)
	}
	return a, nil
}

// pool has the connections to a service, which take turns. With several connections large answers come in parallel.
type pool struct {
	mu    sync.Mutex
	turn  int
	slots []slot
}

// slot is the place of a connection. It is locked while it connects, so that it connects once.
type slot struct {
	mu sync.Mutex
	c  *conn // nil for none
}

func (p *pool) get(ctx context.Context, o Options, address, service string) (*conn, error) {
	p.mu.Lock()
	s := &p.slots[p.turn%len(p.slots)]
	p.turn++
	p.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	// An ended connection stays in its slot until it is needed, so that unused servers are not connected again.
	if s.c != nil && s.c.ended() == nil {
		return s.c, nil
	}
	c, err := dial(ctx, o, address, service)
	if err != nil {
		return nil, err
	}
	s.c = c
	return c, nil
}

func (p *pool) close() {
	for i := range p.slots {
		s := &p.slots[i]
		s.mu.Lock()
		if s.c != nil {
			s.c.close(errClosed)
		}
		s.mu.Unlock()
	}
}

// The pauses between two attempts double from the first to the last.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = 5 * time.Second
)

// patience limits the time of retries.
type patience struct {
	limit time.Duration
	until time.Time
	pause time.Duration
}

func (s *Store) patience() *patience { return &patience{limit: s.o.RetryTimeout} }

// progress restarts the time after a success. A long write does not fail because of many short pauses: the time since
// the last success counts.
func (p *patience) progress() { p.until, p.pause = time.Time{}, 0 }

// wait waits before the next attempt. If there is no next attempt, it returns the reason.
func (p *patience) wait(ctx context.Context, err error) error {
	switch what := remedyOf(err); {
	// The caller's own end comes first, because it may have caused the error.
	case ctx.Err() != nil:
		return fmt.Errorf("hbase: %w", context.Cause(ctx))
	case what == refused || what == broken:
		return fmt.Errorf("hbase: %w", err)
	}
	if p.until.IsZero() {
		p.until = time.Now().Add(p.limit)
	}
	p.pause = min(max(2*p.pause, firstPause), lastPause)
	// It ends before a pause that would exceed the limit.
	if time.Until(p.until) < p.pause {
		return fmt.Errorf("hbase: given up after %v: %w", p.limit, err)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("hbase: %w", context.Cause(ctx))
	case <-time.After(p.pause):
		return nil
	}
}

// try calls do until it succeeds, fails for good, or patience is over. do must be repeatable.
func (s *Store) try(ctx context.Context, do func() error) error {
	for p := s.patience(); ; {
		err := do()
		if err == nil {
			return nil
		}
		if err := p.wait(ctx, err); err != nil {
			return err
		}
	}
}
