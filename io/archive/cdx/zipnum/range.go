package zipnum

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Match is which lines belong to a URL.
type Match string

// The matches of CDX servers.
const (
	Exact  Match = "exact"  // the captures of the URL
	Prefix Match = "prefix" // of all URLs that begin so
	Host   Match = "host"   // of the URL's host
	Domain Match = "domain" // of the host and those below it
)

// Range returns the lines of a URL: those from key from on, and before key to. The rules are pywb's, of its function
// calc_search_range.
func Range(url string, m Match) (from, to string, err error) {
	key := urlkey.SURT(urlkey.Asked(url))
	host, _, isHost := strings.Cut(key, ")/")
	switch m {
	case Exact, "":
		// The key ends with a blank in a line, and "!" follows it.
		return key + " ", key + "!", nil
	case Prefix:
		// The key has lost a last slash or question mark, which the user means.
		for _, end := range []string{"/", "?"} {
			if strings.HasSuffix(url, end) && !strings.HasSuffix(key, end) {
				key += end
			}
		}
		return key, key[:len(key)-1] + string(key[len(key)-1]+1), nil
	case Host, Domain:
		if !isHost {
			return "", "", fmt.Errorf("%q has no host", url)
		}
		if m == Host {
			return host + ")/", host + "*", nil
		}
		// A top level domain has no pages, only hosts.
		if !strings.Contains(host, ",") {
			return host + ",", host + "-", nil
		}
		return host + ")/", host + "-", nil
	}
	return "", "", fmt.Errorf("match %q: there are exact, prefix, host and domain", m)
}
