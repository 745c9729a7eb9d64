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
	// More than processors, since questions wait for the disk as well; four where there are few.
	n := max(4, 2*runtime.GOMAXPROCS(0))
	return &gate{make(chan struct{}, n), make(chan struct{}, max(2, n/2))}
}

// long are the resources that are files of any length.
var long = []string{"/api/v1/export", "/api/v1/feeds", "/api/v1/datasets/", "/cdx", "/wasapi/v1/files/"}

// lane is where a path waits; nil for what needs no index.
func (g *gate) lane(path string) chan struct{} {
	for _, p := range long {
		if strings.HasPrefix(path, p) {
			return g.long
		}
	}
	// Cancelling a job must work, above all when the server is busy.
	if public(path) || strings.HasPrefix(path, "/jobs") || strings.HasPrefix(path, "/api/v1/jobs") {
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
		// Shorter than a browser's own patience, so that people get a page that says why.
		wait := time.NewTimer(atGate)
		defer wait.Stop()
		select {
		// The place is given back when the answer is written, also after a panic.
		case lane <- struct{}{}:
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
