package fileset

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// maxError is the most bytes of a result's message.
const maxError = 1600

// shorten truncates s to at most n bytes of whole characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// CleanURL normalises a URL for look-ups. It is trimmed, without line ends, empty port and fragment, with scheme and
// host in lower case and a path. An invalid URL is returned trimmed.
func CleanURL(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\r' || r == '\n' {
			return -1
		}
		return r
	}, strings.TrimSpace(s))
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	u.Host = strings.ToLower(u.Host)
	if u.Port() == "" || u.Scheme == "http" && u.Port() == "80" || u.Scheme == "https" && u.Port() == "443" {
		u.Host = strings.TrimSuffix(u.Host[:len(u.Host)-len(u.Port())], ":")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// has reports whether a URL contains one of the parts.
func has(url string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(url, p) {
			return true
		}
	}
	return false
}
