package urlkey

import "strings"

// parts are the components of a URL, as written.
type parts struct {
	scheme, host, port, path, query string
}

// clean drops white space around a URL, tabs and line ends inside it, and all but the last of its repeated schemes. It
// adds a scheme if there is none.
func clean(u string) string {
	u = strings.Trim(u, " \t\n\r\v\f")
	if strings.ContainsAny(u, "\t\n\r") {
		u = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(u)
	}
	if u == "" || strings.HasPrefix(u, "filedesc") {
		return u
	}
	if schemeLen(u) == 0 {
		u = "http://" + u
	}
	for {
		rest := u[webScheme(u):]
		if webScheme(rest) == 0 {
			return u
		}
		u = rest
	}
}

// webScheme returns the length of http:// or https:// at the beginning of u, or 0.
func webScheme(u string) int {
	if !strings.HasPrefix(u, "http") {
		return 0
	}
	switch {
	case strings.HasPrefix(u[4:], "://"):
		return len("http://")
	case strings.HasPrefix(u[4:], "s://"):
		return len("https://")
	}
	return 0
}

// schemeLen returns the length of the scheme at the beginning of u, without its colon, or 0.
func schemeLen(u string) int {
	for i := range len(u) {
		c := u[i]
		switch {
		case isLetter(c):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case c == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// split splits a cleaned URL by the expression of RFC 2396, appendix B.
func split(u string) parts {
	var p parts
	n := schemeLen(u)
	p.scheme, u = u[:n], u[n+1:]
	u, _, _ = strings.Cut(u, "#")
	u, p.query, _ = strings.Cut(u, "?")
	if rest, ok := strings.CutPrefix(u, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		p.host, p.port = splitAuthority(rest[:end])
		u = rest[end:]
	}
	p.path = u
	if p.host == "" && p.path != "" && strings.HasPrefix(p.scheme, "http") {
		// There are too many slashes, or too few: http:////example.com/ and http:example.com/
		var rest string
		p.host, rest, _ = strings.Cut(strings.TrimLeft(p.path, "/"), "/")
		p.path = "/" + rest
	}
	return p
}

// splitAuthority returns host and port of user:password@host:port, the host without the brackets of an IPv6 address.
func splitAuthority(s string) (host, port string) {
	s = strings.TrimRight(s, ":")
	s = s[strings.LastIndexByte(s, '@')+1:]
	if _, inside, ok := strings.Cut(s, "["); ok {
		host, s, _ = strings.Cut(inside, "]")
		_, port, _ = strings.Cut(s, ":")
		return host, port
	}
	host, port, _ = strings.Cut(s, ":")
	return host, port
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
