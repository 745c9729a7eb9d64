package page

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// resolver makes links absolute in the way browsers do (URL Living Standard), which archives need: links there hold
// spaces, backslashes, letters of any script and percent signs that escape nothing.
type resolver struct {
	base *whatwg.Url // nil when the page's own URL cannot be read: only absolute links resolve then
	room int         // bytes of absolute links that may still be made: a long base makes long ones of short ones
}

func newResolver(base string) *resolver {
	u, err := whatwg.Parse(base)
	if err != nil {
		return &resolver{room: maxURLs}
	}
	return &resolver{base: u, room: maxURLs}
}

// resolve returns the absolute form of ref, or "" when it has none or is too long.
func (r *resolver) resolve(ref string) string {
	if len(ref) > maxURL {
		return ""
	}
	u := r.parse(ref)
	if u == nil {
		return ""
	}
	href := u.Href(false)
	if len(href) > r.room {
		return ""
	}
	r.room -= len(href)
	return href
}

func (r *resolver) parse(ref string) *whatwg.Url {
	if r.base == nil {
		u, err := whatwg.Parse(ref)
		return orNil(u, err)
	}
	u, err := r.base.Parse(ref)
	return orNil(u, err)
}

func orNil(u *whatwg.Url, err error) *whatwg.Url {
	if err != nil {
		return nil
	}
	return u
}

// hasScheme tells whether the absolute URL has one of schemes, given with their colon.
func hasScheme(href string, schemes ...string) bool {
	for _, s := range schemes {
		if strings.HasPrefix(href, s) {
			return true
		}
	}
	return false
}
