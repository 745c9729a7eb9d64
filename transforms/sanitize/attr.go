package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Limits of attribute values, in bytes. They are far above what pages have in earnest. A value above its limit is
// left out when a part of it would be another value, and cut when it is text.
const (
	maxURL   = 8 << 10 // of links, as given and when absolute
	maxText  = 4 << 10 // of alt and title
	maxToken = 64      // of lang, dir, datetime and numbers
)

// tag appends the start tag of element i to w.tags, as e and with the attributes that e has. It returns false when the
// element is nothing without an attribute that it has not: a link without a target, an image without a source.
// Attributes are looked up by the names in the table, in its order: what else the element has is never seen, and the
// output is the same in whatever order the page has them.
func (w *writer) tag(i int32, e element) bool {
	w.tags = append(append(w.tags, '<'), e.name...)
	for _, key := range e.attrs {
		// What was appended of the tag is taken back by start.
		if !w.attr(i, key) && (key == "href" || key == "src") {
			return false
		}
	}
	// On every element, because they say how the text is to be read and can do nothing else.
	w.attr(i, "lang")
	w.attr(i, "dir")
	w.tags = append(w.tags, '>')
	return true
}

// attr appends an attribute of element i, and returns false when there is nothing to write.
func (w *writer) attr(i int32, key string) bool {
	// When an attribute is there twice, the parser has kept the first.
	v, _ := w.p.Attr(int(i), key)
	if v != "" {
		v = w.value(key, v)
	}
	// An empty value is as good as none for all of these but alt, whose absence is not a danger.
	if v == "" {
		return false
	}
	// Values are always in double quotes, and what ends such a value is always escaped, so that no
	// value ends early.
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
		// The three keywords, in any case.
		v = strings.ToLower(v)
		if v == "ltr" || v == "rtl" || v == "auto" {
			return v
		}
		return ""
	// Not checked against the registry of languages: letters, digits and hyphens are harmless, and
	// pages have tags of their own invention.
	case "lang":
		return token(v, "-")
	case "datetime":
		return token(v, "-+:. ")
	}
	// What is left is numbers: widths, heights and spans.
	return number(v)
}

// url returns the absolute form of ref when its scheme is one of schemes. The scheme is tested on the absolute form,
// as a URL parser would read it: white space, control characters and capitals that hide a "javascript:" are gone by
// then. Relative references have the scheme of the page.
func (w *writer) url(ref string, schemes ...string) string {
	// Before the work of resolving it; the result may be longer, and is measured again.
	if len(ref) > maxURL {
		return ""
	}
	href := w.p.Resolve(ref)
	// An absolute URL as browsers write it is ASCII and has no white space. If anything else is in it,
	// it is not what a browser would see, and nothing is written.
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

// line returns v without control characters, its white space collapsed, at most maxText bytes of it. The value is cut
// twice: before the work, to four times the limit, since collapsing may shorten it; and then to the limit.
func line(v string) string {
	v = v[:min(len(v), 4*maxText)]
	v = strings.Map(kept, strings.ToValidUTF8(v, "\uFFFD"))
	v = strings.Join(strings.Fields(v), " ")
	if len(v) > maxText {
		// A cut may stand within a character, of which ToValidUTF8 takes the rest away.
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

// token returns v when it holds nothing but ASCII letters, digits and what is in others. A token is refused as a
// whole when anything else is in it: a part of a language or of a date would be another one.
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

// number returns v when it is a number of one to four digits. Four digits are enough for a size or a span; "100%" and
// "auto" are not numbers, and the image then has its own size. An empty value passes, and is left out as one.
func number(v string) string {
	v = strings.TrimSpace(v)
	// Trim takes digits from both ends; if anything is left there was something else.
	if len(v) > 4 || strings.Trim(v, "0123456789") != "" {
		return ""
	}
	return v
}
