package feed

import (
	"bytes"
	"encoding/base64"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	tokenizer "golang.org/x/net/html"
)

// construct is the text of an element as HTML, in which RSS allows escaped markup, and Atom (section 3.1 of RFC 4287)
// says by attributes what there is. What is plain text is escaped.
func (r *reader) construct(i int) string {
	n := &r.nodes[i]
	if r.inner(i) == "" {
		return ""
	}
	if r.hasElements(i) {
		return r.markup(i)
	}
	v := r.value(i)
	mode, kind := "", ""
	if n.attrs != "" {
		mode, kind = strings.ToLower(r.attr(i, "mode")), mediaType(r.attr(i, "type"))
	}
	if mode == "base64" || kind != "" && mode == "" && !textual(kind) {
		if decoded, ok := fromBase64(v); ok {
			v = decoded
		}
	}
	switch {
	case mode == "escaped" && kind != "text/plain", kind == "html", kind == "xhtml", strings.Contains(kind, "html"):
		return v
	case kind == "text" || kind == "text/plain", r.f.Format == typeAtom && kind == "":
		return html.EscapeString(v)
	}
	return r.guess(v)
}

// guess takes text of which nothing is said for HTML when it has a tag or a reference in it.
func (r *reader) guess(v string) string {
	if strings.IndexByte(v, '<') < 0 && strings.IndexByte(v, '&') < 0 {
		return v
	}
	for i, c := range v {
		switch {
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

// textual tells whether content of this type stands in a feed as it is; other content is base64 (section 4.1.3.3 of RFC
// 4287).
func textual(kind string) bool {
	return !strings.Contains(kind, "/") || strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "xml")
}

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

// plainText is the text of an element without markup, cut at the limit.
func (r *reader) plainText(i int) string { return clean(plain(r.construct(i)), r.o.MaxTextBytes) }

// line is an element's value as it is, on one line, cut at the limit.
func (r *reader) line(i int) string { return clean(r.value(i), r.o.MaxTextBytes) }

// hidden are elements of HTML whose content is not shown.
var hidden = map[string]bool{"script": true, "style": true, "applet": true}

// plain is the text of HTML.
func plain(s string) string {
	if !strings.Contains(s, "<") {
		return html.UnescapeString(s)
	}
	var text strings.Builder
	inside := ""
	for z := tokenizer.NewTokenizer(strings.NewReader(s)); ; {
		kind := z.Next()
		if kind == tokenizer.ErrorToken {
			return text.String()
		}
		name, _ := z.TagName()
		switch {
		case kind == tokenizer.TextToken && inside == "":
			text.Write(z.Text())
		case kind == tokenizer.StartTagToken && inside == "" && hidden[string(name)]:
			inside = string(name)
		case kind == tokenizer.EndTagToken && inside == string(name):
			inside = ""
		}
	}
}

// clean collapses white space and cuts at a rune's start. It makes a copy, so that who keeps a title does not keep the
// whole feed in memory.
func clean(s string, limit int) string {
	if !tidy(s) {
		s = strings.Join(strings.Fields(s), " ")
	}
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "")
	}
	return strings.Clone(s)
}

// tidy tells whether s has no white space but single spaces inside it, and no letters that would have to be looked at.
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

// trimHead cuts off what may stand before the first tag or brace and means nothing.
func trimHead(b []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n\x00")
}

// resolve is the URL ref as seen from base. What cannot be resolved is returned as it is.
func resolve(base, ref string) string {
	ref = strings.TrimSpace(ref)
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

// isWeb tells whether a URL is one of the web.
func isWeb(s string) bool {
	return len(s) > 8 && (strings.EqualFold(s[:7], "http://") || strings.EqualFold(s[:8], "https://"))
}

// person reads an author on one line: a name, an address, or both in any of the ways that mail programs write them.
func person(s string) Person {
	at := strings.IndexByte(s, '@')
	if at < 0 {
		return Person{Name: s}
	}
	start := strings.LastIndexAny(s[:at], " \t<>()[]\"',;:") + 1
	end := len(s)
	if i := strings.IndexAny(s[at:], " \t<>()[]\"',;"); i >= 0 {
		end = at + i
	}
	if start == at || end == at+1 {
		return Person{Name: s}
	}
	before := strings.TrimSuffix(strings.TrimRight(s[:start], " <(["), "mailto:")
	name := strings.TrimSpace(before + " " + strings.TrimLeft(s[end:], " >)]"))
	return Person{Name: strings.Trim(name, " \t<>()[]\"',;"), Email: s[start:end]}
}
