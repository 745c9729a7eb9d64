// Package property reads the values of documents' properties: dates, and lists of names and keywords.
package property

import (
	"strings"
	"time"
	"unicode/utf8"
)

// MaxValue is the longest value that is kept, in bytes.
const MaxValue = 64 << 10

// maxList is how many names or keywords are kept. A keyword field of 64 KiB, full of commas, would be 32,000 of them.
const maxList = 200

// List divides a value at the separators. Empty ones and repetitions are left out.
func List(value, separators string) []string {
	var list []string
	seen := map[string]bool{}
	// FieldsFunc leaves empty ones out; those of white space alone are left here.
	for _, v := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if v = strings.TrimSpace(v); v != "" && !seen[v] && len(list) < maxList {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}

// layouts are the forms of dates in documents. Those without a zone give no more than a day: which hour it was, they do
// not say.
var layouts = []struct{ in, out string }{
	{time.RFC3339, time.RFC3339},
	{"2006-01-02T15:04Z07:00", time.RFC3339},
	{"2006-01-02T15:04:05.999999999", time.DateOnly},
	{"2006-01-02T15:04", time.DateOnly},
	{"2006-01-02 15:04:05", time.DateOnly},
	{time.DateOnly, time.DateOnly},
}

// Date is a date of W3CDTF, ISO 8601 or their like as RFC 3339 or as a day alone; "" when it is none.
func Date(value string) string {
	value = strings.TrimSpace(value)
	// The first layout that fits; they do not overlap, as their lengths and separators differ.
	for _, l := range layouts {
		if t, err := time.Parse(l.in, value); err == nil {
			return Year(t, l.out)
		}
	}
	return ""
}

// Year writes t when its year is one in which documents are made: dates that are not set come as 1601, 1899 or 1904.
// Those years are the epochs of Windows (1601), of spreadsheets (1899), and of the Macintosh and of Excel for it
// (1904).
func Year(t time.Time, layout string) string {
	if t.Year() < 1905 || t.Year() > 9999 {
		return ""
	}
	return t.Format(layout)
}

// Text is a value fit to be kept: UTF-8, without control characters, white space collapsed.
func Text(value string) string {
	// The cut may fall inside a character, which the next step then drops.
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
