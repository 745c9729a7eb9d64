package sanitize

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"
)

// Limits of attribute values, in bytes.
const (
	maxURL   = 8 << 10 // of links, as given and when absolute
	maxText  = 4 << 10 // of alt and title
	maxToken = 64      // of lang, dir, datetime and numbers
)

// tag returns n's start tag under name, with the attributes that e has. It returns false when the element is nothing
// without an attribute that n has not: a link without a target, an image without a source.
func (w *writer) tag(name string, n *html.Node, e element) (string, bool) {
	var b strings.Builder
	b.WriteString("<" + name)
	for i, key := range e.attrs {
		v := w.value(key, get(n, key))
		if (key == "href" || key == "src") && i == 0 && v == "" {
			return "", false
		}
		writeAttr(&b, key, v)
	}
	writeAttr(&b, "lang", w.value("lang", get(n, "lang")))
	writeAttr(&b, "dir", w.value("dir", get(n, "dir")))
	b.WriteByte('>')
	return b.String(), true
}

func get(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

func writeAttr(b *strings.Builder, key, value string) {
	if value == "" {
		return
	}
	b.WriteString(" " + key + `="`)
	for _, r := range value {
		b.WriteString(escaped(r, string(r)))
	}
	b.WriteByte('"')
}

// value returns what the output has of the attribute's value v, or "".
func (w *writer) value(key, v string) string {
	switch key {
	case "href":
		return w.url(v, "http:", "https:", "mailto:")
	case "src":
		return w.url(v, "http:", "https:")
	case "alt", "title":
		return line(v)
	case "dir":
		v = strings.ToLower(v)
		if v == "ltr" || v == "rtl" || v == "auto" {
			return v
		}
		return ""
	case "lang":
		return token(v, "-")
	case "datetime":
		return token(v, "-+:. ")
	}
	return number(v)
}

// url returns the absolute form of ref when its scheme is one of schemes. It must be read again as what it is, so
// that a second pass finds nothing else.
func (w *writer) url(ref string, schemes ...string) string {
	if ref == "" || len(ref) > maxURL {
		return ""
	}
	u, err := w.parse(strings.Map(visible, ref))
	if err != nil {
		return ""
	}
	href := u.Href(false)
	again, err := whatwg.Parse(href)
	if err != nil || again.Href(false) != href || len(href) > maxURL || strings.Map(visible, href) != href {
		return ""
	}
	for _, s := range schemes {
		if strings.HasPrefix(href, s) {
			return href
		}
	}
	return ""
}

func (w *writer) parse(ref string) (*whatwg.Url, error) {
	if w.base == nil {
		return whatwg.Parse(ref)
	}
	return w.base.Parse(ref)
}

// visible drops control characters, under which a scheme may hide.
func visible(r rune) rune {
	if r < ' ' || !printable(r) {
		return -1
	}
	return r
}

// line returns v without control characters, its white space collapsed, at most maxText bytes of it.
func line(v string) string {
	v = v[:min(len(v), 4*maxText)]
	v = strings.Map(kept, strings.ToValidUTF8(v, "\uFFFD"))
	v = strings.Join(strings.Fields(v), " ")
	if len(v) > maxText {
		v = strings.TrimSpace(strings.ToValidUTF8(v[:maxText], ""))
	}
	return v
}

func kept(r rune) rune {
	if !printable(r) {
		return -1
	}
	return r
}

// token returns v when it holds nothing but ASCII letters, digits and what is in others.
func token(v, others string) string {
	v = strings.TrimSpace(v)
	for _, r := range v {
		if !(r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || strings.ContainsRune(others, r)) {
			return ""
		}
	}
	if len(v) > maxToken {
		return ""
	}
	return v
}

// number returns v when it is a number of one to four digits.
func number(v string) string {
	v = strings.TrimSpace(v)
	if len(v) > 4 || strings.Trim(v, "0123456789") != "" {
		return ""
	}
	return v
}
