package robots

import (
	"cmp"
	"strconv"
	"strings"
)

// Path returns a path, with its query, in the form that is to be sent and that Allowed matches: encoded octets that
// need no encoding are decoded (RFC 3986, section 6.2.2.2), then the segments "." and ".." are removed (section 5.2.4).
// Servers do the same, so that a link to /a/%2e%2e/secret would reach what a rule for /secret forbids.
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

// Allowed reports whether a path may be fetched, with its query: "/search?q=x". The rule whose pattern is longest
// decides, and of two that are equally long the one that allows (section 2.2.2). A path is taken as Path returns it.
func (r *Rules) Allowed(path string) bool {
	path = octets(Path(path))
	// The file itself is always allowed.
	if path == "/robots.txt" {
		return true
	}
	// No rule matches: allowed. Patterns are not empty, so that any that matches is longer than 0.
	longest, allowed := 0, true
	for _, rule := range r.rules {
		// Compared before matching, which costs more: a rule that could not change the answer is not
		// tried.
		n := len(rule.pattern)
		if n < longest || n == longest && (allowed || !rule.allow) || !match(rule.pattern, path) {
			continue
		}
		longest, allowed = n, rule.allow
	}
	return allowed
}

// match reports whether a path begins as the pattern says, in which * is anything and $ at the end is the path's end.
// Each piece is looked for where the one before it ended, leftmost first: that finds a match whenever there is one, and
// no pattern can make it try the same piece twice.
func match(pattern, path string) bool {
	// $ is special at the end alone; elsewhere it is itself.
	pattern, whole := strings.CutSuffix(pattern, "$")
	first, rest, more := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, first)
	if !ok {
		return false
	}
	for more {
		first, rest, more = strings.Cut(rest, "*")
		// The last piece has to be at the path's end, and not at its first occurrence.
		if !more && whole {
			return strings.HasSuffix(path, first)
		}
		// An empty piece, as "**" has one, is found at once and takes nothing.
		at := strings.Index(path, first)
		if at < 0 {
			return false
		}
		path = path[at+len(first):]
	}
	return !whole || path == ""
}

// octets is a path in the form in which two are compared (section 2.2.2): octets that are not ASCII are
// percent-encoded, encoded ones that need not be are not, and the digits of the others are capitals.
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
		case c >= 0x80 || c == '%': // which is half an encoding, and must not become a whole one with what follows
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
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

// isUnreserved is of RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("-._~", c) >= 0
}
