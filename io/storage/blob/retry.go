package blob

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// maxAttempts is how often a request is made before it has failed. With the pauses between them these are about two
// minutes, in which a service that is restarted or overloaded should be back.
const maxAttempts = 8

// Patience says how long servers are waited for; the zero value takes the defaults.
type Patience struct {
	First time.Duration // the pause after the first failure; each further one is twice as long; 500 ms
	Last  time.Duration // and at most this; 32 s
	Stall time.Duration // for an answer to begin, and for each 64 KiB of it, after which a request is given up; 1 min
}

func (p Patience) withDefaults() Patience {
	return Patience{
		First: cmp.Or(p.First, 500*time.Millisecond),
		Last:  cmp.Or(p.Last, 32*time.Second),
		Stall: cmp.Or(p.Stall, time.Minute),
	}
}

// maxRetryAfter bounds the pause that a server may ask for.
const maxRetryAfter = 2 * time.Minute

// after is the wait after the given number of failures.
func (p Patience) after(failed int, err error) time.Duration {
	var status *statusError
	if errors.As(err, &status) && status.after > 0 {
		return min(status.after, maxRetryAfter)
	}
	// At most seven doublings, so the shift cannot overflow.
	d := min(p.First<<(failed-1), p.Last)
	// Between three and five quarters of it.
	return d*3/4 + rand.N(d/2+1) // so that workers that fail together do not come back together
}

// pause waits before another attempt; its error is that of ctx.
func (p Patience) pause(ctx context.Context, failed int, err error) error {
	t := time.NewTimer(p.after(failed, err))
	defer t.Stop()
	select {
	case <-ctx.Done():
		// The cause and not ctx.Err: a run that lost its lock says so there.
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// Retry calls do, which is about the file called name, until it succeeds, fails for good or has failed too often. A
// call ends when it is not alive for too long.
func (p Patience) Retry(ctx context.Context, name string, do func(ctx context.Context, alive func()) error) error {
	for failed := 1; ; failed++ {
		// A watchdog for each attempt: one that has barked has cancelled its context for good.
		w := newWatchdog(ctx, p.Stall)
		answered := expectAnswer(name)
		err := w.why(do(w.ctx, func() { answered(); w.alive() }))
		// Also when do never said that it was alive; to call it twice does no harm.
		answered()
		w.end()
		if err == nil || failed == maxAttempts || !transient(ctx, err) {
			return err
		}
		sayTrouble(name, err)
		if err := p.pause(ctx, failed, err); err != nil {
			return err
		}
	}
}

// transient reports whether a request that failed so may succeed when it is made again: what a server has refused it
// will refuse again, everything else is the network's fault or a server's bad moment.
func transient(ctx context.Context, err error) bool {
	for _, final := range []error{ErrChanged, ErrPrivate, ErrSyntax, errSource, errHere, errors.ErrUnsupported} {
		if errors.Is(err, final) {
			return false
		}
	}
	var name *net.DNSError
	// Neither gets better by itself: a certificate that is not trusted, and a name that does not exist. A name
	// server that does not answer is another matter.
	var certificate *tls.CertificateVerificationError
	if ctx.Err() != nil || errors.As(err, &certificate) || errors.As(err, &name) && name.IsNotFound {
		return false
	}
	code := StatusOf(err) // below 400 where it was an answer's body that failed
	// 0 is not an answer at all: a connection that broke. 408 and 429 are the two of 4xx that ask to come again (RFC
	// 9110, section 15.5.9; RFC 6585, section 4).
	return code < 400 || code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests
}
