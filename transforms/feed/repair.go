package feed

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxScopeCost bounds the namespace bindings that gofeed copies: it makes a new map for each element that declares one.
const maxScopeCost = 1 << 20

// sound tells whether text can be given to gofeed as it is. It takes tags that do not match too, and gives half of a
// feed for them. A directive inside the feed is not sound, because gofeed might see another end of it than we do.
func sound(text string, o Options) bool {
	s := scanner{text: text}
	c := checker{o: o}
	for {
		t, ok := s.next()
		if !ok {
			return len(c.open) == 0
		}
		switch t.tokenKind {
		case kindOpen:
			ok = c.opens(t)
		case kindClose:
			ok = c.closes(t.name)
		case kindOther:
			ok = text[t.start+1] == '?' || strings.HasPrefix(text[t.start:], "<!--")
		}
		if !ok {
			return false
		}
		if len(c.open) == 0 {
			return true
		}
	}
}

// checker follows the open elements.
type checker struct {
	o    Options
	open []openElement
	seen int // elements
	cost int // namespace bindings copied
}

type openElement struct {
	name  string
	scope int // namespace bindings in it
}

func (c *checker) opens(t token) bool {
	c.seen++
	if c.seen > c.o.MaxElements || strings.Count(t.body, "=") > 4*c.o.MaxAttributes {
		return false
	}
	e := openElement{name: t.name}
	if len(c.open) > 0 {
		e.scope = c.open[len(c.open)-1].scope
	}
	if n := strings.Count(t.body, "xmlns"); n > 0 {
		e.scope += n
		c.cost += e.scope
	}
	if !t.empty {
		c.open = append(c.open, e)
	}
	return len(c.open) <= c.o.MaxDepth && c.cost <= maxScopeCost
}

func (c *checker) closes(name string) bool {
	last := len(c.open) - 1
	if last < 0 || c.open[last].name != name {
		return false
	}
	c.open = c.open[:last]
	return true
}

// repair writes the element that text begins with as well-formed XML.
func repair(text string, o Options) string {
	s := scanner{text: text}
	w := writer{o: o}
	w.out.Grow(len(text) + len(text)/8)
	for {
		t, ok := s.next()
		if !ok {
			break
		}
		switch t.tokenKind {
		case kindText:
			w.text(text[t.start:t.end])
		case kindCDATA:
			w.literal(t.body)
		case kindOpen:
			w.open(t)
		case kindClose:
			w.close(t.name)
		}
		if len(w.stack) == 0 || w.seen >= o.MaxElements {
			break // what follows is not the feed's, or too much
		}
	}
	w.closeTo(0)
	return w.out.String()
}

// writer writes well-formed XML.
type writer struct {
	o        Options
	out      strings.Builder
	stack    []string // open elements
	seen     int      // elements written
	bindings int      // namespace declarations written
}

func (w *writer) open(t token) {
	if local := t.local(); local == "item" || local == "entry" {
		w.closeToContainer()
	}
	if len(w.stack) >= w.o.MaxDepth {
		return
	}
	w.seen++
	w.out.WriteByte('<')
	w.out.WriteString(t.name)
	w.attributes(t.body)
	if t.empty {
		w.out.WriteString("/>")
		return
	}
	w.out.WriteByte('>')
	w.stack = append(w.stack, t.name)
}

// closeToContainer closes what is open inside the channel or the root: items stand in nothing else.
func (w *writer) closeToContainer() {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if (token{name: w.stack[i]}).kind() != "" {
			w.closeTo(i + 1)
			return
		}
	}
}

// close closes the innermost element of that name and those inside it; without one, it writes nothing.
func (w *writer) close(name string) {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if strings.EqualFold(w.stack[i], name) {
			w.closeTo(i)
			return
		}
	}
}

func (w *writer) closeTo(depth int) {
	for len(w.stack) > depth {
		last := len(w.stack) - 1
		w.out.WriteString("</")
		w.out.WriteString(w.stack[last])
		w.out.WriteByte('>')
		w.stack = w.stack[:last]
	}
}

// maxBindings bounds the namespace declarations of a repaired feed together.
const maxBindings = 1000

// attributes writes the attributes that have a readable name, each once.
func (w *writer) attributes(s string) {
	var seen []string
	for len(seen) < w.o.MaxAttributes {
		s = strings.TrimLeft(s, " \t\r\n\"'/=,;")
		n := nameLength(s)
		if n == 0 {
			i := strings.IndexAny(s, " \t\r\n")
			if i < 0 {
				return
			}
			s = s[i:]
			continue
		}
		name := s[:n]
		value, rest := attributeValue(s[n:])
		s = rest
		if slices.Contains(seen, name) || !w.mayBind(name) {
			continue
		}
		seen = append(seen, name)
		w.out.WriteByte(' ')
		w.out.WriteString(name)
		w.out.WriteString(`="`)
		w.text(value)
		w.out.WriteByte('"')
	}
}

func (w *writer) mayBind(name string) bool {
	if strings.HasPrefix(name, "xmlns") {
		w.bindings++
	}
	return w.bindings <= maxBindings || !strings.HasPrefix(name, "xmlns")
}

// attributeValue reads the value behind an attribute's name, quoted or not.
func attributeValue(s string) (value, rest string) {
	after := strings.TrimLeft(s, " \t\r\n")
	if !strings.HasPrefix(after, "=") {
		return "", s
	}
	after = strings.TrimLeft(after[1:], " \t\r\n")
	if after == "" {
		return "", ""
	}
	if quote := after[0]; quote == '"' || quote == '\'' {
		value, rest, _ = strings.Cut(after[1:], string(quote))
		return value, rest
	}
	if i := strings.IndexAny(after, " \t\r\n"); i >= 0 {
		return after[:i], after[i:]
	}
	return after, ""
}

// maxReferenceBytes is more than the longest named character reference of HTML has.
const maxReferenceBytes = 40

// text writes character data: references are resolved as HTML does, and an ampersand that begins none stands for itself.
func (w *writer) text(s string) {
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			w.literal(s)
			return
		}
		w.literal(s[:i])
		s = s[i:]
		n := referenceLength(s)
		if decoded := html.UnescapeString(s[:n]); decoded != s[:n] {
			w.literal(decoded)
		} else {
			n = 1
			w.literal("&")
		}
		s = s[n:]
	}
}

// referenceLength is the length of the character reference at the head of s, or 1 when there is none.
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

// literal writes text that has no references. Characters that XML does not allow are left out.
func (w *writer) literal(s string) {
	from := 0
	for i, r := range s {
		escaped, special := escapes[r]
		if !special && allowed(r) {
			continue
		}
		w.out.WriteString(s[from:i])
		w.out.WriteString(escaped)
		from = i + utf8.RuneLen(r)
	}
	w.out.WriteString(s[from:])
}

var escapes = map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;"}

// allowed is production 2 of XML 1.0.
func allowed(r rune) bool {
	return r >= ' ' && r != 0xFFFE && r != 0xFFFF || r == '\t' || r == '\n' || r == '\r'
}
