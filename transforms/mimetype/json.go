package mimetype

import (
	"bytes"
	"strings"
)

// jsonOf returns the type of a text that is JSON, or the beginning of JSON. It uses the keys of its top object, or of
// the objects in its top array. Parameter t is the type by signatures, which read less and do not know truncated
// values. Parameter head is cut at MaxHead, so large bodies usually have an incomplete value. But a text that only
// begins like JSON must not pass.
func jsonOf(head []byte, t string) (Result, bool) {
	if !beginsJSON(head) {
		return Result{}, false
	}
	// This is one pass over head, without a tree.
	s := jsonScan{b: head}
	s.run()
	switch {
	// A bracket alone is not evidence: INI files and logs begin with one.
	case s.failed || !s.evidence:
		return Result{}, false
	// There are several values, on separate lines.
	case s.another():
		return Result{Type: "application/x-ndjson", Basis: basisStructure, Kind: "ndjson"}, true
	// Something else follows the value, such as a script.
	case s.pos < len(s.b):
		return Result{}, false
	// Feed comes before linked data: JSON Feed has no @context.
	case s.feed:
		return Result{Type: "application/feed+json", Basis: basisStructure, Kind: "jsonfeed"}, true
	case s.linked:
		return Result{Type: "application/ld+json", Basis: basisStructure, Kind: "jsonld"}, true
	// This is a kind of JSON with a signature (GeoJSON, glTF, HAR), which is more than "JSON".
	case familyOfType(t) == familyJSON:
		return Result{Type: t, Basis: basisStructure}, true
	}
	return Result{Type: typeJSON, Basis: basisStructure}, true
}

// beginsJSON reports whether head begins like an object or array.
func beginsJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// jsonScan checks the grammar of RFC 8259 over one value, whose end may be missing, and notes the keys that identify
// kinds. It does not check escapes and the digits of numbers. The innermost bracket is the last of open; expect is the
// next token allowed by the grammar. Together they are the state of a pushdown automaton.
type jsonScan struct {
	b        []byte
	pos      int
	open     []byte // brackets
	expect   expectation
	version  bool // the last key was "version", of the top object
	failed   bool
	evidence bool // there is more than a bracket: a key, a comma or the end
	feed     bool // the top object's version is one of JSON Feed
	linked   bool // the top object, or an object in a top array, has an @context
}

// expectation is the next allowed token. Values with "OrEnd" apply right after an opening bracket, where the closing
// one may follow.
type expectation uint8

const (
	aValue expectation = iota
	aValueOrEnd
	aKey
	aKeyOrEnd
	aColon
	aCommaOrEnd
)

// maxOpen bounds the nesting of values; deeper text counts as truncated. Ten thousand brackets are hostile or
// generated, and cost only a byte each.
const maxOpen = 10_000

// run reads up to the end of the value or the text, or to the first error.
func (s *jsonScan) run() {
	// Every case moves pos or fails, so the loop ends.
	for s.space(); s.pos < len(s.b) && !s.failed && len(s.open) < maxOpen; s.space() {
		switch c := s.b[s.pos]; {
		// The colon distinguishes an object from a block of code.
		case s.expect == aColon:
			s.failed = c != ':'
			s.pos++
			s.expect, s.evidence = aValue, true
		// This is a comma after a value; a comma elsewhere fails below.
		case s.expect == aCommaOrEnd && c == ',':
			s.pos++
			s.comma()
		// Method close checks that it fits the innermost bracket.
		case c == '}' || c == ']':
			if s.close(c); len(s.open) == 0 {
				// The first value is complete; jsonOf checks the rest.
				return
			}
		// A string may be a value or a key; method text decides by expect.
		case c == '"' && s.expect != aCommaOrEnd:
			s.text()
		case s.expect == aValue || s.expect == aValueOrEnd:
			s.value(c)
		default:
			s.failed = true
		}
	}
	// The text counts as truncated here, with the results so far.
	if len(s.open) >= maxOpen {
		s.pos = len(s.b)
	}
}

// comma continues after a comma: in an object with a key, in an array with a value.
func (s *jsonScan) comma() {
	s.evidence = true
	// open is not empty, since a comma is only expected inside brackets.
	s.expect = aValue
	if s.open[len(s.open)-1] == '{' {
		s.expect = aKey
	}
}

// close ends the innermost object or array, if it may end here.
func (s *jsonScan) close(c byte) {
	// In ASCII, '[' and ']' differ by two, like '{' and '}'.
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

// value opens an object or array that begins with c, or skips a number or a literal.
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
	// Numbers and literals are read as a run of their characters and checked as a whole.
	start := s.pos
	for s.pos < len(s.b) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzE", s.b[s.pos]) >= 0 {
		s.pos++
	}
	s.failed = !isScalar(string(s.b[start:s.pos]), s.pos == len(s.b))
	s.expect = aCommaOrEnd
}

// isScalar reports whether word is a number or a literal, or the beginning of one if it is truncated. At the end of
// head, "tru" may be the beginning of "true".
func isScalar(word string, cut bool) bool {
	for _, literal := range [...]string{"true", "false", "null"} {
		if word == literal || cut && strings.HasPrefix(literal, word) {
			return true
		}
	}
	// The grammar of numbers is not checked: "1-2" passes, but is rare.
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
	// An unclosed string takes the rest.
	s.pos = min(end+1, len(s.b))
	word := s.b[start:min(end, len(s.b))]
	// A key was expected, so this is one.
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
	// In an array, each object may be a document of linked data.
	top := len(s.open) == 1
	listed := len(s.open) == 2 && s.open[0] == '['
	s.version = top && string(word) == "version"
	s.linked = s.linked || (top || listed) && string(word) == "@context"
	s.expect = aColon
}

// isFeedVersion reports whether v is a version of JSON Feed (jsonfeed.org, version 1.1), slashes escaped or not.
// Versions 1 and 1.1 have the same beginning.
func isFeedVersion(v string) bool {
	return strings.Contains(strings.ReplaceAll(v, `\/`, "/"), "//jsonfeed.org/version/")
}

// space skips white space by RFC 8259 (section 2).
func (s *jsonScan) space() {
	for s.pos < len(s.b) && strings.IndexByte(" \t\r\n", s.b[s.pos]) >= 0 {
		s.pos++
	}
}

// another reports whether a second object or array follows the first value on a separate line. In any case it moves
// pos past white space, so that jsonOf can check for other text.
func (s *jsonScan) another() bool {
	end := s.pos
	s.space()
	return len(s.open) == 0 && beginsJSON(s.b[s.pos:]) && bytes.IndexByte(s.b[end:s.pos], '\n') >= 0
}
