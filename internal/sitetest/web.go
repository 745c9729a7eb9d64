// Package sitetest replaces the web in tests of crawling: sites on loopback that publish by timelines and a clock that
// tests move. Some of them are busy, broken, moved, gone or slow. It keeps a log of all requests, and tells from that
// alone which rules of politeness a crawler has broken: see Web.Broken.
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

// Site is a host with one feed, at /feed.xml, and a page for each of its items, at /1, /2, …
type Site struct {
	Host   string
	Class  string      // of the timeline, for callers that count
	Window int         // items that the feed shows at a time
	Times  []time.Time // when items were published, ascending
	Habit  Habit
	Moved  string // the host that a site of the habit Moves is on afterwards
}

// Web is a number of sites, behind one server.
type Web struct {
	server *httptest.Server

	mu    sync.Mutex
	start time.Time
	now   time.Time
	sites map[string]*site
	log   []Request
	moved chan struct{} // is closed when the number of requests grows, or the clock moves: see wait
}

// site is a Site with the history of its requests.
type site struct {
	Site
	busy    int // requests under way
	shown   int // items that any answer has shown, the oldest ones first
	lost    int // items that were out of the window before an answer showed them
	first   int // items that were there at the first answer
	visited bool
}

// New begins a web without sites at a moment.
func New(start time.Time) *Web {
	w := &Web{start: start, now: start, sites: map[string]*site{}, moved: make(chan struct{})}
	// One server for all sites: which one is asked is recognised by the Host header.
	w.server = httptest.NewServer(w)
	return w
}

// Close ends the server.
func (w *Web) Close() { w.server.Close() }

// Add adds a site.
func (w *Web) Add(s Site) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sites[s.Host] = &site{Site: s}
	if s.Moved != "" {
		to := s
		// It answers from the beginning on, though nothing leads there before the third day.
		to.Host, to.Habit, to.Moved = s.Moved, Plain, ""
		w.sites[to.Host] = &site{Site: to}
	}
}

// Address is where the server listens, host:port.
func (w *Web) Address() string { return w.server.Listener.Addr().String() }

// Hosts says for each site where its host is to be looked for; those that are Dead are at a port that nobody listens
// at.
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

// closedPort is one that refuses connections: ports below 1024 are not given out, and nothing of ours listens at 1.
var closedPort = net.JoinHostPort("127.0.0.1", "1")

// Feeds are the URLs of the sites' feeds, sorted.
func (w *Web) Feeds() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	moved := map[string]bool{}
	for _, s := range w.sites {
		moved[s.Moved] = true
	}
	for name := range w.sites {
		// A crawler has to find these by itself.
		if !moved[name] {
			list = append(list, "http://"+name+"/feed.xml")
		}
	}
	slices.Sort(list)
	return list
}

// Clock is the web's clock: it stands still, except for Sleep.
type Clock struct{ web *Web }

// Clock returns the web's clock.
func (w *Web) Clock() Clock { return Clock{w} }

// Now is the web's time.
func (c Clock) Now() time.Time {
	c.web.mu.Lock()
	defer c.web.mu.Unlock()
	return c.web.now
}

// Sleep moves the clock on, at once.
func (c Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.web.mu.Lock()
	defer c.web.mu.Unlock()
	// Never back: times in the log ascend.
	c.web.now = c.web.now.Add(max(0, d))
	c.web.wake()
	return ctx.Err()
}

// WaitFor returns when n requests were answered, or the context ends.
func (w *Web) WaitFor(ctx context.Context, n int) bool {
	return w.wait(ctx, func() bool { return len(w.log) >= n })
}

// WaitBehind returns when the clock is after a moment, or the context ends.
func (w *Web) WaitBehind(ctx context.Context, moment time.Time) bool {
	return w.wait(ctx, func() bool { return w.now.After(moment) })
}

// wait returns when something holds of the log or the clock, or the context ends.
func (w *Web) wait(ctx context.Context, holds func() bool) bool {
	for {
		w.mu.Lock()
		// Both under one lock: what changes after it closes the very channel that is waited for.
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

// wake has all who wait look again. It is called with the lock.
func (w *Web) wake() {
	close(w.moved)
	w.moved = make(chan struct{})
}

// Missed counts, of sites whose feed could be read, the items that were published between the first answer and the
// last, and of these the ones that no answer showed: of some sites, or of all when which is nil.
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

// Requests are all requests so far, in their order.
func (w *Web) Requests() []Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

var _ http.Handler = (*Web)(nil)
