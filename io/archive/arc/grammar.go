package arc

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/record"
)

// Grammar is the record grammar of ARC files: one line, a block, a line end.
type Grammar struct{}

// Match reports whether b begins with a URL-record line. Strict: with a URI scheme, an address and a date. Lenient:
// dashes may stand for fields, a version block's line may hold anything, and a line longer than b is believed by its
// scheme.
//
// Lenient, a line counts as well of which blanks, the scheme or the line's end are damaged: see mendLine.
func (Grammar) Match(b []byte, strict bool) bool {
	if matches(b, strict) {
		return true
	}
	if strict {
		return false
	}
	_, _, ok := mendLine(b)
	return ok
}

// matches is Match for lines that are not damaged.
func matches(b []byte, strict bool) bool {
	if !hasScheme(b) {
		return false
	}
	before, _, ok := bytes.Cut(b, []byte{'\n'})
	if !ok {
		// The cheapest test first: Index proposes many places.
		return !strict && len(b) >= longLine && !bytes.ContainsAny(b[:longLine], "\x00\t<>\"")
	}
	if !strict && bytes.HasPrefix(b, versionPrefix) {
		return true
	}
	l, ok := parseLine(before)
	// Strict is for places that nothing but the line itself speaks for.
	return ok && !glued(b) && (!strict || isDate(l.date) && isAddress(l.ip))
}

// glued reports whether the scheme is a usual one with letters before it: then a block that ends without a line end
// runs into the line.
func glued(b []byte) bool {
	scheme, _, _ := bytes.Cut(b, []byte(":"))
	for _, usual := range []string{"http", "https", "dns", "filedesc", "whois"} {
		if n := len(scheme) - len(usual); n > 0 && strings.EqualFold(string(scheme[n:]), usual) {
			return true
		}
	}
	return false
}

var versionPrefix = []byte("filedesc:")

// longLine is a length at which a line without an end yet can be distinguished from binary data.
const longLine = 1024

// Index returns the first position at or after from where a line may start: after a line end, after zeros, which are
// padding or the trace of a disk that failed, or at the scheme of most URLs, which may stand after anything. It looks
// lookAhead bytes far, and returns the place after them when there is nothing.
func (Grammar) Index(b []byte, from int) int {
	if from == 0 {
		return 0
	}
	if from > len(b) {
		return -1
	}
	// One byte earlier than from, so that a line end right before it counts.
	near := b[from-1 : min(len(b), from+lookAhead)]
	at := len(near) // of the position, from near's second byte on
	if i := bytes.IndexByte(near, '\n'); i >= 0 {
		at = i + 1
		// Only nearer heads matter from here on.
		near = near[:at]
	}
	if i := bytes.IndexByte(near, 0); i >= 0 {
		for i < len(near) && near[i] == 0 {
			i++
		}
		at = i
		// After the last of the zeros, where the line begins.
		near = near[:at]
	}
	// From the second byte on: the first is before from.
	if i := bytes.Index(near[1:], usualScheme); i >= 0 {
		at = i + 1
	}
	if from-1+at >= len(b) {
		return -1
	}
	return from - 1 + at
}

var usualScheme = []byte("http")

// lookAhead is far enough that calls are few, and near enough that those that find something cost little, in bytes.
const lookAhead = 512

// Separator returns the size of the line end that closes a record, 0 when b does not begin with one. It is weak
// evidence, but without it a damaged line would cost the record before it too.
func (Grammar) Separator(b []byte) int {
	if len(b) > 0 && b[0] == '\n' {
		return 1
	}
	return 0
}

// Complete returns true: a line that Match takes for one, strictly, has all that a record must have.
func (Grammar) Complete(*record.Head) bool { return true }

// Confirms returns false: the checksums of version 2 are of no known algorithm.
func (Grammar) Confirms(*record.Head, []byte) bool { return false }

// Describes reports whether h is of a version block. Not all writers count the blank line that ends one.
func (Grammar) Describes(h *record.Head) bool { return bytes.HasPrefix(h.Line, versionPrefix) }

// Remains returns false: no part of a line tells that it was one.
func (Grammar) Remains([]byte) bool { return false }

// Parse parses the line at the start of b.
func (Grammar) Parse(h *record.Head, b []byte, whole bool) int {
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		if !whole {
			return 0
		}
		// Without a line end and with nothing to come, the rest is the line: end is one less than its length, so
		// that the sum below is that length.
		end = len(b) - 1
	}
	h.Line, h.Length = b[:end], -1
	l, ok := parseLine(h.Line)
	if ok {
		h.Length = l.length
	}
	if ok && l.isUsual() || bytes.HasPrefix(h.Line, versionPrefix) {
		_, h.Damaged = mend.Scheme(string(l.url))
		return end + 1
	}
	if line, size, ok := mendLine(b); ok {
		l, _ = parseLine(line)
		h.Line, h.Length, h.Damaged = line, l.length, true
		return size
	}
	_, damaged := mend.Scheme(string(l.url))
	h.Damaged = ok && (damaged || !isIP(l.ip) && string(l.ip) != "-")
	return end + 1
}
