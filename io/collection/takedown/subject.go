package takedown

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Crawlers make up URLs for some records. Some are questions about a host (dns:example.org and whois:example.org by
// Heritrix). Others are derived from a page (urn:pageinfo:https://example.org/ by Browsertrix,
// screenshot:http://example.org/). A takedown of the host or page includes them.

// derivedPattern matches URLs in which another URL follows one or more schemes.
var derivedPattern = pattern.Lazy(`^(?i:[a-z][a-z0-9+.-]*:)+/*((?i:https?|ftp)://.+)$`)

// pageOf returns the page's URL inside a derived URL, or "" if url is not derived.
func pageOf(url string) string {
	if m := derivedPattern().FindStringSubmatch(url); m != nil {
		return m[1]
	}
	return ""
}

// hostOf returns the host of a URL, as urlkey.Host does, or the host that a dns or whois URL asks about.
func hostOf(url string) string {
	scheme, rest, _ := strings.Cut(url, ":")
	if !strings.EqualFold(scheme, "dns") && !strings.EqualFold(scheme, "whois") {
		return urlkey.Host(url)
	}
	// dns://SERVER/HOST names the server that is asked: section 2.1 of RFC 4501.
	if server, ok := strings.CutPrefix(rest, "//"); ok {
		_, rest, _ = strings.Cut(server, "/")
	}
	if end := strings.IndexAny(rest, "?;#/"); end >= 0 {
		rest = rest[:end]
	}
	return urlkey.Host("http://" + strings.TrimSuffix(rest, ".") + "/")
}
