package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// maxBackOff is the longest pause between two attempts when the server names none: as urllib3 has it, which the service
// uses whose statuses fileset's live mode follows.
const maxBackOff = 2 * time.Minute

// attempts is what asking for one target has come to.
type attempts struct {
	target
	exchange *Exchange // the last that has a head; its body may be a part
	sent     int
}

// ask sends a request for t until there is an answer, or no attempt is left.
func (c *Client) ask(ctx context.Context, t target) (*Exchange, error) {
	// The host is held over all attempts and their pauses: no other request to it comes in between.
	h, err := c.enter(ctx, t.host)
	if err != nil {
		return nil, err
	}
	defer c.leave(h)
	a := &attempts{target: t}
	for {
		if err := c.await(ctx, h); err != nil {
			return a.result(err)
		}
		// Counted before it is sent: an attempt that fails was one, too.
		a.sent++
		err := c.once(ctx, h, a)
		wait, again := c.judge(a, err)
		// Noted before anything is returned, so that the next request to the host waits even if this
		// one failed.
		c.rest(h, a.received(), wait)
		switch {
		// The context first: once it has ended, errors of the network are only its consequence.
		case ctx.Err() != nil:
			return a.result(ctx.Err())
		case !again:
			return a.result(err)
		}
	}
}

// result is what ask returns: the last answer there was, or err. Where a body was to be resumed, and the server was not
// reached again, that is the part of it.
func (a *attempts) result(err error) (*Exchange, error) {
	x := a.exchange
	if x == nil {
		return nil, err
	}
	// The body received before is dropped, because the caller gave up or it could not be kept.
	if err != nil && !isServers(err) {
		return nil, errors.Join(err, x.Close())
	}
	x.Attempts = a.sent
	return x, nil
}

// isServers reports whether an error is the server's, rather than of the context, the budget or the disk.
func isServers(err error) bool { return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrProtocol) }

// received is how many bytes the last attempt has brought, for the budget.
func (a *attempts) received() int64 {
	if a.exchange == nil {
		return 0
	}
	n := int64(len(a.exchange.Head)) + a.exchange.Body.fresh
	// Taken once. A resumed body keeps its exchange, whose earlier bytes were counted with the attempt
	// that brought them.
	a.exchange.Body.fresh = 0
	return n
}

// judge reports whether another attempt is made, and how long the host is left alone.
func (c *Client) judge(a *attempts, err error) (wait time.Duration, again bool) {
	// sent counts the first attempt as well, Retries those after it.
	left := a.sent <= c.o.Retries
	// 1 s, 2 s, 4 s and so on. The shift is bounded so that it cannot overflow, whatever Retries is.
	backOff := min(time.Second<<min(a.sent-1, 16), maxBackOff)
	switch x := a.exchange; {
	// No answer at all, or an error that is not the server's. With part of a body there, the cases
	// below judge that part.
	case err != nil && (x == nil || !isServers(err)):
		return backOff, left && isPassing(err)
	// Not "length": a body that was cut at MaxBody would be cut there again.
	case x.Body.Truncated == "disconnect" || x.Body.Truncated == "time":
		return backOff, left
	case x.Status == http.StatusTooManyRequests || x.Status == http.StatusServiceUnavailable:
		if wait = c.retryAfter(x); wait == 0 {
			wait = backOff
		}
		// A host that wants to be left alone for long is the caller's to come back to.
		return wait, left && wait <= c.o.MaxWait
	// 501 and 505 say that the server cannot do it, which a later attempt does not change. 503 is
	// above.
	case x.Status == 500 || x.Status == 502 || x.Status == 504:
		return backOff, left
	}
	return 0, false
}

// retryAfter is how long a server asks to be left alone, bounded; 0 when it does not say, or says a time that is past.
func (c *Client) retryAfter(x *Exchange) time.Duration {
	value := x.Header.Get("Retry-After")
	if value == "" {
		return 0
	}
	var wait time.Duration
	// Seconds or a date: section 10.2.3 of RFC 9110. 32 bits keep the product within a Duration.
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		now := c.o.Clock.Now()
		// By the server's own clock, where it tells: ours may differ.
		if date, err := http.ParseTime(x.Header.Get("Date")); err == nil {
			now = date
		}
		wait = at.Sub(now)
	}
	wait = max(0, min(wait, maxRetryAfter))
	if wait > 0 {
		x.RetryAfter = c.o.Clock.Now().Add(wait)
	}
	return wait
}

// isPassing reports whether an error may be another the next time.
func isPassing(err error) bool {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	// These are what the server is, not what happened to it.
	case errors.Is(err, ErrPrivate), errors.Is(err, ErrProtocol), errors.As(err, &cert):
		return false
	case errors.As(err, &dns):
		// A resolver that did not answer may answer next time; one that says there is no such name has
		// answered.
		return !dns.IsNotFound
	}
	return errors.Is(err, ErrUnreachable)
}

// once sends the request once. Either a.exchange is its answer, whole or in part, or there is an error. What an earlier
// attempt brought is kept only if this one continues with it.
func (c *Client) once(ctx context.Context, h *host, a *attempts) error {
	from := a.resumable()
	// Closed here and not after the answer: its file is not needed while the next one is written.
	if from == 0 && a.exchange != nil {
		if err := a.exchange.Close(); err != nil {
			return err
		}
		a.exchange = nil
	}
	// The time of the exchange is that of the attempt whose head it has, as WARC-Date wants it.
	sent := c.o.Clock.Now()
	conn, answer, err := c.send(ctx, h, a, from)
	if err != nil {
		// Of a body that was being resumed its part stays, for the next attempt or as a truncated one.
		return fmt.Errorf("fetch: %s: %w", a.target, err)
	}
	if from == 0 || !a.continues(answer.parsed, from) {
		// The server sent the whole instead of the rest: the part that was there is of no use.
		if from > 0 {
			if err := a.exchange.Close(); err != nil {
				conn.close()
				return err
			}
		}
		a.exchange = &Exchange{
			URL: a.url, Time: sent.UTC(), IP: conn.ip, Request: conn.sent, Head: answer.head,
			Status: answer.parsed.StatusCode, Header: answer.parsed.Header, Body: newBody(c.o.SpoolDir),
		}
	}
	return c.receive(ctx, h, conn, answer, a)
}
