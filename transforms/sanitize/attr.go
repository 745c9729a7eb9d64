package sanitize

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Limits of attribute values, in bytes. They are far above real values. A value above its limit is left out, or cut if
// it is text.
const (
	maxURL   = 8 << 10 // of links, as written and as absolute URLs
	maxText  = 4 << 10 // of alt and title
	maxToken = 64      // of lang, dir, datetime and numbers
)

// tag appends the start tag of element i to w.tags, as e and with the attributes that e allows. It returns false if
// the element is useless without a missing attribute: a link without a target, an image without a source. Attributes
// are looked up by the names in the table, in its order. So other attributes have no effect, and the output does not
// depend on the order in the page.
func (w *writer) tag(i int32, e *element) bool {
	w.tags = append(append(w.tags, '<'), e.name...)
	for _, key := range e.attrs {
		// Method start removes the part appended so far.
		if !w.attr(i, key) && (key == "href" || key == "src") {
			return false
		}
	}
	// Every element may have these: they only say how to read the text.
	if w.p.Nodes[i].Own&readingBits != 0 {
		w.attr(i, "lang")
		w.attr(i, "dir")
	}
	w.tags = append(w.tags, '>')
	return true
}

var readingBits = page.AttrBits("lang", "dir")

// attr appends an attribute of element i. It returns false if there is nothing to write.
func (w *writer) attr(i int32, key string) bool {
	// If an attribute occurs twice, the parser has kept the first.
	v, _ := w.p.Attr(int(i), key)
	if v != "" {
		v = w.value(key, v)
	}
	// An empty value is the same as none, except for alt. A missing alt is harmless.
	if v == "" {
		return false
	}
	// Values are always in double quotes, and double quotes inside are escaped, so no value ends early.
	w.tags = append(append(append(w.tags, ' '), key...), `="`...)
	w.tags = append(appendEscaped(w.tags, v), '"')
	return true
}

// appendEscaped appends v with its characters escaped.
func appendEscaped(to []byte, v string) []byte {
	for {
		// Runs of ASCII without such characters are copied at once.
		n := 0
		for n < len(v) && (stands[v[n]] || v[n] <= ' ' || v[n] == 0x7F) {
			n++
		}
		if to, v = append(to, v[:n]...), v[n:]; v == "" {
			return to
		}
		r, size := utf8.DecodeRuneInString(v)
		if e := escape(r); e != "" {
			to = append(to, e...)
		} else {
			to = append(to, v[:size]...)
		}
		v = v[size:]
	}
}

// value returns the output for the attribute's value v, or "".
func (w *writer) value(key, v string) string {
	switch key {
	case "href":
		return w.url(v, "http:", "https:", "mailto:")
	case "src":
		return w.url(v, "http:", "https:")
	case "alt", "title":
		return line(v)
	case "dir":
		// There are three keywords, in any case.
		v = strings.ToLower(v)
		if v == "ltr" || v == "rtl" || v == "auto" {
			return v
		}
		return ""
	// The language is not checked against the registry: letters, digits and hyphens are harmless, and pages invent
	// tags.
	case "lang":
		return token(v, "-")
	case "datetime":
		return token(v, "-+:. ")
	}
	// The other attributes are numbers: widths, heights and spans.
	return number(v)
}

// url returns the absolute form of ref if its scheme is one of schemes. The test uses the absolute form, as a URL
// parser reads it. White space, control characters and capitals that could hide a "javascript:" are gone by then.
// Relative references have the scheme of the page.
func (w *writer) url(ref string, schemes ...string) string {
	// This test comes before the work of resolving it. The result may be longer, and is tested again.
	if len(ref) > maxURL {
		return ""
	}
	href := w.p.Resolve(ref)
	// An absolute URL in the form of browsers is ASCII without white space. Otherwise browsers would read it
	// differently, and nothing is written.
	if len(href) > maxURL {
		return ""
	}
	for i := range len(href) {
		if href[i] <= ' ' || href[i] >= 0x7F {
			return ""
		}
	}
	for _, s := range schemes {
		if strings.HasPrefix(href, s) {
			return href
		}
	}
	return ""
}

// line returns v without control characters and with white space collapsed, at most maxText bytes. It cuts the value
// twice: first to four times the limit, since collapsing may shorten it, and then to the limit.
func line(v string) string {
	v = v[:min(len(v), 4*maxText)]
	v = strings.Map(kept, strings.ToValidUTF8(v, "\uFFFD"))
	v = strings.Join(strings.Fields(v), " ")
	if len(v) > maxText {
		// The cut may be inside a character; ToValidUTF8 removes the rest of it.
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

// token returns v if it has only ASCII letters, digits and characters in others. Otherwise it returns "", since a part
// of a language or of a date would have another meaning.
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

// number returns v if it is a number of one to four digits, and otherwise "". Four digits are enough for a size or a
// span. Values such as "100%" and "auto" are not numbers, and the image then has its own size.
func number(v string) string {
	v = strings.TrimSpace(v)
	// Trim removes digits from both ends; anything left is another character.
	if len(v) > 4 || strings.Trim(v, "0123456789") != "" {
		return ""
	}
	return v
}
