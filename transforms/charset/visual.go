package charset

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/gleaner-web/gleaner/transforms/visual"
)

// nameVisual is Hebrew in visual order, written from left to right as it is drawn. Browsers of the 1990s could not turn
// lines around. The Encoding Standard keeps the name apart for this reason.
const nameVisual = "iso-8859-8"

// windowsHebrew decodes both ISO-8859-8 and windows-1255, which has the same letters. Under either name editors of
// Windows wrote its quotes, dashes and shekel sign, which ISO-8859-8 does not have.
var windowsHebrew = charmap.Windows1255

// IsVisual reports whether body, in the named encoding, is Hebrew in visual order, which Decode turns around. Some
// pages with that name are in logical order. Five letters have another form at the end of a word. At its beginning
// they show that the word is turned around.
func IsVisual(body []byte, name string) bool {
	return canonicalName(name) == nameVisual && turned(body)
}

// InVisualOrder is Decode for a page that IsVisual, without turning its lines around. Browsers show it as it was drawn
// if they are told to keep the order.
func InVisualOrder(body []byte) []byte { return decodeBytes(body, windowsHebrew) }

// turned reports whether most Hebrew words with a final letter begin with it. The letters have the same bytes in
// windows-1255.
func turned(body []byte) bool {
	first, last := 0, 0
	for i := 0; i < len(body); i++ {
		if !isHebrew(body[i]) {
			continue
		}
		start := i
		for i+1 < len(body) && isHebrew(body[i+1]) {
			i++
		}
		if i == start {
			continue
		}
		if isFinal(body[start]) {
			first++
		}
		if isFinal(body[i]) {
			last++
		}
	}
	return first > 2*last
}

func isHebrew(c byte) bool { return c >= 0xE0 && c <= 0xFA }

// isFinal reports whether a byte is kaf, mem, nun, pe or tsadi in its form at the end of a word.
func isFinal(c byte) bool { return c == 0xEA || c == 0xED || c == 0xEF || c == 0xF3 || c == 0xF5 }

// maxLine bounds the bytes of a line that is turned around; longer ones are turned in parts.
const maxLine = 1 << 16

// shownAttributes are attributes with text that readers see. Others, such as URLs, are never turned around.
var shownAttributes = [...]string{
	"alt", "title", "content", "value", "summary", "label", "placeholder",
	"text", "description",
}

// logical returns text, a page in visual order, in logical order. Lines end at tags and line ends.
func logical(text []byte) []byte {
	l := lines{src: text, out: make([]byte, 0, len(text)), feed: isFeed(text)}
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case l.isMarkup(l.pos):
			l.markup()
		case c == '\n' || c == '\r':
			l.copy(l.pos + 1)
		default:
			l.line()
		}
	}
	return l.out
}

// isFeed reports whether text begins like XML, mostly a feed, but also a page in XHTML. Texts of feeds have escaped
// tags, and CDATA.
func isFeed(text []byte) bool {
	text = bytes.TrimSpace(text[:min(len(text), maxTag)])
	for _, head := range [...]string{"<?xml", "<rss", "<rdf:", "<feed", "<opml"} {
		if hasPrefixFold(text, head) {
			return true
		}
	}
	return false
}

// lines turns the lines of src around.
type lines struct {
	src, out []byte
	pos      int
	texts    []string // of a line, kept for the next
	feed     bool
}

// copy adds the bytes up to end unchanged.
func (l *lines) copy(end int) {
	l.out = append(l.out, l.src[l.pos:end]...)
	l.pos = end
}

// isMarkup reports whether a tag, comment or declaration begins at i.
func (l *lines) isMarkup(i int) bool {
	switch c := l.src[i]; {
	case c == '<':
		return l.beginsTag(i + 1)
	case l.feed && c == '&':
		return bytes.HasPrefix(l.src[i:], []byte(escaped)) && l.beginsTag(i+len(escaped))
	}
	return l.feed && bytes.HasPrefix(l.src[i:], []byte(endOfCDATA))
}

// beginsTag reports whether a tag goes on at i, after its first sign.
func (l *lines) beginsTag(i int) bool {
	return i < len(l.src) && (isLetter(l.src[i]) || l.src[i] == '/' || l.src[i] == '!' || l.src[i] == '?')
}

const (
	escaped    = "&lt;"
	cdata      = "<![CDATA["
	endOfCDATA = "]]>"
	maxTag     = 4096 // bytes of a tag that is escaped
)

// escapedTag adds a tag that is escaped, unchanged, or its first sign if it does not end.
func (l *lines) escapedTag() {
	rest := l.src[l.pos:min(len(l.src), l.pos+maxTag)]
	if i := bytes.Index(rest, []byte("&gt;")); i >= 0 && bytes.IndexByte(rest[:i], '<') < 0 {
		l.copy(l.pos + i + len("&gt;"))
		return
	}
	l.copy(l.pos + len(escaped))
}

// line adds the text up to the next tag or line end.
func (l *lines) line() {
	end := l.pos + 1
	for end < len(l.src) && l.src[end] != '\n' && l.src[end] != '\r' && !l.isMarkup(end) &&
		(end-l.pos < maxLine || !utf8.RuneStart(l.src[end])) {
		end++
	}
	l.turn(end)
}

// turn adds the text up to end in logical order. Blanks around it stay where they are.
func (l *lines) turn(end int) {
	text := l.src[l.pos:end]
	if !bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x5D0 && r <= 0x5EA }) {
		l.copy(end)
		return
	}
	inner := bytes.TrimSpace(text)
	start := l.pos + bytes.Index(text, inner)
	l.copy(start)
	l.texts = l.texts[:0]
	for i := 0; i < len(inner); {
		n := characterEnd(inner[i:])
		l.texts = append(l.texts, string(inner[i:i+n]))
		i += n
	}
	visual.Reorder(l.texts, true)
	for _, s := range l.texts {
		l.out = append(l.out, s...)
	}
	l.pos = start + len(inner)
	l.copy(end)
}

// maxReference is more than the bytes of the references in old pages, such as &nbsp; and &#1488;.
const maxReference = 10

// characterEnd returns the number of bytes of the first character, or of a reference to one.
func characterEnd(b []byte) int {
	if b[0] == '&' {
		for i := 1; i < min(len(b), maxReference); i++ {
			if b[i] == ';' {
				return i + 1
			}
			if !isLetter(b[i]) && b[i] != '#' && (b[i] < '0' || b[i] > '9') {
				break
			}
		}
	}
	_, n := utf8.DecodeRune(b)
	return n
}

// markup adds a tag, with the text of its attributes in logical order. Comments, scripts and styles stay unchanged.
func (l *lines) markup() {
	rest := l.src[l.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		l.copy(l.past("-->"))
		return
	case rest[0] == '&':
		l.escapedTag()
		return
	case rest[0] == ']':
		l.copy(l.pos + len(endOfCDATA))
		return
	case l.feed && bytes.HasPrefix(rest, []byte(cdata)):
		l.copy(l.pos + len(cdata))
		return
	}
	name := rest[1:min(len(rest), 1+len("script"))]
	l.tag()
	for _, raw := range [...]string{"script", "style"} {
		if hasPrefixFold(name, raw) {
			l.raw("</" + raw)
		}
	}
}

// past returns the index after the next mark, or the length.
func (l *lines) past(mark string) int {
	if i := bytes.Index(l.src[l.pos:], []byte(mark)); i >= 0 {
		return l.pos + i + len(mark)
	}
	return len(l.src)
}

// raw adds text up to an end tag unchanged.
func (l *lines) raw(end string) {
	i := l.pos
	for i < len(l.src) && !(l.src[i] == '<' && hasPrefixFold(l.src[i:], end)) {
		i++
	}
	l.copy(i)
}

// tag adds a tag.
func (l *lines) tag() {
	for l.pos < len(l.src) {
		i := l.pos
		for i < len(l.src) && l.src[i] != '>' && l.src[i] != '=' {
			i++
		}
		shown := isShown(l.src[l.pos:i])
		at := min(i+1, len(l.src))
		l.copy(at)
		if i == len(l.src) || l.src[i] == '>' {
			return
		}
		l.copy(skipSpace(l.src, l.pos))
		l.value(shown)
	}
}

// value adds the value of an attribute.
func (l *lines) value(shown bool) {
	if l.pos == len(l.src) {
		return
	}
	i := l.pos
	if quote := l.src[i]; quote == '"' || quote == '\'' {
		l.copy(i + 1)
		i = bytes.IndexByte(l.src[l.pos:], quote) + l.pos
		if i < l.pos {
			i = len(l.src)
		}
	} else {
		for i < len(l.src) && l.src[i] != '>' && l.src[i] > ' ' {
			i++
		}
	}
	if shown && i-l.pos <= maxLine {
		l.turn(i)
	}
	l.copy(i)
}

// isShown reports whether s ends in the name of an attribute that readers see.
func isShown(s []byte) bool {
	s = bytes.TrimRight(s, " \t\r\n\f")
	for _, name := range shownAttributes {
		before := len(s) - len(name)
		if before > 0 && s[before-1] <= ' ' && bytes.EqualFold(s[before:], []byte(name)) {
			return true
		}
	}
	return false
}

// hasPrefixFold reports whether b begins with prefix in any case.
func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && bytes.EqualFold(b[:len(prefix)], []byte(prefix))
}
