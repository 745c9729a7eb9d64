package feed

import (
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/transforms/cldr"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// maxDateBytes and maxDateFields are more than any format of dates has. Longer values are prose, which would only
// cost time.
const (
	maxDateBytes  = 100
	maxDateFields = 10
)

// minReadYear keeps out the years that databases write for no date. "0001-01-01" and "0000-00-00" stand for nothing.
const minReadYear = 1000

// parseDate reads the dates that feeds hold: W3CDTF and the rest of ISO 8601 (ordinal dates, weeks, two-digit years,
// without separators), RFC 822 and 2822 with whatever zones are written, asctime, Perforce, MSSQL, all with names of
// package cldr; then those of pagemeta.ParseDate. language is the feed's, "" if it is not known. A date without a zone
// is taken as UTC. It never looks at a clock: a year must be written. The forms are those that Universal Feed Parser's
// tests collect. A date that is wrong in any part is none at all, as half a date would be a wrong one.
func parseDate(s, language string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxDateBytes {
		return time.Time{}, false
	}
	plain := cldr.Digits(s)
	p := dateParts{language: cldr.Base(language), foreign: plain != s}
	// In lower case, so that names and the letters T and Z compare as they are.
	if p.read(dateMarks.Replace(strings.ToLower(plain))) {
		if t, ok := p.time(); ok {
			return t, true
		}
	}
	// pagemeta reads the dates that people write on pages, with fewer zones.
	if d, ok := pagemeta.ParseDateIn(s, language); ok && !p.contrary {
		return d.Time.UTC(), true
	}
	return time.Time{}, false
}

// dateMarks writes what is Korean (Onblog, Nate), Chinese and Japanese in dates as it is in English. One pass with all
// at once; a replacer takes the first of its arguments that fits at a place, hence the order.
var dateMarks = strings.NewReplacer(
	"년 ", "-", "월 ", "-", "년", "-", "월", "-", "일", " ", "오전", " am ", "오후", " pm ", "年", "-", "月", "-", "日", " ",
	"号", " ", "號", " ", "上午", " am ", "下午", " pm ", "午前", " am ", "午後", " pm ",
)

// dateParts are what the fields of a date have said so far. Zero means "not said", which no part but hours can be: a
// day and a month begin at 1.
type dateParts struct {
	year, month, day  int
	hour, minute, sec int
	offset            int // seconds east of UTC
	half              int // of the day, in which the hour is counted; 0 when it is of the whole day
	dated, timed      bool
	counted           bool // the day is counted from the first of January

	language string // of the feed, "" if it is not known
	foreign  bool   // the digits are of another script, whose readers may count years otherwise
	named    bool   // the month is a name
	weak     bool   // which is also one of a day of the week: mar. is March or Tuesday
	buddhist bool   // the year is one of Thailand's calendar
	contrary bool   // two months are named
	strange  bool   // a word before the year may be the true month
}

// read takes a date apart, field by field; it is false when a field says nothing that a date can say. Fields are
// divided by spaces and commas; only a zone in brackets may come as several.
func (p *dateParts) read(s string) bool {
	fields := strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == ',' || r == '\t' || r == '\n' ||
			r == '\r' || r == '\u00a0'
	})
	if len(fields) > maxDateFields {
		return false
	}
	for _, f := range fields {
		if !p.field(f, len(fields) == 1) {
			return false
		}
	}
	return true
}

// field takes one field; alone tells that it is the whole date.
func (p *dateParts) field(f string, alone bool) bool {
	switch first := f[0]; {
	case first == '(': // the zone again, in words
		return true
	// A leading hyphen is ISO 8601 with a part left out, as long as nothing was read yet; later it is
	// a zone's sign.
	case first >= '0' && first <= '9', first == '-' && !p.dated && !p.timed:
		return p.numeric(f, alone)
	// Zones only behind a time, since "est" may be a word; a half of the day anywhere.
	case p.timed && p.zone(f), p.meridiem(f):
		return true
	}
	if m := p.monthOf(f); m != 0 {
		return p.name(f, m)
	}
	p.strange = p.strange || p.year == 0 && !cldr.Weekday(f)
	// What has digits and fits nowhere makes it no date.
	return !strings.ContainsAny(f, "0123456789") // a weekday, "at"
}

// name takes a word that names a month. Of two the first may be a day of the week, "mar., 16 juil. 2019", or the
// second; two months that differ are no date.
func (p *dateParts) name(f string, m int) bool {
	weekday := p.month != m && cldr.Weekday(f)
	switch {
	case p.month == 0 || p.weak && p.month != m:
		p.month, p.weak, p.named = m, weekday, true
	case p.month != m && !weekday:
		p.contrary = true
		return false
	}
	p.buddhist = p.buddhist || cldr.MonthIn(f, "th") == m
	return true
}

// numeric takes a time, a date, both, a day or a year. A number of one field is a year and more (20040105), one among
// others is a part.
func (p *dateParts) numeric(f string, alone bool) bool {
	// Between digits, as months have a "t" too.
	if i := strings.LastIndexByte(f, 't'); i > 0 && i+1 < len(f) && isDigit(f[i-1]) && isDigit(f[i+1]) {
		return p.numeric(f[:i], true) && p.clock(f[i+1:])
	}
	// A colon within three bytes: an hour is in front of it.
	if i := strings.IndexByte(f, ':'); i > 0 && i <= 2 {
		return p.clock(f)
	}
	// 8h26, as French has it.
	if i := strings.IndexByte(f, 'h'); i > 0 && i <= 2 && p.day != 0 {
		return p.clock(strings.Replace(f, "h", ":", 1))
	}
	if !alone {
		f = strings.TrimRight(f, ".") // "14." is the 14th
	}
	// By length and by what is missing: four digits are a year, two the day and then a short year.
	if n, err := strconv.Atoi(f); err == nil && n >= 0 && !alone {
		switch {
		case len(f) == 4 && p.year == 0:
			p.year = n
			return true
		case len(f) <= 2 && p.day == 0:
			p.day = n
			return true
		case len(f) == 2 && p.year == 0:
			p.year = p.century(n)
			return true
		}
	}
	// A year beside a day and a year is not one of ISO 8601.
	return (alone || len(f) > 4 || p.day == 0) && p.calendar(f)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// century gives a year of two digits the century that section 4.3 of RFC 2822 says, or Thailand's.
func (p *dateParts) century(n int) int {
	if p.buddhist {
		return 2500 + n
	}
	if n < 50 {
		return 2000 + n
	}
	return 1900 + n
}

// calendar takes a date of ISO 8601, complete or cut, in any of its forms; the parts may be joined by slashes. parts
// are read from the year down, as ISO 8601 has no other order.
func (p *dateParts) calendar(f string) bool {
	// A second date, such as the end of a range, is not read.
	if p.dated {
		return false
	}
	p.dated = true
	// Slashes are taken for hyphens; a "z" at the end of a date without a time means nothing.
	parts := strings.Split(strings.TrimRight(strings.ReplaceAll(f, "/", "-"), "-z"), "-")
	if parts[0] == "" && len(parts) > 1 { // a leading hyphen: the century is left out
		if parts = parts[1:]; len(parts) == 1 && len(parts[0]) == 4 {
			// "--0105"-like forms: year and month.
			return p.setYear(parts[0][:2]) && p.monthOrDay(parts[0][2:])
		}
	}
	switch len(parts) {
	case 1:
		return p.compact(parts[0])
	case 2:
		return p.setYear(parts[0]) && p.monthOrDay(parts[1])
	case 3:
		if strings.HasPrefix(parts[1], "w") {
			return p.setYear(parts[0]) && p.week(parts[1], parts[2])
		}
		// 01/02/2003 and 2003/01/02 are both written; only the latter is clear.
		if strings.Contains(f, "/") && len(parts[0]) != 4 {
			return false // nobody can tell which is the year
		}
		if m := p.monthOf(parts[1]); m != 0 && len(parts[0]) == 4 { // 2019-Aug-16
			return p.name(parts[1], m) && p.setYear(parts[0]) && number(parts[2], 2, &p.day)
		}
		return p.setYear(parts[0]) && number(parts[1], 2, &p.month) && number(parts[2], 2, &p.day)
	}
	return false
}

// compact takes a date without separators. The number of digits tells: CCYY, YYDDD, YYMMDD, CCYYDDD, CCYYMMDD, and
// the last with a time.
func (p *dateParts) compact(f string) bool {
	switch len(f) {
	case 4:
		// A year alone is its first day.
		p.month, p.day = 1, 1
		return number(f, 4, &p.year)
	case 5, 7: // year and day of the year
		return p.setYear(f[:len(f)-3]) && p.monthOrDay(f[len(f)-3:])
	case 14:
		return p.compact(f[:8]) && p.clock(f[8:])
	case 6, 8:
		n := len(f) - 4
		return p.setYear(f[:n]) && number(f[n:n+2], 2, &p.month) && number(f[n+2:], 2, &p.day)
	}
	return false
}

// setYear takes a year of two digits or four.
func (p *dateParts) setYear(f string) bool {
	if !number(f, 4, &p.year) {
		return false
	}
	if len(f) == 2 {
		p.year = p.century(p.year)
	}
	return len(f) == 2 || len(f) == 4
}

// monthOrDay takes what follows a year: a month, a week, or the day of the year, whose month is then January. The
// month is then one, and time.Date counts days over its end (p.counted).
func (p *dateParts) monthOrDay(f string) bool {
	switch {
	case strings.HasPrefix(f, "w"):
		return p.week(f, "1")
	case len(f) == 3:
		p.month, p.counted = 1, true
		// 366 also in years that have 365: the day is then the first of the next.
		return number(f, 3, &p.day) && p.day >= 1 && p.day <= 366
	}
	p.day = 1
	return number(f, 2, &p.month)
}

// week takes a week and a day of it, Monday being 1: the first week of a year holds its fourth of January.
func (p *dateParts) week(week, day string) bool {
	var w, d int
	if !number(week[1:], 2, &w) || !number(day, 1, &d) || w < 1 || w > 53 || d < 1 || d > 7 {
		return false
	}
	fourth := time.Date(p.year, time.January, 4, 0, 0, 0, 0, time.UTC)
	monday := 4 - (int(fourth.Weekday())+6)%7
	p.month, p.day, p.counted = 1, monday+7*(w-1)+d-1, true
	return true
}

// number reads at most so many digits.
func number(f string, digits int, to *int) bool {
	if f == "" || len(f) > digits {
		return false
	}
	n, err := strconv.ParseUint(f, 10, 16)
	*to = int(n)
	return err == nil
}

// clock takes 15, 15:04, 15:04:05.999 or 150405, and the zone that is written right after it. What is not written is
// zero. Fractions of a second are dropped, as dates are kept to the second.
func (p *dateParts) clock(f string) bool {
	if p.timed || f == "" {
		return false
	}
	p.timed = true
	// The first sign that is not of a time begins the zone.
	end := strings.IndexFunc(f, func(r rune) bool { return (r < '0' || r > '9') && r != ':' && r != '.' })
	zone := ""
	if end >= 0 {
		f, zone = f[:end], f[end:]
	}
	f, _, _ = strings.Cut(f, ".")
	parts := strings.Split(f, ":")
	// Digits without colons, in pairs.
	if len(parts) == 1 && len(f) > 2 && len(f) <= 6 && len(f)%2 == 0 {
		parts = []string{f[:2], f[2:4], f[4:]}
	}
	for i, to := range []*int{&p.hour, &p.minute, &p.sec} {
		// An empty part is allowed for "15:" and the like.
		if i < len(parts) && parts[i] != "" && !number(parts[i], 2, to) {
			return false
		}
	}
	return len(parts) <= 3 && (zone == "" || p.zone(zone) || p.meridiem(zone))
}

// meridiem takes am and pm, with dots or without.
func (p *dateParts) meridiem(f string) bool {
	switch strings.ReplaceAll(f, ".", "") {
	case "am":
		p.half = 1
	case "pm":
		p.half = 2
	default:
		return false
	}
	return true
}

// zoneHours are the names of section 5.1 of RFC 822, and those that are common in feeds and mean one thing. Names
// that mean several zones (IST, CST in China) are read as in North America, or not at all.
var zoneHours = map[string]int{
	"z": 0, "ut": 0, "utc": 0, "gmt": 0, "etc/gmt": 0, "etc/utc": 0, "wet": 0, "pst8pdt": -8, "ast": -4, "adt": -3,
	"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8,
	"hst": -10, "bst": 1, "west": 1, "cet": 1, "met": 1, "cest": 2, "mest": 2, "eet": 2, "eest": 3, "msk": 3, "jst": 9,
	"kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
}

// zone takes a zone's name, an offset, or both (gmt+0200).
func (p *dateParts) zone(f string) bool {
	// U+2212 is a minus that word processors write.
	f = strings.ReplaceAll(f, "−", "-")
	i := strings.IndexAny(f, "+-")
	if i < 0 {
		hours, ok := zoneHours[f]
		if ok {
			p.offset = hours * 3600
			// J is not a zone.
		} else if len(f) == 1 && f != "j" { // a zone of the military, as section 5.1 of RFC 822 counts them
			ok, p.offset = f[0] >= 'a' && f[0] <= 'y', military(f[0])*3600
		}
		return ok
	}
	hours, minutes := 0, 0
	// "+02:00", "+0200" and "+2".
	digits := strings.Replace(f[i+1:], ":", "", 1)
	// The last two of more digits are minutes.
	if n := len(digits); n > 2 {
		if !number(digits[n-2:], 2, &minutes) {
			return false
		}
		digits = digits[:n-2]
	}
	// 24, because careless writers have "+2400".
	if !number(digits, 2, &hours) || hours > 24 || minutes > 59 {
		return false
	}
	p.offset = hours*3600 + minutes*60
	if f[i] == '-' {
		p.offset = -p.offset
	}
	// "gmt+0200": the name must be a zone's, or the field is something else.
	_, known := zoneHours[f[:i]]
	return i == 0 || known
}

// military is the offset of the zones A to M (without J) and N to Y, with the sign of RFC 822, which is that of most
// programs, though not that of the military. RFC 822 had them the wrong way round, and RFC 2822 says so (section
// 4.3).
func military(c byte) int {
	switch {
	case c > 'm':
		return int(c) - 'm'
	case c > 'j':
		return -int(c - 'a')
	}
	return -int(c-'a') - 1
}

// monthOf is the month that a word names, or begins the English name of ("septem"), or 0.
func (p *dateParts) monthOf(f string) int {
	if m := cldr.Month(f, p.language); m != 0 || len(f) < 3 {
		return m
	}
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), f) {
			return int(m)
		}
	}
	return 0
}

// calendars corrects the year of another calendar; it is false where digits of another script may be of one that is
// not known. Persia's 1398 and Nepal's 2076 are 2019.
func (p *dateParts) calendars() bool {
	if (p.buddhist || p.language == "th") && p.year > 2400 {
		p.year -= 543
	}
	return !p.foreign || p.year >= 1900 && p.year < 2100 && (p.named || p.language != "ne")
}

// time puts the parts together; it is false when they are not a day, or no time of one. Midnight at the end of a day,
// and leap seconds, are those of the next.
func (p *dateParts) time() (time.Time, bool) {
	// 12 am is 0, 12 pm is 12; an hour above 12 is written for the whole day already.
	if p.half > 0 && p.hour <= 12 {
		p.hour = p.hour%12 + 12*(p.half-1)
	}
	if !p.calendars() || p.weak && p.strange && p.named {
		return time.Time{}, false
	}
	// 24:00 and second 60 are allowed, and carried over below.
	if p.year < minReadYear || p.month < 1 || p.month > 12 || p.hour > 24 || p.minute > 59 || p.sec > 60 {
		return time.Time{}, false
	}
	// The zone is part of the day, so that the sum below is right across midnight.
	day := time.Date(p.year, time.Month(p.month), p.day, 0, 0, 0, 0, time.FixedZone("", p.offset))
	// time.Date takes the 31st of June for the 1st of July, which shows in the day.
	if !p.counted && day.Day() != p.day {
		return time.Time{}, false
	}
	sum := time.Duration(p.hour)*time.Hour + time.Duration(p.minute)*time.Minute + time.Duration(p.sec)*time.Second
	return day.Add(sum).UTC(), true
}
