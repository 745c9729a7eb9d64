package server

import (
	"sync"
	"time"
)

// The limits of requests where there are accounts: a bucket of tokens for each account and each address. Pages are some
// ten requests with what they load; scripts may ask ten times a second.
const (
	burst    = 200
	perSec   = 20
	mostKeys = 100_000
)

// rates limits how often somebody asks.
type rates struct {
	mu  sync.Mutex
	now func() time.Time
	// By account or address, under mu. At most mostKeys: addresses are whatever comes.
	buckets map[string]*bucket
}

type bucket struct {
	left float64
	at   time.Time
}

func newRates() *rates { return &rates{now: time.Now, buckets: map[string]*bucket{}} }

// allow tells whether a request may be answered. Who is logged in is counted by account: many may share an address.
func (l *rates) allow(name, origin string) bool {
	key := "from " + origin
	if name != "" {
		key = "name " + name
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.buckets[key]
	if b == nil {
		// Only when a new one comes, so that a server with few clients never sweeps.
		l.sweep(now)
		b = &bucket{left: burst, at: now}
		l.buckets[key] = b
	}
	// Filled when it is looked at, so no clock has to run for it.
	b.left = min(burst, b.left+now.Sub(b.at).Seconds()*perSec)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// sweep forgets buckets that are full again, when there are very many.
func (l *rates) sweep(now time.Time) {
	if len(l.buckets) < mostKeys {
		return
	}
	for key, b := range l.buckets {
		// A full bucket is as good as none: nothing is forgotten by it.
		if b.left+now.Sub(b.at).Seconds()*perSec >= burst {
			delete(l.buckets, key)
		}
	}
	if len(l.buckets) >= mostKeys {
		// That many within ten seconds is a flood from everywhere, against which limits by address do
		// nothing; memory counts.
		clear(l.buckets)
	}
}
