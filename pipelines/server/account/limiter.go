package account

import (
	"sync"
	"time"
)

// The limits on guessing: failures within a window, by account and by address. The second is higher, since many people
// may come from one address.
const (
	window       = 15 * time.Minute
	mostByName   = 5
	mostByOrigin = 20
	// mostKeys bounds the memory: names and addresses are what others choose.
	mostKeys = 100_000
)

// limiter counts failures. It is kept in memory: a server that is started again forgets them, which an attacker cannot
// bring about.
type limiter struct {
	// It guards the map; the slices in it are only changed under it.
	mu   sync.Mutex
	fail map[string][]time.Time
}

func newLimiter() *limiter { return &limiter{fail: map[string][]time.Time{}} }

// wait is how long somebody has to wait for another try; 0 when there is none.
func (l *limiter) wait(now time.Time, key string, most int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.recent(now, key)
	if len(list) < most {
		return 0
	}
	// When the failure that is one too many falls out of the window, there is a try again.
	return list[len(list)-most].Add(window).Sub(now)
}

// left is how many tries are left.
func (l *limiter) left(now time.Time, key string, most int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, most-len(l.recent(now, key)))
}

// add counts a failure.
func (l *limiter) add(now time.Time, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Old entries are only removed when somebody asks for them, or here, when there are too many.
	if len(l.fail) >= mostKeys {
		for k := range l.fail {
			// Deleting from a map while ranging over it is allowed in Go.
			l.recent(now, k)
		}
	}
	if len(l.fail) >= mostKeys {
		clear(l.fail) // all are of the last minutes: a flood, by which nobody should be kept out for long
	}
	// At most as many failures as tries that wait lets through, so a list stays short.
	l.fail[key] = append(l.recent(now, key), now)
}

// Only for the name: an address that guesses at many names does not clear itself by knowing one.
// forget forgets the failures of who has got in.
func (l *limiter) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.fail, key)
}

// recent are the failures within the window; older ones are removed. The caller has the lock.
func (l *limiter) recent(now time.Time, key string) []time.Time {
	// In order of time, as they were added.
	list := l.fail[key]
	for len(list) > 0 && now.Sub(list[0]) >= window {
		list = list[1:]
	}
	if len(list) == 0 {
		delete(l.fail, key)
		return nil
	}
	l.fail[key] = list
	return list
}
