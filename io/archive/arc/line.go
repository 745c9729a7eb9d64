package arc

import (
	"bytes"
	"strconv"
)

// line is a parsed URL-record line.
type line struct {
	url, ip, date, mime []byte
	length              int64 // -1 if it is not a number
	version             int   // 1 or 2; 0 for other numbers of fields
}

// minDate and maxDate are the lengths of archive dates in practice; 14 is the usual one.
const (
	minDate = 12
	maxDate = 18
)

// parseLine parses a URL-record line from its right end, because URLs may contain blanks:
//
//	version 1: URL IP-address Archive-date Content-type Archive-length
//	version 2: URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length
func parseLine(b []byte) (l line, ok bool) {
	// Blanks at the end would count as fields.
	b = bytes.TrimRight(b, " \r")
	f := bytes.Split(b, []byte(" "))
	n := len(f)
	// At least URL, address, date and length; the maximum limits memory for a line of blanks.
	if n < 4 || n > maxFields {
		return line{}, false
	}
	length, err := strconv.ParseInt(string(f[n-1]), 10, 64)
	// Without a length the reader looks for the next line instead.
	if err != nil || length < 0 {
		length = -1
	}
	d := dateField(f)
	if d < 0 {
		return line{}, false
	}
	l = line{
		// All before the address is the URL, including blanks.
		url: bytes.Join(f[:d-1], []byte(" ")), ip: f[d-1], date: f[d], length: min(length, maxLength),
		mime: bytes.Join(f[d+1:n-1], []byte(" ")),
	}
	// The number of fields after the date tells the version; otherwise it is 0.
	switch n - 1 - d {
	case 2:
		l.version = 1
	case 7:
		l.version, l.mime = 2, f[d+1]
	}
	return l, true
}

const (
	maxFields = 4096
	maxLength = 1 << 60 // larger than any archive; sums of positions fit an int64
)

// dateField returns the index of the archive date: at the position of version 1 or 2, otherwise the last field that
// looks like a date. A dash counts as a date only at these positions.
func dateField(f [][]byte) int {
	n := len(f)
	// Most files are of version 1. After an address any digits are a date, even zeros or the day alone.
	for _, i := range []int{n - 3, n - 8} {
		if i >= 2 && (isDate(f[i]) || isAddress(f[i-1]) && isShortDate(f[i])) {
			return i
		}
	}
	// From the right, because the URL may contain digits too.
	for i := n - 2; i >= 2; i-- {
		if isDate(f[i]) {
			return i
		}
	}
	// A dash is weak evidence, so it comes last and only counts at the usual positions.
	for _, i := range []int{n - 8, n - 3} {
		if i >= 2 && string(f[i]) == "-" {
			return i
		}
	}
	return -1
}

func isDate(b []byte) bool {
	if len(b) < minDate || len(b) > maxDate {
		return false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	// Other years are something else, such as a length.
	return b[0] == '1' || b[0] == '2'
}

// isShortDate reports whether b is digits, as many as a date may have where one is expected.
func isShortDate(b []byte) bool {
	const least = len("20060102")
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) >= least && len(b) <= maxDate
}

// isUsual reports whether the line has the fields of its version and no sign of damage.
func (l *line) isUsual() bool {
	return l.version != 0 && l.length >= 0 && (isIP(l.ip) || string(l.ip) == "-") &&
		controls(l.url) == 0 && !bytes.HasSuffix(l.url, []byte(" "))
}

// controls counts the control characters of b that no URL has. ISO-2022-JP has ESC, also in queries.
func controls(b []byte) (n int) {
	for _, c := range b {
		if c < ' ' && c != esc || c == 0x7f {
			n++
		}
	}
	return n
}

const esc = 0x1b

// isIP reports whether b has the form of an IP address, of version 4 or 6.
func isIP(b []byte) bool {
	return isAddress(b) && b[0] != '.' && b[len(b)-1] != '.' &&
		(bytes.Count(b, []byte{'.'}) == 3 || bytes.IndexByte(b, ':') >= 0)
}

// isAddress reports whether b can be an IP address, of version 4 or 6.
func isAddress(b []byte) bool {
	for _, c := range b {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' || c == '.' || c == ':') {
			return false
		}
	}
	return bytes.ContainsAny(b, ".:")
}

// hasScheme reports whether b begins with a URI scheme and a colon.
func hasScheme(b []byte) bool {
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case c == ':':
			return i > 1
		case i == 0 || i > maxScheme || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.':
			return false
		}
	}
	return false
}

// maxScheme is longer than any registered scheme.
const maxScheme = 40
