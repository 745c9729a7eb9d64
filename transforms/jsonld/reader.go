package jsonld

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader is the lenient reader. It goes over the block once: every loop moves pos forward, and what looks ahead looks
// over white space only.
type reader struct {
	b     string
	pos   int
	depth int // levels left
	nodes int // objects left
}

func newReader(text string, o Options, maxNodes int) *reader {
	b := unescape(text[:min(len(text), o.MaxBytes)])
	return &reader{b: b, depth: o.MaxDepth, nodes: maxNodes}
}

// values reads the block's values one after the other; bare words between them are passed over.
func (r *reader) values() []any {
	var all []any
	for {
		r.space()
		if r.pos >= len(r.b) {
			return all
		}
		switch r.b[r.pos] {
		case '{', '[':
			if v, ok := r.value(); ok {
				all = append(all, v)
			}
		default:
			r.pos++
		}
	}
}

// value reads one value; ok is false when it is cut or beyond a limit.
func (r *reader) value() (v any, ok bool) {
	switch c := r.b[r.pos]; c {
	case '{':
		return r.container(r.object)
	case '[':
		return r.container(r.array)
	case '"', '\'':
		s, ok := r.quoted(c)
		return s, ok
	default:
		return r.bare(), true
	}
}

// container reads an object or an array unless that exceeds a limit.
func (r *reader) container(read func() any) (v any, ok bool) {
	if r.depth == 0 || r.nodes <= 0 {
		r.skip()
		return nil, false
	}
	r.depth--
	v = read()
	r.depth++
	return v, true
}

// object reads members until the closing brace or the end.
func (r *reader) object() any {
	r.nodes--
	r.pos++
	members := map[string]any{}
	for r.next('}') {
		key, ok := r.key()
		r.space()
		if !ok || r.pos >= len(r.b) {
			break
		}
		if r.b[r.pos] != ':' {
			continue // a key without a value
		}
		r.pos++
		r.space()
		if r.pos >= len(r.b) {
			break
		}
		if v, ok := r.value(); ok {
			members[term(key)] = v
		}
	}
	return members
}

// array reads elements until the closing bracket or the end.
func (r *reader) array() any {
	r.pos++
	elements := []any{}
	for r.next(']') {
		if v, ok := r.value(); ok {
			elements = append(elements, v)
		}
	}
	return elements
}

// next moves to the next member and tells whether there is one; it steps over the closing byte. The other kind of
// closing byte ends the container too, and is left to the container that it may belong to.
func (r *reader) next(closing byte) bool {
	for {
		r.space()
		if r.pos >= len(r.b) {
			return false
		}
		switch c := r.b[r.pos]; c {
		case closing:
			r.pos++
			return false
		case '}', ']':
			return false
		case ',', ':':
			r.pos++
		default:
			return true
		}
	}
}

// key reads a key with or without quotes.
func (r *reader) key() (string, bool) {
	switch c := r.b[r.pos]; c {
	case '"', '\'':
		return r.quoted(c)
	case '{', '[':
		r.skip()
		return "", r.pos < len(r.b)
	}
	start := r.pos
	r.until(":,}]")
	return strings.TrimSpace(r.b[start:r.pos]), r.pos < len(r.b)
}

// bare reads a number or a word; of the words, only the three of JSON mean something.
func (r *reader) bare() any {
	start := r.pos
	r.until(",}]\n")
	word := strings.TrimRight(r.b[start:r.pos], " \t\r;")
	switch word {
	case "true":
		return true
	case "false":
		return false
	}
	if len(word) > 0 && len(word) <= 64 && json.Valid([]byte(word)) && word != "null" {
		return json.Number(word)
	}
	return nil
}

// until moves to the next byte of set or the end, and at least one byte.
func (r *reader) until(set string) {
	r.pos++
	if n := strings.IndexAny(r.b[min(r.pos, len(r.b)):], set); n >= 0 {
		r.pos += n
		return
	}
	r.pos = len(r.b)
}

// skip steps over a container without keeping or recursing.
func (r *reader) skip() {
	open := 0
	for r.pos < len(r.b) {
		switch c := r.b[r.pos]; c {
		case '{', '[':
			open++
		case '}', ']':
			open--
		case '"':
			r.quoted(c)
			continue
		}
		r.pos++
		if open == 0 {
			return
		}
	}
}

// quoted reads a string that begins with quote; ok is false when the block ends inside it.
func (r *reader) quoted(quote byte) (s string, ok bool) {
	if s, ok := r.plain(quote); ok {
		return s, true
	}
	var out []byte
	for r.pos++; r.pos < len(r.b); {
		c := r.b[r.pos]
		switch {
		case c == '\\':
			out = r.escape(out)
			continue
		case c == quote && r.ends():
			r.pos++
			return strings.ToValidUTF8(string(out), "\uFFFD"), true
		}
		out = append(out, c)
		r.pos++
	}
	return "", false
}

// plain reads a string as most are: without escapes and stray quotes. It is a part of the block, not a copy.
func (r *reader) plain(quote byte) (s string, ok bool) {
	start := r.pos + 1
	n := strings.IndexByte(r.b[start:], quote)
	if n < 0 || strings.IndexByte(r.b[start:start+n], '\\') >= 0 || !utf8.ValidString(r.b[start:start+n]) {
		return "", false
	}
	r.pos = start + n
	if !r.ends() {
		r.pos = start - 1
		return "", false
	}
	r.pos++
	return r.b[start : start+n], true
}

// ends tells whether the quote at pos ends its string: what follows then is punctuation, the end, or another string on
// another line. Otherwise it is a quote that somebody forgot to escape.
func (r *reader) ends() bool {
	rest := r.b[r.pos+1:]
	after := strings.TrimLeft(rest, " \t\r\n")
	if len(after) == 0 {
		return true
	}
	switch after[0] {
	case ',', ':', '}', ']', ';':
		return true
	case '"', '\'':
		return strings.ContainsAny(rest[:len(rest)-len(after)], "\r\n")
	}
	return strings.HasPrefix(after, "//") || strings.HasPrefix(after, "/*") || wrapper(after) > 0
}

// simple are the escapes of one letter.
var simple = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// escape reads the escape at pos; an unknown one stands for its letter.
func (r *reader) escape(out []byte) []byte {
	r.pos++
	if r.pos >= len(r.b) {
		return out
	}
	c := r.b[r.pos]
	r.pos++
	if c == 'u' {
		return r.unicode(out)
	}
	if s, ok := simple[c]; ok {
		c = s
	}
	return append(out, c)
}

// unicode reads the four digits after \u, and the second half of a surrogate pair.
func (r *reader) unicode(out []byte) []byte {
	high, ok := r.hex()
	if !ok {
		return append(out, 'u')
	}
	if utf16.IsSurrogate(high) && strings.HasPrefix(r.b[r.pos:], `\u`) {
		r.pos += 2
		low, ok := r.hex()
		if !ok {
			return append(utf8.AppendRune(out, utf8.RuneError), 'u')
		}
		high = utf16.DecodeRune(high, low)
	}
	return utf8.AppendRune(out, high)
}

func (r *reader) hex() (rune, bool) {
	if r.pos+4 > len(r.b) {
		return 0, false
	}
	n, err := strconv.ParseUint(r.b[r.pos:r.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	r.pos += 4
	return rune(n), true
}

// wrappers are what surrounds JSON in pages and means nothing.
var wrappers = []string{"<!--", "-->", "<![CDATA[", "]]>", "\xef\xbb\xbf"}

// space steps over white space, control characters, comments, wrappers and semicolons.
func (r *reader) space() {
	for r.pos < len(r.b) {
		rest := r.b[r.pos:]
		switch c := rest[0]; {
		case c <= ' ' || c == ';' || c == 0x7f:
			r.pos++
		case strings.HasPrefix(rest, "//"):
			r.comment(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			r.comment(rest, "*/")
		default:
			n := wrapper(rest)
			if n == 0 {
				return
			}
			r.pos += n
		}
	}
}

// comment steps over a comment that ends with end. A line that opens a CDATA section may go on with the value, so only
// the slashes are stepped over there.
func (r *reader) comment(rest string, end string) {
	if wrapper(strings.TrimLeft(rest[2:], " \t")) > 0 {
		r.pos += 2
		return
	}
	n := strings.Index(rest[2:], end)
	if n < 0 {
		r.pos = len(r.b)
		return
	}
	r.pos += 2 + n + len(end)
}

func wrapper(rest string) int {
	for _, w := range wrappers {
		if strings.HasPrefix(rest, w) {
			return len(w)
		}
	}
	return 0
}
