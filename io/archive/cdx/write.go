package cdx

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// timestampLayout is the fourteen digits of an index, UTC.
const timestampLayout = "20060102150405"

// none is written for unknown values in columns that cannot be left out.
const none = "-"

// AppendTo appends the CDXJ line, with its line end, to b and returns it. Spaces and control characters in the key,
// which would break the line, are escaped as in a URL.
func (l Line) AppendTo(b []byte) []byte {
	// key and time are before the JSON, so that a search by bytes finds a page's captures in the order of their times.
	b = append(appendKey(b, l.SURT), ' ')
	b = append(appendTimestamp(b, l.Timestamp), " {"...)
	start := len(b)
	b = appendField(b, start, "url", strings.ReplaceAll(l.URL, " ", "%20"))
	b = appendField(b, start, "mime", trimMIME(l.MIME))
	// Status 0 is not known; as with length, and as with an offset below 0, which 0 itself is not.
	if l.Status > 0 {
		b = appendField(b, start, "status", strconv.Itoa(l.Status))
	}
	b = appendField(b, start, "digest", shortDigest(l.Digest))
	if l.Length > 0 {
		b = appendField(b, start, "length", strconv.FormatInt(l.Length, 10))
	}
	if l.Offset >= 0 {
		b = appendField(b, start, "offset", strconv.FormatInt(l.Offset, 10))
	}
	b = appendField(b, start, "filename", l.Filename)
	return append(b, "}\n"...)
}

// TrimDir returns line, as AppendTo writes it, without the folder dir at the beginning of its filename; a line whose
// filename does not begin so is returned as it is. It overwrites line.
func TrimDir(line []byte, dir string) []byte {
	const field = `"filename": "` // unescaped quotes: no value has it inside
	// The last one: the file name is the last field, and another value cannot hold a quote that is not escaped.
	at := bytes.LastIndex(line, []byte(field)) + len(field)
	if at < len(field) {
		return line
	}
	// Long enough for nearly all names, so that nothing is allocated.
	var buf [256]byte
	escaped := appendEscaped(buf[:0], dir)
	if !bytes.HasPrefix(line[at:], escaped) {
		return line
	}
	// The bytes move within line, to a place before where they were.
	return append(line[:at], line[at+len(escaped):]...)
}

func appendKey(b []byte, key string) []byte {
	if key == "" {
		return append(b, none...)
	}
	// Byte by byte: these are all ASCII, and the others stay as they are.
	for i := range len(key) {
		if c := key[i]; c <= ' ' || c == 0x7f {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

// appendTimestamp appends fourteen digits; a time that has no such form, the zero time among them, is not known.
func appendTimestamp(b []byte, t time.Time) []byte {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return append(b, none...)
	}
	return t.AppendFormat(b, timestampLayout)
}

// trimMIME returns the media type without its parameters, cut where both programs cut it.
func trimMIME(mime string) string {
	mime = strings.TrimSpace(mime)
	if i := strings.IndexFunc(mime, func(r rune) bool { return r == ';' || unicode.IsSpace(r) }); i >= 0 {
		return mime[:i]
	}
	return mime
}

const sha1Prefix = "sha1:"

// shortDigest leaves the algorithm out where a reader can tell it.
func shortDigest(digest string) string {
	if value, ok := strings.CutPrefix(digest, sha1Prefix); ok && isSHA1Base32(value) {
		return value
	}
	return digest
}

// isSHA1Base32 reports whether s is 160 bits in the base32 alphabet of RFC 4648.
func isSHA1Base32(s string) bool {
	if len(s) != 32 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// appendField appends one field of the object that begins at start, unless its value is empty or the "-" that
// stands for that.
func appendField(b []byte, start int, name, value string) []byte {
	if value == "" || value == none {
		return b
	}
	if len(b) > start {
		b = append(b, ", "...)
	}
	b = append(append(append(b, '"'), name...), `": "`...)
	return append(appendEscaped(b, value), '"')
}

const hexDigits = "0123456789abcdef"

// appendEscaped appends s as the inside of a JSON string in ASCII, as Python's json module writes it by default; bytes
// that are not UTF-8 become U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		// Not ASCII: decoded, and written as UTF-16 units, as JSON has it.
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = appendUTF16(b, r)
			i += n
			continue
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ' && c < 0x7f:
			b = append(b, c)
		default:
			b = appendControl(b, c)
		}
		i++
	}
	return b
}

// Python escapes DEL too, which goes the long way.
func appendControl(b []byte, c byte) []byte {
	if i := strings.IndexByte("\b\f\n\r\t", c); i >= 0 {
		return append(b, '\\', "bfnrt"[i])
	}
	return appendUnit(b, uint16(c))
}

func appendUTF16(b []byte, r rune) []byte {
	// EncodeRune gives U+FFFD for what needs no pair.
	if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
		return appendUnit(appendUnit(b, uint16(r1)), uint16(r2))
	}
	return appendUnit(b, uint16(r))
}

func appendUnit(b []byte, u uint16) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
