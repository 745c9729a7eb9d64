package fetch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/transforms/robots"
)

const (
	// rulesFor is the lifetime of a robots.txt: section 2.4 of RFC 9309 advises at most 24 hours.
	rulesFor = 24 * time.Hour
	// unknownFor is the time without requests to an origin whose robots.txt could not be fetched.
	unknownFor = time.Hour
	// maxHops is the number of redirections of a robots.txt that are followed (section 2.3.1.2).
	maxHops = 5
)

// rules are an origin's robots.txt.
type rules struct {
	slot  chan struct{} // one caller at a time fetches or tests it
	known *robots.Rules // nil forbids everything, for the reason why
	why   error
	until time.Time
	delay time.Duration // under Client.mu
}

// obey returns an error if robots.txt forbids a target. It also learns the host's delay.
func (c *Client) obey(ctx context.Context, t target) error {
	c.mu.Lock()
	// By host and not by origin: a Crawl-delay of one port slows all requests to that machine.
	h := c.hostOf(t.host)
	// Counted, so that the host is not forgotten in the meantime.
	h.users++
	r := h.rulesOf(t.origin())
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		h.users--
		c.mu.Unlock()
	}()
	select {
	// Others that need the file wait for this fetch: it is requested once.
	case r.slot <- struct{}{}:
		defer func() { <-r.slot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// New rules have the zero time, which is past, so they are fetched.
	if !c.o.Clock.Now().Before(r.until) {
		if err := c.learn(ctx, h, r, t); err != nil {
			return err
		}
	}
	if r.known == nil {
		// Both kinds match: the second distinguishes "forbidden" from "not reached".
		return fmt.Errorf("fetch: %s: %w: the file could not be had: %w", t, ErrRobots, r.why)
	}
	if !r.known.Allowed(t.path) {
		return fmt.Errorf("fetch: %s: %w", t, ErrRobots)
	}
	return nil
}

// maxOrigins limits the origins of a host, schemes and ports, with stored rules. Links to all ports of a machine try to
// make us scan it.
const maxOrigins = 16

// rulesOf returns the rules of an origin, under Client.mu. If there are too many, it drops others. These are fetched
// again when needed.
func (h *host) rulesOf(origin string) *rules {
	r := h.rules[origin]
	if r == nil {
		if len(h.rules) >= maxOrigins {
			clear(h.rules)
		}
		r = &rules{slot: make(chan struct{}, 1)}
		h.rules[origin] = r
	}
	return r
}

// learn fetches the robots.txt of t's origin. It returns only errors that say nothing about the origin.
func (c *Client) learn(ctx context.Context, h *host, r *rules, t target) error {
	known, err := c.robots(ctx, t.origin()+"/robots.txt")
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	// In these cases nobody knows whether the file is available, and the errors say more than "unavailable".
	case errors.Is(err, ErrBudget), errors.Is(err, ErrWait), errors.Is(err, ErrPrivate):
		return err
	}
	// Taken after the fetch, which may have waited minutes for the host.
	now := c.o.Clock.Now()
	if r.known, r.why, r.until = known, err, now.Add(rulesFor); err != nil {
		// Unreachable: "the crawler MUST assume complete disallow" (section 2.3.1.4).
		r.known, r.until = nil, now.Add(unknownFor)
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Limited, as CrawlDelay may be years.
	r.delay = min(known.CrawlDelay(), c.o.MaxCrawlDelay)
	// The first pause counts as well: the file itself was a request.
	h.next = later(h.next, now.Add(r.delay))
	return nil
}

// errNoRobots is an answer from which nothing can be concluded.
var errNoRobots = errors.New("the server has no answer to a request for robots.txt")

// robots fetches a robots.txt. While it requests another host, it holds only the lock of the file's origin. So two
// hosts whose files redirect to each other do not wait for each other.
func (c *Client) robots(ctx context.Context, at string) (*robots.Rules, error) {
	// One for the file itself and one for each redirection.
	for range maxHops + 1 {
		t, err := newTarget(Request{URL: at})
		if err != nil {
			return &robots.Rules{}, nil // redirected to an invalid URL: the file is unavailable, as by a 404
		}
		// ask and not Fetch: robots.txt is not itself subject to robots.txt, and Fetch would recurse without end.
		x, err := c.ask(ctx, t)
		if err != nil {
			return nil, err
		}
		if c.o.OnRobots != nil {
			c.o.OnRobots(x)
		}
		known, next, err := readRobots(x, c.o.UserAgent)
		// Closed before the next hop, so that at most one body of the chain is kept.
		if err = errors.Join(err, x.Close()); err != nil || next == "" {
			return known, err
		}
		at = next
	}
	return &robots.Rules{}, nil // more redirections: unavailable (section 2.3.1.2)
}

// readRobots interprets an answer to a request for robots.txt, or returns the target of its redirection.
func readRobots(x *Exchange, agent string) (known *robots.Rules, next string, err error) {
	switch s := x.Status; {
	// The rest may have the rules. Files cut at MaxBody are as long as anybody reads.
	case s >= 200 && s < 300 && (x.Body.Truncated == "disconnect" || x.Body.Truncated == "time"):
		return nil, "", errNoRobots
	case s >= 200 && s < 300:
		// robots.Parse takes no more; the body on disk may be up to MaxBody.
		text, err := rulesText(x.Body)
		return robots.Parse(text, productToken(agent)), "", err
	case s >= 300 && s < 400:
		// A 304 and a 3xx without Location lead nowhere: then there is no file, as with a 404.
		if to, err := redirection(x); err == nil {
			return nil, to, nil
		}
		return &robots.Rules{}, "", nil
	// 429 asks for fewer requests. Section 2.3.1.3 means "no rules" for all 4xx; that would send more.
	case s >= 400 && s < 500 && s != http.StatusTooManyRequests:
		return &robots.Rules{}, "", nil
	}
	return nil, "", errNoRobots
}

// rulesText returns as much of a robots.txt as counts. Some servers compress it though requests ask them not to.
func rulesText(b *Body) ([]byte, error) {
	in := bufio.NewReader(b.Open())
	var out io.Reader = in
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		if z, err := gzip.NewReader(in); err == nil {
			out = z
		}
	}
	text, err := io.ReadAll(io.LimitReader(out, robots.MaxBytes))
	if out != in && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)) {
		err = nil // something else comes after the text
	}
	return text, err
}

// redirection returns the URL that an answer redirects to.
func redirection(x *Exchange) (string, error) {
	// Location may be relative: section 10.2.2 of RFC 9110.
	base, err := url.Parse(x.URL)
	if err != nil {
		return "", err
	}
	location := x.Header.Get("Location")
	if location == "" {
		return "", errors.New("a redirection to nowhere")
	}
	to, err := base.Parse(location)
	if err != nil {
		return "", err
	}
	return to.String(), nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
