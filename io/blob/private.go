package blob

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// ErrPrivate is a URL whose host is in a private network: who writes lists of URLs should not be able to make the
// machines that read them look around in theirs.
var ErrPrivate = errors.New("blob: a host in a private network")

// guard dials hosts of the public Internet.
type guard struct{ private bool } // or any

// dial checks the address to which a name has been resolved, so that no name can be taken for another one.
func (g guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second}
	if !g.private && !isProxy(address) {
		d.Control = func(_, address string, _ syscall.RawConn) error { return checkPublic(address) }
	}
	return d.DialContext(ctx, network, address)
}

func checkPublic(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if a := ap.Addr().Unmap(); !a.IsGlobalUnicast() || a.IsPrivate() || inAny(a) {
		return fmt.Errorf("%s: %w; --private_hosts allows it", a, ErrPrivate)
	}
	return nil
}

// notPublic are networks that netip does not count among the private ones: shared address space (RFC 6598), networks
// for documentation and benchmarks, IPv4 inside of IPv6 (RFC 6052, 3056).
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("2001:db8::/32"),
}

func inAny(a netip.Addr) bool {
	for _, p := range notPublic {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// isProxy tells whether an address is of the proxy that the environment names, which may well be in a private network.
func isProxy(address string) bool {
	for _, scheme := range []string{"http", "https"} {
		u := &url.URL{Scheme: scheme, Host: "example.com"}
		if p, err := http.ProxyFromEnvironment(&http.Request{URL: u}); err == nil && p != nil && hostPort(p) == address {
			return true
		}
	}
	return false
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
