package urlkey

import "strings"

// Likeness returns how similar a requested URL is to another URL with the same SURT; higher is more similar. A SURT
// ignores scheme, www, port and much of the path's spelling. Equal URLs are first, then those with the same host and
// scheme, with the same host, with the same scheme. A request without a scheme is compared by its host alone.
func Likeness(asked, url string) int {
	if asked == url {
		return 4
	}
	n := 0
	scheme, host := origin(asked)
	otherScheme, otherHost := origin(url)
	if host == otherHost {
		n += 2
	}
	if scheme == otherScheme {
		n++
	}
	return n
}

// origin returns the scheme and the host of a URL, in lower case and without the scheme's default port.
func origin(url string) (scheme, host string) {
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		scheme, rest = "", url
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	scheme, host = strings.ToLower(scheme), strings.ToLower(rest)
	for _, own := range [...][2]string{{"http", ":80"}, {"https", ":443"}} {
		if scheme == own[0] {
			host = strings.TrimSuffix(host, own[1])
		}
	}
	return scheme, strings.TrimSuffix(host, ".")
}
