package server

import (
	"bytes"
	"context"
	"maps"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// retries is how often a request is repeated: a task that follows another may replace the next snapshot too.
const retries = 3

// repeated repeats a request that has failed during changes of a collection, for example because a task removed unused
// files. The folders are read again, and the next answer is from their new state. A request is repeated only if
// nothing was sent yet and the request changes nothing.
func repeated(v *view.Views, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v == nil || !isSafe(r.Method) {
			next.ServeHTTP(w, r)
			return
		}
		for try := 0; ; try++ {
			before := v.Snapshots()
			held := &heldBack{to: w, header: w.Header().Clone()}
			next.ServeHTTP(held, r)
			if held.status == 0 || try == retries || !v.Renew(context.WithoutCancel(r.Context()), before) {
				held.release()
				return
			}
		}
	})
}

// maxHeld limits an answer that is held back: error pages have some kilobytes.
const maxHeld = 1 << 20

// heldBack holds back an answer with a server error. It passes on all others immediately.
type heldBack struct {
	to      http.ResponseWriter
	header  http.Header
	decided bool
	status  int // of an answer that is held back; 0 if there is none
	body    bytes.Buffer
}

func (h *heldBack) Header() http.Header {
	if h.decided && h.status == 0 {
		return h.to.Header() // for trailers
	}
	return h.header
}

func (h *heldBack) WriteHeader(status int) {
	if h.decided || status < http.StatusOK {
		return
	}
	h.decided = true
	if status == http.StatusInternalServerError || status == http.StatusServiceUnavailable {
		h.status = status
		return
	}
	h.send(status)
}

// send sends the header of the answer.
func (h *heldBack) send(status int) {
	clear(h.to.Header())
	maps.Copy(h.to.Header(), h.header)
	h.to.WriteHeader(status)
}

func (h *heldBack) Write(p []byte) (int, error) {
	if !h.decided {
		h.WriteHeader(http.StatusOK)
	}
	if h.status == 0 {
		return h.to.Write(p)
	}
	if h.body.Len()+len(p) <= maxHeld {
		h.body.Write(p) // it never fails
	}
	return len(p), nil
}

// release sends an answer that was held back, and the header of an answer without a body.
func (h *heldBack) release() {
	switch {
	case h.status != 0:
		h.send(h.status)
		_, _ = h.to.Write(h.body.Bytes()) // the client has left
	case !h.decided:
		h.WriteHeader(http.StatusOK)
	}
}

// FlushError sends the data written so far, for example of a long file.
func (h *heldBack) FlushError() error {
	if !h.decided {
		h.WriteHeader(http.StatusOK)
	}
	if h.status != 0 {
		return nil
	}
	return http.NewResponseController(h.to).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (h *heldBack) Unwrap() http.ResponseWriter { return h.to }
