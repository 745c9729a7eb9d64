package blob

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// canonical returns a URL after those normalizations of RFC 3986, section 6.2, that change nothing for any server.
func canonical(name string) string {
	kind := scheme(name)
	// Names of objects are compared byte by byte: "a//b" and "a/./b" are other objects than "a/b".
	if kind != "http" && kind != "https" {
		return kind + name[len(kind):]
	}
	u, err := url.Parse(name)
	if err != nil {
		return name
	}
	hidden := ""
	if i := strings.LastIndex(name, "#q="); i >= 0 && secret.Hides(name) {
		hidden = name[i:] // distinguishes names whose hidden parts differ
	}
	// ResolveReference drops "." and ".." from the path as RFC 3986, section 5.2.4, says. The fragment is left out
	// because it is never sent.
	u = u.ResolveReference(&url.URL{RawQuery: u.RawQuery, Path: u.Path, RawPath: u.RawPath})
	u.Scheme, u.Host = kind, strings.ToLower(u.Host)
	// The default ports of the schemes.
	if port := u.Port(); kind == "http" && port == "80" || kind == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	user := ""
	if u.User != nil {
		user = u.User.String() + "@"
	}
	// An empty path and "/" are the same request.
	path := plainEscapes(cmp.Or(u.EscapedPath(), "/"))
	// The query stays unchanged: servers may distinguish queries that look equal.
	return fmt.Sprintf("%s://%s%s%s?%s%s", u.Scheme, user, u.Host, path, u.RawQuery, hidden)
}

// plainEscapes writes the escapes of a path in upper case, and letters, digits and -._~ without one.
func plainEscapes(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		// A "%" before fewer than two characters is not an escape either.
		if path[i] != '%' || i+3 > len(path) {
			b.WriteByte(path[i])
			continue
		}
		code := strings.ToUpper(path[i : i+3])
		c, err := url.PathUnescape(code)
		// Unreserved characters mean the same with and without an escape (RFC 3986, section 2.3). Others, such as %2F,
		// do not.
		if plain := err == nil && strings.Trim(c, letters) == ""; plain {
			code = c
		}
		b.WriteString(code)
		i += 2
	}
	return b.String()
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
