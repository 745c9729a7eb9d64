package pagemeta

import (
	"net/url"
	"slices"
	"strings"
)

// unfilled are values that templates leave for a missing value; templateMarks are marks of templates that were never
// filled in.
var (
	unfilled = []string{
		"undefined", "null", "nan", "none", "nil", "false", "true", "...", "[object object]", "%5bobject%20object%5d",
	}
	templateMarks = []string{"{{", "}}", "${", "<%", "{%", "<?", "[[", "%%", "#{", "%7b%7b", "%7d%7d"}
)

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
	// A path may begin with any word, so only the page's own host, or www, counts as a host.
	host, _, _ := strings.Cut(low, "/")
	if base.Host != "" && (host == bare(base.Host) || strings.HasPrefix(host, "www.") && strings.Count(host, ".") > 1) {
		u = base.Scheme + "://" + u
	}
	abs := f.absolute(u)
	if abs == "" || f.isUnmeant(abs, base) {
		return ""
	}
	return abs
}

// isWeb reports whether a URL, in lower case, has a scheme of the web.
func isWeb(low string) bool {
	return strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://")
}

func bare(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }

// isUnmeant reports whether a URL cannot name a page. Its path holds a word of a template that the page's own path
// lacks, or only a developer reaches its host.
func (f *finder) isUnmeant(abs string, base *url.URL) bool {
	u, err := url.Parse(abs)
	if err != nil {
		return true
	}
	host, own := u.Hostname(), base.Hostname()
	// Hosts without a dot are known only in one network.
	if host != own && (!strings.Contains(host, ".") && !strings.Contains(host, ":") || host == "127.0.0.1") {
		return true
	}
	// A wiki may have a page called Null: then the page's own URL has the word, too.
	mine := strings.Split(strings.ToLower(base.Path), "/")
	for part := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		if slices.Contains(unfilled, part) && !slices.Contains(mine, part) {
			return true
		}
	}
	return false
}
