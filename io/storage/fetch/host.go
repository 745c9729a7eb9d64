package fetch

import (
	"context"
	"fmt"
	"time"
)

const (
	// maxHosts is the number of hosts in memory, about 1 KB each without the rules of their robots.txt.
	maxHosts = 1 << 16
	// maxRetryAfter is the longest wait that a server can demand: one that says a year is visited again tomorrow.
	maxRetryAfter = 24 * time.Hour
	// maxIdle is the number of kept connections to all hosts: each is a file descriptor.
	maxIdle = 64
)

// host is the state of a host, by its name: https and http on all ports are one machine to be polite to.
type host struct {
	name string
	// slot is held by the caller that sends a request. Unlike with a mutex, waiting for it ends with the context.
	slot  chan struct{}
	users int // callers that hold it or wait for it
	// Under Client.mu:
	next     time.Time // time of the next possible request
	requests int64
	bytes    int64
	kept     *connection
	rules    map[string]*rules // by origin
}

// enter waits for the host to be free. leave releases it.
func (c *Client) enter(ctx context.Context, name string) (*host, error) {
	c.mu.Lock()
	h := c.hostOf(name)
	// Counted before the lock is released, so that forget does not drop the host.
	h.users++
	c.mu.Unlock()
	select {
	case h.slot <- struct{}{}:
		return h, nil
	case <-ctx.Done():
		c.mu.Lock()
		h.users--
		c.mu.Unlock()
		return nil, ctx.Err()
	}
}

func (c *Client) leave(h *host) {
	// The slot goes first: as long as users counts this caller, the host cannot be forgotten while its slot is taken.
	<-h.slot
	c.mu.Lock()
	h.users--
	c.mu.Unlock()
}

// hostOf returns the host of that name, under Client.mu.
func (c *Client) hostOf(name string) *host {
	if h := c.hosts[name]; h != nil {
		return h
	}
	// A soft limit: hosts that are in use or have to rest stay, and so do all hosts if they have budgets.
	if len(c.hosts) >= maxHosts {
		c.forget()
	}
	h := &host{name: name, slot: make(chan struct{}, 1), rules: map[string]*rules{}}
	c.hosts[name] = h
	return h
}

// forget drops the hosts without important state: nobody uses them, and they may be requested at once. A forgotten host
// would lose its spent budget, so hosts with a budget are kept.
func (c *Client) forget() {
	now := c.o.Clock.Now()
	for name, h := range c.hosts {
		if h.users == 0 && !h.next.After(now) && c.o.Budget.HostRequests == 0 && c.o.Budget.HostBytes == 0 {
			if h.kept != nil {
				h.drop()
				c.idle--
			}
			delete(c.hosts, name)
		}
	}
}

// await sleeps until the host may be requested, and takes the request from the budget.
func (c *Client) await(ctx context.Context, h *host) error {
	c.mu.Lock()
	// The lock is not held while sleeping. Only the holder of the slot changes next, so it cannot become earlier.
	wait := h.next.Sub(c.o.Clock.Now())
	until := h.next
	c.mu.Unlock()
	if wait > c.o.MaxWait {
		return &WaitError{h.name, until}
	}
	if wait > 0 {
		if err := c.o.Clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
	return c.spend(h)
}

// spend counts a request.
func (c *Client) spend(h *host) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.o.Budget
	// Tested before the request, so that a limit of n allows exactly n.
	over := func(limit, n int64) bool { return limit > 0 && n >= limit }
	switch {
	case over(b.Requests, c.spent.requests), over(b.Bytes, c.spent.bytes):
		return fmt.Errorf("fetch: %w: %d requests, %d bytes", ErrBudget, c.spent.requests, c.spent.bytes)
	case over(b.HostRequests, h.requests), over(b.HostBytes, h.bytes):
		return fmt.Errorf("fetch: %s: %w: %d requests, %d bytes", h.name, ErrBudget, h.requests, h.bytes)
	case b.Time > 0 && c.o.Clock.Now().Sub(c.began) >= b.Time:
		return fmt.Errorf("fetch: %w: %v", ErrBudget, b.Time)
	}
	// Counted under the same lock as tested, so that two goroutines cannot both take the last one.
	c.spent.requests++
	h.requests++
	return nil
}

// rest records the bytes of an attempt, and the time of the next possible request. This is after the pause, or after
// the time that the host asked for.
func (c *Client) rest(h *host, bytes int64, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spent.bytes += bytes
	h.bytes += bytes
	// From the end of the answer, not its beginning: a slow host gets the pause too.
	h.next = c.o.Clock.Now().Add(max(c.o.HostDelay, h.delay(), wait))
}

// delay returns the longest delay in the robots.txt of its origins, limited.
func (h *host) delay() (longest time.Duration) {
	for _, r := range h.rules {
		longest = max(longest, r.delay)
	}
	return longest
}

// keep stores a connection for the next request, or closes it.
func (c *Client) keep(h *host, conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle >= maxIdle {
		conn.close()
		return
	}
	c.idle++
	conn.until = time.Now().Add(keepFor)
	// The field is empty: the caller holds the host, and take has emptied it.
	h.kept = conn
}

// take returns the connection that was kept for an origin, or nil if none is usable.
func (c *Client) take(h *host, origin string) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn := h.kept
	if conn == nil {
		return nil
	}
	h.kept = nil
	c.idle--
	// https and http, and other ports, need other connections. The kept one is closed.
	if conn.origin != origin || time.Now().After(conn.until) {
		conn.close()
		return nil
	}
	return conn
}

// drop closes the kept connection.
func (h *host) drop() {
	if h.kept != nil {
		h.kept.close()
		h.kept = nil
	}
}
