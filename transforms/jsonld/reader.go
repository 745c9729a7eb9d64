package jsonld

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader is the lenient reader. It reads the block once: every loop moves pos forward, and lookahead covers only white
// space. So its time is linear in the block's length. It has no errors: it takes the reading that loses least, and
// continues.
type reader struct {
	b     string
	pos   int
	depth int // levels left
	nodes int // objects left
	left  int // containers that were skipped, and 1 for the end of a block that is too long
}

func newReader(text string, o Options, maxNodes int) *reader {
	// The text is cut before references are resolved, which only shortens it. A cut block is read like one truncated
	// in the page.
	b := unescape(text[:min(len(text), o.MaxBytes)])
	r := &reader{b: b, depth: o.MaxDepth, nodes: maxNodes}
	if len(text) > o.MaxBytes {
		r.left++
	}
	return r
}

// values reads the block's values one after the other, and skips bare words between them. Only objects and arrays
// count. A single string or number is not a node; in a broken block it is probably a part of something lost.
func (r *reader) values() []any {
	var all []any
	for {
		r.space()
		if r.pos >= len(r.b) {
			return all
		}
		switch r.b[r.pos] {
		case '{', '[':
			// A value above a limit was skipped, and the next may be within it.
			if v, ok := r.value(); ok {
				all = append(all, v)
			}
		// It advances by one byte, since words here are rare and short.
		default:
			r.pos++
		}
	}
}

// value reads one value. Result ok is false if it is truncated or above a limit. Recursion goes only through
// container, which counts the levels.
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

// container reads an object or an array unless it exceeds a limit.
func (r *reader) container(read func() any) (v any, ok bool) {
	// The rest of the container is skipped without building anything and without recursion. So a block of a million
	// brackets needs no stack.
	if r.depth == 0 || r.nodes <= 0 {
		r.skip()
		r.left++
		return nil, false
	}
	// The count of levels is restored; that of objects is not.
	r.depth--
	v = read()
	r.depth++
	return v, true
}

// object reads members until the closing brace or the end. In any case it keeps the members read so far. Truncated
// blocks still have their first members, which are the important ones.
func (r *reader) object() any {
	r.nodes--
	r.pos++
	// It is never nil, as in encoding/json for an empty object.
	members := map[string]any{}
	for r.next('}') {
		// A key that is a container is empty; this happens if quotes or commas are wrong.
		key, ok := r.key()
		r.space()
		if !ok || r.pos >= len(r.b) {
			break
		}
		// The text without a colon is read as the next key.
		if r.b[r.pos] != ':' {
			continue // a key without a value
		}
		r.pos++
		colon := r.pos
		r.space()
		if r.pos >= len(r.b) {
			break
		}
		if r.isEmpty(colon) {
			members[term(key)] = nil
			continue
		}
		// A truncated value is not a member. Of duplicate keys the last counts, as in encoding/json, with or without
		// the prefix.
		if v, ok := r.value(); ok {
			members[term(key)] = v
		}
	}
	return members
}

// isEmpty reports whether a member has no value after its colon, as templates write it. The next byte ends the member
// or, on a later line, begins the key of another.
func (r *reader) isEmpty(colon int) bool {
	switch c := r.b[r.pos]; c {
	case ',', '}', ']':
		return true
	case '"':
		if !strings.Contains(r.b[colon:r.pos], "\n") {
			return false
		}
		start := r.pos
		_, ok := r.quoted(c)
		r.space()
		isKey := ok && r.pos < len(r.b) && r.b[r.pos] == ':'
		r.pos = start
		return isKey
	}
	return false
}

// array reads elements until the closing bracket or the end.
func (r *reader) array() any {
	r.pos++
	// It is never nil, too.
	elements := []any{}
	for r.next(']') {
		if v, ok := r.value(); ok {
			elements = append(elements, v)
		}
	}
	return elements
}

// next moves to the next member and reports whether there is one. It skips the closing byte. The other kind of closing
// byte also ends the container, and is left for an outer container. Otherwise a container closed with the wrong
// bracket would swallow the rest of the block.
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
		// Commas have no meaning for this reader: there may be one, several or none. A colon here is left from a
		// broken member.
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
		// It is not a key, but its inner members must not become members of this object.
		r.skip()
		return "", r.pos < len(r.b)
	}
	start := r.pos
	// This is JavaScript syntax, from which such blocks are copied.
	r.until(":,}]")
	return strings.TrimSpace(r.b[start:r.pos]), r.pos < len(r.b)
}

// bare reads a number or a word. Only the three words of JSON have a meaning.
func (r *reader) bare() any {
	start := r.pos
	// A line end ends it too: a value without quotes does not continue there, and a comma may be missing.
	r.until(",}]\n")
	word := strings.TrimRight(r.b[start:r.pos], " \t\r;")
	switch word {
	case "true":
		return true
	case "false":
		return false
	}
	// The length is bounded, since a longer number is misread data. json.Valid knows the grammar of numbers. Other
	// valid JSON does not occur here, since the text has no quotes or brackets.
	if len(word) > 0 && len(word) <= 64 && json.Valid([]byte(word)) && word != "null" {
		return json.Number(word)
	}
	return nil
}

// until moves to the next byte of set or the end, by at least one byte, so that its callers' loops end.
func (r *reader) until(set string) {
	r.pos++
	if n := strings.IndexAny(r.b[min(r.pos, len(r.b)):], set); n >= 0 {
		r.pos += n
		return
	}
	r.pos = len(r.b)
}

// skip skips a container without keeping anything and without recursion. It follows double quotes, so that brackets in
// strings do not count. It ignores single quotes, which are mostly apostrophes in such text.
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

// quoted reads a string that begins with quote. Result ok is false if the block ends inside it. It tries the fast way
// first. If that fails, pos is unchanged, and the bytes are read again, once.
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
			// The block is usually UTF-8, but may contain a partial character.
			return strings.ToValidUTF8(string(out), "\uFFFD"), true
		}
		out = append(out, c)
		r.pos++
	}
	// This is the end of the block, or of the part within the limit. Half a string would look like a whole one.
	return "", false
}

// plain reads a usual string: without escapes and stray quotes. The result shares memory with the block.
func (r *reader) plain(quote byte) (s string, ok bool) {
	start := r.pos + 1
	n := strings.IndexByte(r.b[start:], quote)
	// An escape or a broken character needs conversion, and after a stray quote the string continues.
	if n < 0 || strings.IndexByte(r.b[start:start+n], '\\') >= 0 || !utf8.ValidString(r.b[start:start+n]) {
		return "", false
	}
	r.pos = start + n
	if !r.ends() {
		// This goes back to the quote, for the slow way.
		r.pos = start - 1
		return "", false
	}
	r.pos++
	return r.b[start : start+n], true
}

// ends reports whether the quote at pos ends its string. It does if punctuation, the end, or another string on another
// line follows. Otherwise it is an unescaped quote inside. This is a guess, and wrong if such a quote is before a
// comma. Then the string is cut there, and its rest is read as keys without values.
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
	// A comma is missing between two members on different lines. Two quotes on one line are more likely text.
	case '"', '\'':
		return strings.ContainsAny(rest[:len(rest)-len(after)], "\r\n")
	}
	return strings.HasPrefix(after, "//") || strings.HasPrefix(after, "/*") || wrapper(after) > 0
}

// simple are the escapes of one letter.
var simple = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// escape reads the escape at pos; an unknown one means its letter. That includes the quotes, the slashes and the
// backslash, so they need no table.
func (r *reader) escape(out []byte) []byte {
	r.pos++
	// The block ends with the backslash; quoted notices that.
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

// unicode reads the four digits after \u, and the second half of a surrogate pair. If the digits are wrong, the u
// stays, as with any unknown escape.
func (r *reader) unicode(out []byte) []byte {
	high, ok := r.hex()
	if !ok {
		return append(out, 'u')
	}
	// A first half without the second has no meaning; AppendRune turns it into U+FFFD.
	if utf16.IsSurrogate(high) && strings.HasPrefix(r.b[r.pos:], `\u`) {
		behind := r.pos
		r.pos += 2
		low, _ := r.hex()
		if high = utf16.DecodeRune(high, low); high == utf8.RuneError {
			r.pos = behind // an escape that is not a second half is a separate one
		}
	}
	return utf8.AppendRune(out, high)
}

func (r *reader) hex() (rune, bool) {
	if r.pos+4 > len(r.b) {
		return 0, false
	}
	// ParseUint accepts no sign and, with the base given, no underscore.
	n, err := strconv.ParseUint(r.b[r.pos:r.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	r.pos += 4
	return rune(n), true
}

// wrappers surround JSON in pages and have no meaning.
var wrappers = []string{"<!--", "-->", "<![CDATA[", "]]>", "\xef\xbb\xbf"}

// space skips white space, control characters, comments, wrappers and semicolons.
func (r *reader) space() {
	for r.pos < len(r.b) {
		rest := r.b[r.pos:]
		switch c := rest[0]; {
		// Semicolons come from blocks written as a JavaScript statement; control characters from pasted text.
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

// comment skips a comment that ends with end. A line that opens a CDATA section may continue with the value, so only
// the slashes are skipped there. Such a line is "//<![CDATA[", which hides the section's start from JavaScript.
func (r *reader) comment(rest string, end string) {
	if wrapper(strings.TrimLeft(rest[2:], " \t")) > 0 {
		r.pos += 2
		return
	}
	n := strings.Index(rest[2:], end)
	// An unclosed comment takes the rest.
	if n < 0 {
		r.pos = len(r.b)
		return
	}
	r.pos += 2 + n + len(end)
}

// wrapper returns the length of the wrapper at the beginning of rest, or 0.
func wrapper(rest string) int {
	for _, w := range wrappers {
		if strings.HasPrefix(rest, w) {
			return len(w)
		}
	}
	return 0
}
