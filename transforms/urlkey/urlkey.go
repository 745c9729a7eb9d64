package urlkey

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// SURT returns the sort key of rawURL: "com,example)/path?a=b". The key is printable ASCII without spaces, and
// "-" when rawURL is empty. Time and length are linear in the length of rawURL: each byte is at most escaped, which
// makes it three, and only a host in punycode can grow by more. Callers who bound keys bound URLs.
func SURT(rawURL string) string {
	u := clean(rawURL)
	if u == "" {
		return "-"
	}
	if strings.HasPrefix(u, "filedesc") {
		return string(appendPrintable(nil, u))
	}
	p := split(u)
	buf := make([]byte, 0, len(u)+len(u)/8+16)
	host := canonicalHost(p.host)
	if host == "" {
		buf = append(append(buf, p.scheme...), ':')
	} else {
		buf = appendReversed(buf, stripWWW(host, p.scheme))
		buf = appendPort(buf, p.port, p.scheme)
		buf = append(buf, ')')
	}
	n := len(buf)
	buf = appendPath(buf, p.path, host != "")
	return string(appendQuery(buf, p.query, len(buf) == n))
}

// Host returns the host of rawURL as it is in the key, but in its usual order and with any leading "www.": lower
// case, in punycode, IPv4 addresses as dotted quads, IPv6 addresses without brackets. It is "" when there is none.
func Host(rawURL string) string {
	u := clean(rawURL)
	if u == "" || strings.HasPrefix(u, "filedesc") {
		return ""
	}
	return canonicalHost(split(u).host)
}

// maxHost is the length of a name that the DNS can hold (RFC 1035, section 2.3.4); what is longer is nobody's host.
const maxHost = 253

// Site returns the host of rawURL and its registrable domain, as [Host] and [RegistrableDomain] do, of a host that can
// be one: both are "" where it is longer than 253 bytes.
func Site(rawURL string) (host, domain string) {
	host = Host(rawURL)
	if host == "" || len(host) > maxHost {
		return "", ""
	}
	return host, RegistrableDomain(host)
}

// RegistrableDomain returns the part of host (as Host returns it) that its owner registered: "example.co.uk" of
// "www.example.co.uk", by the Public Suffix List, the suffixes of private owners ("github.io") included. A host that
// has none is returned as it is: an address, a single label, a public suffix.
func RegistrableDomain(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}
