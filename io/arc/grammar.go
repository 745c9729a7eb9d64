package arc

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/io/record"
)

// Grammar is the record grammar of ARC files: one line, a block, a line end.
type Grammar struct{}

// Match tells whether b begins with a URL-record line. Strict: with a URI scheme, an address and a date. Lenient:
// dashes may stand for fields, a version block's line may hold anything, and a line longer than b is believed by its
// scheme.
func (Grammar) Match(b []byte, strict bool) bool {
	if !hasScheme(b) {
		return false
	}
	before, _, ok := bytes.Cut(b, []byte{'\n'})
	if !ok {
		return !strict && len(b) >= longLine && !bytes.ContainsAny(b[:longLine], "\x00\t<>\"")
	}
	if !strict && bytes.HasPrefix(b, versionPrefix) {
		return true
	}
	l, ok := parseLine(before)
	return ok && (!strict || isDate(l.date) && isAddress(l.ip) && !glued(b))
}

// glued tells whether the scheme is a usual one with letters before it: then a block that ends without a line end
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

// longLine is a length at which a line without an end yet can be told from binary data.
const longLine = 1024

// Index returns the first position at or after from where a line starts, or what follows zeros: these are padding, or the
// trace of a disk that failed, and what stands behind them need not be the rest of a line.
func (Grammar) Index(b []byte, from int) int {
	if from == 0 {
		return 0
	}
	if from > len(b) {
		return -1
	}
	end := bytes.IndexByte(b[from-1:], '\n')
	if end < 0 {
		end = len(b) - from
	}
	line := b[from-1 : from+end]
	if i := bytes.IndexByte(line, 0); i >= 0 {
		for i < len(line) && line[i] == 0 {
			i++
		}
		end = i - 1
	}
	if from+end >= len(b) {
		return -1
	}
	return from + end
}

// Separated tells whether b begins with the line end that closes a record. It is weak evidence, but without it a
// damaged line would cost the record before it too.
func (Grammar) Separated(b []byte) bool { return len(b) > 0 && b[0] == '\n' }

// Parse parses the line at the start of b.
func (Grammar) Parse(h *record.Head, b []byte, whole bool) int {
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		if !whole {
			return 0
		}
		end = len(b) - 1
	}
	h.Line, h.Length = b[:end], -1
	if l, ok := parseLine(h.Line); ok {
		h.Length = l.length
	}
	return end + 1
}
