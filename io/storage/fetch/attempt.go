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

// maxBackOff is the longest pause between two attempts if the server names none. It is that of urllib3, as used by the
// service whose statuses fileset's live mode follows.
const maxBackOff = 2 * time.Minute

// attempts is the state of the attempts for one target.
type attempts struct {
	target
	exchange *Exchange // the last one with a header; its body may be partial
	sent     int
}

// ask sends requests for t until there is an answer or no attempt is left.
func (c *Client) ask(ctx context.Context, t target) (*Exchange, error) {
	// The host is held over all attempts and their pauses, so that no other request to it comes in between.
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
		// Counted before the request, because a failed attempt counts too.
		a.sent++
		err := c.once(ctx, h, a)
		wait, again := c.judge(a, err)
		// Recorded before any return, so that the next request to the host waits even if this one failed.
		c.rest(h, a.received(), wait)
		switch {
		// The context comes first: once it has ended, errors of the network are only its consequence.
		case ctx.Err() != nil:
			return a.result(ctx.Err())
		case !again:
			return a.result(err)
		}
	}
}

// result is the result of ask: the last answer, or err. If a body could not be resumed, the answer has a part of it.
func (a *attempts) result(err error) (*Exchange, error) {
	x := a.exchange
	if x == nil {
		return nil, err
	}
	// The received body is dropped, because the caller gave up or it could not be stored.
	if err != nil && !isServers(err) {
		return nil, errors.Join(err, x.Close())
	}
	x.Attempts = a.sent
	return x, nil
}

// isServers reports whether an error comes from the server, and not from the context, the budget or the disk.
func isServers(err error) bool { return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrProtocol) }

// received returns the number of bytes in the last attempt, for the budget.
func (a *attempts) received() int64 {
	if a.exchange == nil {
		return 0
	}
	n := int64(len(a.exchange.Head)) + a.exchange.Body.fresh
	// Taken once. A resumed body keeps its exchange, whose earlier bytes were counted with their own attempt.
	a.exchange.Body.fresh = 0
	return n
}

// judge reports whether to make another attempt, and how long to leave the host alone.
func (c *Client) judge(a *attempts, err error) (wait time.Duration, again bool) {
	// sent counts the first attempt as well, Retries those after it.
	left := a.sent <= c.o.Retries
	// 1 s, 2 s, 4 s and so on. The shift is limited so that it cannot overflow for any Retries.
	backOff := min(time.Second<<min(a.sent-1, 16), maxBackOff)
	switch x := a.exchange; {
	// There is no answer, or the error is not the server's. If a part of a body is there, the cases below judge it.
	case err != nil && (x == nil || !isServers(err)):
		return backOff, left && isPassing(err)
	// Not "length": a body that was cut at MaxBody would be cut there again.
	case x.Body.Truncated == "disconnect" || x.Body.Truncated == "time":
		return backOff, left
	case x.Status == http.StatusTooManyRequests || x.Status == http.StatusServiceUnavailable:
		if wait = c.retryAfter(x); wait == 0 {
			wait = backOff
		}
		// If a host demands a long wait, the caller has to come back.
		return wait, left && wait <= c.o.MaxWait
	// 501 and 505 mean that the server cannot do it, which a later attempt does not change. 503 is above.
	case x.Status == 500 || x.Status == 502 || x.Status == 504:
		return backOff, left
	}
	return 0, false
}

// retryAfter returns the wait that a server demands, limited. It is 0 if there is none, or its time is past.
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
		// By the server's own clock if known, because ours may differ.
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

// isPassing reports whether an error may be temporary.
func isPassing(err error) bool {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	// These are properties of the server.
	case errors.Is(err, ErrPrivate), errors.Is(err, ErrProtocol), errors.As(err, &cert):
		return false
	case errors.As(err, &dns):
		// A resolver without an answer may answer next time. "No such name" is an answer.
		return !dns.IsNotFound
	}
	return errors.Is(err, ErrUnreachable)
}

// once sends the request once. Afterwards a.exchange is its answer, whole or partial, or there is an error. It keeps
// the result of an earlier attempt only if this one continues it.
func (c *Client) once(ctx context.Context, h *host, a *attempts) error {
	from := a.resumable()
	// Closed before the request: its file is not needed while the next one is written.
	if from == 0 && a.exchange != nil {
		if err := a.exchange.Close(); err != nil {
			return err
		}
		a.exchange = nil
	}
	// WARC-Date is the time of the attempt whose header the exchange has.
	sent := c.o.Clock.Now()
	conn, answer, err := c.send(ctx, h, a, from)
	if err != nil {
		// A part of a resumed body stays, for the next attempt or as a truncated body.
		return fmt.Errorf("fetch: %s: %w", a.target, err)
	}
	if from == 0 || !a.continues(answer.parsed, from) {
		// The server sent the whole body instead of the rest, so the earlier part is useless.
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
