package account

import (
	"slices"
	"sync"
	"time"
)

// mostKeys bounds the memory, since others choose names and addresses.
const mostKeys = 100_000

// limiter counts failures in memory. A restarted server forgets them, but an attacker cannot cause a restart.
type limiter struct {
	mu sync.Mutex
	// fail maps keys to the times of tries, the oldest first. A list hardly exceeds its limit, since a key at the
	// limit is not counted again until its oldest try has expired.
	fail map[string][]time.Time
}

func newLimiter() *limiter { return &limiter{fail: map[string][]time.Time{}} }

// wait returns how long the key must wait for another try, or 0.
func (l *limiter) wait(now time.Time, key string, most int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.recent(now, key)
	if len(list) < most {
		return 0
	}
	// When this try leaves the window, fewer than most remain in it.
	return list[len(list)-most].Add(window).Sub(now)
}

// left returns the number of tries left.
func (l *limiter) left(now time.Time, key string, most int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, most-len(l.recent(now, key)))
}

// add counts a failure.
func (l *limiter) add(now time.Time, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.fail) >= mostKeys {
		// Deleting from a map during a range over it is allowed; recent deletes empty entries.
		for k := range l.fail {
			l.recent(now, k)
		}
	}
	if len(l.fail) >= mostKeys {
		clear(l.fail) // all are recent: a flood, which should keep nobody out for long
	}
	l.fail[key] = append(l.recent(now, key), now)
}

// undo removes one try that was not a failure.
func (l *limiter) undo(now time.Time, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.fail[key]
	// Tries of the same moment are equal, so any of them is removed.
	if i := slices.IndexFunc(list, now.Equal); i >= 0 {
		l.fail[key] = slices.Delete(list, i, i+1)
	}
	if len(l.fail[key]) == 0 {
		delete(l.fail, key)
	}
}

// forget forgets the failures of a key after a log-in.
func (l *limiter) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.fail, key)
}

// recent returns the failures within the window and removes older ones. The caller holds the lock.
func (l *limiter) recent(now time.Time, key string) []time.Time {
	list := l.fail[key]
	for len(list) > 0 && now.Sub(list[0]) >= window {
		// Times are appended in order, so old ones are at the front.
		list = list[1:]
	}
	if len(list) == 0 {
		delete(l.fail, key)
		return nil
	}
	l.fail[key] = list
	return list
}
