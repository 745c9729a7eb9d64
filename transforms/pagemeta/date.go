package pagemeta

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Date is a date as a page or a feed gives it. The zone matters for the day: 23:30 in New York is another day in UTC.
type Date struct {
	// Time is in the given zone if HasZone, otherwise the local time of an unknown place, stored as UTC.
	Time    time.Time
	HasTime bool // a time of day is given
	HasZone bool // and its zone
}

// String is the form in records: RFC 3339 in the given zone if time and zone are known, otherwise only the date. So
// its first ten bytes are the day that the page gives. A time without its zone could be wrong by 14 hours.
func (d Date) String() string {
	if d.HasTime && d.HasZone {
		return d.Time.Format(time.RFC3339)
	}
	return d.Day()
}

// Day is the day that the page gives, as 2006-01-02.
func (d Date) Day() string { return d.Time.Format(time.DateOnly) }

// order is the order of day and month in 03/04/2024. If it is unknown, ambiguous dates are not read.
type order int

const (
	orderUnknown order = iota
	dayFirst
	monthFirst
)

// locale helps to read the dates of a page.
type locale struct {
	order    order
	language string // in the form of cldr.Base; "" if unknown
}

// Years outside these are mistakes: the web began in 1990, and placeholders such as 0001, 1970 and 9999 are common.
const (
	minYear = 1990
	maxYear = 2100
)

// maxDateBytes and maxDateFields are more than any format has; longer texts are not dates.
const (
	maxDateBytes  = 80
	maxDateFields = 12
)

// ParseDate reads a text that is a date, in any form that pages and feeds use:
//
//   - ISO 8601 with its variants, RFC 822, 850, 1123 and 2822, asctime, JavaScript's Date, Unix time in seconds or
//     milliseconds;
//   - "3 March 2024, 4:05 pm" in the languages of package cldr, 31.12.2024, 2024年12月31日.
//
// The year must be written. An ambiguous date such as 03/04/2024 is not read and returns false. Midnight with an
// offset is a date to which software has added a time, so it is read without the time. Texts longer than 80 bytes are
// not dates.
func ParseDate(s string) (Date, bool) { return ParseDateIn(s, "") }

// ParseDateIn is ParseDate for a text in a language, given as a BCP 47 tag. The language decides which month
// "listopad" is, and that 2562 is a Thai year.
func ParseDateIn(s, language string) (Date, bool) {
	return parseDate(s, locale{language: cldr.Base(language)})
}

// Dates reads the dates of a page in its language, and in the order of day and month of its country.
type Dates struct{ locale locale }

// NewDates returns the reader for the dates of p.
func NewDates(p *page.Page) Dates {
	u, err := url.Parse(p.URL)
	if err != nil {
		u = &url.URL{}
	}
	return Dates{locale{order: dayOrder(p.Lang(), u.Hostname()), language: cldr.Base(p.Lang())}}
}

// In returns a reader for a known order of day and month.
func (d Dates) In(dayComesFirst bool) Dates {
	d.locale.order = monthFirst
	if dayComesFirst {
		d.locale.order = dayFirst
	}
	return d
}

// Parse is ParseDate for a text of the page.
func (d Dates) Parse(s string) (Date, bool) { return parseDate(s, d.locale) }

// Find returns the first date in running text, without its time of day, and the text before it.
func (d Dates) Find(s string) (date Date, before string, ok bool) {
	date, before, _, ok = findDate(s, d.locale)
	return date, before, ok
}

// parseDate is ParseDate for a page whose order of day and month may be known.
func parseDate(s string, o locale) (Date, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxDateBytes {
		return Date{}, false
	}
	// Ten or thirteen digits alone.
	if d, ok := unixTime(s); ok {
		return d, true
	}
	p := parts{locale: o}
	rest := cldr.PlainDate(s)
	// One field more than allowed: if it does not end by then it is not a date.
	for range maxDateFields {
		var f string
		if f, rest = nextField(rest); f == "" {
			return p.date()
		}
		if !p.field(f) {
			return Date{}, false
		}
	}
	return Date{}, false
}

// findDate returns the first date in running text, with the text before and after it. It is stricter than ParseDate: a
// date contains no other words, and years have four digits unless they are joined to day and month. It ignores times
// of day. It tries a date at each field with digits or a month, in time linear in the length of s.
func findDate(s string, o locale) (d Date, before, after string, ok bool) {
	// Most texts have no digit. That of another script begins with such a byte.
	if !holdsByte(s, func(c byte) bool { return isDigit(c) || c >= 0xD6 }) {
		return Date{}, "", "", false
	}
	if s = cldr.PlainDate(s); !holdsByte(s, isDigit) {
		return Date{}, "", "", false
	}
	for rest := s; ; {
		var f string
		if f, rest = nextField(rest); f == "" {
			return Date{}, "", "", false
		}
		if !mayBeginDate(f, o) {
			continue
		}
		// The offset of the field in s.
		start := len(s) - len(rest) - len(f) + prefixed(f)
		if d, n := dateAt(s[start:], o); n > 0 {
			return d, s[:start], s[start+n:], true
		}
	}
}

// mayBeginDate reports whether a date may begin with a field: it has a digit or a letter beyond ASCII, or is a month.
// This is the cheap test for most words.
func mayBeginDate(f string, o locale) bool {
	for i := range len(f) {
		if isDigit(f[i]) || f[i] >= utf8.RuneSelf {
			return true
		}
	}
	f = trimMarks(f)
	head, _, _ := strings.Cut(f, "-")
	return head != "" && (head[0]|0x20 == 't' || monthOf(head, o.language) != 0)
}

// trimMarks removes brackets and punctuation around a field. strings.Trim would make its set for each field.
func trimMarks(f string) string {
	for f != "" && outerMarks[f[0]] {
		f = f[1:]
	}
	for f != "" && outerMarks[f[len(f)-1]] {
		f = f[:len(f)-1]
	}
	return f
}

var outerMarks = [256]bool{
	'(': true, ')': true, '[': true, ']': true, '{': true, '}': true, '|': true, ';': true, '!': true, '"': true,
	'\'': true,
}

// holdsByte reports whether any byte of s is such a byte.
func holdsByte(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if is(s[i]) {
			return true
		}
	}
	return false
}

// prefixed is the length of the text before the first digit of a field: "Date:2024-12-31". It is 0 after ASCII
// letters, hyphens and the like, which make other numbers ("A4", "#12").
func prefixed(f string) int {
	i := strings.IndexAny(f, "0123456789")
	if i <= 0 || f[i-1] < utf8.RuneSelf && (isLetter(f[i-1]) || f[i-1] == '-' || f[i-1] == '/' || f[i-1] == '#') {
		return 0
	}
	return i
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// dateAt reads the date at the start of s and returns its length, or 0. It is strict: other words end the date.
func dateAt(s string, o locale) (Date, int) {
	p := parts{locale: o, strict: true}
	rest := s
	for range maxDateFields {
		var f string
		f, rest = nextField(rest)
		// Brackets and punctuation of the sentence around the date.
		f = trimMarks(f)
		// If p is unchanged, the field has no part of a date.
		if f == "" || !p.field(f) || p == (parts{locale: o, strict: true}) {
			return Date{}, 0 // a date does not begin with other words
		}
		// The date ends with its last part: "3 March 2024 was a Sunday".
		if p.year != 0 && p.day != 0 && p.month != 0 {
			d, ok := p.date()
			if !ok {
				return Date{}, 0
			}
			// A time that follows may belong to something else.
			d.HasTime, d.HasZone = false, false
			return d, len(s) - len(rest)
		}
	}
	return Date{}, 0
}

// nextField splits the first field off s: the text between white space and commas. Full-width colons and direction
// marks separate fields, too.
func nextField(s string) (field, rest string) {
	s = s[indexSeparating(s, false):]
	end := indexSeparating(s, true)
	if beginsFraction(s, end) {
		end += 1 + indexSeparating(s[end+1:], true)
	}
	return s[:end], s[end:]
}

// beginsFraction reports whether s[i] is the comma between seconds and their fraction, as in 10:15:00,250.
func beginsFraction(s string, i int) bool {
	return i >= len("10:15:00") && i+1 < len(s) && s[i] == ',' && s[i-3] == ':' && s[i-6] == ':' && isDigit(s[i-1]) &&
		isDigit(s[i+1])
}

// indexSeparating is the index in s of the first character for which separates returns is; the length of s if there is
// none.
func indexSeparating(s string, is bool) int {
	for i, r := range s {
		if separates(r) == is {
			return i
		}
	}
	return len(s)
}

func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ',' || r == ' ' || '\t' <= r && r <= '\r'
	}
	return r == '،' || r == '：' || r == '၊' || r == '、' || r == '\u200e' || r == '\u200f' || unicode.IsSpace(r)
}

// unixTime reads seconds or milliseconds since 1970, by their number of digits.
func unixTime(s string) (Date, bool) {
	if len(s) != 10 && len(s) != 13 {
		return Date{}, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	// From 2030 on such seconds look like 2024013110, a day with its hour.
	if err != nil || len(s) == 10 && isHourOfDay(n) {
		return Date{}, false
	}
	if len(s) == 13 {
		n /= 1000
	}
	d := Date{Time: time.Unix(n, 0).UTC(), HasTime: true, HasZone: true}
	return d, plausible(d.Time)
}

func plausible(t time.Time) bool { return t.Year() >= minYear && t.Year() <= maxYear }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
