package blob

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A run repeats requests for minutes before it fails, so users learn at once that the server is the reason. There is
// one report for each server and minute, because many requests fail together.
const (
	troubleEvery = time.Minute
	answerWithin = 5 * time.Second // time before the report that there is no answer yet
)

// troubles are the times of the last reports by server. They are global because several stores may use one server.
var troubles = struct {
	sync.Mutex
	said map[string]time.Time
}{said: map[string]time.Time{}}

// sayTrouble reports that a request about the file called name has failed and is repeated. The last failure is the
// run's error and reported there.
func sayTrouble(name string, err error) {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the URL, which may hold secrets
	}
	tell(name, fmt.Sprintf("%v; it is asked again, up to %d times in about two minutes", err, maxAttempts))
}

// expectAnswer waits and then reports that a server has not answered. Calling the returned function earlier stops it.
func expectAnswer(name string) (answered func()) {
	begun := time.Now()
	// A goroutine of its own reports while the caller waits.
	t := time.AfterFunc(answerWithin, func() {
		tell(name, fmt.Sprintf("no answer for %v; still waiting", time.Since(begun).Round(time.Second)))
	})
	return func() { t.Stop() }
}

// tell logs a message about the server of the file called name, at most once in troubleEvery.
func tell(name, what string) {
	if name == "" {
		return // a write, which may take any time
	}
	host := server(name)
	troubles.Lock()
	// The zero time of a new server is long ago.
	recently := time.Since(troubles.said[host]) < troubleEvery
	if !recently {
		troubles.said[host] = time.Now()
	}
	troubles.Unlock()
	if !recently {
		// Outside the lock, because a log may write to something slow.
		slog.Warn(host + ": " + what)
	}
}

// server returns the scheme and host, or bucket, of a URL, without possible secrets.
func server(name string) string {
	kind, rest, _ := strings.Cut(name, "://")
	host, _, _ := strings.Cut(rest, "/")
	// Without a slash, the query follows the host.
	host, _, _ = strings.Cut(host, "?")
	return kind + "://" + host[strings.LastIndexByte(host, '@')+1:]
}
