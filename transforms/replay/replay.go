// Package replay rewrites archived pages and style sheets for safe replay. They look as they did, but nothing in them
// runs. Every URL that a browser would load is replaced by an address of the replay server.
//
// Only harmless elements, attributes and at-rules are written: those in the lists of this package. Scripts, event
// handlers, plug-ins, forms' targets, refreshes and templates are left out. The content of a noscript element is shown,
// since scripts are off. Servers still need a policy that forbids everything else: see docs/replay.md.
//
//	text := replay.HTML(page, replay.Options{URL: "http://example.org/", Address: func(k replay.Kind, u string) string {
//		return "/replay/20240101000000" + string(k) + "/" + u
//	}})
//
// Sources: https://html.spec.whatwg.org/, https://www.w3.org/TR/css-syntax-3/, https://www.w3.org/TR/SVG2/,
// https://www.w3.org/TR/mathml-core/.
package replay

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Kind is how a page uses a URL. The values are those of pywb, where it has one.
type Kind string

// The kinds of URLs.
const (
	Link  Kind = ""    // a reader may follow it
	Page  Kind = "if_" // a frame of the page
	Image Kind = "im_"
	Style Kind = "cs_"
	Font  Kind = "fo_"
	Media Kind = "oe_" // sound and video
)

// Options are the options of a rewriting.
type Options struct {
	// URL is that of the page or style sheet.
	URL string
	// Address returns the address of an absolute http or https URL in the replay. It is called once for each use of a
	// URL. An empty address leaves the use out. Fragments are added afterwards.
	Address func(kind Kind, url string) string
	// Visual says that text is in visual order: lines are not turned around.
	Visual bool
}

// maxURL is the maximum length of a URL, in bytes. Longer ones are left out, since servers refuse them.
const maxURL = 8000

// urls resolves and replaces URLs.
type urls struct {
	o    Options
	base *whatwg.Url // nil if it is invalid: then only absolute URLs resolve
}

func newURLs(o Options) *urls {
	u := &urls{o: o}
	u.setBase(o.URL)
	return u
}

// setBase sets the base, which may be relative to the page.
func (u *urls) setBase(ref string) {
	if b := u.parse(ref); b != nil && (b.Scheme() == "http" || b.Scheme() == "https") {
		u.base = b
	}
}

func (u *urls) parse(ref string) *whatwg.Url {
	if len(ref) > maxURL {
		return nil
	}
	var b *whatwg.Url
	var err error
	if u.base == nil {
		b, err = whatwg.Parse(ref)
	} else {
		b, err = u.base.Parse(ref)
	}
	if err != nil {
		return nil
	}
	return b
}

// address returns the replay's address for a reference, or "" if it is left out.
func (u *urls) address(kind Kind, ref string) string {
	ref = strings.TrimFunc(ref, func(c rune) bool { return c <= ' ' })
	switch {
	case ref == "":
		return ""
	// A fragment is of this document, wherever it is.
	case ref[0] == '#':
		return "#" + fragment(ref[1:])
	case isData(kind, ref):
		return ref
	}
	b := u.parse(ref)
	if b == nil || b.Scheme() != "http" && b.Scheme() != "https" {
		return ""
	}
	// The server has no use for a password.
	b.SetUsername("")
	b.SetPassword("")
	to := u.o.Address(kind, b.Href(true))
	if to == "" {
		return ""
	}
	if f := b.Fragment(); f != "" {
		to += "#" + fragment(f)
	}
	return to
}

// fragment escapes the characters that could end an attribute or a URL of a style sheet.
func fragment(f string) string {
	return strings.Map(func(c rune) rune {
		if c <= ' ' || strings.ContainsRune("\"'()<>\\`", c) {
			return '_'
		}
		return c
	}, f)
}

// isData reports whether ref is data that a browser can only use as an image or a font.
func isData(kind Kind, ref string) bool {
	if len(ref) < 5 || !strings.EqualFold(ref[:5], "data:") {
		return false
	}
	media := strings.ToLower(ref[5:min(len(ref), 40)])
	switch kind {
	case Image:
		return strings.HasPrefix(media, "image/")
	case Font:
		return !strings.HasPrefix(media, "text/html")
	}
	return false
}

// Address returns the address of one reference of a page, such as the target of a redirect, or "" if it is left out.
func Address(kind Kind, ref string, o Options) string { return newURLs(o).address(kind, ref) }
