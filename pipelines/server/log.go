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

// recorder records the status and size of an answer.
type recorder struct {
	http.ResponseWriter
	// It is 0 until something is written.
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
	// It counts the bytes that were accepted, even if the connection broke.
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// logged logs each request, and answers for a request that panics. Only the path of the address is logged: queries may
// contain searches, and tokens that somebody put there by mistake.
func logged(next http.Handler, failed func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec, by := &recorder{ResponseWriter: w}, new(string)
		// The user is identified further inside, in a different request value; the name is stored here.
		r = r.WithContext(context.WithValue(r.Context(), byKey{}, by))
		// It is deferred, so that a panic is logged as well.
		defer func() {
			p := recover()
			if p == nil {
				note(r, rec, *by, start)
				return
			}
			// The panic continues: net/http ends the connection, so that clients notice the incomplete answer.
			if err, is := p.(error); is && errors.Is(err, http.ErrAbortHandler) {
				note(r, rec, *by, start)
				panic(p) // the answer is incomplete, so the connection ends
			}
			// One request failed; the server continues for all others. The stack goes only to the log.
			slog.Error("a request panicked", "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			// If something was sent, no error page can follow. The connection ends, so that the part is not taken for
			// the whole.
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

// byKey is the context key for the user's name.
type byKey struct{}

// named stores the user's name for the log.
func named(ctx context.Context, name string) {
	if by, is := ctx.Value(byKey{}).(*string); is {
		*by = name
	}
}

func note(r *http.Request, rec *recorder, by string, start time.Time) {
	// The level is Debug, so that a server's log has errors and not everybody's steps.
	slog.Debug("request", "method", r.Method, "path", r.URL.Path, "status", rec.status, "bytes", rec.bytes,
		"ms", time.Since(start).Milliseconds(), "from", r.RemoteAddr, "by", by)
}
