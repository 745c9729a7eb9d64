// Package fetch is one polite HTTP client for live crawling: robots.txt is obeyed (RFC 9309), a host is sent one
// request at a time with a pause after each, answers that ask to wait are obeyed, private networks are refused, and
// all is bounded: heads, bodies, times, attempts, and what a whole crawl may ask for.
//
// It does not follow redirections, decode bodies, or decide what to fetch. An [Exchange] has the head of the answer as
// it came, byte by byte, for a WARC file. Of the body the transfer coding (chunked) is undone, and no other: identity
// is the content coding that is asked for, and what a server sends all the same is kept as it is.
//
//	client, err := fetch.New(fetch.Options{UserAgent: "gleaner/1.0 (+https://example.org/bot)"})
//	defer client.Close()
//	x, err := client.Fetch(ctx, fetch.Request{URL: "https://example.com/feed.xml", ETag: known})
//	if errors.Is(err, fetch.ErrRobots) {
//		return
//	}
//	defer x.Close()
//	fmt.Println(x.Status, x.Body.Size())
//
// It speaks HTTP/1.1 alone, since the other versions have no bytes of a head that an archive could keep.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/guard"
)

// Options of a client. All but UserAgent have defaults, given in brackets.
type Options struct {
	UserAgent     string        // sent as it is; its product token is who robots.txt is asked about
	Clock         Clock         // of pauses, of what robots.txt is cached for and of exchanges [the system's]
	HostDelay     time.Duration // between two requests to a host [1 s; negative: none]
	MaxCrawlDelay time.Duration // the longest Crawl-delay of a robots.txt that is obeyed to the full [30 s]
	MaxWait       time.Duration // the longest that Fetch sleeps for a host; beyond it is ErrWait [2 min]
	MaxBody       int64         // bytes; bodies are cut there [64 MiB]
	Timeout       time.Duration // for connecting, and for an answer's head, each [60 s]
	Stall         time.Duration // within which a body has to go on, by 1 KiB a second [60 s]
	BodyTimeout   time.Duration // for a whole body [2 h]
	Retries       int           // attempts after the first [0]
	IgnoreRobots  bool          // for services that are asked by agreement, such as programming interfaces
	AllowPrivate  bool          // also hosts in private networks
	SpoolDir      string        // of bodies that are too large for memory [the system's for temporary files]
	Budget        Budget
	// Hosts are asked elsewhere: "zenodo.org" → "127.0.0.1:8080", or "http://127.0.0.1:8080" for plain HTTP whatever the
	// URL says. Such addresses may be private, since who runs the program chose them.
	Hosts map[string]string
	// OnRobots gets the exchanges that fetched a robots.txt, so that an archive can keep them. They are closed afterwards.
	// It may be called by several goroutines at the same time.
	OnRobots func(*Exchange)
}

// Budget bounds what a client asks for in its life. Zero is not a bound. It is looked at before each request, so that
// Bytes may be passed by the bodies that are under way.
type Budget struct {
	Requests, Bytes         int64
	HostRequests, HostBytes int64 // of each host
	Time                    time.Duration
}

func (o Options) withDefaults() (Options, error) {
	if productToken(o.UserAgent) == "" {
		return o, errors.New("fetch: the user agent has to begin with the crawler's name, of letters, - and _")
	}
	// A line end in it would put fields of its own into every request.
	if strings.ContainsFunc(o.UserAgent, isControl) {
		return o, errors.New("fetch: the user agent has a line end or another control character in it")
	}
	if o.Clock == nil {
		o.Clock = System
	}
	// Negative asks for no pause, since 0 is the default's place.
	o.HostDelay = max(cmp.Or(o.HostDelay, time.Second), 0)
	o.MaxCrawlDelay = cmp.Or(o.MaxCrawlDelay, 30*time.Second)
	// Pauses that are politeness itself must not end as ErrWait.
	o.MaxWait = max(cmp.Or(o.MaxWait, 2*time.Minute), o.HostDelay, o.MaxCrawlDelay)
	o.MaxBody = cmp.Or(o.MaxBody, 64<<20)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	o.Stall = cmp.Or(o.Stall, time.Minute)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, 2*time.Hour)
	return o, nil
}

// productToken is the name that a user agent begins with, "" for none (RFC 9309, section 2.2.1).
func productToken(agent string) string {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}

// Request is a GET request.
type Request struct {
	URL    string // http or https, without a user
	Accept string // media types; "" is any
	// ETag and LastModified are those of an earlier answer: when nothing has changed since, the answer is a 304.
	ETag, LastModified string
	MaxBody            int64 // bytes, in place of Options.MaxBody; 0 for that
}

// Exchange is a request and its answer. The caller closes it.
type Exchange struct {
	URL      string    // as it was asked for
	Time     time.Time // when the request was sent
	IP       string    // of the server; "" behind a proxy
	Request  []byte    // as sent
	Head     []byte    // of the answer as received: status line, fields and the empty line
	Status   int
	Header   http.Header // the same, parsed
	Body     *Body
	Attempts int // how many requests it took
	// RetryAfter is until when the server asks to be left alone, bounded; zero when it does not.
	RetryAfter time.Time
}

// Close removes the body.
func (x *Exchange) Close() error { return x.Body.close() }

// Client fetches. It may be used by several goroutines at the same time: requests to different hosts do not wait for
// each other.
type Client struct {
	o      Options
	guard  *guard.Guard
	dialer dialer
	began  time.Time
	mu     sync.Mutex
	hosts  map[string]*host
	spent  struct{ requests, bytes int64 }
	idle   int // connections that are kept
}

// New returns a client.
func New(o Options) (*Client, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	g := guard.New(o.AllowPrivate)
	return &Client{
		o: o, guard: g, dialer: newDialer(o, g), began: o.Clock.Now(), hosts: map[string]*host{},
	}, nil
}

// Fetch asks for a URL, as often as Options.Retries says, and returns the last answer whatever its status. An answer
// whose body could not be read to its end is returned too: see [Body.Truncated]. The error is of one of the kinds of
// this package, or the context's.
func (c *Client) Fetch(ctx context.Context, r Request) (*Exchange, error) {
	t, err := newTarget(r)
	if err != nil {
		return nil, err
	}
	if !c.o.IgnoreRobots {
		if err := c.obey(ctx, t); err != nil {
			return nil, err
		}
	}
	return c.ask(ctx, t)
}

// Ready is when the host of a URL may be asked next: now or earlier, if nothing stands against it.
func (c *Client) Ready(url string) time.Time {
	t, err := newTarget(Request{URL: url})
	if err != nil {
		return time.Time{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Not hostOf, which would remember a host that is only asked about.
	if h := c.hosts[t.host]; h != nil {
		return h.next
	}
	return time.Time{}
}

// Close ends the connections that are kept. Nobody may be fetching.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.hosts {
		h.drop()
	}
	return nil
}
