package server

import (
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// gate bounds how many requests are worked on at a time; others wait. A question to an index takes a connection with a
// cache of its own (64 MiB for each file), so 200 at once took 4 GiB, and were no faster than few at a time.
type gate struct {
	quick chan struct{}
	long  chan struct{} // exports, which may take minutes, do not keep others waiting
}

// atGate is how long a request waits for its turn.
const atGate = 60 * time.Second

func newGate() *gate {
	// Twice the processors, as questions also wait for the disk; at least four, so that one slow
	// question does not hold up a small machine.
	n := max(4, 2*runtime.GOMAXPROCS(0))
	return &gate{make(chan struct{}, n), make(chan struct{}, max(2, n/2))}
}

// long are the resources that are files of any length.
var long = []string{"/api/v1/export", "/api/v1/feeds", "/api/v1/datasets/", "/cdx", "/wasapi/v1/files/"}

// under tells whether a path is one of a service, or below it. A collection may be called jobs-2025, and is none.
func under(path, service string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(service, "/"))
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '.') // openapi.json
}

// lane is where a path waits; nil for what needs no index.
func (g *gate) lane(path string) chan struct{} {
	for _, p := range long {
		if under(path, p) {
			return g.long
		}
	}
	// What lies in memory or on the local disk need not wait, and the pages of jobs must work when all
	// else is busy.
	if public(path) || under(path, "/jobs") || under(path, "/api/v1/jobs") {
		return nil
	}
	return g.quick
}

// gated has requests wait for their turn.
func (s *server) gated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lane := s.gate.lane(r.URL.Path)
		if lane == nil {
			next.ServeHTTP(w, r)
			return
		}
		// A timer of its own, stopped below, so that requests that get their turn leave none behind.
		wait := time.NewTimer(atGate)
		defer wait.Stop()
		select {
		case lane <- struct{}{}:
			// Given back also when the handler panics.
			defer func() { <-lane }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done(): // who asked is gone
		case <-wait.C:
			s.fail(w, r, &view.Error{
				Kind: view.NotReady, Title: "The server is busy", Detail: "Too many others are asking.",
				Remedy: "Try again in some seconds.", Retry: 10,
			})
		}
	})
}
