package feed

import (
	"bytes"
	"encoding/base64"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// construct is the text of an element as HTML. RSS allows escaped markup, and in Atom attributes give the kind of text
// (section 3.1 of RFC 4287). Plain text is escaped. Feeds disagree on whether text is escaped once, twice or not at
// all, so without an attribute guess looks at the text.
func (r *reader) construct(i int) string {
	n := &r.nodes[i]
	// Empty elements are frequent; this makes them cheap.
	if r.inner(i) == "" {
		return ""
	}
	// Elements directly inside: XHTML in Atom, or markup that somebody forgot to escape.
	if r.hasElements(i) {
		return r.markup(i)
	}
	v := r.value(i)
	mode, kind := "", ""
	// Search for attributes only if there are any.
	if n.attrs != "" {
		mode, kind = strings.ToLower(r.attr(i, "mode")), mediaType(r.attr(i, "type"))
	}
	// Atom 0.3 has mode=base64; in Atom 1.0 a type that is not text implies it.
	if mode == "base64" || kind != "" && mode == "" && !textual(kind) {
		if decoded, ok := fromBase64(v); ok {
			v = decoded
		}
	}
	switch {
	// Reading the value unescaped it once, which makes it HTML.
	case mode == "escaped" && kind != "text/plain", kind == "html", kind == "xhtml", strings.Contains(kind, "html"):
		return v
	// Atom's default is plain text; RSS has none.
	case kind == "text" || kind == "text/plain", r.f.Format == typeAtom && kind == "":
		return html.EscapeString(v)
	}
	return r.guess(v)
}

// guess takes text for HTML if it contains a tag or a reference. "AT&T" and "a < b" do not, so they are escaped.
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

func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// textual reports whether a feed holds content of this type as text; other content is base64 (section 4.1.3.3 of RFC
// 4287). The types html, xhtml and text have no slash.
func textual(kind string) bool {
	return !strings.Contains(kind, "/") || strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "xml")
}

// fromBase64 decodes s with any white space and padding. The result may be in any encoding.
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

// plainText is the text of an element without markup, truncated at the limit. It removes the tags from construct's
// HTML, so the same rules hold for titles in all formats.
func (r *reader) plainText(i int) string {
	// Tags and references make the text at most sixteen times as long.
	s := r.construct(i)
	return clean(unwrap(strings.TrimSpace(plain(s[:min(len(s), 16*r.o.MaxTextBytes)]))), r.o.MaxTextBytes)
}

// line is an element's value on one line, truncated at the limit.
func (r *reader) line(i int) string { return clean(r.value(i), r.o.MaxTextBytes) }

// clean collapses white space, including the no-break space, and truncates at whole characters. It makes a copy, so
// that a title does not keep the whole feed in memory.
func clean(s string, limit int) string {
	// The usual text is tidy.
	if !tidy(s) {
		s = page.OneLine(s)
	}
	if len(s) > limit {
		// The truncation may split a character, which is then dropped.
		s = strings.ToValidUTF8(s[:limit], "")
	}
	return strings.Clone(s)
}

// tidy reports whether s is ASCII with single spaces between words. Bytes beyond ASCII may be white space.
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

var bom = []byte("\xef\xbb\xbf")

// trimHead removes meaningless bytes before the first tag or brace: blank lines of servers, and NULs of padded files.
func trimHead(b []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n\x00")
}

// resolve is the URL ref relative to base, or ref itself if it cannot be resolved. Absolute URLs hardly change, so
// that ids and links that are compared as strings stay the same.
func resolve(base, ref string) string {
	ref = strings.TrimSpace(ref)
	// Line ends within a URL come from wrapped feeds; browsers drop them.
	if strings.ContainsAny(ref, "\t\r\n") {
		ref = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(ref)
	}
	ref = withScheme(base, ref)
	for _, scheme := range []string{"http://", "https://"} {
		if path, absolute := strings.CutPrefix(ref, scheme); absolute {
			// An extra slash is a mistake of templates; browsers drop it, too.
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

// isWeb reports whether a URL has a scheme of the web and more.
func isWeb(s string) bool {
	return len(s) > 8 && (strings.EqualFold(s[:7], "http://") || strings.EqualFold(s[:8], "https://"))
}

// person reads an author on one line: a name, a mail address, or both in any form of mail programs. Forms are
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
	// Without text on one side the @ is not an address.
	if start == at || end == at+1 {
		return Person{Name: s}
	}
	// The rest on both sides of the address is the name.
	before := strings.TrimSuffix(strings.TrimRight(s[:start], " <(["), "mailto:")
	name := strings.TrimSpace(before + " " + strings.TrimLeft(s[end:], " >)]"))
	return Person{Name: strings.Trim(name, " \t<>()[]\"',;"), Email: s[start:end]}
}
