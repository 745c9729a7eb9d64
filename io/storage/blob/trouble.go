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

// Servers are asked repeatedly before a run fails, which takes minutes, so users learn at once that the server is the
// reason. It is reported once for each server and minute, because many requests fail together.
const (
	troubleEvery = time.Minute
	answerWithin = 5 * time.Second // after that it is said that there is no answer yet
)

// troubles are the times of the last reports, by server. For the whole process and not for a Store: several stores may
// ask one server.
var troubles = struct {
	sync.Mutex
	said map[string]time.Time
}{said: map[string]time.Time{}}

// sayTrouble says that a request about the file called name has failed and is made again.
// It is called for the failures that are going to be mended; the last one is the run's error and told there.
func sayTrouble(name string, err error) {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the URL, in which there may be secrets
	}
	tell(name, fmt.Sprintf("%v; it is asked again, up to %d times in about two minutes", err, maxAttempts))
}

// expectAnswer says after a while that a server has not answered, unless the function that it returns is called before.
func expectAnswer(name string) (answered func()) {
	begun := time.Now()
	// On a goroutine of its own, so that it is said while the caller waits.
	t := time.AfterFunc(answerWithin, func() {
		tell(name, fmt.Sprintf("no answer for %v; still waiting", time.Since(begun).Round(time.Second)))
	})
	return func() { t.Stop() }
}

// tell says something of the server that has the file called name, if it is time to.
func tell(name, what string) {
	if name == "" {
		return // it is being written to, which takes as long as it takes
	}
	host := server(name)
	troubles.Lock()
	// The zero time of a server that is new is long ago.
	recently := time.Since(troubles.said[host]) < troubleEvery
	if !recently {
		troubles.said[host] = time.Now()
	}
	troubles.Unlock()
	if !recently {
		// Outside the lock: a log may write to something slow.
		slog.Warn(host + ": " + what)
	}
}

// server is the scheme and host, or bucket, of a URL, without what may be secret.
func server(name string) string {
	kind, rest, _ := strings.Cut(name, "://")
	host, _, _ := strings.Cut(rest, "/")
	// Where there is no slash, the query follows the host.
	host, _, _ = strings.Cut(host, "?")
	return kind + "://" + host[strings.LastIndexByte(host, '@')+1:]
}
