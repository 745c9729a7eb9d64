// Package property reads the values of documents' properties: dates, and lists of names and keywords.
package property

import (
	"strings"
	"time"
	"unicode/utf8"
)

// MaxValue is the maximum length of a value in bytes.
const MaxValue = 64 << 10

// maxList bounds the names or keywords kept. A keyword field of 64 KiB, full of commas, would have 32,000.
const maxList = 200

// List splits a value at the separators. It leaves out empty parts and repetitions.
func List(value, separators string) []string {
	var list []string
	seen := map[string]bool{}
	// FieldsFunc leaves out empty parts; those of white space alone are left out here.
	for _, v := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if v = strings.TrimSpace(v); v != "" && !seen[v] && len(list) < maxList {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}

// layouts are the forms of dates in documents. Dates without a zone keep only the day, since their hour is ambiguous.
var layouts = []struct{ in, out string }{
	{time.RFC3339, time.RFC3339},
	{"2006-01-02T15:04Z07:00", time.RFC3339},
	{"2006-01-02T15:04:05.999999999", time.DateOnly},
	{"2006-01-02T15:04", time.DateOnly},
	{"2006-01-02 15:04:05", time.DateOnly},
	{time.DateOnly, time.DateOnly},
	// The first of the month or year stands for it, as in package pdf.
	{"2006-01", time.DateOnly},
	{"2006", time.DateOnly},
}

// Date parses a date of W3CDTF, ISO 8601 or a similar form. The result is RFC 3339 or a day alone, or "" if value is
// not a date.
func Date(value string) string {
	value = strings.TrimSpace(value)
	// Layouts do not overlap, as their lengths and separators differ.
	for _, l := range layouts {
		if t, err := time.Parse(l.in, value); err == nil {
			return Year(t, l.out)
		}
	}
	return ""
}

// Year formats t if its year is plausible for a document, and otherwise returns "". Dates that were never set have the
// years 1601, 1899 or 1904. These are the epochs of Windows (1601), of spreadsheets (1899), and of the Macintosh and
// its Excel (1904).
func Year(t time.Time, layout string) string {
	if t.Year() < 1905 || t.Year() > 9999 {
		return ""
	}
	return t.Format(layout)
}

// Text cleans a value: valid UTF-8, no control characters, white space collapsed.
func Text(value string) string {
	// The cut may fall inside a character; the next step drops it.
	if len(value) > MaxValue {
		value = value[:MaxValue]
	}
	if !utf8.ValidString(value) {
		value = strings.ToValidUTF8(value, "")
	}
	value = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, value)
	return strings.Join(strings.Fields(value), " ")
}
