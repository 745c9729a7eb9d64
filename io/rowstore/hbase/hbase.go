// Package hbase is a table of Apache HBase 2 as a [rowstore.Store], by HBase's own protocol.
//
//	s, err := hbase.Open(hbase.Options{Masters: []string{"127.0.0.1:16000"}, Table: "pages"})
//	defer s.Close()
//	err = s.Prepare(ctx, []string{"content", "metadata"}, nil) // makes the table where it is not there
//	err = s.Put(ctx, rows)
//
// Servers are found without ZooKeeper: a master says where hbase:meta is (since HBase 2.3), and that where regions
// are. What fails because a region was divided or moved, or because a server is busy, went down or is starting, is
// tried again with pauses. Writes and filters are made so that it does no harm when a server does them twice.
//
// There is no authentication: servers with Kerberos refuse connections, and what travels is not encrypted. Use a
// network that is yours, or a tunnel.
//
// Versions that Delete removed stay hidden when they are written again, until the server has made a major compaction
// of their region: section 28.3 of the reference guide, "Current Limitations".
package hbase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Store is a table. Its methods may be called by several goroutines at the same time.
type Store struct {
	o       Options
	table   table
	regions regions

	mu       sync.Mutex
	pools    map[string]*pool // by address and service
	meta     string           // address of the server of hbase:meta; empty when it is not known
	families []string         // of the table, once they were asked for
	closed   bool
}

var _ rowstore.Store = (*Store)(nil)

// Open returns a table. It connects to nothing yet.
func Open(o Options) (*Store, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Store{o: o, table: tableOf(o.Table), pools: map[string]*pool{}}, nil
}

// errClosed is why calls end when the Store is closed.
var errClosed = errors.New("the store was closed")

// Close ends all connections, and calls that are under way.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, p := range s.pools {
		p.close()
	}
	return nil
}

// The services that servers have, each with connections of its own.
const (
	registryService = "ClientMetaService" // of masters: where things are
	masterService   = "MasterService"
	regionService   = "ClientService"
)

// conn returns a connection to a service of a server.
// The lock is not held while connecting: a server that does not answer must not keep calls from others.
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

// call calls a method of a server, within the time that a call may take.
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
		// Only the call's own time counts here: when the caller's context was cancelled the server may be in good
		// health, and others use the connection.
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			c.close(errors.New("a call was not answered in time")) // a server that hangs keeps its connections open
		}
		return a, fmt.Errorf("%s: %s: %w", address, method, err)
	}
	return a, nil
}

// pool is the connections to a service, which take turns.
// Several connections let large answers come side by side: on one of them they come one after the other.
type pool struct {
	mu    sync.Mutex
	turn  int
	slots []slot
}

// slot is the place of a connection. It is locked while it is being made, so that it is made once.
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
	// A connection that has ended stays in its slot until somebody needs it: servers that nobody asks any more are not
	// connected again.
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

// The pauses between two attempts: doubling from the first to the last.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = 5 * time.Second
)

// patience is for how long something is tried again.
type patience struct {
	limit time.Duration
	until time.Time
	pause time.Duration
}

func (s *Store) patience() *patience { return &patience{limit: s.o.RetryTimeout} }

// progress begins it again: something went right.
// A long write is not given up for having met many short pauses: what counts is the time since the last success.
func (p *patience) progress() { p.until, p.pause = time.Time{}, 0 }

// wait waits before the next attempt. When there is to be none, the error says why.
func (p *patience) wait(ctx context.Context, err error) error {
	switch what := remedyOf(err); {
	// The caller's own end comes first: an error that it has caused is not worth a name.
	case ctx.Err() != nil:
		return fmt.Errorf("hbase: %w", context.Cause(ctx))
	case what == refused || what == broken:
		return fmt.Errorf("hbase: %w", err)
	}
	if p.until.IsZero() {
		p.until = time.Now().Add(p.limit)
	}
	p.pause = min(max(2*p.pause, firstPause), lastPause)
	// It is given up before the pause that would outlast the limit, and not after it.
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

// try calls do until it succeeds, or fails in a way that another attempt does not mend, or patience is over. do must be
// such that it may be repeated.
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
