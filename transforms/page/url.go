package page

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// resolver makes links absolute as browsers do (URL Living Standard). Links in archives hold spaces, backslashes,
// letters of any script and percent signs that escape nothing. One resolver serves a page and keeps the base parsed,
// which costs more than most links. So it is parsed for the first link that needs it.
type resolver struct {
	url    string      // the base as given
	base   *whatwg.Url // nil if it is not parsed, or invalid: then only absolute links resolve
	parsed bool
	own    prefixes
	room   int // bytes of absolute links that may still be made: a long base makes short links long
}

// prefixes are the beginnings that plain links take from the base, all empty if it is not on the web. A prefix and a
// plain link, as nearly all are, make the absolute link.
type prefixes struct {
	scheme string // https:
	origin string // https://example.org
	folder string // https://example.org/a/
	path   string // https://example.org/a/b
	page   string // https://example.org/a/b?c
}

// newResolver returns the resolver of a page at base.
func newResolver(base string) *resolver {
	r := &resolver{url: base, room: maxURLs}
	href, _, _ := strings.Cut(base, "#")
	if plain := plainURL(href); plain != "" {
		r.own = prefixesOf(plain)
	} else if r.parseBase(); r.base != nil {
		r.own = prefixesOf(r.base.Href(true))
	}
	return r
}

// plainURL returns the absolute URL href without fragment, or "" if it may have to be normalised.
func plainURL(href string) string {
	if !hasScheme(href, "http://", "https://") {
		return ""
	}
	return plainAbsolute(href)
}

// parseBase parses the base. An error leaves it nil: only absolute links resolve.
func (r *resolver) parseBase() {
	if !r.parsed {
		r.base, r.parsed = orNil(whatwg.Parse(r.url)), true
	}
}

// prefixesOf splits an absolute URL without fragment. The parser has normalised href, so a slash follows the host.
func prefixesOf(href string) (p prefixes) {
	if !hasScheme(href, "http:", "https:") {
		return p
	}
	scheme := strings.IndexByte(href, ':') + 1
	origin := scheme + 2 + strings.IndexByte(href[scheme+2:], '/')
	path, _, _ := strings.Cut(href, "?")
	return prefixes{href[:scheme], href[:origin], path[:strings.LastIndexByte(path, '/')+1], path, href}
}

// resolve returns the absolute form of ref, or "" if there is none or it is too long. The room bounds the sum of
// results: 20,000 links on a base of 8 KiB would make 160 MiB.
func (r *resolver) resolve(ref string) string {
	if len(ref) > maxURL {
		return ""
	}
	href := r.plain(ref)
	if href == "" {
		u := r.parse(ref)
		if u == nil {
			return ""
		}
		href = u.Href(false)
	}
	// A link that does not fit uses no room.
	if len(href) > r.room {
		return ""
	}
	r.room -= len(href)
	return href
}

// parse reads ref as browsers do, or returns nil. Relative links need the base.
func (r *resolver) parse(ref string) *whatwg.Url {
	if r.parseBase(); r.base == nil {
		return orNil(whatwg.Parse(ref))
	}
	return orNil(r.base.Parse(ref))
}

func orNil(u *whatwg.Url, err error) *whatwg.Url {
	if err != nil {
		return nil
	}
	return u
}

// plain is a fast resolve for the many links without anything to normalise; for others it returns "". When in doubt it
// leaves the link to the parser. TestResolver_plain and FuzzResolve compare the two.
func (r *resolver) plain(ref string) string {
	// Parsers drop white space and controls around a link.
	for ref != "" && ref[0] <= ' ' {
		ref = ref[1:]
	}
	for ref != "" && ref[len(ref)-1] <= ' ' {
		ref = ref[:len(ref)-1]
	}
	switch {
	// The page itself, without its fragment.
	case ref == "":
		return r.own.page
	case hasScheme(ref, "http://", "https://"):
		return plainAbsolute(ref)
	case hasScheme(ref, "data:", "javascript:"):
		return plainOpaque(ref)
	// After such a scheme come no hosts and folders.
	case hasScheme(ref, "mailto:", "tel:"):
		if rest := ref[strings.IndexByte(ref, ':')+1:]; rest != "" && rest[0] != '/' && isPlain(rest, inQuery) {
			return ref
		}
	// The base is not on the web, so its links are not plain.
	case r.own.scheme == "":
	case strings.HasPrefix(ref, "//"):
		return plainAbsolute(r.own.scheme + ref)
	case ref[0] == '#' && isPlain(ref[1:], inFragment):
		return r.own.page + ref
	case ref[0] == '?' && isPlain(ref[1:], inQuery):
		return r.own.path + ref
	case ref[0] == '/' && isPlain(ref, inPath):
		return r.own.origin + ref
	// A colon might end a scheme.
	case isAlnum(ref[0]) && strings.IndexByte(ref, ':') < 0 && isPlain(ref, inPath):
		return r.own.folder + ref
	// "." is that folder, and after it a colon does not end a scheme.
	case len(ref) > 2 && ref[:2] == "./" && isLetter(ref[2]) && isPlain(ref[2:], inPath):
		return r.own.folder + ref[2:]
	case strings.HasPrefix(ref, "../"):
		return r.own.above(ref)
	}
	return ""
}

// above is plain for a link to a folder above.
func (p *prefixes) above(ref string) string {
	folder := p.folder
	for strings.HasPrefix(ref, "../") {
		ref = ref[len("../"):]
		// Above the first folder is the first folder.
		if len(folder) > len(p.origin)+1 {
			folder = folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1]
		}
	}
	if ref == "" || !isLetter(ref[0]) || !isPlain(ref, inPath) {
		return ""
	}
	return folder + ref
}

// plainAbsolute returns the absolute URL ref, or "" if it may have to be normalised (IDNA, IPv4, default ports). It
// accepts only hosts in lower case, of letters, digits and hyphens, without port and user.
func plainAbsolute(ref string) string {
	start := strings.Index(ref, "//") + 2
	end := start
	label, letters := start, false
	for ; end < len(ref) && ref[end] != '/'; end++ {
		switch c := ref[end]; {
		// letters: the last label begins with a letter, so it is not a number.
		case c >= 'a' && c <= 'z':
			letters = letters || end == label
		// A hyphen may not begin a label or be doubled ("xn--" is for the parser).
		case c >= '0' && c <= '9', c == '-' && end > label && ref[end-1] != '-':
		// Labels have 63 bytes at most.
		case c == '.' && end > label && end-label < 64 && ref[end-1] != '-':
			label, letters = end+1, false
		default:
			return ""
		}
	}
	switch {
	// no name, or a number: an IP address
	case end == label || end-label > 63 || end-start > 253 || !letters || ref[end-1] == '-':
		return ""
	case end == len(ref):
		// The parser adds the slash after a bare host.
		return ref + "/"
	case !isPlain(ref[end:], inPath):
		return ""
	}
	return ref
}

// plainOpaque returns the absolute URL ref, whose scheme is followed by no host, or "" if it may have to be normalised.
// Pictures in data: are long.
func plainOpaque(ref string) string {
	_, path, _ := strings.Cut(ref, ":")
	if path == "" || path[0] == '/' {
		return ""
	}
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= 0x7F || c == '?' || c == '#' {
			return ""
		}
	}
	return ref
}

const (
	inPath = iota
	inQuery
	inFragment
)

// isPlain reports whether s, the end of a URL that begins in the given part, has nothing to escape and no dot
// segments. A dot after a slash may be "." or "..", so it is not plain; "%2e" means a dot, too.
func isPlain(s string, part int) bool {
	for i := range len(s) {
		c := s[i]
		if plainBytes[c] {
			continue
		}
		switch {
		case c == '?':
			// The rest after the "?" is query.
			part = max(part, inQuery)
		case c == '#' && part < inFragment:
			part = inFragment
		// In query and fragment dots mean nothing.
		case c == '.' && (part > inPath || i > 0 && s[i-1] != '/'):
		case c == '%' && (part > inPath || i+2 < len(s) && s[i+1:i+3] != "2e" && s[i+1:i+3] != "2E"):
		default:
			return false
		}
	}
	return true
}

// plainBytes are the bytes that are never escaped in any part of a URL.
var plainBytes = func() (plain [256]bool) {
	for c := range plain {
		plain[c] = isAlnum(byte(c)) || strings.IndexByte("-_~!$&()*+,;=:@/", byte(c)) >= 0
	}
	return plain
}()

// hasScheme reports whether href has one of schemes, given with their colon. href comes from the parser, with its
// scheme in lower case.
func hasScheme(href string, schemes ...string) bool {
	for _, s := range schemes {
		if strings.HasPrefix(href, s) {
			return true
		}
	}
	return false
}
