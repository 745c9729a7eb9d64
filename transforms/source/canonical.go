package source

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	feedFormat = regexp.MustCompile(`(?i)/feed/(rss2?|atom|rdf)/?$`)
	indexFile  = regexp.MustCompile(`(?i)/index\.(xml|rss|atom|html?|php|rdf)$`)
)

// Canonical proposes which feeds are one source: those with the same result. It leaves out the scheme, www, default
// ports, the form of a WordPress feed, index files, a slash at the end and what counts readers. Whether they are one is
// decided by evidence only: SameItems, redirects, and what feeds say of themselves.
func Canonical(feed string) string {
	u, err := url.Parse(strings.TrimSpace(feed))
	if err != nil || u.Host == "" {
		return feed
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	path := u.EscapedPath()
	// WordPress has a feed in several formats at one place: /feed, /feed/atom, /feed/rdf.
	if at := feedFormat.FindStringIndex(path); at != nil {
		path = path[:at[0]] + "/feed"
	}
	path = strings.TrimRight(indexFile.ReplaceAllString(path, ""), "/")
	query := u.Query()
	for name := range query {
		if strings.HasPrefix(name, "utm_") {
			query.Del(name)
		}
	}
	if len(query) == 0 {
		return host + path
	}
	// Encode sorts the names, so their sequence does not matter.
	return host + path + "?" + query.Encode()
}

// SameItems is how much two sources have in common: of the items of the time that both cover, the share that both
// have; 0 when the one has ended before the other began. Two feeds of one site that show the same items have 0.8 and
// more.
func SameItems(a, b State) float64 {
	from, to := max(a.oldest(), b.oldest()), min(a.newest(), b.newest())
	left, right := a.links(from, to), b.links(from, to)
	both := 0
	for l := range left {
		if right[l] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(left)+len(right)-both)
}

func (s State) oldest() int64 {
	if len(s.Items) == 0 {
		return 0
	}
	return s.Items[len(s.Items)-1].Time
}

func (s State) newest() int64 {
	if len(s.Items) == 0 {
		return 0
	}
	return s.Items[0].Time
}

// links are those of the items of a time.
func (s State) links(from, to int64) map[uint64]bool {
	links := map[uint64]bool{}
	for _, i := range s.Items {
		if i.Time >= from && i.Time <= to {
			links[i.Link] = true
		}
	}
	return links
}
