// Package fetch is a polite HTTP client for live crawling. It obeys robots.txt (RFC 9309), waits when servers ask for
// it, and refuses private networks. It sends a host one request at a time with a pause after each. It limits headers,
// bodies, times, attempts, and the requests of a whole crawl.
//
// It does not follow redirections, decode bodies, or decide what to fetch. An [Exchange] has the header of the answer
// byte by byte, for a WARC file. The transfer coding (chunked) of the body is removed. The request asks for the content
// coding identity; if a server sends another one, the body keeps it.
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
// It speaks only HTTP/1.1, since other versions have no header bytes that an archive could keep.
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

// Options are the options of a client. All but UserAgent have defaults, given in brackets.
type Options struct {
	UserAgent     string        // sent unchanged; its product token is matched with robots.txt
	Clock         Clock         // for pauses, the cache of robots.txt and exchanges [the system's]
	HostDelay     time.Duration // between two requests to a host [1 s; negative: none]
	MaxCrawlDelay time.Duration // the longest Crawl-delay of a robots.txt that is obeyed in full [30 s]
	MaxWait       time.Duration // the longest sleep of Fetch for a host; a longer wait is ErrWait [2 min]
	MaxBody       int64         // bytes; longer bodies are cut there [64 MiB]
	Timeout       time.Duration // for connecting, and for an answer's header, each [60 s]
	Stall         time.Duration // time in which a body has to progress, by 1 KiB a second [60 s]
	BodyTimeout   time.Duration // for a whole body [2 h]
	Retries       int           // attempts after the first [0]
	IgnoreRobots  bool          // for services that are used by agreement, such as APIs
	AllowPrivate  bool          // also hosts in private networks
	SpoolDir      string        // for bodies that are too large for memory [the system's for temporary files]
	Budget        Budget
	// Hosts redirects requests: "zenodo.org" → "127.0.0.1:8080", or "http://127.0.0.1:8080" for plain HTTP even for
	// https URLs. Such addresses may be private, since the user chose them.
	Hosts map[string]string
	// OnRobots gets the exchanges that fetched a robots.txt, so that an archive can keep them. They are closed
	// afterwards. Several goroutines may call it at the same time.
	OnRobots func(*Exchange)
}

// Budget limits the requests and bytes of a client over its life. Zero means no limit. It is checked before each
// request, so running bodies may exceed Bytes.
type Budget struct {
	Requests, Bytes         int64
	HostRequests, HostBytes int64 // of each host
	Time                    time.Duration
}

func (o Options) withDefaults() (Options, error) {
	if productToken(o.UserAgent) == "" {
		return o, errors.New("fetch: the user agent has to begin with the crawler's name, of letters, - and _")
	}
	// A line end would add its own fields to every request.
	if strings.ContainsFunc(o.UserAgent, isControl) {
		return o, errors.New("fetch: the user agent has a line end or another control character in it")
	}
	if o.Clock == nil {
		o.Clock = System
	}
	// Negative means no pause, since 0 selects the default.
	o.HostDelay = max(cmp.Or(o.HostDelay, time.Second), 0)
	o.MaxCrawlDelay = cmp.Or(o.MaxCrawlDelay, 30*time.Second)
	// The client's own polite pauses must not end as ErrWait.
	o.MaxWait = max(cmp.Or(o.MaxWait, 2*time.Minute), o.HostDelay, o.MaxCrawlDelay)
	o.MaxBody = cmp.Or(o.MaxBody, 64<<20)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	o.Stall = cmp.Or(o.Stall, time.Minute)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, 2*time.Hour)
	return o, nil
}

// productToken returns the name at the start of a user agent, or "" (RFC 9309, section 2.2.1).
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
	// ETag and LastModified are those of an earlier answer: if nothing has changed since, the answer is a 304.
	ETag, LastModified string
	MaxBody            int64 // bytes, overrides Options.MaxBody if not 0
}

// Exchange is a request and its answer. The caller closes it.
type Exchange struct {
	URL      string    // as requested
	Time     time.Time // when the request was sent
	IP       string    // of the server; "" with a proxy
	Request  []byte    // as sent
	Head     []byte    // of the answer as received: status line, fields and the empty line
	Status   int
	Header   http.Header // the same, parsed
	Body     *Body
	Attempts int // number of requests
	// RetryAfter is the time until which the server asks to be left alone, limited. It is zero if it does not ask.
	RetryAfter time.Time
}

// Close removes the body.
func (x *Exchange) Close() error { return x.Body.close() }

// Client fetches. It is safe for concurrent use: requests to different hosts do not wait for each other.
type Client struct {
	o      Options
	guard  *guard.Guard
	dialer dialer
	began  time.Time
	mu     sync.Mutex
	hosts  map[string]*host
	spent  struct{ requests, bytes int64 }
	idle   int // number of kept connections
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

// Fetch requests a URL, with up to Options.Retries more attempts, and returns the last answer whatever its status. It
// also returns an answer with an incomplete body: see [Body.Truncated]. The error has one of the kinds of this package,
// or is the context's.
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

// Ready returns the time of the next possible request to the host of a URL. It is now or earlier if nothing prevents
// the request.
func (c *Client) Ready(url string) time.Time {
	t, err := newTarget(Request{URL: url})
	if err != nil {
		return time.Time{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Unlike hostOf, this does not add a host that is only asked about.
	if h := c.hosts[t.host]; h != nil {
		return h.next
	}
	return time.Time{}
}

// Close closes the kept connections. No Fetch may be running.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.hosts {
		h.drop()
	}
	return nil
}
