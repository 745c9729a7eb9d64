package feed

import (
	"net/url"
	"strings"
)

// bareKinds are last path segments of feeds, which all blog programs use. They count in lower case only: /wiki/RSS and
// /wiki/Atom are articles.
var bareKinds = map[string]string{
	"rss": typeRSS, "rss2": typeRSS, "feed": typeRSS, "atom": typeAtom,
	"jsonfeed": typeJSON,
}

// fileKinds are file names of feeds. Unlike bare names they count in any case, since the extension leaves no doubt.
var fileKinds = map[string]string{
	"rss.xml": typeRSS, "rss2.xml": typeRSS, "rss.php": typeRSS, "rss.aspx": typeRSS, "feed.xml": typeRSS,
	"feed.php": typeRSS, "atom.xml": typeAtom, "atom.php": typeAtom, "feed.json": typeJSON,
}

// suffixKinds are endings of such names; the first that fits counts.
var suffixKinds = []struct{ suffix, kind string }{
	{".rss", typeRSS},
	{".atom", typeAtom},
	{".rdf", typeRDF},
	{".opml", typeOPML},
	{"-rss.xml", typeRSS},
	{"_rss.xml", typeRSS},
	{"-atom.xml", typeAtom},
	{"rss.xml", typeRSS},
}

// queryKinds are parameters with which WordPress, Joomla, MediaWiki and others serve feeds. Whole parameters are
// compared, so "feed=rssx" does not match.
var queryKinds = map[string]string{
	"feed=rss": typeRSS, "feed=rss2": typeRSS, "feed=atom": typeAtom, "feed=rdf": typeRDF, "feed=json": typeJSON,
	"format=feed": typeRSS, "format=rss": typeRSS, "format=atom": typeAtom, "output=rss": typeRSS, "output=atom": typeAtom,
	"type=rss": typeRSS, "alt=rss": typeRSS, "alt=atom": typeAtom,
}

// nameKind is the type of feed that a URL looks like, or "".
func nameKind(href string) string {
	// Parsing costs far more than searching for a hint.
	if !hinted(href) {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	// A slash at the end does not change the name: "/feed/" is WordPress's.
	path := strings.TrimSuffix(u.Path, "/")
	slash := strings.LastIndexByte(path, '/') + 1
	dir, name := path[:slash], path[slash:]
	if kind := bareKinds[name]; kind != "" {
		return kind
	}
	// WordPress has /feed/json; elsewhere a file called json is anything.
	if name == "json" && strings.HasSuffix(dir, "/feed/") {
		return typeJSON
	}
	name = strings.ToLower(name)
	if kind := fileKinds[name]; kind != "" {
		return kind
	}
	for _, s := range suffixKinds {
		if strings.HasSuffix(name, s.suffix) {
			return s.kind
		}
	}
	// Parameters come last, as a path is more specific.
	for parameter := range strings.SplitSeq(strings.ToLower(u.RawQuery), "&") {
		if kind := queryKinds[parameter]; kind != "" {
			return kind
		}
	}
	return ""
}

// feedHost reports whether a URL is on a host that serves feeds of other sites: FeedBurner, and hosts called feeds or
// rss.
func feedHost(href string) bool {
	_, rest, _ := strings.Cut(href, "//")
	return strings.HasPrefix(rest, "feeds.") || strings.HasPrefix(rest, "feeds2.feedburner.com/") ||
		strings.HasPrefix(rest, "rss.")
}
