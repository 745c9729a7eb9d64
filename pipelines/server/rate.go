package server

import (
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
)

// The limits of requests where there are accounts: a bucket of tokens for each account and each network. Pages are some
// ten requests with what they load; scripts may ask ten times a second.
const (
	burst  = 200
	perSec = 20
	// Bounds the memory: addresses are what others choose.
	mostKeys = 100_000
)

// rates limits how often somebody asks.
type rates struct {
	// It guards the map and what is in its buckets.
	mu      sync.Mutex
	now     func() time.Time
	buckets map[string]*bucket
}

type bucket struct {
	// Tokens that are left, and when they were counted.
	left float64
	at   time.Time
}

func newRates() *rates { return &rates{now: time.Now, buckets: map[string]*bucket{}} }

// askerOf is what the requests of an account are counted by, or those of a stranger, of whom only the network is known.
func askerOf(name, origin string) string {
	if name != "" {
		return "name " + name
	}
	return "from " + account.Network(origin)
}

// allow reports whether a request may be answered. Who is logged in is counted by account: many may share an address.
func (l *rates) allow(name, origin string) bool {
	key := askerOf(name, origin)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.buckets[key]
	if b == nil {
		l.sweep(now)
		// A new bucket is full: a page with all that it loads comes at once.
		b = &bucket{left: burst, at: now}
		l.buckets[key] = b
	}
	// Filled by the time that has gone by, and never beyond its brim.
	b.left = min(burst, b.left+now.Sub(b.at).Seconds()*perSec)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// sweep forgets buckets that are full again, when there are very many.
// A full bucket is the same as none, so nothing is lost by forgetting it.
func (l *rates) sweep(now time.Time) {
	if len(l.buckets) < mostKeys {
		return
	}
	for key, b := range l.buckets {
		if b.left+now.Sub(b.at).Seconds()*perSec >= burst {
			delete(l.buckets, key)
		}
	}
	// A flood from very many addresses: counting them further would only cost memory.
	if len(l.buckets) >= mostKeys {
		clear(l.buckets)
	}
}
