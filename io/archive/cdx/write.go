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

// none is the value of unknown columns that cannot be left out.
const none = "-"

// AppendTo appends the CDXJ line, with its line end, to b and returns it. Spaces and control characters in the key
// would break the line and are escaped as in a URL.
func (l Line) AppendTo(b []byte) []byte {
	// Key and time precede the JSON, so that a bytewise search finds a page's captures in order of time.
	b = append(appendKey(b, l.SURT), ' ')
	b = append(appendTimestamp(b, l.Timestamp), " {"...)
	start := len(b)
	b = appendField(b, start, "url", strings.ReplaceAll(l.URL, " ", "%20"))
	b = appendField(b, start, "mime", trimMIME(l.MIME))
	// Status and length 0 mean unknown; so does a negative offset. Offset 0 is valid.
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

// IsLine reports whether a line has the form of CDXJ: a key, a time or "-", and an object, with single blanks. It does
// not look into the object.
func IsLine(line []byte) bool {
	key, rest, _ := bytes.Cut(line, []byte(" "))
	stamp, object, _ := bytes.Cut(rest, []byte(" "))
	isTime := string(stamp) == none || len(stamp) >= 4 && len(bytes.Trim(stamp, "0123456789")) == 0
	if len(key) == 0 || !isTime || len(object) < 2 || object[0] != '{' || object[len(object)-1] != '}' {
		return false
	}
	// Keys of odd hosts begin like comments and headers, which have no such time.
	return !isComment(key) || string(stamp) == none || len(stamp) == len(timestampLayout)
}

// isComment reports whether a line begins as comments and headers of CDXJ do.
func isComment(line []byte) bool { return strings.IndexByte("#!@", line[0]) >= 0 }

// Filename returns the archive that a CDXJ line names, as it is escaped in the line, or nil. The bytes are the line's.
func Filename(line []byte) []byte {
	const field = `"filename":`
	// The last occurrence: values cannot contain unescaped quotes.
	at := bytes.LastIndex(line, []byte(field))
	if at < 0 {
		return nil
	}
	value, quoted := bytes.CutPrefix(bytes.TrimLeft(line[at+len(field):], " "), []byte(`"`))
	for end := 0; end < len(value) && quoted; end++ {
		switch value[end] {
		case '"':
			return value[:end]
		case '\\':
			end++ // the escaped byte
		}
	}
	return nil
}

// TrimDir returns line, as AppendTo writes it, with the folder dir removed from the beginning of its filename. Other
// lines are returned unchanged. It overwrites line.
func TrimDir(line []byte, dir string) []byte {
	const field = `"filename": "` // values cannot contain unescaped quotes
	// The last occurrence: filename is the last field.
	at := bytes.LastIndex(line, []byte(field)) + len(field)
	if at < len(field) {
		return line
	}
	// Large enough for nearly all names, to avoid an allocation.
	var buf [256]byte
	escaped := appendEscaped(buf[:0], dir)
	if !bytes.HasPrefix(line[at:], escaped) {
		return line
	}
	return append(line[:at], line[at+len(escaped):]...)
}

func appendKey(b []byte, key string) []byte {
	if key == "" {
		return append(b, none...)
	}
	for i := range len(key) {
		if c := key[i]; c <= ' ' || c == 0x7f {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

// appendTimestamp appends fourteen digits, or "-" for the zero time and other times without this form.
func appendTimestamp(b []byte, t time.Time) []byte {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return append(b, none...)
	}
	return t.AppendFormat(b, timestampLayout)
}

// trimMIME returns the media type without parameters, cut where both programs cut it.
func trimMIME(mime string) string {
	mime = strings.TrimSpace(mime)
	if i := strings.IndexFunc(mime, func(r rune) bool { return r == ';' || unicode.IsSpace(r) }); i >= 0 {
		return mime[:i]
	}
	return mime
}

const sha1Prefix = "sha1:"

// shortDigest omits the algorithm of a digest if readers can infer it.
func shortDigest(digest string) string {
	if value, ok := strings.CutPrefix(digest, sha1Prefix); ok && isSHA1Base32(value) {
		return value
	}
	return digest
}

// isSHA1Base32 reports whether s has 160 bits in the base32 alphabet of RFC 4648.
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

// appendField appends a field to the object that begins at start, unless its value is empty or "-".
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

// appendEscaped appends s as the inside of a JSON string in ASCII, as Python's json module does by default. Bytes that
// are not UTF-8 become U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		// Written as UTF-16 units, as in JSON.
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

// Python escapes DEL, too.
func appendControl(b []byte, c byte) []byte {
	if i := strings.IndexByte("\b\f\n\r\t", c); i >= 0 {
		return append(b, '\\', "bfnrt"[i])
	}
	return appendUnit(b, uint16(c))
}

func appendUTF16(b []byte, r rune) []byte {
	// EncodeRune returns U+FFFD for runes that need no pair.
	if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
		return appendUnit(appendUnit(b, uint16(r1)), uint16(r2))
	}
	return appendUnit(b, uint16(r))
}

func appendUnit(b []byte, u uint16) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
