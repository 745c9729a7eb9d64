// Package link counts a page's links to its own site and to others.
//
// A site is a registrable domain of the Public Suffix List: www.example.co.uk and shop.example.co.uk are one site,
// ada.github.io and bo.github.io are two. IP addresses, single labels and public suffixes themselves are compared as
// hosts. Schemes and ports are ignored. The package does not resolve, fetch or rank links.
//
//	internal, external := link.Count(p.URL, p.Anchors())
//	if link.SameSite(p.URL, canonical) {
//		...
//	}
//
// Source: https://publicsuffix.org/list/, as compiled into golang.org/x/net/publicsuffix.
package link

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes when the same page has other counts. That includes changes of the compiled Public Suffix List.
const Version = "2"

// Count returns the number of distinct http(s) URLs to which the anchors of the page at url lead, on its own site and
// elsewhere. Fragments are removed, and links of the page to itself do not count. Without a host in url every link is
// external.
func Count(url string, anchors []page.Anchor) (internal, external int) {
	self := site(url)
	seen := make(map[string]struct{}, len(anchors)+1) // most anchors of a page lead to different URLs
	seen[withoutFragment(url)] = struct{}{}
	same := map[string]bool{} // by authority: pages repeat a few often
	for i := range anchors {
		u := withoutFragment(anchors[i].Href)
		if !isHTTP(u) {
			continue
		}
		// One access finds it and notes it.
		before := len(seen)
		if seen[u] = struct{}{}; len(seen) == before {
			continue
		}
		a := authority(u)
		in, known := same[a]
		if !known {
			in = self != "" && self == urlkey.RegistrableDomain(hostOf(a))
			same[a] = in
		}
		if in {
			internal++
		} else {
			external++
		}
	}
	return internal, external
}

// SameSite reports whether two URLs, or bare hosts, belong to the same site. A URL without a host belongs to no site.
func SameSite(a, b string) bool {
	s := site(a)
	return s != "" && s == site(b)
}

func site(u string) string { return urlkey.RegistrableDomain(hostOf(authority(u))) }

// authority returns what a URL has between "//" and its path.
func authority(u string) string {
	if _, rest, ok := strings.Cut(u, "//"); ok {
		u = rest
	}
	for i := range len(u) {
		if c := u[i]; c == '/' || c == '\\' || c == '?' || c == '#' {
			return u[:i]
		}
	}
	return u
}

// hostOf returns the host of an authority: in lower case and ASCII, without user, port, brackets and trailing dot.
func hostOf(u string) string {
	u = u[strings.LastIndexByte(u, '@')+1:]
	if inner, ok := strings.CutPrefix(u, "["); ok {
		u, _, _ = strings.Cut(inner, "]")
		return strings.ToLower(u)
	}
	u, _, _ = strings.Cut(u, ":")
	return urlkey.CanonicalHost(strings.ToLower(u))
}

func withoutFragment(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return u
}

func isHTTP(u string) bool {
	scheme, _, ok := strings.Cut(u[:min(len(u), 8)], "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}
