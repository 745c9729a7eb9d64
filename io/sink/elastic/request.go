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

// host is a host of the cluster.
type host struct {
	url      *url.URL
	failures int       // consecutive failures
	said     bool      // they were logged
	until    time.Time // time of the next possible request
}

// answer is a server's answer.
type answer struct {
	status int
	body   []byte
	pause  time.Duration // that the server asks for, or 0
}

// maxAnswer limits an answer: that to a batch has some hundred bytes a document.
const maxAnswer = 64 << 20

// ask sends a request to one host after another until one answers, or timeout is over. Final answers return without an
// error, whatever their status. Hosts are tried in turn, so that a host that is down costs one attempt in each round.
func (c *Client) ask(ctx context.Context, method, path string, body []byte, timeout time.Duration) (answer, error) {
	deadline := time.Now().Add(timeout)
	for {
		// It may sleep until a host's pause is over.
		h, err := c.turnOf(ctx, deadline)
		if err != nil {
			return answer{}, err
		}
		a, err := c.once(ctx, h, method, path, body)
		// Also 400 or 404: the caller knows their meaning for its request.
		if err == nil && !isBusy(a.status) {
			c.worked(h)
			return a, nil
		}
		// The context has ended, so the host is not to blame.
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
		// Paused, so that the next attempt goes to another host if there is one.
		c.failed(h, a, err, time.Until(deadline))
		// Tested after the attempt, so that there is at least one.
		if !time.Now().Before(deadline) {
			return answer{}, fmt.Errorf("elastic: %s %s: given up after %v: %s: %w", method, path, timeout, h.url.Host, err)
		}
	}
}

// isBusy reports whether a server with this status may succeed later. 429 asks for another try, and 5xx means trouble
// of a server or a proxy.
func isBusy(status int) bool { return status == http.StatusTooManyRequests || status >= 500 }

// excerpt returns the beginning of a server's answer, which may repeat the request. It is cut twice: before the search
// for secrets, to limit that work, and after it.
func excerpt(body []byte) string {
	const limit = 500
	text := secret.Redact(string(bytes.ToValidUTF8(body[:min(len(body), 4*limit)], []byte("\uFFFD"))))
	return strings.ToValidUTF8(text[:min(len(text), limit)], "")
}

// turnOf waits for the next host in turn. It takes one that is not paused, or the one whose pause ends first, but not
// later than deadline.
func (c *Client) turnOf(ctx context.Context, deadline time.Time) (*host, error) {
	c.mu.Lock()
	best := c.hosts[c.turn%len(c.hosts)]
	// From the current turn on, so that free hosts share the requests.
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
		// one more try
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
	// The next failure is logged again.
	h.failures, h.said = 0, false
}

// failed pauses a host, at least as long as it asks for, and logs the first of its failures, because later attempts may
// take minutes. A busy host (429) is normal, and is logged only if it lasts.
func (c *Client) failed(h *host, a answer, why error, left time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !h.said && (a.status != http.StatusTooManyRequests || h.failures >= saidTries) {
		h.said = true
		slog.Warn(fmt.Sprintf("elastic: %s does not answer: %v; trying again for up to %v",
			h.url.Host, why, max(left, 0).Round(time.Second)))
	}
	// At most maxPause, whatever the server asks for.
	h.until = time.Now().Add(max(c.pause(h.failures), min(a.pause, maxPause)))
	h.failures++
}

// pause returns the pause after a number of failures. It doubles each time, and a random part of up to a half is left
// out, so that not all writers come back at once. The caller holds the lock.
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

// once sends a request to h and reads the whole answer, within the timeout, so that the connection can be used again.
func (c *Client) once(ctx context.Context, h *host, method, path string, body []byte) (a answer, err error) {
	// Both together limit the whole request.
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
	// One byte more shows that an answer is too long.
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(a.body) > maxAnswer {
		err = fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	}
	return a, errors.Join(err, resp.Body.Close())
}
