// Package guard blocks requests to private networks: authors of URL lists and pages must not be able to explore the
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

// ErrPrivate is a URL whose host is in a private network.
var ErrPrivate = errors.New("a host in a private network")

// Guard allows public Internet addresses, or all. It may be used by several goroutines at the same time.
//
// Without a proxy the address that is dialled is the one that is checked, so that no name can stand for one thing when
// it is looked at and for another when it is used. With a proxy, which may well be in a private network itself, the
// proxy resolves names: literal addresses are checked here, and names by what they resolve to here. One that does not
// resolve here is the proxy's to judge, unless it is of a kind that only private networks have.
type Guard struct {
	private bool
	proxy   func(*url.URL) (*url.URL, error)
	// A field, so that tests answer for names without a network.
	lookup  func(ctx context.Context, host string) ([]netip.Addr, error)
	mu      sync.Mutex
	unknown map[string]bool // names that do not resolve here, so that each is asked for once
}

// New takes the proxies that the environment names. With private nothing is checked.
func New(private bool) *Guard {
	// Read once: a guard has the same proxies for its whole life, whatever becomes of the environment.
	g := &Guard{private: private, proxy: httpproxy.FromEnvironment().ProxyFunc(), unknown: map[string]bool{}}
	g.lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	return g
}

// Proxy is the proxy that the environment names for u, nil for none. To be asked per request: by NO_PROXY some hosts go
// without one.
func (g *Guard) Proxy(u *url.URL) (*url.URL, error) { return g.proxy(u) }

// Control is for net.Dialer: it is called with the address that was resolved, right before connecting, for each address
// that is tried. Not for a dialer that connects to proxies.
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
		// As in "①②⑦.0.0.1": the mapping of IDNA makes ASCII digits of these. Where it fails the host stays as it
		// is, and is checked so.
		host = ascii // digits and dots that are not ASCII become what the proxy gets to see
	}
	// A name with a dot at its end is the same name.
	host = strings.ToLower(strings.TrimRight(host, "."))
	if a, ok := literal(host); ok {
		return checkAddress(a)
	}
	// A name without a dot is looked up in the search domains of the local network.
	label := host[strings.LastIndexByte(host, '.')+1:]
	if label == host || slices.Contains(privateNames, label) || strings.HasSuffix(host, ".home.arpa") {
		return fmt.Errorf("%s: %w; --private_hosts allows it", host, ErrPrivate)
	}
	// All of its addresses, for the proxy may take any.
	for _, a := range g.resolve(ctx, host) {
		if err := checkAddress(a); err != nil {
			return err
		}
	}
	return nil
}

// privateNames are the last labels of names that the public Internet does not have: reserved (RFC 6761, 6762, and
// ICANN's .internal) or too common in private networks ever to be given out. A name of one label is private, too.
var privateNames = []string{"localhost", "local", "internal", "lan", "intranet", "corp", "home"}

// lookupLimit bounds how long a name is asked for: behind proxies there may be nobody to ask.
const lookupLimit = 5 * time.Second

// resolve returns the addresses of a name, none where it does not resolve here.
func (g *Guard) resolve(ctx context.Context, host string) []netip.Addr {
	// The lock is not held during the lookup, so one name may be asked for twice at the same time. That costs a
	// request and nothing else.
	g.mu.Lock()
	unknown := g.unknown[host]
	g.mu.Unlock()
	if unknown {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	list, err := g.lookup(ctx, host)
	// Not noted when the caller gave up: that says nothing of the name. A timeout of our own is noted.
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		g.mu.Lock()
		g.unknown[host] = true
		g.mu.Unlock()
	}
	return list
}

// literal reads a host that is an address, also in the forms of inet_aton, which some proxies take: numbers that are
// octal, hexadecimal, or stand for several bytes.
func literal(host string) (netip.Addr, bool) {
	// Brackets are around addresses of IPv6 in URLs. A zone names a network interface and does not change what kind
	// of address it is.
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
		// Base 0 reads 0x as hexadecimal and a leading 0 as octal, as inet_aton does, and also 0b, 0o and "_",
		// which inet_aton does not know.
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || strings.ContainsAny(p, "_oOb") && !strings.HasPrefix(p, "0x") {
			if n, err = strconv.ParseUint(p, 10, 32); err != nil { // as some read 08
				return netip.Addr{}, false
			}
		}
		// With fewer than four parts the last one stands for all bytes that are left: 127.1 is 127.0.0.1, and
		// 2130706433 is too.
		if last := i == len(parts)-1; last {
			sum = sum<<(8*(5-len(parts))) | n
		} else {
			sum = sum<<8 | n&0xff
		}
	}
	// Parts that are too large were cut to their bytes: some address comes of any numbers, and is checked.
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
	// An IPv4 address within IPv6, ::ffff:127.0.0.1, is what it contains.
	if isPublic(a.WithZone("").Unmap()) {
		return nil
	}
	return fmt.Errorf("%s: %w; --private_hosts allows it", a, ErrPrivate)
}

// isPublic reports whether an address is one of the public Internet. Of IPv6 that are those of 2000::/3, the only ones
// that are given out (RFC 4291, IANA's registry of IPv6 address space): there are no private ones to name that are
// outside. Addresses of NAT64 (RFC 6052), as DNS64 makes them of public servers, are what the IPv4 address in them is.
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
	// special are the networks of IANA's registries of special-purpose addresses (RFC 6890), as of 2025, that are not
	// reached from everywhere, those that hold addresses of IPv4 (Teredo, 6to4), and multicast.
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
