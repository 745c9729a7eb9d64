package feed

import (
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// badScheme is a scheme of the web with a missing sign, or a second one: "http//", "https:host", "http://http://".
var badScheme = pattern.Lazy(`^(?i)(https?)(?::/?|//|:///?https?://)([^/:].*)$`)

// withScheme corrects a reference that people wrote without a scheme, or with a damaged one. Such a reference would
// become a path of the site. What may be a path stays one.
func withScheme(base, ref string) string {
	if len(ref) < 4 || ref[0] == '/' || ref[0] == '#' || ref[0] == '?' || ref[0] == '.' {
		return ref
	}
	if m := badScheme().FindStringSubmatch(ref); m != nil && isHost(m[2]) {
		if i := strings.LastIndex(strings.ToLower(ref), "http"); i > 0 { // the inner scheme is the written one
			return ref[i:]
		}
		return strings.ToLower(m[1]) + "://" + m[2]
	}
	scheme := "https"
	if strings.HasPrefix(base, "http://") {
		scheme = "http"
	}
	if strings.HasPrefix(strings.ToLower(ref), "www.") && isHost(ref) || isHost(ref) && mayBeSite(base, ref) {
		return scheme + "://" + ref
	}
	return ref
}

// hostOf returns the part of a reference before its path.
func hostOf(ref string) string {
	if i := strings.IndexAny(ref, "/?#"); i >= 0 {
		ref = ref[:i]
	}
	name, port, _ := strings.Cut(ref, ":")
	if strings.Trim(port, "0123456789") != "" {
		return "" // a scheme, such as mailto: or urn:
	}
	return strings.ToLower(name)
}

// isHost reports whether a reference begins with a host below a public suffix.
func isHost(ref string) bool {
	host := hostOf(ref)
	if !strings.Contains(host, ".") || strings.ContainsAny(host, "%@_ ") {
		return false
	}
	suffix, managed := publicsuffix.PublicSuffix(host)
	if !managed && !strings.Contains(suffix, ".") {
		return strings.HasSuffix(host, ".example") || strings.HasSuffix(host, ".test") // for documentation
	}
	_, err := publicsuffix.EffectiveTLDPlusOne(host)
	return err == nil
}

// mayBeSite reports whether a host is of the base's site, or is followed by a path. A name alone may be a file:
// "page.pl" is both.
func mayBeSite(base, ref string) bool {
	host := hostOf(ref)
	if i := strings.Index(base, "://"); i >= 0 {
		own := strings.TrimPrefix(hostOf(base[i+3:]), "www.")
		if strings.TrimPrefix(host, "www.") == own || strings.HasSuffix(host, "."+own) {
			return true
		}
	}
	return len(ref) > len(host) && (ref[len(host)] == '/' || ref[len(host)] == ':')
}
