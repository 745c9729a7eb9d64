package blobtest

import (
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"time"
)

// Faults makes one request in three fail, at most four in a row. The zero value makes none fail.
type Faults struct {
	Seen func(*http.Request) // called for each request; may be nil
	// Choose chooses the fault of a request, instead of chance: Refused, Lost or "". It may be nil.
	Choose func(*http.Request) string

	behind http.Handler
	mu     sync.Mutex
	rand   *rand.Rand
	left   int
	inARow int
	made   map[string]int
}

// The values that Faults.Choose may return, besides "".
const (
	Refused = "refused" // it is not done, and that is final
	Lost    = "lost"    // it is done, and the answer does not arrive
)

// maxInARow is less than the attempts of a request.
const maxInARow = 4

// NewFaults returns faults that happen n times. Equal seeds make the same ones.
func NewFaults(seed uint64, n int) *Faults {
	return &Faults{rand: rand.New(rand.NewPCG(seed, 2)), left: n, made: map[string]int{}}
}

// Left returns the number of remaining faults.
func (f *Faults) Left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.left
}

// Made returns the number of faults so far, by kind.
func (f *Faults) Made() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.made)
}

// next chooses the fault of a request, if any.
func (f *Faults) next() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left == 0 || f.inARow == maxInARow || f.rand.IntN(3) > 0 {
		f.inARow = 0
		return ""
	}
	f.left--
	f.inARow++
	kinds := []string{"unavailable", "throttled", "reset", "truncated", "cut behind the head", "stalled"}
	kind := kinds[f.rand.IntN(len(kinds))]
	if kind == "stalled" && f.rand.IntN(4) > 0 {
		kind = "truncated" // waiting takes time
	}
	f.made[kind]++
	return kind
}

// ServeHTTP passes a request on, or makes it fail.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.Seen != nil {
		f.Seen(r)
	}
	kind := ""
	if f.Choose != nil {
		kind = f.Choose(r)
	} else {
		kind = f.next()
	}
	switch kind {
	case "":
		f.behind.ServeHTTP(w, r)
	case "unavailable":
		http.Error(w, "later", http.StatusServiceUnavailable)
	case "throttled":
		http.Error(w, "too much", http.StatusTooManyRequests)
	case Refused:
		http.Error(w, "no", http.StatusForbidden)
	case "reset":
		hangUp(w)
	case Lost:
		f.behind.ServeHTTP(httptest.NewRecorder(), r)
		hangUp(w)
	default:
		if r.Method == http.MethodHead { // it has no body to be cut
			hangUp(w)
			return
		}
		f.spoil(kind, w, r)
	}
}

// spoil gives the header of a good answer and then only a part of its body.
func (f *Faults) spoil(kind string, w http.ResponseWriter, r *http.Request) {
	good := httptest.NewRecorder()
	f.behind.ServeHTTP(good, r)
	body := good.Body.Bytes()
	maps.Copy(w.Header(), good.Header())
	w.Header().Set("Content-Length", strconv.Itoa(max(len(body), 1)))
	w.WriteHeader(good.Code)
	if kind != "cut behind the head" {
		_, _ = w.Write(body[:len(body)/2])
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		panic(err)
	}
	if kind == "stalled" {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	hangUp(w)
}

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // then closing is a reset
	}
	_ = c.Close()
}
