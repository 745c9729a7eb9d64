package pagemeta

import (
	"net/url"
	"slices"
	"strings"
)

// unfilled are what templates leave where a value is missing, and the marks of templates that were never filled in.
var (
	unfilled = []string{
		"undefined", "null", "nan", "none", "nil", "false", "[object object]", "%5bobject%20object%5d",
	}
	templateMarks = []string{"{{", "}}", "${", "<%", "{%", "<?", "[[", "%%", "#{", "%7b%7b", "%7d%7d"}
)

// address is the URL that a page gives as its own, absolute; "" where nobody can have meant it: words and marks of
// templates, the machine of a developer, a host that is none. A host without a scheme is taken for one, and a scheme
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
	// The inner one is the address; the outer was put in front of it by a template.
	for _, inner, ok := strings.Cut(low, "://"); ok && isWeb(low) && isWeb(inner); _, inner, ok = strings.Cut(low, "://") {
		u, low = u[len(low)-len(inner):], inner
	}
	// A path may begin with any word: only the page's own host, or www, is taken for one.
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

// isWeb reports whether an address, in lower case, begins with a scheme of the web.
func isWeb(low string) bool {
	return strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://")
}

// bare is a host without "www.".
func bare(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }

// isUnmeant reports whether a URL names no page: a word of a template is a part of its path or its host, but not of the
// page's own URL, or its host is one that only a developer reaches.
func (f *finder) isUnmeant(abs string, base *url.URL) bool {
	u, err := url.Parse(abs)
	if err != nil {
		return true
	}
	host, own := u.Hostname(), base.Hostname()
	// Names without a point are known to one network alone.
	if host != own && (!strings.Contains(host, ".") && !strings.Contains(host, ":") || host == "127.0.0.1") {
		return true
	}
	// A wiki may have a page called Null: then the page's own address has the word, too.
	mine := strings.Split(strings.ToLower(base.Path), "/")
	for part := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		if slices.Contains(unfilled, part) && !slices.Contains(mine, part) {
			return true
		}
	}
	return false
}
