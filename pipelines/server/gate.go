package server

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// gate limits how many requests are handled at a time; others wait. A query of an index needs a connection with its
// own cache (64 MiB for each file). 200 queries at once took 4 GiB, and were as slow as a few at a time. Sending does
// not count as work: a client that reads slowly gives its turn to others.
type gate struct {
	quick *lane
	cdx   *lane // replay needs it for each resource of a page, and must not wait for exports
	long  *lane // exports, which may take minutes, do not block others
	calls *lane // of assistants: their statements of SQL may take long
}

// lane is a queue that some requests use.
type lane struct {
	turns chan struct{}
	// An answer that waits for its reader keeps its cursor, and so some memory. Their number is limited, in total and
	// for each user.
	most, mostOf int
	mu           sync.Mutex
	all          int
	of           map[string]int
}

// atGate is how long a request waits for its turn.
const atGate = 60 * time.Second

func newGate() *gate {
	// It is twice the number of processors, since queries also wait for the disk. It is at least four, so that one
	// slow query does not block a small machine.
	n := max(4, 2*runtime.GOMAXPROCS(0))
	return &gate{newLane(n, 1000, 200), newLane(max(2, n/2), 128, 32), newLane(max(2, n/2), 32, 8), newLane(n, 128, 16)}
}

func newLane(turns, most, mostOf int) *lane {
	return &lane{turns: make(chan struct{}, turns), most: most, mostOf: mostOf, of: map[string]int{}}
}

// long are the resources that are files of any length, or checksums of such files.
var long = []string{"/api/v1/export", "/api/v1/feeds", "/api/v1/datasets/", "/wasapi/"}

// under reports whether a path is a service's, or below it. A collection may be called jobs-2025.
func under(path, service string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(service, "/"))
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '.') // openapi.json
}

// lane returns the lane where a path waits, or nil for a path that needs no index.
func (g *gate) lane(path string) *lane {
	for _, p := range long {
		if under(path, p) {
			return g.long
		}
	}
	// Requests for data in memory or on the local disk need not wait. The pages of jobs must work even if everything
	// else is busy.
	switch {
	// Replay needs many parts for each page.
	case under(path, "/cdx"), under(path, "/replay"):
		return g.cdx
	case under(path, assistants):
		return g.calls
	case public(path), under(path, "/jobs"), under(path, "/api/v1/jobs"):
		return nil
	// Statements wait for their own turns, and would keep pages waiting: see package statement.
	case isStatement(path):
		return nil
	}
	return g.quick
}

// isStatement reports whether a path answers a statement of SQL.
func isStatement(path string) bool {
	collection, is := strings.CutSuffix(strings.TrimPrefix(path, "/"), "/sql")
	return under(path, "/api/v1/sql") || is && !strings.Contains(collection, "/")
}

// enter counts an answer of a user. It returns false if there are too many. On loopback all users are the same, and
// asker is "".
func (l *lane) enter(asker string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.most || asker != "" && l.of[asker] >= l.mostOf {
		return false
	}
	l.all++
	l.of[asker]++
	return true
}

// leave undoes enter.
func (l *lane) leave(asker string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.of[asker]--; l.of[asker] == 0 {
		delete(l.of, asker)
	}
}

// gated makes requests wait for their turn.
func (s *server) gated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := s.gate.lane(r.URL.Path)
		if l == nil {
			next.ServeHTTP(w, r)
			return
		}
		t := &turn{ResponseWriter: w, to: http.NewResponseController(w), lane: l, ctx: r.Context()}
		wait, cancel := context.WithTimeout(r.Context(), atGate)
		defer cancel()
		if t.take(wait) != nil {
			if r.Context().Err() == nil { // otherwise the client has left
				s.fail(w, r, busy("Too many requests at the same time."))
			}
			return
		}
		// The turn is also given back if the handler panics.
		defer t.giveBack()
		a := view.ActorOf(r.Context())
		asker := ""
		if !a.Open {
			asker = askerOf(a.Name, a.Origin)
		}
		if !l.enter(asker) {
			s.fail(w, r, busy("Too many unfinished downloads."))
			return
		}
		defer l.leave(asker)
		next.ServeHTTP(t, r)
	})
}

func busy(detail string) error {
	return &view.Error{
		Kind: view.NotReady, Title: "The server is busy", Detail: detail, Remedy: "Try again in a few seconds.", Retry: 10,
	}
}

// patience is how long sending may take before others get the turn.
const patience = 50 * time.Millisecond

// turn is an answer that holds a turn while it is computed. While it waits for its reader, it holds none.
type turn struct {
	http.ResponseWriter
	to   *http.ResponseController
	lane *lane
	ctx  context.Context // of the request that the writer belongs to
	has  bool
}

// take waits for a turn.
func (t *turn) take(ctx context.Context) error {
	select {
	case t.lane.turns <- struct{}{}:
		t.has = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *turn) giveBack() {
	if t.has {
		t.has = false
		<-t.lane.turns
	}
}

func (t *turn) Write(b []byte) (n int, err error) {
	err = t.apart(func() error {
		n, err = t.ResponseWriter.Write(b)
		return err
	})
	return n, err
}

// FlushError sends the data written so far.
func (t *turn) FlushError() error { return t.apart(t.to.Flush) }

// apart sends, and gives others the turn if that takes long.
func (t *turn) apart(send func() error) error {
	given := make(chan struct{})
	timer := time.AfterFunc(patience, func() {
		t.giveBack()
		close(given)
	})
	err := send()
	if timer.Stop() {
		return err
	}
	<-given
	if err != nil {
		return err
	}
	// A request that waits here holds nothing that is not counted, and was answered in part.
	return t.take(t.ctx)
}

// Unwrap lets http.ResponseController reach the connection.
func (t *turn) Unwrap() http.ResponseWriter { return t.ResponseWriter }
