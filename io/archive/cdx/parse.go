package cdx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Parse reads a CDXJ line, with or without its line end. Numbers may be JSON strings or numbers; fields that Line does
// not have are left out. Errors wrap ErrFormat.
func Parse(line []byte) (Line, error) {
	// The key has no blanks in it, and neither has the timestamp; the JSON behind them may.
	key, rest, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(" "))
	stamp, object, _ := bytes.Cut(rest, []byte(" "))
	if len(key) == 0 || len(bytes.TrimSpace(object)) == 0 {
		return Line{}, fmt.Errorf("%w: not key, timestamp and JSON", ErrFormat)
	}
	// JSON makes one sign of all bytes that are not UTF-8, and so one URL of two.
	if !utf8.Valid(object) {
		object = []byte(urlkey.Text(string(object)))
	}
	var f fields
	if err := json.Unmarshal(object, &f); err != nil {
		return Line{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	// After the JSON, so that no field in it can replace what stands before it.
	f.SURT, f.Timestamp = text(key), text(stamp)
	return f.line()
}

// fields are the values of a line as written, "" or "-" when not known.
type fields struct {
	SURT      text `json:"-"`
	canonical text // Alexa's key, which is no SURT; the key of files that have no other
	Timestamp text `json:"-"`
	URL       text `json:"url"`
	MIME      text `json:"mime"`
	Status    text `json:"status"`
	Digest    text `json:"digest"`
	Length    text `json:"length"`
	Offset    text `json:"offset"`
	Filename  text `json:"filename"`
	Languages any  `json:"languages"` // a string; anything else is not looked at
}

// text is a string that JSON may hold as a number as well.
type text string

// UnmarshalJSON takes a string, a number or null.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	// Decoded, since the string may have escapes.
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		// A number is kept as it is written, and read where its kind is known.
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

// number returns a number, which is not negative, or missing when it is not known.
func (t text) number(name string, bits int, missing int64) (int64, error) {
	if !t.known() {
		return missing, nil
	}
	// One bit less than the type has, for its sign; ParseUint refuses a minus.
	n, err := strconv.ParseUint(string(t), 10, bits-1)
	if err != nil {
		return 0, fmt.Errorf("%w: %s %.40q", ErrFormat, name, string(t))
	}
	return int64(n), nil
}

// line returns the values of f in their types.
// Whatever is there but cannot be read is an error: an offset that is guessed would lead into the middle of a
// record.
func (f *fields) line() (l Line, err error) {
	l = Line{SURT: f.SURT.string(), URL: urlkey.Text(f.URL.string()), MIME: f.MIME.string(), Filename: f.Filename.string()}
	l.Languages, _ = f.Languages.(string)
	if l.Timestamp, err = f.Timestamp.time(); err != nil {
		return Line{}, err
	}
	if n := len(f.Timestamp.string()); n < len(timestampLayout) {
		l.Digits = n
	}
	status, err := f.Status.number("status", 32, 0)
	if err != nil {
		return Line{}, err
	}
	l.Status = int(status)
	if l.Length, err = f.Length.number("length", 64, 0); err != nil {
		return Line{}, err
	}
	if l.Offset, err = f.Offset.number("offset", 64, -1); err != nil {
		return Line{}, err
	}
	l.Digest = f.Digest.string()
	// pywb leaves the algorithm out; in our lines it always stands.
	if isSHA1Base32(l.Digest) {
		l.Digest = sha1Prefix + l.Digest
	}
	return l, nil
}

// time returns a timestamp of 4 to 14 digits, padded to the beginning of its year, month, day, hour or minute, or of
// 17 with milliseconds, which an index does not keep.
func (t text) time() (time.Time, error) {
	if !t.known() {
		return time.Time{}, nil
	}
	s := string(t)
	if len(s) == 17 && strings.Trim(s[14:], "0123456789") == "" {
		s = s[:14]
	}
	// A leap second is taken for the one before it, as when archives are read.
	if day, ok := strings.CutSuffix(s, "235960"); ok && len(s) == len(timestampLayout) {
		s = day + "235959"
	}
	if len(s) >= 4 && len(s) <= 14 && len(s)%2 == 0 {
		// The rest of the digits are those of January 1, 00:00:00.
		when, err := time.Parse(timestampLayout, s+"00000101000000"[len(s):])
		if err == nil {
			return when, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: timestamp %.40q", ErrFormat, string(t))
}
