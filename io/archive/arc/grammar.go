package arc

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/record"
)

// Grammar is the record grammar of ARC files: one line, a block, a line end.
type Grammar struct{}

// Match reports whether b begins with a URL-record line. A strict match needs a URI scheme, an address and a date. A
// lenient match allows dashes for fields and any version block; a line longer than b needs only a scheme.
//
// A lenient match also allows damaged blanks, schemes and line ends: see mendLine.
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

// matches is Match for undamaged lines.
func matches(b []byte, strict bool) bool {
	if !hasScheme(b) {
		return false
	}
	before, _, ok := bytes.Cut(b, []byte{'\n'})
	if !ok {
		// The cheapest test first, because Index proposes many positions.
		return !strict && len(b) >= longLine && !bytes.ContainsAny(b[:longLine], "\x00\t<>\"")
	}
	if !strict && bytes.HasPrefix(b, versionPrefix) {
		return true
	}
	l, ok := parseLine(before)
	// Strict is for positions at which nothing else suggests a record.
	return ok && !glued(b) && (!strict || isDate(l.date) && isAddress(l.ip))
}

// glued reports whether letters precede a usual scheme: then a block without a line end runs into the line.
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

// longLine is the length from which a line without an end can be distinguished from binary data.
const longLine = 1024

// Index returns the first position at or after from where a line may begin. That is after a line end, after zeros
// (padding, or a failed disk), or at the scheme of most URLs, which may follow anything. It searches lookAhead bytes,
// and returns the position after them if it finds nothing.
func (Grammar) Index(b []byte, from int) int {
	if from == 0 {
		return 0
	}
	if from > len(b) {
		return -1
	}
	// From one byte earlier, so that a line end right before from counts.
	near := b[from-1 : min(len(b), from+lookAhead)]
	at := len(near) // index into near
	if i := bytes.IndexByte(near, '\n'); i >= 0 {
		at = i + 1
		// Only nearer positions matter now.
		near = near[:at]
	}
	if i := bytes.IndexByte(near, 0); i >= 0 {
		for i < len(near) && near[i] == 0 {
			i++
		}
		at = i
		// The line begins after the last zero.
		near = near[:at]
	}
	// The first byte is before from.
	if i := bytes.Index(near[1:], usualScheme); i >= 0 {
		at = i + 1
	}
	if from-1+at >= len(b) {
		return -1
	}
	return from - 1 + at
}

var usualScheme = []byte("http")

// lookAhead, in bytes, is a compromise: larger means fewer calls, smaller means less work in calls that find something.
const lookAhead = 512

// Separator returns the size of the line end that closes a record, or 0. A line end is weak evidence, but without it a
// damaged line would lose the record before it too.
func (Grammar) Separator(b []byte) int {
	if len(b) > 0 && b[0] == '\n' {
		return 1
	}
	return 0
}

// Complete returns true: a strictly matched line has all that a record must have.
func (Grammar) Complete(*record.Head) bool { return true }

// Confirms returns false: the algorithm of version 2's checksums is unknown.
func (Grammar) Confirms(*record.Head, []byte) bool { return false }

// Describes reports whether h is of a version block. Some writers do not count the blank line that ends the block.
func (Grammar) Describes(h *record.Head) bool { return bytes.HasPrefix(h.Line, versionPrefix) }

// Remains returns false: a part of a line cannot be recognised.
func (Grammar) Remains([]byte) bool { return false }

// Parse parses the line at the start of b.
func (Grammar) Parse(h *record.Head, b []byte, whole bool) int {
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		if !whole {
			return 0
		}
		// The line ends with b: end is chosen so that the sum below is b's length.
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
	// A blank before a parameter of the type is odd, but no damage.
	parameters := bytes.IndexByte(l.mime, ';') >= 0
	if line, size, ok := mendLine(b); ok && !(parameters && bytes.Equal(line, bytes.TrimRight(h.Line, " \r"))) {
		l, _ = parseLine(line)
		h.Line, h.Length, h.Damaged = line, l.length, true
		return size
	}
	_, damaged := mend.Scheme(string(l.url))
	h.Damaged = ok && (damaged || !isIP(l.ip) && string(l.ip) != "-" || controls(l.url) > 0)
	return end + 1
}
