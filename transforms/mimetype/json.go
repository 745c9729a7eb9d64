package mimetype

import (
	"bytes"
	"strings"
)

// jsonOf returns the type of a text that is JSON, or the beginning of JSON, by the keys of its top object or of the
// objects in its top array; t is what signatures say. They look at less and do not know values that are cut. Head is
// cut at MaxHead, so a value that is not complete is the usual case for large bodies; a text that only begins like
// JSON must still not pass.
func jsonOf(head []byte, t string) (Result, bool) {
	if !beginsJSON(head) {
		return Result{}, false
	}
	// One pass over head, without a tree.
	s := jsonScan{b: head}
	s.run()
	switch {
	// A bracket alone is not evidence: INI files and logs begin with one.
	case s.failed || !s.evidence:
		return Result{}, false
	// Values one after the other, on lines of their own.
	case s.another():
		return Result{Type: "application/x-ndjson", Basis: basisStructure, Kind: "ndjson"}, true
	// Something else follows the value: a script, for example.
	case s.pos < len(s.b):
		return Result{}, false
	// Feed before linked data: JSON Feed has no @context.
	case s.feed:
		return Result{Type: "application/feed+json", Basis: basisStructure, Kind: "jsonfeed"}, true
	case s.linked:
		return Result{Type: "application/ld+json", Basis: basisStructure, Kind: "jsonld"}, true
	// A kind of JSON that signatures know (GeoJSON, glTF, HAR), which is more than "JSON".
	case familyOfType(t) == familyJSON:
		return Result{Type: t, Basis: basisStructure}, true
	}
	return Result{Type: typeJSON, Basis: basisStructure}, true
}

// beginsJSON reports whether head begins as objects and arrays do.
func beginsJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// jsonScan checks the grammar of RFC 8259 over one value, whose end may be missing, and notes the keys that tell kinds
// apart. It does not check escapes and the digits of numbers. The innermost bracket is the last of open; expect is
// what the grammar allows next. Both together are the whole state of a pushdown automaton.
type jsonScan struct {
	b        []byte
	pos      int
	open     []byte // brackets
	expect   expectation
	version  bool // the last key was "version", of the top object
	failed   bool
	evidence bool // it is more than a bracket: a key, a comma or the end was seen
	feed     bool // the top object's version is one of JSON Feed
	linked   bool // the top object, or one in a top array, has an @context
}

// expectation is what may come next. The values with "OrEnd" are those right after an opening bracket, where the
// closing one may follow.
type expectation uint8

const (
	aValue expectation = iota
	aValueOrEnd
	aKey
	aKeyOrEnd
	aColon
	aCommaOrEnd
)

// maxOpen bounds how deep values are followed; what is deeper counts as cut. Ten thousand brackets are hostile or
// generated; a byte each is all that they cost.
const maxOpen = 10_000

// run reads up to the end of the value, of the text, or to what is not JSON.
func (s *jsonScan) run() {
	// Every case moves pos or fails, so it ends.
	for s.space(); s.pos < len(s.b) && !s.failed && len(s.open) < maxOpen; s.space() {
		switch c := s.b[s.pos]; {
		// A colon is what tells an object from a block of code.
		case s.expect == aColon:
			s.failed = c != ':'
			s.pos++
			s.expect, s.evidence = aValue, true
		// Only after a value; a comma in another place fails below.
		case s.expect == aCommaOrEnd && c == ',':
			s.pos++
			s.comma()
		// close checks that it fits the innermost bracket.
		case c == '}' || c == ']':
			if s.close(c); len(s.open) == 0 {
				// The first value is complete: what follows is asked by jsonOf.
				return
			}
		// A string may be a value or a key; text tells by expect.
		case c == '"' && s.expect != aCommaOrEnd:
			s.text()
		case s.expect == aValue || s.expect == aValueOrEnd:
			s.value(c)
		default:
			s.failed = true
		}
	}
	// As if cut there: what was seen counts.
	if len(s.open) >= maxOpen {
		s.pos = len(s.b)
	}
}

// comma goes on after one: in an object with a key, in an array with a value.
func (s *jsonScan) comma() {
	s.evidence = true
	// open is not empty, since a comma is only expected inside of brackets.
	s.expect = aValue
	if s.open[len(s.open)-1] == '{' {
		s.expect = aKey
	}
}

// close ends the innermost object or array, where it may end.
func (s *jsonScan) close(c byte) {
	// '[' and ']' are two apart in ASCII as '{' and '}' are.
	const distance = '}' - '{' // as between the other two
	mayEnd := s.expect == aCommaOrEnd || s.expect == aKeyOrEnd || s.expect == aValueOrEnd
	if n := len(s.open); !mayEnd || n == 0 || s.open[n-1]+distance != c {
		s.failed = true
		return
	}
	s.open = s.open[:len(s.open)-1]
	s.pos++
	s.expect, s.evidence = aCommaOrEnd, true
}

// value opens an object or array, or skips a number or a literal, that begins with c.
func (s *jsonScan) value(c byte) {
	switch c {
	case '{':
		s.open, s.expect = append(s.open, c), aKeyOrEnd
		s.pos++
		return
	case '[':
		s.open, s.expect = append(s.open, c), aValueOrEnd
		s.pos++
		return
	}
	// Numbers and literals are taken as a run of their characters and judged as a whole.
	start := s.pos
	for s.pos < len(s.b) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzE", s.b[s.pos]) >= 0 {
		s.pos++
	}
	s.failed = !isScalar(string(s.b[start:s.pos]), s.pos == len(s.b))
	s.expect = aCommaOrEnd
}

// isScalar reports whether word is a number or a literal, or the beginning of one if it is cut. At the end of head,
// "tru" may be the beginning of "true".
func isScalar(word string, cut bool) bool {
	for _, literal := range [...]string{"true", "false", "null"} {
		if word == literal || cut && strings.HasPrefix(literal, word) {
			return true
		}
	}
	// The grammar of numbers is not checked: "1-2" passes, and is as little JSON as rare.
	return word != "" && (word[0] == '-' || '0' <= word[0] && word[0] <= '9') &&
		strings.Trim(word, "+-.0123456789eE") == ""
}

// text reads a string: a key or a value.
func (s *jsonScan) text() {
	start := s.pos + 1
	end := start
	// An escape takes two bytes, so that an escaped quote does not end the string.
	for end < len(s.b) && s.b[end] != '"' {
		if s.b[end] == '\\' {
			end++
		}
		end++
	}
	// Without its end, the string takes the rest.
	s.pos = min(end+1, len(s.b))
	word := s.b[start:min(end, len(s.b))]
	// Keys were asked for: this is one.
	if s.expect == aKey || s.expect == aKeyOrEnd {
		s.key(word)
		return
	}
	// "version" must be directly before its value, in the top object.
	s.feed = s.feed || s.version && isFeedVersion(string(word))
	s.version = false
	s.expect = aCommaOrEnd
}

// key notes a key.
func (s *jsonScan) key(word []byte) {
	// In an array of objects each may be a document of linked data.
	top := len(s.open) == 1
	listed := len(s.open) == 2 && s.open[0] == '['
	s.version = top && string(word) == "version"
	s.linked = s.linked || (top || listed) && string(word) == "@context"
	s.expect = aColon
}

// isFeedVersion reports whether v is a version of JSON Feed (jsonfeed.org, version 1.1), slashes escaped or not.
// Version 1 and 1.1 have the same beginning.
func isFeedVersion(v string) bool {
	return strings.Contains(strings.ReplaceAll(v, `\/`, "/"), "//jsonfeed.org/version/")
}

// space passes over white space as RFC 8259 has it (section 2).
func (s *jsonScan) space() {
	for s.pos < len(s.b) && strings.IndexByte(" \t\r\n", s.b[s.pos]) >= 0 {
		s.pos++
	}
}

// another reports whether a second object or array follows the first value on a line of its own. Otherwise it goes to
// the end of the white space. It moves pos even when there is none, so that jsonOf sees whether anything but white
// space follows.
func (s *jsonScan) another() bool {
	end := s.pos
	s.space()
	return len(s.open) == 0 && beginsJSON(s.b[s.pos:]) && bytes.IndexByte(s.b[end:s.pos], '\n') >= 0
}
