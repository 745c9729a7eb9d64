package blob

import (
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/guard"
)

// ErrPrivate means that the URL's host is in a private network: see package guard.
var ErrPrivate = guard.ErrPrivate

// guarded sends requests to hosts of the public Internet, or to any, with the proxies from the environment.
type guarded struct {
	guard   *guard.Guard
	direct  *http.Transport
	byProxy *http.Transport
}

// newGuarded makes the transports. private is Options.PrivateHosts, which turns the checks off.
func newGuarded(private bool) *guarded {
	g := &guarded{guard: guard.New(private)}
	dialer := net.Dialer{Timeout: 30 * time.Second}
	// Made before Control is set: a proxy may be at a private address, and net.Dialer is copied by value.
	g.byProxy = newTransport(dialer, func(r *http.Request) (*url.URL, error) { return g.guard.Proxy(r.URL) })
	dialer.Control = g.guard.Control
	g.direct = newTransport(dialer, nil)
	return g
}

// newTransport limits connections per host like requests, to spare public archives.
func newTransport(dialer net.Dialer, proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         dialer.DialContext,
		MaxConnsPerHost:     maxPerHost,
		TLSHandshakeTimeout: 30 * time.Second,
		DisableCompression:  true, // ranges refer to the bytes as stored
	}
}

// RoundTrip sends one request. Each redirection is a request of its own.
func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	// The proxy is chosen for each request, because NO_PROXY excludes some hosts.
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

// CloseIdleConnections is called by http.Client.
func (g *guarded) CloseIdleConnections() {
	g.direct.CloseIdleConnections()
	g.byProxy.CloseIdleConnections()
}
