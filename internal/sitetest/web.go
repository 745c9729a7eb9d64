// Package sitetest replaces the web in tests of crawling. It has sites on loopback that publish by timelines, some of
// them busy, broken, moved, gone or slow, and a clock that tests advance. From a log of all requests it tells which
// rules of politeness a crawler has broken: see Web.Broken.
//
//	web := sitetest.New(start)
//	defer web.Close()
//	web.Add(sitetest.Site{Host: "a.example", Window: 10, Times: times})
//	// … crawl with web.Clock() and web.Hosts() …
//	for _, rule := range web.Broken(time.Second, 0) { t.Error(rule) }
package sitetest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// Site is a host with a feed at /feed.xml and a page for each item at /0, /1, …
type Site struct {
	Host   string
	Class  string      // of the timeline, for statistics
	Window int         // number of items in the feed
	Times  []time.Time // publication times of items, ascending
	Habit  Habit
	Moved  string // the later host of a site that Moves
}

// Web has sites behind one server.
type Web struct {
	server *httptest.Server

	mu    sync.Mutex
	start time.Time
	now   time.Time
	sites map[string]*site
	log   []Request
	moved chan struct{} // closed when a request is logged or the clock advances: see wait
}

// site is a Site with the history of its requests.
type site struct {
	Site
	busy    int // requests under way
	shown   int // number of items shown so far, from the oldest
	lost    int // items that left the window before being shown
	first   int // items at the first answer
	visited bool
}

// New makes a web without sites that starts at a time.
func New(start time.Time) *Web {
	w := &Web{start: start, now: start, sites: map[string]*site{}, moved: make(chan struct{})}
	// One server for all sites; the Host header selects one.
	w.server = httptest.NewServer(w)
	return w
}

// Close closes the server.
func (w *Web) Close() { w.server.Close() }

// Add adds a site.
func (w *Web) Add(s Site) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sites[s.Host] = &site{Site: s}
	if s.Moved != "" {
		to := s
		// The new host answers from the start, although nothing links to it before the third day.
		to.Host, to.Habit, to.Moved = s.Moved, Plain, ""
		w.sites[to.Host] = &site{Site: to}
	}
}

// Address returns the server's host:port.
func (w *Web) Address() string { return w.server.Listener.Addr().String() }

// Hosts returns the address for each site's host. Dead sites are at a closed port.
func (w *Web) Hosts() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	hosts := map[string]string{}
	for name, s := range w.sites {
		hosts[name] = w.Address()
		if s.Habit == Dead {
			hosts[name] = closedPort
		}
	}
	return hosts
}

// closedPort refuses connections: systems assign no ports below 1024, and nothing here listens at 1.
var closedPort = net.JoinHostPort("127.0.0.1", "1")

// Feeds returns the URLs of the sites' feeds, sorted.
func (w *Web) Feeds() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	moved := map[string]bool{}
	for _, s := range w.sites {
		moved[s.Moved] = true
	}
	for name := range w.sites {
		// Crawlers have to find moved ones themselves.
		if !moved[name] {
			list = append(list, "http://"+name+"/feed.xml")
		}
	}
	slices.Sort(list)
	return list
}

// Clock is the web's clock, which only Sleep advances.
type Clock struct{ web *Web }

// Clock returns the web's clock.
func (w *Web) Clock() Clock { return Clock{w} }

// Now returns the web's time.
func (c Clock) Now() time.Time {
	c.web.mu.Lock()
	defer c.web.mu.Unlock()
	return c.web.now
}

// Sleep advances the clock at once.
func (c Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.web.mu.Lock()
	defer c.web.mu.Unlock()
	// Never back: times in the log ascend.
	c.web.now = c.web.now.Add(max(0, d))
	c.web.wake()
	return ctx.Err()
}

// WaitFor waits until n requests are logged. It returns false if the context ends.
func (w *Web) WaitFor(ctx context.Context, n int) bool {
	return w.wait(ctx, func() bool { return len(w.log) >= n })
}

// WaitPast waits until the clock is after moment. It returns false if the context ends.
func (w *Web) WaitPast(ctx context.Context, moment time.Time) bool {
	return w.wait(ctx, func() bool { return w.now.After(moment) })
}

// wait waits until holds returns true. It returns false if the context ends.
func (w *Web) wait(ctx context.Context, holds func() bool) bool {
	for {
		w.mu.Lock()
		// Both under one lock: a later change closes this channel.
		done, more := holds(), w.moved
		w.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-more:
		case <-ctx.Done():
			return false
		}
	}
}

// wake lets all waiters check again. The caller holds the lock.
func (w *Web) wake() {
	close(w.moved)
	w.moved = make(chan struct{})
}

// Missed counts items that were published between the first and the last answer, and how many of them no answer
// showed. The function which selects sites; nil means all.
func (w *Web) Missed(which func(Site) bool) (missed, items int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sites {
		if which == nil || which(s.Site) {
			missed += s.lost
			items += max(0, s.shown-s.first)
		}
	}
	return missed, items
}

// Requests returns all requests so far, in order.
func (w *Web) Requests() []Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

var _ http.Handler = (*Web)(nil)
