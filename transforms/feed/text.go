package feed

import (
	"bytes"
	"encoding/base64"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"
)

// construct is the text of an element as HTML, in which RSS allows escaped markup, and Atom (section 3.1 of RFC 4287)
// says by attributes what there is. What is plain text is escaped. Three decades of feeds disagree on whether text is
// escaped once, twice or not at all: where nothing is said, guess looks at the text.
func (r *reader) construct(i int) string {
	n := &r.nodes[i]
	// Empty elements are frequent, and cost nothing that way.
	if r.inner(i) == "" {
		return ""
	}
	// Elements directly inside: XHTML in Atom, or markup that somebody forgot to escape.
	if r.hasElements(i) {
		return r.markup(i)
	}
	v := r.value(i)
	mode, kind := "", ""
	// Attributes are looked for only where there are any.
	if n.attrs != "" {
		mode, kind = strings.ToLower(r.attr(i, "mode")), mediaType(r.attr(i, "type"))
	}
	// Atom 0.3 says mode=base64; Atom 1.0 means it by a type that is not text.
	if mode == "base64" || kind != "" && mode == "" && !textual(kind) {
		if decoded, ok := fromBase64(v); ok {
			v = decoded
		}
	}
	switch {
	// The value was unescaped once, by reading it, which makes it HTML.
	case mode == "escaped" && kind != "text/plain", kind == "html", kind == "xhtml", strings.Contains(kind, "html"):
		return v
	// Atom's default is plain text; in RSS nothing is said.
	case kind == "text" || kind == "text/plain", r.f.Format == typeAtom && kind == "":
		return html.EscapeString(v)
	}
	return r.guess(v)
}

// guess takes text of which nothing is said for HTML when it has a tag or a reference in it. Of "AT&T" and "a < b"
// neither is markup; they are escaped to stay what they are.
func (r *reader) guess(v string) string {
	if strings.IndexByte(v, '<') < 0 && strings.IndexByte(v, '&') < 0 {
		return v
	}
	for i, c := range v {
		switch {
		// A tag, an end tag or a comment.
		case c == '<' && i+1 < len(v) && (isLetter(v[i+1]) || v[i+1] == '/' || v[i+1] == '!'):
			return v
		case c == '&' && referenceLength(v[i:]) > 1:
			return v
		}
	}
	return html.EscapeString(v)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// mediaType is s in lower case without its parameters.
func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// textual reports whether content of this type is in a feed as it is; other content is base64 (section 4.1.3.3 of RFC
// 4287). "html", "xhtml" and "text" have no slash.
func textual(kind string) bool {
	return !strings.Contains(kind, "/") || strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "xml")
}

// fromBase64 decodes s, whatever white space and padding it has; what comes out may be in any
// encoding.
func fromBase64(s string) (string, bool) {
	s = strings.Map(func(c rune) rune {
		if c <= ' ' || c == '=' {
			return -1
		}
		return c
	}, s)
	b, err := base64.RawStdEncoding.DecodeString(s)
	return allowedOnly(lossless(b)), err == nil
}

// plainText is the text of an element without markup, cut at the limit. First as HTML, then without its tags: so the
// same rules hold for titles in all formats.
func (r *reader) plainText(i int) string {
	// Tags and references make the text no more than sixteen times as long.
	s := r.construct(i)
	return clean(unwrap(strings.TrimSpace(plain(s[:min(len(s), 16*r.o.MaxTextBytes)]))), r.o.MaxTextBytes)
}

// line is an element's value as it is, on one line, cut at the limit.
func (r *reader) line(i int) string { return clean(r.value(i), r.o.MaxTextBytes) }

// clean collapses white space and cuts at a rune's start. It makes a copy, so that who keeps a title does not keep the
// whole feed in memory. Fields splits at all white space, the no-break space included.
func clean(s string, limit int) string {
	// The usual text needs no second look.
	if !tidy(s) {
		s = strings.Join(strings.Fields(s), " ")
	}
	if len(s) > limit {
		// The cut may tear a character, which is then dropped.
		s = strings.ToValidUTF8(s[:limit], "")
	}
	return strings.Clone(s)
}

// tidy reports whether s has no white space but single spaces inside it, and no letters that would have to be looked
// at. Bytes beyond ASCII may be white space, so such texts are not tidy.
func tidy(s string) bool {
	space := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space
}

// bom is a byte order mark in UTF-8.
var bom = []byte("\xef\xbb\xbf")

// trimHead cuts off what may be before the first tag or brace and means nothing. Warnings and blank lines of
// servers are there; NULs come from padded files.
func trimHead(b []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n\x00")
}

// resolve is the URL ref as seen from base. What cannot be resolved is returned as it is. Scheme-relative and
// relative references are the reason; absolute ones pass through unchanged, so that ids and links that are compared
// as strings stay the same.
func resolve(base, ref string) string {
	ref = strings.TrimSpace(ref)
	// Line ends within a URL come from wrapped feeds; browsers drop them.
	if strings.ContainsAny(ref, "\t\r\n") {
		ref = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(ref)
	}
	for _, scheme := range []string{"http://", "https://"} {
		if path, absolute := strings.CutPrefix(ref, scheme); absolute {
			// A slash too many is a mistake of templates; browsers read it like this, too.
			return scheme + strings.TrimLeft(path, "/")
		}
	}
	if ref == "" || base == "" {
		return ref
	}
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// isWeb reports whether a URL is one of the web. A lone scheme is none.
func isWeb(s string) bool {
	return len(s) > 8 && (strings.EqualFold(s[:7], "http://") || strings.EqualFold(s[:8], "https://"))
}

// person reads an author on one line: a name, an address, or both in any of the ways that mail programs write them.
// "ada@example.org (Ada Lovelace)", "Ada <ada@example.org>", "mailto:…" and others.
func person(s string) Person {
	at := strings.IndexByte(s, '@')
	if at < 0 {
		return Person{Name: s}
	}
	// The address reaches from the last separator before the @ to the first after it.
	start := strings.LastIndexAny(s[:at], " \t<>()[]\"',;:") + 1
	end := len(s)
	if i := strings.IndexAny(s[at:], " \t<>()[]\"',;"); i >= 0 {
		end = at + i
	}
	// Nothing on one side: an @ that is not an address.
	if start == at || end == at+1 {
		return Person{Name: s}
	}
	// What is left on both sides of the address is the name.
	before := strings.TrimSuffix(strings.TrimRight(s[:start], " <(["), "mailto:")
	name := strings.TrimSpace(before + " " + strings.TrimLeft(s[end:], " >)]"))
	return Person{Name: strings.Trim(name, " \t<>()[]\"',;"), Email: s[start:end]}
}
