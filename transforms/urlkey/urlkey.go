package urlkey

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// SURT returns the sort key of rawURL: "com,example)/path?a=b". The key is printable ASCII without spaces, and "-" if
// rawURL is empty. Time and length are linear in the length of rawURL. Escaping turns a byte into three, and only a
// host in punycode can grow by more. To bound keys, bound URLs.
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
	host := CanonicalHost(p.host)
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

// Host returns the host of rawURL in lower case and punycode, in its usual order and with any leading "www.". IPv4
// addresses are dotted quads, IPv6 addresses have no brackets. The result is "" if there is no host.
func Host(rawURL string) string {
	_, host := schemeHost(rawURL)
	return host
}

func schemeHost(rawURL string) (scheme, host string) {
	u := clean(rawURL)
	if u == "" || strings.HasPrefix(u, "filedesc") {
		return "", ""
	}
	p := split(u)
	return p.scheme, CanonicalHost(p.host)
}

// maxHost is the maximum length of a DNS name (RFC 1035, section 2.3.4). A longer one is not a host.
const maxHost = 253

// ofSites are the schemes under which a site is read. Others name hosts too, but in records about a crawl, such as
// metadata://example.com/ and whois://whois.example/.
var ofSites = map[string]bool{"http": true, "https": true, "ftp": true, "ftps": true, "gopher": true, "gemini": true}

// Site returns the host of rawURL and its registrable domain, like [Host] and [RegistrableDomain]. Both are "" if
// rawURL does not begin as a page of a site does. So they are if the host has over 253 bytes or an odd letter.
func Site(rawURL string) (host, domain string) {
	scheme, host := schemeHost(rawURL)
	if host == "" || len(host) > maxHost || strings.Contains(host, "%") || !ofSites[strings.ToLower(scheme)] {
		return "", ""
	}
	return host, RegistrableDomain(host)
}

// RegistrableDomain returns the part of host that its owner registered: "example.co.uk" for "www.example.co.uk".
// Parameter host has the form of Host. It uses the Public Suffix List, with the suffixes of private owners
// ("github.io"). A host without one is returned unchanged: an address, a single label, a public suffix.
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
