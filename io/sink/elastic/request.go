package elastic

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// host is one of the cluster's.
type host struct {
	url      *url.URL
	failures int       // one after another
	said     bool      // whether the user was told of them
	until    time.Time // when it may be asked again
}

// answer is what a server said.
type answer struct {
	status int
	body   []byte
	pause  time.Duration // that it asks for, 0 for none
}

// maxAnswer bounds what is read of an answer: that to a batch has some hundred bytes a document.
const maxAnswer = 64 << 20

// ask sends a request to one host after another until one answers that can, or timeout is over. Answers that are the
// server's last word come back without an error, whatever they say.
// Hosts are tried in turn, so that one that is down costs one attempt in each round.
func (c *Client) ask(ctx context.Context, method, path string, body []byte, timeout time.Duration) (answer, error) {
	deadline := time.Now().Add(timeout)
	for {
		// It may sleep until a host's pause is over.
		h, err := c.turnOf(ctx, deadline)
		if err != nil {
			return answer{}, err
		}
		a, err := c.once(ctx, h, method, path, body)
		// Also 400 or 404: the caller knows what these mean for what it asked.
		if err == nil && !isBusy(a.status) {
			c.worked(h)
			return a, nil
		}
		// With the context gone, the host is not to blame.
		if ctx.Err() != nil {
			return answer{}, fmt.Errorf("elastic: %w", context.Cause(ctx))
		}
		// Another attempt would find the same certificate.
		var untrusted *tls.CertificateVerificationError
		if errors.As(err, &untrusted) {
			return answer{}, fmt.Errorf("elastic: %s: %w: %w", h.url.Host, ErrRefused, err)
		}
		if err == nil {
			err = fmt.Errorf("status %d: %s", a.status, excerpt(a.body))
		}
		// Paused, so that the next attempt goes to another host where there is one.
		c.failed(h, a, err, time.Until(deadline))
		// Looked at after the attempt, so that there is one at least.
		if !time.Now().Before(deadline) {
			return answer{}, fmt.Errorf("elastic: %s %s: given up after %v: %s: %w", method, path, timeout, h.url.Host, err)
		}
	}
}

// isBusy reports whether a server that answers so may do what is asked later.
// 429 asks to come again, and 5xx is of a server, or a proxy before it, in trouble.
func isBusy(status int) bool { return status == http.StatusTooManyRequests || status >= 500 }

// excerpt is the beginning of what a server said, which may repeat what it was sent.
// Cut twice: before secrets are looked for, to bound that work, and after it, to the length that is shown.
func excerpt(body []byte) string {
	const limit = 500
	text := secret.Redact(string(bytes.ToValidUTF8(body[:min(len(body), 4*limit)], []byte("\uFFFD"))))
	return strings.ToValidUTF8(text[:min(len(text), limit)], "")
}

// turnOf waits for the host whose turn it is: the next one that is not paused, or that whose pause ends first, but not
// beyond deadline.
func (c *Client) turnOf(ctx context.Context, deadline time.Time) (*host, error) {
	c.mu.Lock()
	best := c.hosts[c.turn%len(c.hosts)]
	// From the turn on, so that of several that are free each gets its share.
	now := time.Now()
	for i := range c.hosts {
		if h := c.hosts[(c.turn+i)%len(c.hosts)]; best.until.After(now) && h.until.Before(best.until) {
			best = h
		}
	}
	c.turn++
	until := best.until
	c.mu.Unlock()
	if until.After(deadline) {
		// What comes too late is still tried once, at the deadline.
		until = deadline // one more try
	}
	return best, sleep(ctx, time.Until(until))
}

func (c *Client) worked(h *host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.said {
		slog.Info(fmt.Sprintf("elastic: %s answers again", h.url.Host))
	}
	// The next failure is told again.
	h.failures, h.said = 0, false
}

// failed pauses a host, at least as long as it asks for, and says the first of its failures: what follows may take
// minutes. That a host has more to do than it can (429) is an everyday matter, and is said when it lasts.
func (c *Client) failed(h *host, a answer, why error, left time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !h.said && (a.status != http.StatusTooManyRequests || h.failures >= saidTries) {
		h.said = true
		slog.Warn(fmt.Sprintf("elastic: %s does not answer: %v; trying again for up to %v",
			h.url.Host, why, max(left, 0).Round(time.Second)))
	}
	// No longer than maxPause, whatever the server asks for.
	h.until = time.Now().Add(max(c.pause(h.failures), min(a.pause, maxPause)))
	h.failures++
}

// pause is how long to wait after so many failures: twice as long each time, of which up to a half is left out at
// random, so that not all writers come back at once. The caller holds the lock.
func (c *Client) pause(failures int) time.Duration {
	// At most 20 doublings, so that the shift does not overflow.
	d := min(c.o.FirstPause<<min(failures, 20), maxPause)
	return d - time.Duration(c.random.Int64N(int64(d)/2+1))
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("elastic: %w", context.Cause(ctx))
	}
}

// once sends a request to h and reads the answer.
// The answer's body is read whole here, within the timeout, so that the connection can be used again.
func (c *Client) once(ctx context.Context, h *host, method, path string, body []byte) (a answer, err error) {
	// Both together bound the whole request.
	ctx, cancel := context.WithTimeout(ctx, c.o.ConnectTimeout+c.o.SocketTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, h.url.String()+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, secret.Error(err)
	}
	req.Header.Set("User-Agent", userAgent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.o.User != "" {
		req.SetBasicAuth(c.o.User, string(c.o.Password)) // otherwise those in the host's URL are used, if any
	}
	resp, err := c.http.Do(req)
	var where *url.Error
	if errors.As(err, &where) {
		err = where.Err // the URL may have the user in it
	}
	if err != nil {
		return answer{}, secret.Error(err)
	}
	a.status = resp.StatusCode
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		a.pause = time.Duration(min(seconds, int(maxPause/time.Second))) * time.Second
	}
	// One byte more, by which an answer that is too long is noticed.
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(a.body) > maxAnswer {
		err = fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	}
	return a, errors.Join(err, resp.Body.Close())
}
