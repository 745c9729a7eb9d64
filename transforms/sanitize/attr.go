package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Limits of attribute values, in bytes.
const (
	maxURL   = 8 << 10 // of links, as given and when absolute
	maxText  = 4 << 10 // of alt and title
	maxToken = 64      // of lang, dir, datetime and numbers
)

// tag appends the start tag of element i to w.tags, as e and with the attributes that e has. It returns false when the
// element is nothing without an attribute that it has not: a link without a target, an image without a source.
func (w *writer) tag(i int32, e element) bool {
	w.tags = append(append(w.tags, '<'), e.name...)
	for _, key := range e.attrs {
		if !w.attr(i, key) && (key == "href" || key == "src") {
			return false
		}
	}
	w.attr(i, "lang")
	w.attr(i, "dir")
	w.tags = append(w.tags, '>')
	return true
}

// attr appends an attribute of element i, and returns false when there is nothing to write.
func (w *writer) attr(i int32, key string) bool {
	v, _ := w.p.Attr(int(i), key)
	if v != "" {
		v = w.value(key, v)
	}
	if v == "" {
		return false
	}
	w.tags = append(append(append(w.tags, ' '), key...), `="`...)
	for _, r := range v {
		if e := escape(r); e != "" {
			w.tags = append(w.tags, e...)
		} else {
			w.tags = utf8.AppendRune(w.tags, r)
		}
	}
	w.tags = append(w.tags, '"')
	return true
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

// url returns the absolute form of ref when its scheme is one of schemes.
func (w *writer) url(ref string, schemes ...string) string {
	if len(ref) > maxURL {
		return ""
	}
	href := w.p.Resolve(ref)
	if len(href) > maxURL || strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r >= 0x7F }) {
		return ""
	}
	for _, s := range schemes {
		if strings.HasPrefix(href, s) {
			return href
		}
	}
	return ""
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
