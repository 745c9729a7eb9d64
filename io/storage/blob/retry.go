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

// maxAttempts is the number of attempts for a request. With their pauses they take about two minutes, in which a
// restarted or overloaded service should be back.
const maxAttempts = 8

// Patience says how long to wait for servers. The zero value takes the defaults.
type Patience struct {
	First time.Duration // pause after the first failure, doubled after each further one; 500 ms
	Last  time.Duration // maximum pause; 32 s
	Stall time.Duration // time for an answer to begin, and for each 64 KiB of it, before the request is canceled; 1 min
}

func (p Patience) withDefaults() Patience {
	return Patience{
		First: cmp.Or(p.First, 500*time.Millisecond),
		Last:  cmp.Or(p.Last, 32*time.Second),
		Stall: cmp.Or(p.Stall, time.Minute),
	}
}

// maxRetryAfter limits the pause that a server may demand.
const maxRetryAfter = 2 * time.Minute

// after returns the pause after the given number of failures.
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

// pause waits before another attempt. Its error is that of ctx.
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

// Retry calls do for the file called name until it succeeds, fails for good or has failed too often. It cancels a call
// that is not alive for too long.
func (p Patience) Retry(ctx context.Context, name string, do func(ctx context.Context, alive func()) error) error {
	for failed := 1; ; failed++ {
		// Each attempt has its own watchdog, because one that fired has canceled its context for good.
		w := newWatchdog(ctx, p.Stall)
		answered := expectAnswer(name)
		err := w.why(do(w.ctx, func() { answered(); w.alive() }))
		// Even if do never called alive. Calling it twice does no harm.
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

// transient reports whether a failed request may succeed when it is repeated. A server's refusal is final; all other
// failures may be temporary.
func transient(ctx context.Context, err error) bool {
	for _, final := range []error{ErrChanged, ErrPrivate, ErrSyntax, errSource, errHere, errors.ErrUnsupported} {
		if errors.Is(err, final) {
			return false
		}
	}
	var name *net.DNSError
	// An untrusted certificate and a name that does not exist do not get better. A silent name server may.
	var certificate *tls.CertificateVerificationError
	if ctx.Err() != nil || errors.As(err, &certificate) || errors.As(err, &name) && name.IsNotFound {
		return false
	}
	code := StatusOf(err) // below 400 if an answer's body failed
	// 0 means no answer: a connection that broke. 408 and 429 are the two 4xx statuses that ask for another try (RFC
	// 9110, section 15.5.9; RFC 6585, section 4).
	return code < 400 || code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests
}
