package collection

import (
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Archives have records under URLs that crawlers make up: what was asked about a host (dns:example.org of Heritrix,
// whois:example.org), and what was derived from a page (urn:pageinfo:https://example.org/ of Browsertrix,
// screenshot:http://example.org/). A takedown of the host or the page means these, too.

// derivedPattern matches URLs of schemes after which another URL stands as it is.
var derivedPattern = regexp.MustCompile(`^(?i:[a-z][a-z0-9+.-]*:)+/*((?i:https?|ftp)://.+)$`)

// pageOf is the URL of the page that what is under a URL was derived from; "" if the URL names no other.
func pageOf(url string) string {
	if m := derivedPattern.FindStringSubmatch(url); m != nil {
		return m[1]
	}
	return ""
}

// hostOf is the host that a URL names, as urlkey.Host has it: the one that it leads to, or that was asked about.
func hostOf(url string) string {
	scheme, rest, _ := strings.Cut(url, ":")
	if !strings.EqualFold(scheme, "dns") && !strings.EqualFold(scheme, "whois") {
		return urlkey.Host(url)
	}
	// dns://SERVER/HOST names the server that was asked: section 2.1 of RFC 4501.
	if server, ok := strings.CutPrefix(rest, "//"); ok {
		_, rest, _ = strings.Cut(server, "/")
	}
	if end := strings.IndexAny(rest, "?;#/"); end >= 0 {
		rest = rest[:end]
	}
	return urlkey.Host("http://" + strings.TrimSuffix(rest, ".") + "/")
}
