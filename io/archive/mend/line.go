package mend

import "bytes"

// LineEnds mends the line ends of the head at the start of b, up to its blank line. It reports whether it changed any.
// It accepts a CR LF with wrong bits in either byte or without LF, and a CR alone. Heads whose lines end in LF alone,
// or in CR CR LF, stay unchanged.
func LineEnds(b []byte) (changed bool) {
	for line, from := 0, 0; ; { // from is where the line's end is looked for
		i := bytes.IndexAny(b[from:], "\r\n")
		if i < 0 {
			return changed
		}
		i += from
		end, next := i, i+1
		switch {
		case b[i] == '\n' && i > line && isBroken(b[i-1], '\r') && b[i-1] != '\t':
			b[i-1], changed = '\r', true
			end--
		case b[i] == '\n':
		default:
			run := i
			for run < len(b) && b[run] == '\r' {
				run++
			}
			switch {
			case run == len(b): // the next byte is unknown
				return changed
			case b[run] == '\n':
				next = run + 1
			case brokenLF(b[i+1:], i == line):
				b[i+1], changed = '\n', true
				next = i + 2
			case i == line || begins(b[i+1:]):
				b[i], changed = '\n', true
			default: // a CR within a line
				from = i + 1
				continue
			}
		}
		if end == line {
			return changed
		}
		line, from = next, next
	}
}

// isBroken reports whether c is a control character that may be end with wrong bits.
func isBroken(c, end byte) bool { return c < ' ' && c != end && Bits(c, end) <= MaxBits }

// brokenLF reports whether b begins with an LF that has wrong bits. A CR precedes b. If blank is true, the CR is alone
// in its line.
func brokenLF(b []byte, blank bool) bool {
	c := b[0]
	if c == '\r' || c == '\t' || Bits(c, '\n') > MaxBits {
		return false
	}
	switch {
	case blank && (c >= ' ' || c == 0x1b): // a page may begin with it
		return bytes.HasPrefix(b[1:], []byte("HTTP/")) || c > '~' && bytes.HasPrefix(b[1:], []byte("<"))
	case c == 'J': // the only letter that is one bit away
		return len(b) > 1 && ('A' <= b[1] && b[1] <= 'Z' || b[1] == '\r')
	case isLetter(c) || '0' <= c && c <= '9' || c >= ' ' && Bits(c, '\n') > 1:
		return false
	}
	return blank || begins(b[1:]) || bytes.HasPrefix(b[1:], []byte("\r\n"))
}

// maxName is longer than any field name in use, in bytes.
const maxName = 64

// begins reports whether b begins with a field's name and a colon, or with a blank line that is a CR alone.
func begins(b []byte) bool {
	if len(b) > 0 && b[0] == '\r' {
		return len(b) > 1 && b[1] != '\n'
	}
	for i, c := range b {
		switch {
		case c == ':':
			return i > 0
		case i > maxName, i == 0 && !isLetter(c), !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '_':
			return false
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
