package charset

import (
	"bytes"
	"strings"
)

// declared returns the first suitable encoding that head, the beginning of a page, declares in the XML declaration or
// a <meta>, or "". It follows the prescan of the HTML Standard (section 13.2.3.2), but also skips the content of
// scripts, styles and titles. Function fits reports whether a label is possible. It is called for each label, so that
// an impossible declaration does not hide a possible one.
func declared(head []byte, fits func(name string) bool) string {
	p := prescan{head: head, fits: fits}
	if label := xmlEncoding(head); label != "" {
		p.consider(label)
	}
	// Without a further <meta> the rest need not be read.
	for p.found == "" && p.metaAhead() {
		p.pos += bytes.IndexByte(p.rest(), '<') + 1
		p.markup()
	}
	return p.found
}

// prescan walks through the markup at a page's beginning. It allocates nothing: all its results are parts of head.
type prescan struct {
	head  []byte
	pos   int
	meta  int // after the "<" of the last "<meta" found
	fits  func(name string) bool
	found string
	// unclosed marks elements without a further end tag, so that each is searched only once.
	unclosed [len(rawElements)]bool
}

// rawElements have content that is not markup: a "<meta" in them is text.
var rawElements = [...]string{"script", "style", "title", "textarea"}

// metaAhead reports whether there is a "<meta" at pos or later. If not, the markup need not be read, which takes
// longer than this search.
func (p *prescan) metaAhead() bool {
	// The one found last is still ahead.
	if p.pos < p.meta {
		return true
	}
	for i := p.pos; ; {
		at := bytes.IndexByte(p.head[i:], '<')
		if at < 0 {
			return false
		}
		i += at + 1
		// The OR makes 'M' equal to 'm' before the call.
		if len(p.head)-i >= len("meta") && p.head[i]|0x20 == 'm' && bytes.EqualFold(p.head[i:i+len("meta")], []byte("meta")) {
			p.meta = i
			return true
		}
	}
}

// consider keeps the first declared label that is known and fits.
func (p *prescan) consider(label string) {
	if name := declaredName(label); p.found == "" && name != "" && p.fits(name) {
		p.found = name
	}
}

// rest returns the unread part.
func (p *prescan) rest() []byte { return p.head[p.pos:] }

// markup reads the markup after a "<". Afterwards pos is after it, or where the search for the next "<" continues.
func (p *prescan) markup() {
	rest := p.rest()
	switch {
	case len(rest) == 0:
	// After "<!" the dashes are left, which may end the comment at once.
	case bytes.HasPrefix(rest, []byte("!--")):
		// The comment may end with its own two dashes: <!-->.
		p.pos += len("!")
		p.skipPast("-->")
	// Doctypes, CDATA and instructions end at the first ">".
	case rest[0] == '!' || rest[0] == '?':
		p.skipPast(">")
	case isLetter(rest[0]):
		p.element()
	// End tags may contain quotes as well.
	case rest[0] == '/' && len(rest) > 1 && isLetter(rest[1]):
		p.pos++
		p.skipTag()
	case rest[0] == '/':
		p.skipPast(">")
	}
}

// skipPast moves after the next mark, or to the end. An unclosed comment hides the rest, as in browsers.
func (p *prescan) skipPast(mark string) {
	at := bytes.Index(p.rest(), []byte(mark))
	if at < 0 {
		p.pos = len(p.head)
		return
	}
	p.pos += at + len(mark)
}

// element reads a start tag. Only raw elements and <meta> matter; others are skipped with their attributes.
func (p *prescan) element() {
	name := p.tagName()
	if bytes.EqualFold(name, []byte("meta")) {
		p.metaElement()
		return
	}
	p.skipTag()
	// A missing end tag is searched only once for each of the four elements, which keeps the time linear.
	for i, raw := range rawElements {
		if !p.unclosed[i] && bytes.EqualFold(name, []byte(raw)) {
			p.unclosed[i] = !p.skipRaw(raw)
		}
	}
}

// skipTag moves after the tag's end, which is outside quotes. Values begin after "=", so quotes elsewhere have no
// meaning.
func (p *prescan) skipTag() {
	for {
		rest := p.rest()
		n := 0
		for n < len(rest) && rest[n] != '>' && rest[n] != '=' {
			n++
		}
		p.pos += min(n+1, len(rest))
		// This is the end of the tag, or of head.
		if n == len(rest) || rest[n] == '>' {
			return
		}
		p.skipQuoted()
	}
}

// skipQuoted moves after a quoted value.
func (p *prescan) skipQuoted() {
	p.pos = skipSpace(p.head, p.pos)
	if p.pos < len(p.head) && (p.head[p.pos] == '"' || p.head[p.pos] == '\'') {
		p.pos++
		p.skipPast(string(rune(p.head[p.pos-1])))
	}
}

// skipRaw moves to the end tag of a raw element. If there is none, it does not move and returns false. The end tag
// itself is read like any other.
func (p *prescan) skipRaw(name string) bool {
	rest := p.rest()
	for i := 0; ; {
		at := bytes.Index(rest[i:], []byte("</"))
		if at < 0 {
			return false
		}
		i += at + len("</")
		if len(rest)-i >= len(name) && bytes.EqualFold(rest[i:i+len(name)], []byte(name)) {
			p.pos += i - len("</")
			return true
		}
	}
}

// metaElement reads the attributes of <meta> and keeps the encoding that they declare. The content attribute counts
// only together with http-equiv="content-type", which may be before or after it. Of duplicate attributes the first
// counts.
func (p *prescan) metaElement() {
	var charset, content string
	var pragma bool
	seen := map[string]bool{}
	p.attributes(func(name string, value []byte) {
		if seen[name] {
			return
		}
		switch name {
		case "http-equiv":
			pragma = strings.EqualFold(strings.TrimSpace(string(value)), "content-type")
		case "content":
			content = string(value)
		case "charset":
			// Quotes and slashes within the value are mistakes with a clear meaning.
			charset = strings.Trim(string(value), " \t\r\n\f\"'/")
		default:
			return
		}
		seen[name] = true
	})
	// charset= has priority over the older form.
	switch {
	case charset != "":
		p.consider(charset)
	case pragma:
		for _, label := range charsetsOf(content) {
			p.consider(label)
		}
	}
}

// tagName reads a tag's name.
func (p *prescan) tagName() []byte {
	rest := p.rest()
	n := 0
	for n < len(rest) && !isSpace(rest[n]) && rest[n] != '/' && rest[n] != '>' {
		n++
	}
	p.pos += n
	return rest[:n]
}

// attributes reads up to the end of the tag and calls f for each attribute, with its name in lower case. Slashes
// between attributes have no meaning.
func (p *prescan) attributes(f func(name string, value []byte)) {
	for p.pos < len(p.head) {
		c := p.head[p.pos]
		switch {
		case c == '>':
			p.pos++
			return
		case isSpace(c) || c == '/':
			p.pos++
		default:
			name := p.attributeName()
			f(name, p.attributeValue())
		}
	}
}

// attributeName reads a name of at least one byte, even "=", so that a broken tag is always passed.
func (p *prescan) attributeName() string {
	rest := p.rest()
	n := 1
	for n < len(rest) && !isSpace(rest[n]) && rest[n] != '/' && rest[n] != '>' && rest[n] != '=' {
		n++
	}
	p.pos += n
	// Longer names are cut: they are not among the three needed.
	const longest = 16 // no relevant name is longer
	return strings.ToLower(string(rest[:min(n, longest)]))
}

// attributeValue reads `= value` in any quoting, or returns nil if there is no value.
func (p *prescan) attributeValue() []byte {
	i := skipSpace(p.head, p.pos)
	if i >= len(p.head) || p.head[i] != '=' {
		return nil
	}
	i = skipSpace(p.head, i+1)
	p.pos = i
	if i >= len(p.head) {
		return nil
	}
	if quote := p.head[i]; quote == '"' || quote == '\'' {
		p.pos++
		value := p.rest()
		p.skipPast(string(rune(quote)))
		// skipPast moved after the quote, or to the end if there is none.
		return value[:max(0, len(value)-len(p.rest())-1)]
	}
	for i < len(p.head) && !isSpace(p.head[i]) && p.head[i] != '>' {
		i++
	}
	value := p.head[p.pos:i]
	p.pos = i
	return value
}

// xmlEncoding returns the encoding of the XML declaration at the beginning of head, or "". By the standard it must be
// at the very beginning; blanks before it are accepted.
func xmlEncoding(head []byte) string {
	const longest = 1024
	head = bytes.TrimLeft(head[:min(len(head), longest)], " \t\r\n\f")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	before, _, ok := bytes.Cut(head, []byte{'>'})
	if !ok {
		return ""
	}
	_, after, found := strings.Cut(string(before), "encoding")
	if !found {
		return ""
	}
	// Without quotes, the "?" of "?>" is part of the value.
	return strings.TrimRight(charsetValue(after), "?")
}

// skipSpace returns the position of the next byte at or after i that is not white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// isSpace reports whether c is white space in HTML.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

func isLetter(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}
