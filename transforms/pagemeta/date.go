package pagemeta

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Date is a date as a page or a feed gives it.
type Date struct {
	Time    time.Time // UTC when HasZone; otherwise the clock of a place that is not known, as if it were UTC
	HasTime bool      // a time of day is given
	HasZone bool      // and the zone it is in
}

// String is the form that goes into records: RFC 3339 in UTC where time and zone are known, otherwise the date alone.
func (d Date) String() string {
	if d.HasTime && d.HasZone {
		return d.Time.Format(time.RFC3339)
	}
	return d.Time.Format(time.DateOnly)
}

// Years outside these are mistakes: the web began in 1990, and placeholders such as 0001, 1970 and 9999 are common.
const (
	minYear = 1990
	maxYear = 2100
)

// maxDateBytes and maxDateFields are more than any format has; longer texts are no dates.
const (
	maxDateBytes  = 80
	maxDateFields = 12
)

// ParseDate reads the date at the head of s, in any of the forms that pages and feeds use: ISO 8601 with its variants,
// RFC 822, 850, 1123 and 2822, asctime, JavaScript's Date, Unix time in seconds or milliseconds, "3 March 2024, 4:05
// pm", 31.12.2024, 2024年12月31日. It never looks at a clock, so a year must be written. 03/04/2024 is not read: nobody
// can tell which is the month. Midnight with an offset is a date that some software has given a time, and is read as a
// date alone.
func ParseDate(s string) (Date, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxDateBytes {
		return Date{}, false
	}
	if d, ok := unixTime(s); ok {
		return d, true
	}
	fields := strings.FieldsFunc(cjkMarks.Replace(s), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(fields) > maxDateFields {
		return Date{}, false
	}
	var p parts
	for _, f := range fields {
		if !p.field(f) {
			return Date{}, false
		}
	}
	return p.date()
}

// cjkMarks writes the year, month and day signs of Chinese, Japanese and Korean as punctuation.
var cjkMarks = strings.NewReplacer("年", "-", "月", "-", "日", " ", "号", " ", "년 ", "-", "월 ", "-", "년", "-", "월", "-", "일", " ")

func unixTime(s string) (Date, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Date{}, false
	}
	switch len(s) {
	case 13:
		n /= 1000
	case 10:
	default:
		return Date{}, false
	}
	d := Date{Time: time.Unix(n, 0).UTC(), HasTime: true, HasZone: true}
	return d, plausible(d.Time)
}

func plausible(t time.Time) bool { return t.Year() >= minYear && t.Year() <= maxYear }

// parts are what the fields of a date have said so far.
type parts struct {
	year, month, day  int
	hour, minute, sec int
	offset            int // seconds east of UTC
	hasTime, hasZone  bool
}

// field takes one field; it is false when that contradicts what is known or cannot be part of a date. Words that mean
// nothing here (weekdays, "at", "de") are passed over.
func (p *parts) field(f string) bool {
	if f[0] == '(' { // the zone's name in JavaScript's form
		return true
	}
	first := f[0]
	switch {
	case first >= '0' && first <= '9':
		return p.numeric(f)
	case p.hasTime && p.zone(f), p.meridiem(f):
		return true
	case first == '+' || first == '-':
		return p.hasTime // an offset that cannot be read
	}
	if m := monthOf(f); m != 0 && p.month == 0 {
		p.month = m
		return true
	}
	if head, rest, ok := strings.Cut(f, "-"); ok && monthOf(head) != 0 { // Mar-3-2024
		return p.field(head) && rest != "" && p.field(rest)
	}
	return !strings.ContainsAny(f, "0123456789")
}

// numeric takes a field that begins with a digit: a date, a time, both, a day or a year.
func (p *parts) numeric(f string) bool {
	if i := strings.IndexAny(f, "Tt"); i >= 6 && i+1 < len(f) && isDigit(f[i-1]) && isDigit(f[i+1]) {
		return p.numeric(f[:i]) && p.numeric(f[i+1:])
	}
	digits := leadingDigits(f)
	if digits < len(f) && f[digits] == ':' && digits <= 2 {
		return p.clock(f)
	}
	if digits == len(f) {
		return p.number(f)
	}
	if sep := f[digits]; strings.IndexByte("-/.", sep) >= 0 {
		return p.joined(strings.Split(strings.TrimRight(f, "-/."), string(sep)))
	}
	switch strings.ToLower(f[digits:]) {
	case "st", "nd", "rd", "th", "er", "º", "ª", "o":
		return p.number(f[:digits])
	case "am", "pm":
		return p.clock(f[:digits]+":00") && p.meridiem(f[digits:])
	case "z":
		return p.number(f[:digits]) && p.zone("Z")
	}
	return false
}

// number takes digits alone: 20240131, 101500 behind a date, a year or a day.
func (p *parts) number(f string) bool {
	n, err := strconv.Atoi(f)
	if err != nil {
		return false
	}
	switch {
	case len(f) == 8 && p.year == 0:
		p.year, p.month, p.day = n/10000, n/100%100, n%100
	case len(f) == 6 && p.day != 0 && !p.hasTime:
		return p.clock(f[:2] + ":" + f[2:4] + ":" + f[4:])
	case len(f) == 4 && p.year == 0:
		p.year = n
	case len(f) <= 2 && p.day == 0:
		p.day = n
	case len(f) == 2 && p.year == 0 && p.month != 0:
		p.year = twoDigitYear(n)
	default:
		return false
	}
	return true
}

// twoDigitYear follows section 4.3 of RFC 2822.
func twoDigitYear(n int) int {
	if n < 50 {
		return 2000 + n
	}
	return 1900 + n
}

// joined takes a date whose parts are joined by one kind of separator.
func (p *parts) joined(f []string) bool {
	if len(f) == 1 {
		return p.field(f[0])
	}
	if len(f) != 3 || p.day != 0 || f[1] == "" {
		return false
	}
	if m := monthOf(f[1]); m != 0 { // 03-Mar-2024
		p.month = m
		return p.field(f[0]) && f[2] != "" && p.field(f[2])
	}
	var n [3]int
	for i := range f {
		v, err := strconv.Atoi(f[i])
		if err != nil || v < 0 {
			return false
		}
		n[i] = v
	}
	switch {
	case len(f[0]) == 4:
		p.year, p.month, p.day = n[0], n[1], n[2]
	case len(f[2]) == 4:
		return p.yearLast(n[0], n[1], n[2])
	default:
		return false
	}
	return true
}

// yearLast takes day and month in either order, when only one order is possible.
func (p *parts) yearLast(a, b, year int) bool {
	p.year = year
	switch {
	case a > 12 || a == b:
		p.day, p.month = a, b
	case b > 12:
		p.month, p.day = a, b
	default:
		return false
	}
	return true
}

// clock takes 15:04, 15:04:05.999 and what is written right behind it.
func (p *parts) clock(f string) bool {
	if p.hasTime {
		return false
	}
	var n [3]int
	for i := range n {
		digits := leadingDigits(f)
		if digits == 0 || digits > 2 {
			return false
		}
		n[i], _ = strconv.Atoi(f[:digits]) // two digits always are a number
		f = f[digits:]
		if i == 2 || len(f) < 2 || f[0] != ':' || !isDigit(f[1]) {
			break
		}
		f = f[1:]
	}
	if len(f) > 1 && (f[0] == '.' || f[0] == ',') {
		f = f[1+leadingDigits(f[1:]):]
	}
	p.hour, p.minute, p.sec, p.hasTime = n[0], n[1], min(n[2], 59), true
	return f == "" || p.meridiem(f) || p.zone(f)
}

// meridiem takes am and pm, with or without dots.
func (p *parts) meridiem(f string) bool {
	pm := false
	switch strings.ToLower(f) {
	case "am", "a.m.", "a.m":
	case "pm", "p.m.", "p.m":
		pm = true
	default:
		return false
	}
	if p.hasTime && p.hour <= 12 {
		p.hour %= 12
		if pm {
			p.hour += 12
		}
	}
	return true
}

// zones are the names of section 5.1 of RFC 822 and those that are common elsewhere and mean one thing.
var zones = map[string]int{
	"Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
	"PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "BST": 1, "WEST": 1, "CET": 1, "MET": 1, "CEST": 2,
	"MEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}

// zone takes a zone's name, an offset, or both (GMT+0200).
func (p *parts) zone(f string) bool {
	i := strings.IndexAny(f, "+-")
	if i < 0 {
		hours, ok := zones[strings.ToUpper(f)]
		if ok && !p.hasZone {
			p.offset, p.hasZone = hours*3600, true
		}
		return ok
	}
	if _, known := zones[strings.ToUpper(f[:i])]; i > 0 && !known {
		return false
	}
	offset, ok := offsetSeconds(f[i+1:])
	if !ok {
		return false
	}
	if f[i] == '-' {
		offset = -offset
	}
	p.offset, p.hasZone = offset, true
	return true
}

// offsetSeconds reads 02, 0200, 02:00 and 200.
func offsetSeconds(f string) (int, bool) {
	f = strings.Replace(f, ":", "", 1)
	n, err := strconv.Atoi(f)
	if err != nil || n < 0 || len(f) > 4 {
		return 0, false
	}
	if len(f) <= 2 {
		n *= 100
	}
	return n/100*3600 + n%100*60, n <= 1400 && n%100 < 60
}

// date puts the parts together; it is false when they are no plausible day.
func (p *parts) date() (Date, bool) {
	if p.month < 1 || p.month > 12 || p.day < 1 || p.hour > 23 || p.minute > 59 {
		return Date{}, false
	}
	local := time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.sec, 0, time.UTC)
	if local.Day() != p.day || !plausible(local) {
		return Date{}, false
	}
	midnight := p.hour == 0 && p.minute == 0 && p.sec == 0
	d := Date{Time: local, HasTime: p.hasTime, HasZone: p.hasZone}
	if midnight && p.offset != 0 {
		d.HasTime, d.HasZone = false, false
		return d, true
	}
	d.Time = local.Add(-time.Duration(p.offset) * time.Second)
	return d, plausible(d.Time)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
