package server

import (
	"net/http"
	"time"
)

// This is the minimum speed at which clients must receive an answer. Each part (or the smaller last part) must be
// received within this time; time in which the server computes does not count. A download has no other limit while it
// continues: one of a terabyte may take days.
const (
	stallTime = 2 * time.Minute
	paceBytes = 64 << 10
)

// paced ends answers that nobody receives. No deadline is set while an answer is computed. That may take long before
// the first byte, and HTTP/2 would reset the stream.
func paced(stall time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &pace{ResponseWriter: w, to: http.NewResponseController(w), stall: stall}
		p.until(time.Time{})
		// This is for the data that net/http still has to send when the handler has ended.
		defer func() { p.until(time.Now().Add(stall)) }()
		next.ServeHTTP(p, r)
	})
}

// pace is an answer that is sent in parts, each with a deadline.
type pace struct {
	http.ResponseWriter
	to    *http.ResponseController
	stall time.Duration
	took  time.Duration // time spent sending since the last whole part
	sent  int           // bytes since then
}

// until sets the deadline. A writer without deadlines, as in tests, never waits either.
func (p *pace) until(t time.Time) { _ = p.to.SetWriteDeadline(t) }

func (p *pace) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		part, took := b[:min(len(b), paceBytes)], 0
		err = p.timed(func() error {
			took, err = p.ResponseWriter.Write(part)
			return err
		})
		n, b = n+took, b[took:]
		if p.sent += took; p.sent >= paceBytes {
			p.sent, p.took = 0, 0
		}
	}
	return n, err
}

// FlushError sends the data written so far.
func (p *pace) FlushError() error { return p.timed(p.to.Flush) }

// timed sends within the remaining time of the part.
func (p *pace) timed(send func() error) error {
	begin := time.Now()
	p.until(begin.Add(p.stall - p.took))
	err := send()
	p.until(time.Time{})
	p.took += time.Since(begin)
	return err
}

// Unwrap lets http.ResponseController reach the connection.
func (p *pace) Unwrap() http.ResponseWriter { return p.ResponseWriter }
