package cdx

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Parse parses a CDXJ line, with or without its line end. Numbers may be JSON strings or numbers; unknown fields are
// ignored. Errors wrap ErrFormat.
func Parse(line []byte) (Line, error) {
	key, stamp, object := cutCDXJ(bytes.TrimRight(line, "\r\n"))
	if len(key) == 0 || object == nil {
		return Line{}, fmt.Errorf("%w: not key, timestamp and JSON", ErrFormat)
	}
	// JSON replaces all bytes that are not UTF-8 by one character, which would make different URLs equal.
	if !utf8.Valid(object) {
		object = []byte(urlkey.Text(string(object)))
	}
	var f fields
	if err := json.Unmarshal(object, &f); err != nil {
		return Line{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	// After the JSON, so that its fields cannot replace these.
	f.SURT, f.Timestamp = text(key), text(stamp)
	return f.line()
}

// cutCDXJ returns the parts of a CDXJ line; object is nil for other lines. Keys have no spaces, except in some indexes
// of other programs.
func cutCDXJ(line []byte) (key, stamp, object []byte) {
	key, rest, _ := bytes.Cut(line, []byte(" "))
	stamp, object, _ = bytes.Cut(rest, []byte(" "))
	if object = bytes.TrimLeft(object, " "); bytes.HasPrefix(object, []byte("{")) {
		return key, stamp, object
	}
	// The timestamp distinguishes it from a line of columns with such an end.
	if !bytes.Contains(line, []byte(" {")) {
		return nil, nil, nil
	}
	if m := oddKeySyntax().FindSubmatch(line); m != nil {
		return m[1], m[2], m[3]
	}
	return nil, nil, nil
}

var oddKeySyntax = pattern.Lazy(`^(.+?) (\d{14}|\d{17}) +(\{.*)$`)

// fields are the values of a line as written, "" or "-" if unknown.
type fields struct {
	SURT      text `json:"-"`
	canonical text // Alexa's key, which is not a SURT; used if a file has no other key
	Timestamp text `json:"-"`
	URL       text `json:"url"`
	MIME      text `json:"mime"`
	Status    text `json:"status"`
	Digest    text `json:"digest"`
	Length    text `json:"length"`
	Offset    text `json:"offset"`
	Filename  text `json:"filename"`
	Languages any  `json:"languages"` // a string; other types are ignored
}

// text is a string that JSON may also write as a number.
type text string

// UnmarshalJSON accepts a string, a number or null.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		// Kept as written, and parsed where its kind is known.
		*t = text(b)
		return nil
	case string(b) == "null":
		return nil
	}
	return fmt.Errorf("%.20s is no string and no number", b)
}

func (t text) known() bool { return t != "" && t != none }

func (t text) string() string {
	if !t.known() {
		return ""
	}
	return string(t)
}

// number parses a number that is not negative, or returns missing if it is unknown.
func (t text) number(name string, bits int, missing int64) (int64, error) {
	if !t.known() {
		return missing, nil
	}
	// Without the sign bit of the type; ParseUint refuses a minus.
	n, err := strconv.ParseUint(string(t), 10, bits-1)
	if err != nil {
		return 0, fmt.Errorf("%w: %s %.40q", ErrFormat, name, string(t))
	}
	return int64(n), nil
}

// line returns the values of f in their types. An invalid offset is an error, because a guess would lead into the
// middle of a record. Other invalid values are unknown if file and offset locate the record: programs write a status
// like "html>" and a length of -1.
func (f *fields) line() (l Line, err error) {
	l = Line{SURT: f.SURT.string(), URL: urlkey.Text(f.URL.string()), MIME: f.MIME.string()}
	l.Filename = f.Filename.string()
	// Only without column N, which is the better key.
	if l.SURT == "" {
		l.SURT = f.canonical.string()
	}
	l.Languages, _ = f.Languages.(string)
	if l.Offset, err = f.Offset.number("offset", 64, -1); err != nil {
		return Line{}, err
	}
	when, errTime := f.Timestamp.time()
	status, errStatus := f.Status.number("status", 32, 0)
	length, errLength := f.Length.number("length", 64, 0)
	if err := cmp.Or(errTime, errStatus, errLength); err != nil && (l.Offset < 0 || l.Filename == "") {
		return Line{}, err
	}
	l.Timestamp, l.Status, l.Length = when, int(status), length
	if n := len(f.Timestamp.string()); n < len(timestampLayout) && !f.Timestamp.isEpoch() && errTime == nil {
		l.Digits = n
	}
	l.Digest = f.Digest.string()
	// pywb omits the algorithm; Line always has it.
	if isSHA1Base32(l.Digest) {
		l.Digest = sha1Prefix + l.Digest
	}
	return l, nil
}

// firstYear is before the first web archives; ten digits that begin with an earlier year are seconds, not a date.
const firstYear = "1990"

// isEpoch reports whether t is seconds since 1970, as wpull writes them, or milliseconds.
func (t text) isEpoch() bool {
	s := string(t)
	return strings.Trim(s, "0123456789") == "" && (len(s) == 9 || len(s) == 13 || len(s) == 10 && s[:4] < firstYear)
}

// time parses a timestamp. Its 4 to 14 digits are completed to the beginning of the year, month, day, hour or minute.
// It may also be 17 digits, whose milliseconds are dropped; seconds or milliseconds since 1970; or RFC 3339.
func (t text) time() (time.Time, error) {
	if !t.known() {
		return time.Time{}, nil
	}
	s := string(t)
	if t.isEpoch() {
		n, err := strconv.ParseInt(s[:min(len(s), 10)], 10, 64)
		return time.Unix(n, 0).UTC(), err
	}
	if len(s) == 17 && strings.Trim(s[14:], "0123456789") == "" {
		s = s[:14]
	}
	// A leap second is read as the second before it, as in archives.
	if day, ok := strings.CutSuffix(s, "235960"); ok && len(s) == len(timestampLayout) {
		s = day + "235959"
	}
	if len(s) >= 4 && len(s) <= 14 && len(s)%2 == 0 {
		// Completed with the digits of January 1, 00:00:00.
		when, err := time.Parse(timestampLayout, s+"00000101000000"[len(s):])
		if err == nil {
			return when, nil
		}
	}
	if when, err := time.Parse(time.RFC3339, s); err == nil {
		return when.UTC().Truncate(time.Second), nil
	}
	return time.Time{}, fmt.Errorf("%w: timestamp %.40q", ErrFormat, string(t))
}
