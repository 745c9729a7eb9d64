package source

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

var (
	feedFormat = pattern.Lazy(`(?i)/feed/(rss2?|atom|rdf)/?$`)
	indexFile  = pattern.Lazy(`(?i)/index\.(xml|rss|atom|html?|php|rdf)$`)
)

// Canonical returns a key for feeds that may be one source. It leaves out the scheme, www, default ports, the format
// of a WordPress feed, index files, a final slash and parameters that count readers. Only evidence decides whether
// they are one: see Same.
func Canonical(feed string) string {
	u, err := url.Parse(strings.TrimSpace(feed))
	// Text that is not a URL equals only itself.
	if err != nil || u.Host == "" {
		return feed
	}
	// http and https of one host show the same feed, with few exceptions.
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	// 80 and 443 alike, since the scheme is left out.
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	// Escaped as written: %2F in a name is not a slash.
	path := u.EscapedPath()
	// WordPress has a feed in several formats at one place: /feed, /feed/atom, /feed/rdf.
	if at := feedFormat().FindStringIndex(path); at != nil {
		path = path[:at[0]] + "/feed"
	}
	path = strings.TrimRight(indexFile().ReplaceAllString(path, ""), "/")
	query := u.Query()
	// Counters of readers, which feeds add to their own links.
	for name := range query {
		if strings.HasPrefix(name, "utm_") {
			query.Del(name)
		}
	}
	if len(query) == 0 {
		return host + path
	}
	// Encode sorts the names, so their order does not matter.
	return host + path + "?" + query.Encode()
}
