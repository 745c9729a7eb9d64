package blob

import (
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/guard"
)

// ErrPrivate is a URL whose host is in a private network: see package guard.
var ErrPrivate = guard.ErrPrivate

// guarded sends requests to hosts of the public Internet, or to any, with the proxies that the environment names.
type guarded struct {
	guard   *guard.Guard
	direct  *http.Transport
	byProxy *http.Transport
}

// newGuarded makes the transports. private is Options.PrivateHosts: then nothing is checked.
func newGuarded(private bool) *guarded {
	g := &guarded{guard: guard.New(private)}
	dialer := net.Dialer{Timeout: 30 * time.Second}
	// Made before Control is set: a proxy may be at a private address, and net.Dialer is copied by value.
	g.byProxy = newTransport(dialer, func(r *http.Request) (*url.URL, error) { return g.guard.Proxy(r.URL) })
	dialer.Control = g.guard.Control
	g.direct = newTransport(dialer, nil)
	return g
}

// Connections per host are bounded as requests are, so that a public archive is not asked by more than it allows.
func newTransport(dialer net.Dialer, proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         dialer.DialContext,
		MaxConnsPerHost:     maxPerHost,
		TLSHandshakeTimeout: 30 * time.Second,
		DisableCompression:  true, // ranges are of the bytes as they are stored
	}
}

// RoundTrip sends one request: each redirection is another.
func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	// Asked per request: by NO_PROXY some hosts go without one.
	proxy, err := g.guard.Proxy(r.URL)
	if err != nil {
		return nil, err
	}
	if proxy == nil {
		return g.direct.RoundTrip(r)
	}
	if err := g.guard.CheckHost(r.Context(), r.URL.Hostname()); err != nil {
		return nil, err
	}
	return g.byProxy.RoundTrip(r)
}

// CloseIdleConnections is what http.Client looks for.
func (g *guarded) CloseIdleConnections() {
	g.direct.CloseIdleConnections()
	g.byProxy.CloseIdleConnections()
}
