package datastreamer

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Tokenize returns the resource of a URL, its normal form in Datastreamer. It drops www, a final slash, index.html,
// port 80 and the fragment. It is the original's tokenize4, step by step; docs/formats/datastreamer.md has the two
// places where that goes wrong and this does not.
func Tokenize(link string) string {
	// As Java's String.trim: control characters as well as blanks.
	s := strings.TrimFunc(link, func(r rune) bool { return r <= ' ' })
	scheme, _, ok := strings.Cut(s, ":")
	if s == "" || ok && slices.Contains([]string{"feed", "javascript", "mailto"}, scheme) {
		return s
	}
	// Without a scheme it counts as http.
	if !strings.Contains(s, ":/") {
		s = "http://" + s
	}
	// The order of these steps is the original's: hashcodes depend on it, and must be those of its
	// data.
	s = strings.Replace(s, "http://www.", "http://", 1)
	s = strings.Replace(s, "https://www.", "https://", 1)
	// A step of the original's; a slash at the end goes again below.
	if hasAnySuffix(s, ".co.uk", ".gov", ".org", ".com", ".net") {
		s += "/"
	}
	if i := strings.LastIndexByte(s, '#'); i >= 0 {
		s = s[:i]
	}
	s = withoutIndex(strings.TrimSuffix(s, "/"))
	s = strings.TrimSpace(withoutPort(s))
	// Only the host: paths know upper and lower case.
	if strings.HasPrefix(s, "http") {
		start, end := authority(s)
		s = s[:start] + strings.ToLower(s[start:end]) + s[end:]
	}
	return strings.TrimSuffix(withoutSession(s), "?")
}

func hasAnySuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(s, x) })
}

// authority returns the place of the host with its port.
func authority(s string) (start, end int) {
	if i := strings.Index(s, "://"); i >= 0 {
		start = i + len("://")
	}
	if n := strings.IndexAny(s[start:], "/?#"); n >= 0 {
		return start, start + n
	}
	return start, len(s)
}

// withoutIndex drops index.html and the like, but not a query after it; or else a slash at the end.
func withoutIndex(s string) string {
	dot, slash := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, '/')
	_, host := authority(s)
	if dot < slash || slash < host {
		return strings.TrimSuffix(s, "/")
	}
	if name := s[slash+1 : dot]; name != "default" && name != "index" {
		return s
	}
	// The query begins after the name, and stays.
	query := ""
	if i := strings.IndexByte(s, '?'); i >= 0 {
		query = s[i:]
	}
	return s[:slash] + query
}

// withoutPort drops port 80, whatever the scheme.
func withoutPort(s string) string {
	start, end := authority(s)
	return s[:start] + strings.TrimSuffix(s[start:end], ":80") + s[end:]
}

// withoutSession drops the first session id.
func withoutSession(s string) string {
	// Lower case only, as the original looks for them.
	start := firstOf(s, "phpsessid=", ";jsessionid=")
	if start < 0 {
		return s
	}
	n := strings.IndexAny(s[start:], "?&")
	if n < 0 {
		return s[:start]
	}
	return s[:start] + strings.TrimPrefix(s[start+n:], "&")
}

// firstOf is where the first of some texts is in s, or -1.
func firstOf(s string, texts ...string) int {
	first := -1
	for _, t := range texts {
		if i := strings.Index(s, t); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// Site returns the host of a URL, in lower case, without its port: the field site.
func Site(link string) string {
	start, end := authority(link)
	host := link[start:end]
	// A user's name may be before the host.
	host = host[strings.LastIndexByte(host, '@')+1:]
	// Colons within an IPv6 address do not begin a port.
	if i := strings.IndexByte(host, ']'); strings.HasPrefix(host, "[") && i > 0 {
		return strings.ToLower(host[:i+1])
	}
	host, _, _ = strings.Cut(host, ":")
	return strings.ToLower(host)
}

var (
	threeLabels = pattern.Lazy(`\.(ac|co|com|gov|ltd|me|mod|net|nic|nhs|org|plc|police|sch)\.[a-z]{2}$`)
	address     = pattern.Lazy(`^([0-9.]+|\[.*\])$`)
)

// Domain returns the domain of a host as Datastreamer has it: its last two labels, or three under co.uk and its like.
// It is coarser than the Public Suffix List.
func Domain(host string) string {
	// Labels of an address are not domains.
	if address().MatchString(host) {
		return host
	}
	keep := 2
	if threeLabels().MatchString(host) {
		keep = 3
	}
	labels := strings.Split(host, ".")
	return strings.Join(labels[max(0, len(labels)-keep):], ".")
}

// setAddress sets the requested URL, the target of redirects if there were any, and the fields computed from them.
func setAddress(c *Content, requested, final string) {
	c.Permalink, c.Resource = requested, Tokenize(requested)
	c.Hashcode = Hashcode(c.Resource)
	c.Site = Site(requested)
	c.Domain = Domain(c.Site)
	if final != requested {
		c.PermalinkRedirect, c.PermalinkRedirectSite = final, Site(final)
		c.PermalinkRedirectDomain = Domain(c.PermalinkRedirectSite)
	}
}
