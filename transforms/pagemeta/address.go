package pagemeta

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// unfilled are values that templates leave for a missing value; templateMarks are marks of templates that were never
// filled in.
var (
	unfilled = []string{
		"undefined", "null", "nan", "none", "nil", "false", "true", "...", "[object object]", "%5bobject%20object%5d",
	}
	templateMarks = []string{"{{", "}}", "${", "<%", "{%", "<?", "[[", "%%", "#{", "%7b%7b", "%7d%7d"}
)

// variable is the name of a variable in a segment of a path, in lower case: p-{id}, [permalink]. Names of pages have
// words in square brackets, too, but other words beside them.
var variable = pattern.Lazy(`\{[a-z][a-z_ .-]*\}|^\[[a-z][a-z_ .-]*\]$`)

// address is the URL that a page declares as its own, absolute. It is "" for URLs that cannot be meant: words and
// marks of templates, a developer's machine, an invalid host. A host without a scheme counts as a URL, and a scheme
// that is written twice counts once.
func (f *finder) address(u string) string {
	u = strings.TrimSpace(u)
	low := strings.ToLower(u)
	if slices.ContainsFunc(templateMarks, func(m string) bool { return strings.Contains(low, m) }) {
		return ""
	}
	base, err := url.Parse(f.p.Base())
	if err != nil {
		return f.absolute(u)
	}
	// The inner URL counts; a template has put the outer one in front.
	for _, inner, ok := strings.Cut(low, "://"); ok && isWeb(low) && isWeb(inner); _, inner, ok = strings.Cut(low, "://") {
		u, low = u[len(low)-len(inner):], inner
	}
	if host, _, _ := strings.Cut(low, "/"); base.Host != "" && isHost(host, base.Host) {
		u = base.Scheme + "://" + u
	}
	abs := f.absolute(u)
	if abs == "" || f.isUnmeant(abs, base) {
		return ""
	}
	return abs
}

// isHost reports whether the first part of a URL without a scheme, in lower case, is a host. A path may begin with any
// word. So only these are hosts: those of the page's own site, those with www, and those in well-known domains.
func isHost(part, own string) bool {
	own = bare(own)
	switch end := part[strings.LastIndexByte(part, '.')+1:]; {
	case part == own, strings.HasSuffix(part, "."+own), strings.HasSuffix(own, "."+part) && len(end) < len(part):
		return true
	case end == "com":
		return strings.IndexByte(part, '.') > 0
	case strings.HasPrefix(part, "www."), slices.Contains(domains, end):
		return strings.Count(part, ".") > 1
	}
	return false
}

// domains are top-level domains of most sites.
var domains = strings.Fields("org net edu gov info de uk fr it es nl ru jp br au ca eu")

// isWeb reports whether a URL, in lower case, has a scheme of the web.
func isWeb(low string) bool {
	return strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://")
}

func bare(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }

// isUnmeant reports whether a URL cannot name a page. Its path holds a word of a template that the page's own path
// lacks. Or its host is of one network, and the page's own is not.
func (f *finder) isUnmeant(abs string, base *url.URL) bool {
	u, err := url.Parse(abs)
	if err != nil {
		return true
	}
	host, own := u.Hostname(), base.Hostname()
	if isLocal(host) && (own == "" || !isLocal(own)) {
		return true
	}
	// A wiki may have a page called Null: then the page's own URL has the word, too. Likewise, braces may be its own.
	mine := strings.Split(strings.ToLower(base.Path), "/")
	marks := "{["
	if strings.Contains(base.Path, "{") {
		marks = "["
	}
	for part := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		isWord := slices.Contains(unfilled, part) || strings.ContainsAny(part, marks) && variable().MatchString(part)
		if isWord && !slices.Contains(mine, part) {
			return true
		}
	}
	return false
}

// isLocal reports whether a host is known only in one network. Then it has no dot, a domain of such networks, or a
// private IP address.
func isLocal(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsPrivate() || ip.IsLoopback() || ip.IsUnspecified() || ip.IsLinkLocalUnicast()
	}
	end := host[strings.LastIndexByte(host, '.')+1:]
	return end == host || slices.Contains(localDomains, end)
}

// localDomains are the domains of RFC 6761 and RFC 6762 except "example", and others that private networks use.
var localDomains = strings.Fields("local localhost test invalid internal lan localdomain")
