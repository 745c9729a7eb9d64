package account

import (
	"slices"
	"sync"
	"time"
)

// mostKeys bounds the memory: names and addresses are what others choose.
const mostKeys = 100_000

// limiter counts failures. It is kept in memory: a server that is started again forgets them, which an attacker cannot
// bring about.
type limiter struct {
	mu sync.Mutex
	// By key: the times of tries, the oldest first. No list grows far beyond its limit, since a key that
	// has reached it is not counted further until the oldest try has aged out.
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
	// When this try leaves the window, fewer than most are left in it.
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
	if len(l.fail) >= mostKeys {
		// Deleting from a map within its own range is allowed; recent deletes what has become empty.
		for k := range l.fail {
			l.recent(now, k)
		}
	}
	if len(l.fail) >= mostKeys {
		clear(l.fail) // all are of the last minutes: a flood, by which nobody should be kept out for long
	}
	l.fail[key] = append(l.recent(now, key), now)
}

// undo takes back one try, which was not a failure.
func (l *limiter) undo(now time.Time, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.fail[key]
	// Several of one moment are alike: any of them is taken away.
	if i := slices.IndexFunc(list, now.Equal); i >= 0 {
		l.fail[key] = slices.Delete(list, i, i+1)
	}
	if len(l.fail[key]) == 0 {
		delete(l.fail, key)
	}
}

// forget forgets the failures of callers that have got in.
func (l *limiter) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.fail, key)
}

// recent are the failures within the window; older ones are removed. The caller has the lock.
func (l *limiter) recent(now time.Time, key string) []time.Time {
	list := l.fail[key]
	for len(list) > 0 && now.Sub(list[0]) >= window {
		// Times are appended in their order, so the old ones are at the front.
		list = list[1:]
	}
	if len(list) == 0 {
		delete(l.fail, key)
		return nil
	}
	l.fail[key] = list
	return list
}
