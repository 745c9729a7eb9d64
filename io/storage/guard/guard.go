// Package guard blocks requests to private networks. Authors of URL lists and pages must not be able to explore the
// networks of the machines that read them.
//
//	g := guard.New(false)
//	dialer := net.Dialer{Control: g.Control} // checks the address that is dialled
//	proxy, err := g.Proxy(u)                 // nil where none stands between
//	if proxy != nil {
//		err = g.CheckHost(ctx, u.Hostname())
//	}
package guard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/idna"
)

// ErrPrivate means that the URL's host is in a private network.
var ErrPrivate = errors.New("a host in a private network")

// Guard allows public Internet addresses, or all. It is safe for concurrent use.
//
// Without a proxy it checks the address that is dialled, so that a name cannot change its address after the check. With
// a proxy, which may be in a private network itself, the proxy resolves names. Guard then checks literal addresses, and
// resolves names itself to check their addresses. The proxy decides about a name that does not resolve here, except for
// names that only private networks have.
type Guard struct {
	private bool
	proxy   func(*url.URL) (*url.URL, error)
	// A field, so that tests can resolve names without a network.
	lookup  func(ctx context.Context, host string) ([]netip.Addr, error)
	mu      sync.Mutex
	unknown map[string]bool // names that do not resolve here, so that each is looked up once
}

// New takes the proxies from the environment. If private is set, nothing is checked.
func New(private bool) *Guard {
	// Read once: a guard keeps its proxies even if the environment changes.
	g := &Guard{private: private, proxy: httpproxy.FromEnvironment().ProxyFunc(), unknown: map[string]bool{}}
	g.lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	return g
}

// Proxy returns the proxy from the environment for u, or nil. It must be called for each request, because NO_PROXY
// excludes some hosts.
func (g *Guard) Proxy(u *url.URL) (*url.URL, error) { return g.proxy(u) }

// Control is for net.Dialer, which calls it with each resolved address right before connecting. It is not for dialers
// that connect to proxies.
func (g *Guard) Control(_, address string, _ syscall.RawConn) error {
	if g.private {
		return nil
	}
	return checkPublic(address)
}

// CheckHost returns an error if a proxy may not be asked for a host.
func (g *Guard) CheckHost(ctx context.Context, host string) error {
	if g.private {
		return nil
	}
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		// For example "①②⑦.0.0.1": IDNA maps these to ASCII digits. If the mapping fails, the host is checked
		// unchanged.
		host = ascii // the proxy sees other digits and dots as ASCII
	}
	// A dot at the end does not change a name.
	host = strings.ToLower(strings.TrimRight(host, "."))
	if a, ok := literal(host); ok {
		return checkAddress(a)
	}
	// A name without a dot is looked up in the search domains of the local network.
	label := host[strings.LastIndexByte(host, '.')+1:]
	if label == host || slices.Contains(privateNames, label) || strings.HasSuffix(host, ".home.arpa") {
		return fmt.Errorf("%s: %w; --private_hosts allows it", host, ErrPrivate)
	}
	// All its addresses, because the proxy may use any.
	for _, a := range g.resolve(ctx, host) {
		if err := checkAddress(a); err != nil {
			return err
		}
	}
	return nil
}

// privateNames are the last labels of names that the public Internet does not have. They are reserved (RFC 6761, 6762,
// and ICANN's .internal) or too common in private networks. A name of one label is private too.
var privateNames = []string{"localhost", "local", "internal", "lan", "intranet", "corp", "home"}

// lookupLimit limits a lookup: in networks with proxies no resolver may answer.
const lookupLimit = 5 * time.Second

// resolve returns the addresses of a name, or none if it does not resolve here.
func (g *Guard) resolve(ctx context.Context, host string) []netip.Addr {
	// The lock is not held during the lookup, so a name may be looked up twice at the same time, which does no harm.
	g.mu.Lock()
	unknown := g.unknown[host]
	g.mu.Unlock()
	if unknown {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	list, err := g.lookup(ctx, host)
	// Not recorded if the caller cancelled, which says nothing about the name. A time-out is recorded.
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		g.mu.Lock()
		g.unknown[host] = true
		g.mu.Unlock()
	}
	return list
}

// literal parses a host that is an address. It accepts the forms of inet_aton too, because some proxies do: octal and
// hexadecimal numbers, and numbers for several bytes.
func literal(host string) (netip.Addr, bool) {
	// URLs have brackets around IPv6 addresses. A zone names a network interface and does not change the kind of
	// address.
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return a.WithZone(""), true
	}
	parts := strings.Split(host, ".")
	// inet_aton takes at most four numbers.
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, p := range parts {
		// Like inet_aton, base 0 reads 0x as hexadecimal and a leading 0 as octal. It also reads 0b, 0o and "_", which
		// inet_aton does not.
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || strings.ContainsAny(p, "_oOb") && !strings.HasPrefix(p, "0x") {
			if n, err = strconv.ParseUint(p, 10, 32); err != nil { // some read 08 as decimal
				return netip.Addr{}, false
			}
		}
		// With fewer than four parts the last one covers all remaining bytes: 127.1 is 127.0.0.1, and so is 2130706433.
		if last := i == len(parts)-1; last {
			sum = sum<<(8*(5-len(parts))) | n
		} else {
			sum = sum<<8 | n&0xff
		}
	}
	// Parts that are too large are cut to their bytes, so that any numbers give some address to check.
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// checkPublic checks an address that is about to be dialled.
func checkPublic(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return checkAddress(ap.Addr())
}

func checkAddress(a netip.Addr) error {
	// An IPv4 address within IPv6, ::ffff:127.0.0.1, counts as the IPv4 address.
	if isPublic(a.WithZone("").Unmap()) {
		return nil
	}
	return fmt.Errorf("%s: %w; --private_hosts allows it", a, ErrPrivate)
}

// isPublic reports whether an address belongs to the public Internet. For IPv6 that is 2000::/3, the only assigned
// range (RFC 4291, IANA's registry of IPv6 address space). An address of NAT64 (RFC 6052), as DNS64 makes it for a
// public server, counts as its IPv4 address.
func isPublic(a netip.Addr) bool {
	if nat64.Contains(a) {
		// The last 32 bits (RFC 6052, section 2.2, for a prefix of 96 bits).
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if a.Is6() && !given.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}

var (
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
	given = netip.MustParsePrefix("2000::/3")
	// special are networks in IANA's registries of special-purpose addresses (RFC 6890), as of 2025. They are the
	// networks that are not reached from everywhere, those with embedded IPv4 addresses (Teredo, 6to4), and multicast.
	special = prefixes(
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.0.2.0/24",
		"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
		"240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	)
)

func prefixes(list ...string) (all []netip.Prefix) {
	for _, p := range list {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}
