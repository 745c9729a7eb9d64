package fileset

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// maxError is how long messages of results may be, in bytes.
const maxError = 1600

// shorten cuts s to n bytes at most, between characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// CleanURL is an address in the form that is looked up: without white space around it and line ends within, scheme and
// host in lower case, no empty port, at least a slash for a path, and no fragment. What cannot be read is given back
// trimmed.
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

// has reports whether a URL has one of the parts in it.
func has(url string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(url, p) {
			return true
		}
	}
	return false
}
