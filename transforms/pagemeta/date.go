package pagemeta

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// Date is a date as a page or a feed gives it. The zone matters for the day: 23:30 in New York is another day in UTC.
type Date struct {
	// in the zone that is given when HasZone; otherwise the clock of a place that is not known, as if it were UTC
	Time    time.Time
	HasTime bool // a time of day is given
	HasZone bool // and the zone it is in
}

// String is the form that goes into records: RFC 3339 in the zone that is given where time and zone are known,
// otherwise the date alone. So its first ten bytes are the day that the page gives. A time without its zone would be
// a guess of up to 14 hours.
func (d Date) String() string {
	if d.HasTime && d.HasZone {
		return d.Time.Format(time.RFC3339)
	}
	return d.Day()
}

// Day is the day that the page gives, as 2006-01-02.
func (d Date) Day() string { return d.Time.Format(time.DateOnly) }

// order is the order of day and month in 03/04/2024. Where it is unknown, a date that can be read in two ways is not
// read.
type order int

const (
	orderUnknown order = iota
	dayFirst
	monthFirst
)

// A locale is what helps to read the dates of a page.
type locale struct {
	order    order
	language string // as cldr.Base has it; "" if it is not known
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

// ParseDate reads a text that is a date, in any of the forms that pages and feeds use: ISO 8601 with its variants,
// RFC 822, 850, 1123 and 2822, asctime, JavaScript's Date, Unix time in seconds or milliseconds, "3 March 2024, 4:05
// pm" in the languages of package cldr, 31.12.2024, 2024年12月31日. It never looks at a clock, so a year must be written.
// 03/04/2024 is not read: nobody can tell which is the month. Midnight with an offset is a date that some software has
// given a time, and is read as a date alone. It is linear in the length of s, which is at most 80 bytes. It is
// forgiving where nothing else can be meant, and returns false where two things can.
func ParseDate(s string) (Date, bool) { return ParseDateIn(s, "") }

// ParseDateIn is ParseDate for a text in a language, which a tag of BCP 47 names: it says which month "listopad" is,
// and that 2562 is a Thai year.
func ParseDateIn(s, language string) (Date, bool) {
	return parseDate(s, locale{language: cldr.Base(language)})
}

// parseDate is ParseDate for a page whose order of day and month may be known.
func parseDate(s string, o locale) (Date, bool) {
	// Longer texts are not looked at, which bounds the work by a constant.
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxDateBytes {
		return Date{}, false
	}
	// Ten or thirteen digits alone.
	if d, ok := unixTime(s); ok {
		return d, true
	}
	p := parts{locale: o}
	rest := plainMarks(s)
	// One field more than there may be: without an end by then it is not a date.
	for range maxDateFields {
		var f string
		if f, rest = nextField(rest); f == "" {
			// The fields are used up.
			return p.date()
		}
		if !p.field(f) {
			return Date{}, false
		}
	}
	return Date{}, false
}

// findDate returns the first date in running text, with the text before and after it. It is stricter than ParseDate:
// no words that mean nothing may stand inside a date, and years have four digits unless they are joined to day and
// month. The time of day is not looked for. It takes time linear in the length of s. It goes field by field, and
// tries a date at each that has digits or a month.
func findDate(s string, o locale) (d Date, before, after string, ok bool) {
	s = plainMarks(s)
	// Most texts have no digit.
	if !strings.ContainsAny(s, "0123456789") {
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
		// The field's place in s, by what is left behind it.
		start := len(s) - len(rest) - len(f) + prefixed(f)
		if d, n := dateAt(s[start:], o); n > 0 {
			return d, s[:start], s[start+n:], true
		}
	}
}

// mayBeginDate reports whether a date may begin with a field: one with a digit, a month, or a word in which any letter
// is beyond ASCII. Most fields are other words, and cost no more than this.
func mayBeginDate(f string, o locale) bool {
	for i := range len(f) {
		if isDigit(f[i]) || f[i] >= utf8.RuneSelf {
			return true
		}
	}
	f = strings.Trim(f, "()[]{}|;!\"'")
	head, _, _ := strings.Cut(f, "-")
	return head != "" && (head[0]|0x20 == 't' || monthOf(head, o.language) != 0)
}

// prefixed is the length of what is written before the first digit of a field without space: "Date:2024-12-31".
// Letters, hyphens and the like before the digits make it a number of something else ("A4", "#12").
func prefixed(f string) int {
	i := strings.IndexAny(f, "0123456789")
	if i <= 0 || f[i-1] < utf8.RuneSelf && (isLetter(f[i-1]) || f[i-1] == '-' || f[i-1] == '/' || f[i-1] == '#') {
		return 0
	}
	return i
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// dateAt reads the date that s begins with, and tells how long it is. strict: what cannot be a part of a date ends
// it.
func dateAt(s string, o locale) (Date, int) {
	p := parts{locale: o, strict: true}
	rest := s
	for range maxDateFields {
		var f string
		f, rest = nextField(rest)
		// Brackets and punctuation of the sentence around the date.
		f = strings.Trim(f, "()[]{}|;!\"'")
		// An untouched p means that the field said nothing.
		if f == "" || !p.field(f) || p == (parts{locale: o, strict: true}) {
			return Date{}, 0 // a date does not begin with what says nothing
		}
		// The date ends with its last part, not with its last field: "3 March 2024 was a Sunday".
		if p.year != 0 && p.day != 0 && p.month != 0 {
			d, ok := p.date()
			if !ok {
				return Date{}, 0
			}
			// A time may follow, which may also be the time of something else.
			d.HasTime, d.HasZone = false, false
			return d, len(s) - len(rest)
		}
	}
	return Date{}, 0
}

// nextField cuts the first field off s: what is between white space and commas. Colons of full width and marks of
// direction divide fields, too.
func nextField(s string) (field, rest string) {
	s = s[indexSeparating(s, false):]
	end := indexSeparating(s, true)
	return s[:end], s[end:]
}

// indexSeparating is where in s the first character is that separates fields, or does not, as is asked; the length of s
// if there is none.
func indexSeparating(s string, is bool) int {
	for i, r := range s {
		if separates(r) == is {
			return i
		}
	}
	return len(s)
}

// separates tells what is between fields.
func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ',' || r == ' ' || '\t' <= r && r <= '\r'
	}
	return r == '،' || r == '：' || r == '\u200e' || r == '\u200f' || unicode.IsSpace(r)
}

// plainMarks writes the year, month and day signs of Chinese, Japanese and Korean as punctuation, and the digits of
// other scripts as those of ASCII. ASCII has none of them, and is returned without a copy.
func plainMarks(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return cjkMarks.Replace(cldr.Digits(s))
		}
	}
	return s
}

// cjkMarks are replaced with what dates in digits have: hyphens between, a space after the day.
// Korean ones come with and without a space.
var cjkMarks = strings.NewReplacer("年", "-", "月", "-", "日", " ", "号", " ", "號", " ", "년 ", "-", "월 ", "-", "년", "-",
	"월", "-", "일", " ")

// unixTime takes seconds or milliseconds since 1970, by their number of digits.
func unixTime(s string) (Date, bool) {
	if len(s) != 10 && len(s) != 13 {
		return Date{}, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Date{}, false
	}
	if len(s) == 13 {
		n /= 1000
	}
	d := Date{Time: time.Unix(n, 0).UTC(), HasTime: true, HasZone: true}
	return d, plausible(d.Time)
}

// plausible reports whether a page may be of that year.
func plausible(t time.Time) bool { return t.Year() >= minYear && t.Year() <= maxYear }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// leadingDigits counts the digits that s begins with.
func leadingDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
