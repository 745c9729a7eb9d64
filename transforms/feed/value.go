package feed

import (
	"html"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// attributes are the names and values of a tag's attributes, with references unresolved; it skips anything without a
// valid name. Unlike XML it accepts values without quotes, stray signs and missing spaces.
func attributes(s string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for {
			// Quotes and slashes are left over from broken attributes before.
			s = strings.TrimLeft(s, " \t\r\n\"'/=,;")
			n := nameLength(s)
			// No name: go on after the next white space.
			if n == 0 {
				i := strings.IndexAny(s, " \t\r\n")
				if i < 0 {
					return
				}
				s = s[i:]
				continue
			}
			name := s[:n]
			var value string
			if value, s = attributeValue(s[n:]); !yield(name, value) {
				return
			}
		}
	}
}

// attribute is the value of the first attribute of that name, in any case. The first counts, as in HTML.
func attribute(attrs, name string) (string, bool) {
	for key, value := range attributes(attrs) {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

func attributeValue(s string) (value, rest string) {
	after := strings.TrimLeft(s, " \t\r\n")
	// An attribute without a value.
	if !strings.HasPrefix(after, "=") {
		return "", s
	}
	after = strings.TrimLeft(after[1:], " \t\r\n")
	if after == "" {
		return "", ""
	}
	// Without its closing quote, the value takes the rest.
	if quote := after[0]; quote == '"' || quote == '\'' {
		value, rest, _ = strings.Cut(after[1:], string(quote))
		return value, rest
	}
	if i := strings.IndexAny(after, " \t\r\n"); i >= 0 {
		return after[:i], after[i:]
	}
	return after, ""
}

// attr is an attribute's value with references resolved, trimmed.
func (t *tree) attr(i int, name string) string {
	value, _ := attribute(t.nodes[i].attrs, name)
	return strings.TrimSpace(t.entities.unescape(value))
}

// inner is an element's content as written, with comments and CDATA sections.
func (t *tree) inner(i int) string { return t.text[t.nodes[i].start:t.nodes[i].end] }

// hasElements reports whether an element has children.
func (t *tree) hasElements(i int) bool { return int(t.nodes[i].next) > i+1 }

// value is the character data of an element and its descendants, trimmed. Markup inside is dropped, its text stays;
// CDATA is literal.
func (t *tree) value(i int) string {
	s := t.inner(i)
	// No tag, comment or CDATA: no scanner is needed.
	if !strings.Contains(s, "<") {
		return unwrap(strings.TrimSpace(t.entities.unescape(s)))
	}
	var out strings.Builder
	for sc := (scanner{text: s}); ; {
		tok, ok := sc.next()
		if !ok {
			return unwrap(strings.TrimSpace(out.String()))
		}
		switch tok.tokenKind {
		case kindText:
			out.WriteString(t.entities.unescape(s[tok.start:tok.end]))
		case kindCDATA:
			out.WriteString(allowedOnly(tok.body))
		}
	}
}

// unwrap removes the marks of CDATA sections that were escaped or nested: &lt;![CDATA[…]]&gt;. Programs write them
// around texts and escape them afterwards.
func unwrap(s string) string {
	const head, tail = "<![CDATA[", "]]>"
	if strings.HasPrefix(s, head[2:]) { // filters of HTML remove the signs before
		s = head[:2] + s
	}
	for range 3 { // double marks occur
		if len(s) < len(head) || !strings.EqualFold(s[:len(head)], head) {
			break
		}
		s = strings.ReplaceAll(s, tail+head, "") // several sections
		// Of nested sections, the outer takes the last sign.
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(s[len(head):], tail), "]]"))
	}
	return s
}

// markup is an element's content as HTML: the elements inside it without their prefixes, such as xhtml:p. Text was XML
// and is escaped again as HTML.
func (t *tree) markup(i int) string {
	s := t.inner(i)
	var out strings.Builder
	for sc := (scanner{text: s}); ; {
		tok, ok := sc.next()
		if !ok {
			return unwrap(strings.TrimSpace(out.String()))
		}
		switch tok.tokenKind {
		case kindText:
			out.WriteString(html.EscapeString(t.entities.unescape(s[tok.start:tok.end])))
		case kindCDATA:
			// In XML, CDATA within markup is text.
			out.WriteString(html.EscapeString(allowedOnly(tok.body)))
		case kindOpen, kindClose:
			writeTag(&out, tok)
		}
	}
}

// writeTag writes a tag without its prefix and with its attributes as written.
func writeTag(out *strings.Builder, t token) {
	out.WriteByte('<')
	if t.tokenKind == kindClose {
		out.WriteByte('/')
	}
	out.WriteString(t.name[strings.IndexByte(t.name, ':')+1:])
	if t.tokenKind == kindOpen {
		out.WriteString(t.body)
		if t.empty {
			out.WriteByte('/')
		}
	}
	out.WriteByte('>')
}

// entities are the declarations of a document type; nil has none. All references of a feed share the budget, so a
// million of them cannot make megabytes. Values do not refer to other entities: they are resolved once, when they are
// declared.
type entities struct {
	values map[string]string
	budget int // bytes that may still replace references
}

// The limits of declared entities: real ones are abbreviations. Others stay as written: "&x;".
const (
	maxEntities      = 64
	maxEntityBytes   = 256
	maxExpandedBytes = 64 << 10
)

// declaredEntities reads the internal entities of the document type in head. Their values are text. External entities
// are ignored.
func declaredEntities(head string) *entities {
	if !strings.Contains(head, "<!ENTITY") {
		return nil
	}
	e := &entities{values: map[string]string{}, budget: maxExpandedBytes}
	// Each part begins after the keyword; the first is before any.
	for _, part := range strings.Split(head, "<!ENTITY")[1:] {
		part = strings.TrimLeft(part, " \t\r\n")
		n := nameLength(part)
		rest := strings.TrimLeft(part[n:], " \t\r\n")
		if n == 0 || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue // a parameter entity, or an external one
		}
		// The value ends at the quote that began it.
		value, _, ok := strings.Cut(rest[1:], rest[:1])
		if ok && len(value) <= maxEntityBytes && len(e.values) < maxEntities {
			e.values[part[:n]] = html.UnescapeString(value)
		}
	}
	return e
}

// maxReferenceBytes is more than the longest named character reference of HTML has.
const maxReferenceBytes = 40

// unescape resolves references as HTML does; other ampersands stay. Characters that XML forbids are dropped. The
// result shares memory with s if nothing changed.
func (e *entities) unescape(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return allowedOnly(s)
	}
	var out strings.Builder
	// Few references are shorter than their values, except declared ones.
	out.Grow(len(s))
	for ; i >= 0; i = strings.IndexByte(s, '&') {
		out.WriteString(s[:i])
		s = s[i:]
		n := referenceLength(s)
		// n is at least 1, so the loop goes on after the ampersand.
		out.WriteString(e.resolve(s[:n]))
		s = s[n:]
	}
	out.WriteString(s)
	return allowedOnly(out.String())
}

// resolve is the value of a reference: by the document's declarations, which win as in XML, or by HTML, or the
// reference itself.
func (e *entities) resolve(ref string) string {
	if e != nil && len(ref) > 2 {
		// Over budget the reference is looked up in HTML, and then stays as it is.
		if v, ok := e.values[ref[1:len(ref)-1]]; ok && len(v) <= e.budget {
			e.budget -= len(v)
			return v
		}
	}
	// XML allows only a small x; feeds have both.
	if strings.HasPrefix(ref, "&#X") {
		ref = "&#x" + ref[3:]
	}
	return page.Unescape(ref)
}

// referenceLength is the length of the character reference at the head of s, or 1 if there is none. Names are ASCII
// letters and digits.
func referenceLength(s string) int {
	for i := 1; i < min(len(s), maxReferenceBytes); i++ {
		switch c := s[i]; {
		case c == ';':
			return i + 1
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '#' && i == 1:
		default:
			return 1
		}
	}
	return 1
}

// allowedOnly drops characters that XML 1.0 forbids (production 2). The fast test: bytes below 0xEF belong to
// characters that are all allowed.
func allowedOnly(s string) string {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0xEF || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !allowed(r) {
			// A character is forbidden: check each.
			return strings.Map(func(r rune) rune {
				if allowed(r) {
					return r
				}
				return -1
			}, s)
		}
		i += size
	}
	return s
}

// allowed is that production, without the surrogates, which UTF-8 does not have.
func allowed(r rune) bool {
	return r >= ' ' && r != 0xFFFE && r != 0xFFFF || r == '\t' || r == '\n' || r == '\r'
}
