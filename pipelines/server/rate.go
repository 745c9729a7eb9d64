package server

import (
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
)

// These are the limits of requests on servers with accounts: a token bucket for each account and each network. A page
// and its parts take some ten requests; scripts may make ten requests per second.
const (
	burst  = 200
	perSec = 20
	// This limits the memory, since others choose the addresses.
	mostKeys = 100_000
)

// rates limits how often each user can make requests.
type rates struct {
	// It protects the map and the contents of its buckets.
	mu      sync.Mutex
	now     func() time.Time
	buckets map[string]*bucket
}

type bucket struct {
	// These are the remaining tokens, and the time when they were counted.
	left float64
	at   time.Time
}

func newRates() *rates { return &rates{now: time.Now, buckets: map[string]*bucket{}} }

// askerOf returns the key that requests are counted by. It is the account, or for a stranger the network, since
// nothing else is known.
func askerOf(name, origin string) string {
	if name != "" {
		return "name " + name
	}
	return "from " + account.Network(origin)
}

// allow reports whether a request may be answered. Logged-in users are counted by account, since many may share an
// address.
func (l *rates) allow(name, origin string) bool {
	key := askerOf(name, origin)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.buckets[key]
	if b == nil {
		l.sweep(now)
		// A new bucket is full: a page and all its parts are requested at once.
		b = &bucket{left: burst, at: now}
		l.buckets[key] = b
	}
	// It is filled by the elapsed time, up to its limit.
	b.left = min(burst, b.left+now.Sub(b.at).Seconds()*perSec)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// sweep removes buckets that are full again if there are very many. A full bucket is equivalent to none, so nothing is
// lost.
func (l *rates) sweep(now time.Time) {
	if len(l.buckets) < mostKeys {
		return
	}
	for key, b := range l.buckets {
		if b.left+now.Sub(b.at).Seconds()*perSec >= burst {
			delete(l.buckets, key)
		}
	}
	// This is a flood from very many addresses; counting them further would only cost memory.
	if len(l.buckets) >= mostKeys {
		clear(l.buckets)
	}
}
