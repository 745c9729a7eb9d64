package fetch

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/gleaner-web/gleaner/transforms/robots"
)

// maxURL is the longest URL, in bytes: more than any server takes.
const maxURL = 32 << 10

// target is a parsed URL that can be requested, with the fields of the request.
type target struct {
	url    string // as the caller gave it
	scheme string
	host   string // name or address, lower case, ASCII
	port   string
	path   string // with the query, as it is sent: see robots.Path
	fields [][2]string
	most   int64 // bytes of the body; 0 for Options.MaxBody
}

// newTarget checks a request.
func newTarget(r Request) (target, error) {
	u, err := url.Parse(r.URL)
	// url.Parse's error quotes the URL, whose query may be a signature.
	if err != nil || len(r.URL) > maxURL {
		return target{}, fmt.Errorf("fetch: %w", ErrURL)
	}
	// Lower case, since names of hosts have no case, and they are the keys of pauses, rules and connections.
	t := target{url: r.URL, most: r.MaxBody, scheme: u.Scheme, host: strings.ToLower(u.Hostname()), port: u.Port()}
	switch {
	case t.scheme != "http" && t.scheme != "https":
		return target{}, fmt.Errorf("fetch: scheme %.20q: %w", t.scheme, ErrURL)
	case u.User != nil:
		// It would be in the archive, and pages use such URLs to trick readers.
		return target{}, fmt.Errorf("fetch: a user in the URL: %w", ErrURL)
	case t.host == "":
		return target{}, fmt.Errorf("fetch: no host: %w", ErrURL)
	}
	// Addresses are not names: IDNA would refuse the colons of IPv6.
	if net.ParseIP(t.host) == nil {
		// With a dot at its end it is the same host, and must not get its own queue.
		ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(t.host, "."))
		if err != nil || ascii == "" {
			return target{}, fmt.Errorf("fetch: host %.80q: %w", t.host, ErrURL)
		}
		t.host = ascii
	}
	// Filled in, so that "http://a" and "http://a:80" are one origin.
	if t.port == "" {
		t.port = map[string]string{"http": "80", "https": "443"}[t.scheme]
	}
	// The rules of robots.txt apply to the URL as sent.
	t.path = robots.Path(printable(u.RequestURI()))
	return t, t.setFields(r)
}

// setFields sets the request's fields.
func (t *target) setFields(r Request) error {
	// Accept is sent even for any type, so that each request has the same fields.
	accept := r.Accept
	if accept == "" {
		accept = "*/*"
	}
	t.fields = [][2]string{
		{"Accept", accept}, {"If-None-Match", r.ETag}, {"If-Modified-Since", r.LastModified},
	}
	for _, f := range t.fields {
		// A server's tag must not add a field.
		if strings.ContainsFunc(f[1], isControl) {
			return fmt.Errorf("fetch: %s has a control character in it: %w", f[0], ErrURL)
		}
	}
	return nil
}

// origin returns the scope of one robots.txt: scheme, host and port.
func (t target) origin() string { return t.scheme + "://" + net.JoinHostPort(t.host, t.port) }

// authority returns the value of the field Host, without the scheme's default port.
func (t target) authority() string {
	name := t.host
	// An IPv6 address has brackets: section 3.2.2 of RFC 3986.
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if t.scheme == "http" && t.port == "80" || t.scheme == "https" && t.port == "443" {
		return name
	}
	return name + ":" + t.port
}

// String returns the URL for errors, without its query, which may hold a signature.
func (t target) String() string {
	path, _, _ := strings.Cut(t.path, "?")
	return fmt.Sprintf("%s://%s%.200s", t.scheme, t.authority(), path)
}

// printable percent-encodes the characters of a path with its query that cannot be in a request line. net/url leaves
// queries unchanged.
func printable(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return path
	}
	var b strings.Builder
	for i := range len(path) {
		// Byte by byte: a character of several bytes becomes as many escapes, as in browsers' UTF-8.
		if c := path[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
