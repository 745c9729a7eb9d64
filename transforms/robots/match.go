package robots

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
)

// Path returns a path, with its query, in the form for requests and for Allowed. It decodes octets that need no
// encoding (RFC 3986, section 6.2.2.2), then removes the segments "." and ".." (section 5.2.4). Servers do the same.
// Otherwise a link to /a/%2e%2e/secret would reach a path that a rule for /secret forbids.
func Path(path string) string {
	path, query, has := strings.Cut(path, "?")
	path = octets(cmp.Or(path, "/"))
	if strings.Contains(path, "/.") {
		path = withoutDots(path)
	}
	if has {
		path += "?" + query
	}
	return path
}

// withoutDots removes the segments "." and "..".
func withoutDots(path string) string {
	var kept []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch {
		case s != "." && s != "..":
			kept = append(kept, s)
			continue
		// The first segment is the empty one before the slash.
		case s == ".." && len(kept) > 1:
			kept = kept[:len(kept)-1]
		}
		if last {
			kept = append(kept, "") // "/a/.." is the folder "/"
		}
	}
	return strings.Join(kept, "/")
}

// Allowed reports whether a path with its query, such as "/search?q=x", may be fetched. The rule with the longest
// pattern decides. Of two equally long ones it is the one that allows (section 2.2.2). Method Allowed converts the
// path by Path.
func (r *Rules) Allowed(path string) bool {
	path = compared(Path(path), false)
	// The file itself is always allowed.
	if path == "/robots.txt" {
		return true
	}
	// Without a matching rule the path is allowed. Patterns are not empty, so a matching one is longer than 0.
	longest, allowed := 0, true
	for _, rule := range r.rules {
		// The length is compared first, since matching takes longer: a rule that cannot change the answer is not
		// tried.
		n := len(rule.pattern)
		if n < longest || n == longest && (allowed || !rule.allow) || !match(rule.pattern, path) {
			continue
		}
		longest, allowed = n, rule.allow
	}
	return allowed
}

// Match reports whether a path in the form of Path matches a pattern in the form of a file.
func Match(pattern, path string) bool { return match(compared(pattern, true), compared(path, false)) }

// PathOf returns the path of a URL with its query, in the form of Path.
func PathOf(rawURL string) string {
	if u, err := url.Parse(rawURL); err == nil {
		return Path(u.RequestURI())
	}
	// Old pages have URLs that package url refuses, such as those with "%u4E2D" or "50%-off".
	rest, _, _ := strings.Cut(rawURL, "#")
	if _, after, ok := strings.Cut(rest, "//"); ok {
		rest = after
	}
	at := strings.IndexAny(rest, "/?")
	if at < 0 {
		return "/"
	}
	return Path(rest[at:])
}

// match reports whether a path matches the pattern at its beginning; * matches anything and $ at the end means the
// path's end. Each piece is searched after the end of the one before, leftmost first. That finds a match whenever
// there is one, and tries no piece twice.
func match(pattern, path string) bool {
	// $ is special only at the end; elsewhere it is literal.
	pattern, whole := strings.CutSuffix(pattern, "$")
	first, rest, more := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, first)
	if !ok {
		return false
	}
	for more {
		first, rest, more = strings.Cut(rest, "*")
		// The last piece must be at the path's end, which may not be its first occurrence.
		if !more && whole {
			return strings.HasSuffix(path, first)
		}
		// An empty piece, as in "**", is found at once and matches nothing.
		at := strings.Index(path, first)
		if at < 0 {
			return false
		}
		path = path[at+len(first):]
	}
	return !whole || path == ""
}

// compared returns a path or a pattern in the form for comparison (section 2.2.2). ASCII signs are the same encoded or
// not, except the delimiters "/", "?" and "#". A literal * or $ is encoded; in a pattern they are special.
func compared(s string, pattern bool) string {
	// Most paths need no copy.
	if !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '%' || r == '*' || r == '$' }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, isCode := hex(s[i:])
		if isCode {
			i += 2
		} else {
			c = s[i]
		}
		switch {
		case pattern && !isCode && (c == '*' || c == '$' && i == len(s)-1):
			b.WriteByte(c)
		case c <= ' ' || c >= 0x7f || c == '%' || c == '*' || c == '$', isCode && (c == '/' || c == '?' || c == '#'):
			b.Write(encoded(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func encoded(c byte) []byte {
	const digits = "0123456789ABCDEF"
	return []byte{'%', digits[c>>4], digits[c&15]}
}

// octets returns a path in the form for requests. Non-ASCII octets are percent-encoded, unnecessary encodings are
// removed, and other codes have capital digits.
func octets(path string) string {
	// Most paths are plain ASCII, and need no copy.
	if !strings.ContainsFunc(path, func(r rune) bool { return r == '%' || r >= 0x80 }) {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		code, isCode := hex(path[i:])
		switch {
		// "%61" and "a" are the same by RFC 3986, section 6.2.2.2; "%2F" and "/" are not.
		case isCode && isUnreserved(code):
			b.WriteByte(code)
			i += 2
		case isCode:
			b.WriteString(strings.ToUpper(path[i : i+3]))
			i += 2
		case c >= 0x80 || c == '%': // this is half a code, and must not form a whole one with the next bytes
			b.Write(encoded(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// hex reads the percent-encoded octet at the beginning of s.
func hex(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// isUnreserved reports whether c is unreserved (RFC 3986, section 2.3).
func isUnreserved(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("-._~", c) >= 0
}
