package arc

import (
	"bytes"

	"github.com/gleaner-web/gleaner/io/archive/mend"
)

// lineBreak replaces a line end inside a mended URL; see withoutBreaks.
const lineBreak = '\v'

// maxURL is how far into a line the address is searched, in bytes.
const maxURL = 2048

// mendLine repairs the damaged line that b begins with, and returns it and its size in b. Tabs, several blanks, or
// blanks with wrong bits between fields become one blank; the line end may have wrong bits, too. Address, date and
// length must be valid. The URL may have any scheme and contain one line end.
func mendLine(b []byte) (fixed []byte, size int, ok bool) {
	broken := false
	if glued(b) || !hasScheme(b) && headFollows(b) {
		return nil, 0, false // the bytes before a line are not part of it
	}
	odd := 0
	for at := 1; at < min(len(b), maxURL); at++ {
		switch c := b[at-1]; {
		case c == '\n' && (broken || !hasScheme(b) || hasScheme(b[at:]) || bytes.ContainsAny(b[:at], " \t")):
			return nil, 0, false
		case c == '\n':
			broken = true
		case c == 0, odd > mend.MaxBits:
			return nil, 0, false
		case c < ' ' && c != '\t' && c != '\r' && c != esc:
			odd++
			fallthrough
		case isGap(c):
			if fixed, size, ok = mendFrom(b, at); ok {
				return fixed, size, true
			}
		}
	}
	return nil, 0, false
}

// headFollows reports whether a line begins within the first bytes of b, but not at its start.
func headFollows(b []byte) bool {
	const near = 64
	for i := 1; i < min(len(b), near); i++ {
		if bytes.HasPrefix(b[i:], usualScheme) && matches(b[i:], true) {
			return true
		}
	}
	return false
}

// isGap reports whether c is a blank or a tab, or a blank with a wrong bit.
func isGap(c byte) bool {
	return c == ' ' || c == '\t' || mend.Bits(c, ' ') <= mend.MaxBits && !isWord(c) && c != '\n'
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || bytes.IndexByte([]byte("-./:"), c) >= 0
}

// mendFrom is mendLine for a line whose address is at b[at].
func mendFrom(b []byte, at int) (fixed []byte, size int, ok bool) {
	ip, rest := cutField(b[at:])
	if string(ip) != "-" && !isIP(ip) {
		return nil, 0, false
	}
	date, behind := cutField(rest)
	if n := len("20060102150405"); !isShortDate(date) && len(rest) > n && isGap(rest[n]) && nearDate(rest[:n]) {
		date, behind = []byte{'-'}, rest[n+1:] // no time is better than a wrong one
	}
	if string(date) != "-" && !isShortDate(date) {
		return nil, 0, false
	}
	rest = behind
	url := bytes.TrimRight(b[:at-1], " \t")
	tail, n := lineEnd(rest)
	fields := bytes.FieldsFunc(tail, func(r rune) bool { return r == ' ' || r == '\t' })
	// Without a scheme, or part of one, it is the end of a line into which a wrong length leads.
	if len(fields) == 0 || !hasScheme(url) && !bytes.Contains(url, []byte("//")) {
		return nil, 0, false
	}
	last := fields[len(fields)-1]
	digits := len(bytes.TrimRight(last, "0123456789"))
	if digits > 0 && digits < len(last) && isGap(last[digits-1]) { // the blank before the length
		fields = append(fields[:len(fields)-1], last[:digits-1], last[digits:])
		digits = 0
	}
	if digits > 0 || len(fields[len(fields)-1]) == 0 {
		return nil, 0, false
	}
	url = bytes.ReplaceAll(bytes.ReplaceAll(url, []byte("\r\n"), []byte{lineBreak}), []byte{'\n'}, []byte{lineBreak})
	fixed = bytes.Join(append([][]byte{url, ip, date}, fields...), []byte{' '})
	l, ok := parseLine(fixed)
	return fixed, len(b) - len(rest) + n, ok && l.length >= 0
}

// cutField returns the field that b begins with, and what follows the field and its gap.
func cutField(b []byte) (field, rest []byte) {
	i := 0
	for i < len(b) && i < maxAddress && isWord(b[i]) {
		i++
	}
	j := i
	for j < len(b) && (b[j] == ' ' || b[j] == '\t') {
		j++
	}
	if j == i && j < len(b) && isGap(b[j]) {
		j++
	}
	if j == i {
		return nil, b
	}
	return b[:i], b[j:]
}

// maxAddress is longer than any address or date, in bytes.
const maxAddress = 64

// nearDate reports whether b is a date of 14 digits with some wrong bits.
func nearDate(b []byte) bool {
	wrong := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			wrong++
		}
	}
	return len(b) == len("20060102150405") && wrong <= mend.MaxBits
}

// lineEnd returns the line at the start of b, and where the next line begins. The line end may have wrong bits after
// the digits of a length.
func lineEnd(b []byte) (line []byte, next int) {
	end := bytes.IndexByte(b, '\n')
	next = end + 1
	if end < 0 {
		end, next = len(b), len(b)
	}
	for i := 1; i < min(end, maxURL); i++ {
		c := b[i]
		if c == '\r' && i+1 == end || mend.Bits(c, '\n') > mend.MaxBits || c == '\t' || !isDigit(b[i-1]) {
			continue
		}
		// A letter or sign is a line end only before HTTP/.
		if c >= ' ' && !bytes.HasPrefix(b[i+1:], []byte("HTTP/")) {
			continue
		}
		end, next = i, i+1
	}
	return bytes.TrimRight(b[:end], " \t\r"), next
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
