package jsonld

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader is the lenient reader. It goes over the block once: every loop moves pos forward, and what looks ahead looks
// over white space only. That makes its time linear in the block's length, whatever the block holds. It has no
// errors: of what it does not understand, it takes the reading that loses the least, and goes on.
type reader struct {
	b     string
	pos   int
	depth int // levels left
	nodes int // objects left
}

func newReader(text string, o Options, maxNodes int) *reader {
	// The limit cuts before the references are resolved, which only makes the text shorter. A cut
	// block is read like one that the page itself has cut.
	b := unescape(text[:min(len(text), o.MaxBytes)])
	return &reader{b: b, depth: o.MaxDepth, nodes: maxNodes}
}

// values reads the block's values one after the other; bare words between them are passed over. Only objects and
// arrays count: a string or a number by itself is not a node, and in a broken block it is likely to be a part of
// something that was lost.
func (r *reader) values() []any {
	var all []any
	for {
		r.space()
		if r.pos >= len(r.b) {
			return all
		}
		switch r.b[r.pos] {
		case '{', '[':
			// A value beyond a limit was stepped over, and the next may be within it.
			if v, ok := r.value(); ok {
				all = append(all, v)
			}
		// By the byte: words here are rare and short.
		default:
			r.pos++
		}
	}
}

// value reads one value; ok is false when it is cut or beyond a limit. Recursion is through container alone, which
// counts the levels.
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
	// The rest of the container is passed without building anything, and without recursing, so that a
	// block of a million brackets costs no stack.
	if r.depth == 0 || r.nodes <= 0 {
		r.skip()
		return nil, false
	}
	// The counter is of levels, so it is given back; the one of objects is not.
	r.depth--
	v = read()
	r.depth++
	return v, true
}

// object reads members until the closing brace or the end. Whatever ends it, what was read until then is kept: it is
// the lenient reader's main point, since blocks that are cut still have their first members, which are the ones that
// matter.
func (r *reader) object() any {
	r.nodes--
	r.pos++
	// Never nil, as encoding/json makes it for an empty object.
	members := map[string]any{}
	for r.next('}') {
		// A key that is a container, in a block where the quotes or commas went wrong, is empty.
		key, ok := r.key()
		r.space()
		if !ok || r.pos >= len(r.b) {
			break
		}
		// What is there instead is taken as the next key.
		if r.b[r.pos] != ':' {
			continue // a key without a value
		}
		r.pos++
		r.space()
		if r.pos >= len(r.b) {
			break
		}
		// A value that was cut is not a member. Of keys that come twice the last counts, as in
		// encoding/json; with and without the prefix they are the same.
		if v, ok := r.value(); ok {
			members[term(key)] = v
		}
	}
	return members
}

// array reads elements until the closing bracket or the end.
func (r *reader) array() any {
	r.pos++
	// Likewise never nil.
	elements := []any{}
	for r.next(']') {
		if v, ok := r.value(); ok {
			elements = append(elements, v)
		}
	}
	return elements
}

// next moves to the next member and reports whether there is one; it steps over the closing byte. The other kind of
// closing byte ends the container too, and is left to the container that it may belong to. A container that somebody
// closed with the wrong bracket would else swallow the rest of the block.
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
		// Commas mean nothing to this reader: there may be one, several or none. A colon here is left
		// over from a member that was broken.
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
		// It is not a key, but its inner members must not be taken for those of this object.
		r.skip()
		return "", r.pos < len(r.b)
	}
	start := r.pos
	// As in JavaScript, from where such blocks are copied.
	r.until(":,}]")
	return strings.TrimSpace(r.b[start:r.pos]), r.pos < len(r.b)
}

// bare reads a number or a word; of the words, only the three of JSON mean something.
func (r *reader) bare() any {
	start := r.pos
	// A line end ends it too: a value without quotes does not go on there, but a comma may be
	// missing.
	r.until(",}]\n")
	word := strings.TrimRight(r.b[start:r.pos], " \t\r;")
	switch word {
	case "true":
		return true
	case "false":
		return false
	}
	// The length is bounded since a number of more digits is data that went astray. json.Valid knows
	// the grammar of numbers; what begins otherwise is not JSON, for no quotes or brackets lead here.
	if len(word) > 0 && len(word) <= 64 && json.Valid([]byte(word)) && word != "null" {
		return json.Number(word)
	}
	return nil
}

// until moves to the next byte of set or the end, and at least one byte. The one byte makes sure that its callers'
// loops move.
func (r *reader) until(set string) {
	r.pos++
	if n := strings.IndexAny(r.b[min(r.pos, len(r.b)):], set); n >= 0 {
		r.pos += n
		return
	}
	r.pos = len(r.b)
}

// skip steps over a container without keeping or recursing. Double quotes are followed, so that brackets in strings
// do not count. Single ones are not: in such text they are mostly apostrophes.
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

// quoted reads a string that begins with quote; ok is false when the block ends inside it. The quick way is tried
// first. When it fails pos is where it was, and the bytes are gone over again, once.
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
			// The block is UTF-8 as a rule, but a cut or a half of a character may be in it.
			return strings.ToValidUTF8(string(out), "\uFFFD"), true
		}
		out = append(out, c)
		r.pos++
	}
	// The end of the block, or of what the limit left of it: half a string would look like a whole
	// one.
	return "", false
}

// plain reads a string as most are: without escapes and stray quotes. It is a part of the block, not a copy.
func (r *reader) plain(quote byte) (s string, ok bool) {
	start := r.pos + 1
	n := strings.IndexByte(r.b[start:], quote)
	// With an escape or a broken character the string is not what is there, and with a stray
	// quote it goes on after it.
	if n < 0 || strings.IndexByte(r.b[start:start+n], '\\') >= 0 || !utf8.ValidString(r.b[start:start+n]) {
		return "", false
	}
	r.pos = start + n
	if !r.ends() {
		// Back to where the quote is, for the long way.
		r.pos = start - 1
		return "", false
	}
	r.pos++
	return r.b[start : start+n], true
}

// ends reports whether the quote at pos ends its string: what follows then is punctuation, the end, or another string
// on another line. Otherwise it is a quote that somebody forgot to escape. It is a guess, and goes wrong where such a
// quote happens to be before a comma. Then the string is cut there and its rest is read as keys without values.
func (r *reader) ends() bool {
	rest := r.b[r.pos+1:]
	after := strings.TrimLeft(rest, " \t\r\n")
	// The block ends after it.
	if len(after) == 0 {
		return true
	}
	switch after[0] {
	case ',', ':', '}', ']', ';':
		return true
	// A missing comma between two members: these stand on lines of their own, whereas a quote next to
	// a quote on one line is more likely text.
	case '"', '\'':
		return strings.ContainsAny(rest[:len(rest)-len(after)], "\r\n")
	}
	return strings.HasPrefix(after, "//") || strings.HasPrefix(after, "/*") || wrapper(after) > 0
}

// simple are the escapes of one letter.
var simple = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// escape reads the escape at pos; an unknown one stands for its letter. The quotes, the slashes and the backslash are
// such letters too, so that they need no table.
func (r *reader) escape(out []byte) []byte {
	r.pos++
	// The block ends with the backslash; quoted finds that out by itself.
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

// unicode reads the four digits after \u, and the second half of a surrogate pair. Digits that are none leave the u,
// as with any unknown escape.
func (r *reader) unicode(out []byte) []byte {
	high, ok := r.hex()
	if !ok {
		return append(out, 'u')
	}
	// The first half of a pair says nothing without the second, and stands for U+FFFD then, to which
	// AppendRune turns it.
	if utf16.IsSurrogate(high) && strings.HasPrefix(r.b[r.pos:], `\u`) {
		behind := r.pos
		r.pos += 2
		low, _ := r.hex()
		if high = utf16.DecodeRune(high, low); high == utf8.RuneError {
			r.pos = behind // an escape that is not a second half is one of its own
		}
	}
	return utf8.AppendRune(out, high)
}

func (r *reader) hex() (rune, bool) {
	if r.pos+4 > len(r.b) {
		return 0, false
	}
	// ParseUint takes no sign and, with the base given, no underscore.
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
		// Semicolons come from blocks that were written as a JavaScript statement; control characters
		// from text that was pasted.
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

// comment steps over a comment that ends with end. A line that opens a CDATA section may continue with the value, so
// only the slashes are stepped over there. That is "//<![CDATA[", which hides the section's begin from JavaScript.
func (r *reader) comment(rest string, end string) {
	if wrapper(strings.TrimLeft(rest[2:], " \t")) > 0 {
		r.pos += 2
		return
	}
	n := strings.Index(rest[2:], end)
	// A comment that does not end takes the rest.
	if n < 0 {
		r.pos = len(r.b)
		return
	}
	r.pos += 2 + n + len(end)
}

// wrapper returns the length of the wrapper that rest begins with, or 0.
func wrapper(rest string) int {
	for _, w := range wrappers {
		if strings.HasPrefix(rest, w) {
			return len(w)
		}
	}
	return 0
}
