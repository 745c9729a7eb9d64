package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	// 0 until something was written.
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	// Only the first status is sent; net/http warns of others.
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	// What was taken, also when the connection broke in between.
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// logged notes each request, and answers for one that panics. Of a request's address the path alone is noted: queries
// hold what people search for, and a token that somebody put there by mistake.
func logged(next http.Handler, failed func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec, by := &recorder{ResponseWriter: w}, new(string)
		// Who asks is found out further inside, in a request of its own: it is written down here.
		r = r.WithContext(context.WithValue(r.Context(), byKey{}, by))
		// Deferred, so that a panic is noted as well.
		defer func() {
			p := recover()
			if p == nil {
				note(r, rec, *by, start)
				return
			}
			// Not swallowed: net/http ends the connection, by which clients see that something is
			// missing.
			if err, is := p.(error); is && errors.Is(err, http.ErrAbortHandler) {
				note(r, rec, *by, start)
				panic(p) // an answer that is not whole: the connection ends
			}
			// One request failed; the server goes on for all others. The stack is for the log only.
			slog.Error("a request panicked", "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			// If something was sent, no page of an error can follow: the connection ends, lest the part be
			// taken for the whole.
			if rec.status != 0 {
				note(r, rec, *by, start)
				panic(http.ErrAbortHandler)
			}
			failed(rec, r, errors.New("a request panicked"))
			note(r, rec, *by, start)
		}()
		next.ServeHTTP(rec, r)
	})
}

// byKey is the key of a context's place for the name of callers that ask.
type byKey struct{}

// named writes down who asks, for the log.
func named(ctx context.Context, name string) {
	if by, is := ctx.Value(byKey{}).(*string); is {
		*by = name
	}
}

func note(r *http.Request, rec *recorder, by string, start time.Time) {
	// Debug, so that a server's log has what went wrong and not everybody's steps.
	slog.Debug("request", "method", r.Method, "path", r.URL.Path, "status", rec.status, "bytes", rec.bytes,
		"ms", time.Since(start).Milliseconds(), "from", r.RemoteAddr, "by", by)
}
