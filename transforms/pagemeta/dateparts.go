package pagemeta

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// parts are the parts of a date that its fields have given so far. A year, month or day of 0 is still missing.
type parts struct {
	year, month, day  int
	hour, minute, sec int
	offset            int // seconds east of UTC
	half              int // of the day, to which the hour belongs; 0 for the whole day
	hasTime, hasZone  bool
	clocked           bool // the field before was a time of day
	apart             apart
	locale
	strict   bool // in running text: other words end a date
	weak     bool // the month's name may be a day of the week: mar. is March or Tuesday
	strange  bool // a word before the year may be the true month
	numbered bool // the next number or numeral is the month
	weekday  bool // the next number counts days of the week: Thứ 2 is Monday
	buddhist bool // the year is one of Thailand's calendar
}

// field reads one field, which is not empty. It returns false if the field contradicts earlier ones or cannot be part
// of a date. Words without meaning here (weekdays, "at", "de") are skipped.
func (p *parts) field(f string) bool {
	first := f[0]
	clocked, weekday := p.clocked, p.weekday
	p.clocked, p.weekday = false, false
	if p.apart != nothingApart {
		if done, ok := p.fieldApart(f); done {
			return ok
		}
	}
	switch {
	case weekday && len(f) == 1 && isDigit(first):
		return true
	case first == '(', f == "-": // the zone's name in JavaScript's form; Drupal's sign between date and time
		return true
	case isDigit(first):
		return p.numeric(f)
	// A zone only after a time: "est" is also a word.
	case p.hasTime && p.zone(f), p.meridiem(f, clocked):
		return true
	case first == '+' || first == '-':
		return p.hasTime // an invalid offset
	}
	if p.name(f) {
		return true
	}
	if head, rest, ok := strings.Cut(f, "-"); ok && monthOf(head, p.language) != 0 { // Mar-3-2024
		return p.field(head) && rest != "" && p.field(rest)
	}
	if p.strict {
		return isFiller(f) || (p.day != 0 || p.year != 0) && cldr.Weekday(f)
	}
	if p.hasTime && p.hour <= 12 && cldr.IsForeignHalf(strings.ToLower(f)) {
		p.hour, p.minute, p.sec, p.hasTime = 0, 0, 0, false // before or after noon
	}
	p.strange = p.strange || p.year == 0 && !isFiller(f) && !cldr.Weekday(f)
	return !strings.ContainsAny(f, "0123456789") && monthOf(f, p.language) == 0
}

// name reads the name of a month, or a word before a counted month or year. With two names one may be a weekday, as in
// "mar. 16 juil. 2019". Two different months are not a date.
func (p *parts) name(f string) bool {
	if p.numbered || f[0] >= utf8.RuneSelf || f[0]|0x20 == 't' {
		if p.counted(strings.ToLower(f)) {
			return true
		}
	}
	m := monthOf(f, p.language)
	if one, other, ok := strings.Cut(f, "/"); ok && m == 0 { // the two Arabic names: آب/أغسطس
		if m = monthOf(one, p.language); other != "" && monthOf(other, p.language) != m {
			m = 0
		}
	}
	weekday := m != 0 && (p.month == 0 || p.month != m) && cldr.Weekday(f)
	switch {
	case m == 0:
		return false
	case p.month == 0 || p.weak && p.month != m:
		p.month, p.weak = m, weekday
	case p.month != m && !weekday:
		return false
	}
	p.buddhist = p.buddhist || f[0] >= utf8.RuneSelf && cldr.MonthIn(f, "th") == m
	return true
}

// counted reads the words before numbers. Vietnamese counts its months, "tháng 8" and "tháng Tám"; Thai marks a year
// as Buddhist. f is in lower case.
func (p *parts) counted(f string) bool {
	switch f {
	case "thứ":
		p.weekday = true
		return true
	case "tháng", "thg":
		p.numbered = p.month == 0
		return true
	case "พ.ศ.", "พ.ศ":
		p.buddhist = true
		return true
	case "сар", "сарын", "сард": // of Mongolian, after the number of the month
		if p.month == 0 {
			p.month, p.day = p.day, 0
		}
		return p.month != 0
	case "ค.ศ.", "ค.ศ", "م": // of our calendar
		return true
	}
	n := vietnameseMonths[f]
	if !p.numbered || n == 0 || p.month != 0 && (p.month != 10 || n > 2) {
		return false
	}
	p.month += n
	p.numbered = p.month == 10 // eleven is "ten one"
	return true
}

// fillers are words inside dates.
var fillers = strings.Fields("de del di den der dne the of om г року р ngày năm m d gada წლის թ ж жылы оны года году " +
	"dia ta’ ta' af วันที่ เดือน ปี -нд өдөр жылғы ng")

func isFiller(f string) bool {
	return slices.Contains(fillers, strings.ToLower(strings.TrimRight(f, ".")))
}

// numeric reads a field that begins with a digit: a date, a time, both, a day or a year.
func (p *parts) numeric(f string) bool {
	f = withoutYearWord(f, p.language)
	if day, clock, ok := splitZonedDay(f); ok {
		return p.numeric(day) && (clock == "" || p.numeric(clock))
	}
	// "2024-03-03T10:15": digits on both sides of the letter, and a date before it.
	if i := strings.LastIndexAny(f, "Tt"); i >= 6 && i+1 < len(f) && isDigit(f[i-1]) && isDigit(f[i+1]) {
		return p.numeric(f[:i]) && p.numeric(f[i+1:])
	}
	digits := leadingDigits(f)
	if digits < len(f) && f[digits] == ':' && digits <= 2 {
		return p.clock(f)
	}
	if digits == len(f) {
		return p.number(f)
	}
	if sign := f[digits] | 0x20; digits <= 2 && (sign == 'h' || sign == 'u') && p.day != 0 { // 8h26, Flanders' 8u26
		if digits+1 < len(f) && isDigit(f[digits+1]) {
			return p.clock(f[:digits] + ":" + strings.TrimRight(f[digits+1:], "min"))
		}
		return cldr.IsHour(f[digits:]) && p.clock(f[:digits]+":00")
	}
	if isOrdinal(f[digits:], p.language) {
		return p.number(f[:digits])
	}
	switch strings.ToLower(f[digits:]) {
	case "-р": // 7-р сар, the seventh month of Mongolian
		n, err := strconv.Atoi(f[:digits])
		p.month = n
		return err == nil
	case "am", "pm":
		// "10am": a time without minutes.
		return p.clock(f[:digits]+":00") && p.meridiem(f[digits:], true)
	case "z":
		return p.number(f[:digits]) && p.zone("Z")
	}
	if digits == 14 && p.number(f[:digits]) { // 20240131101500+0100
		return p.zone(f[digits:])
	}
	// 10.30, after a whole date.
	if p.day != 0 && p.month != 0 && p.year != 0 && !p.hasTime && digits <= 2 && f[digits] == '.' {
		after := digits + 1 + leadingDigits(f[digits+1:])
		if after == digits+3 && (after == len(f) || cldr.IsHour(f[after:])) {
			return p.clock(f[:digits] + ":" + f[digits+1:])
		}
	}
	// One of four separators, used twice; the colon is EXIF's.
	if sep := f[digits]; strings.IndexByte("-/.:", sep) >= 0 {
		return p.joined(strings.Split(strings.TrimRight(f, "-/."), string(sep)), sep == '.')
	}
	return false
}

// number reads digits alone: 20240131, 101500 after a date, a year or a day.
func (p *parts) number(f string) bool {
	n, err := strconv.Atoi(f)
	if err != nil {
		return false
	}
	switch {
	case p.numbered && len(f) <= 2:
		p.month, p.numbered = n, false
	case (len(f) == 12 || len(f) == 14) && p.year == 0 && !p.strict: // 20240131101500; in running text a number
		return p.number(f[:8]) && p.clock(clockOf(f[8:]))
	case len(f) == 8 && p.year == 0:
		p.year, p.month, p.day = n/10000, n/100%100, n%100
	case len(f) == 6 && p.day != 0 && !p.hasTime:
		return p.clock(clockOf(f))
	case len(f) == 4 && p.year == 0:
		p.year = n
		return p.day != 0 || p.month == 0 // March 2024 has no day, and no number that follows is one
	case len(f) <= 2 && p.day == 0:
		p.day = n
	case len(f) == 2 && p.year == 0 && p.month != 0 && !p.strict:
		p.year = p.shortYear(n)
	// A second day, a number of three digits, a second year.
	default:
		return p.hourApart(f, n)
	}
	return true
}

// shortYear is a year of two digits. Thailand's 62 is 2562. On a Thai page without a Thai month both calendars occur.
// From 31 to 79 it is read as Thai: 1988 to 2036.
func (p *parts) shortYear(n int) int {
	if p.buddhist || p.language == "th" && n > 30 && n < 80 {
		return 2500 + n
	}
	return twoDigitYear(n)
}

// twoDigitYear follows section 4.3 of RFC 2822.
func twoDigitYear(n int) int {
	if n < 50 {
		return 2000 + n
	}
	return 1900 + n
}

// joined reads a date whose parts are joined by one separator. The year is first or last. It has two digits only if
// the page's order is known, since 1.2.10 may be a version. With dots the day comes first.
func (p *parts) joined(f []string, dots bool) bool {
	if len(f) == 1 {
		return p.field(f[0])
	}
	if len(f) == 2 && len(f[0]) <= 2 && monthOf(f[1], p.language) != 0 { // 14-yanvar
		return p.number(f[0]) && p.name(f[1])
	}
	// Two parts are a month and a year, or a day and a month: not a date.
	if len(f) != 3 || p.day != 0 || f[1] == "" {
		return false
	}
	if m := monthOf(f[1], p.language); m != 0 { // 03-Mar-2024, 2024-Mar-03
		p.month = m
		if len(f[0]) == 4 {
			f[0], f[2] = f[2], f[0]
		}
		return f[0] != "" && p.field(f[0]) && f[2] != "" && p.field(f[2])
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
		return p.yearLast(n[0], n[1], n[2], dots)
	case len(f[2]) == 2 && p.order != orderUnknown:
		return p.yearLast(n[0], n[1], p.shortYear(n[2]), dots)
	default:
		return false
	}
	return true
}

// yearLast reads day and month if only one order is possible or the order is known. A number above 12 is a day; equal
// numbers have one reading.
func (p *parts) yearLast(a, b, year int, dots bool) bool {
	p.year = year
	first := p.order == dayFirst || dots && p.order == orderUnknown
	switch {
	case a > 12 || a == b || b <= 12 && first:
		p.day, p.month = a, b
	case b > 12 || p.order == monthFirst:
		p.month, p.day = a, b
	default:
		return false
	}
	return true
}

// clock reads 15:04 or 15:04:05.999, with a suffix such as pm or a zone.
func (p *parts) clock(f string) bool {
	if p.hasTime {
		return false
	}
	var n [3]int
	for i := range n {
		// Three groups of one or two digits.
		digits := leadingDigits(f)
		if digits == 0 || digits > 2 {
			return false
		}
		n[i], _ = strconv.Atoi(f[:digits]) // two digits are always a number
		f = f[digits:]
		if i == 2 || len(f) < 2 || f[0] != ':' || !isDigit(f[1]) {
			break
		}
		f = f[1:]
	}
	// Fractions of a second, after a dot or a comma (ISO 8601), or after a colon.
	if len(f) > 1 && (f[0] == '.' || f[0] == ',' || f[0] == ':') {
		f = f[1+leadingDigits(f[1:]):]
	}
	// Leap seconds go back into their minute.
	p.hour, p.minute, p.sec, p.hasTime, p.clocked = n[0], n[1], min(n[2], 59), true, true
	return f == "" || cldr.IsHour(f) || p.meridiem(f, true) || p.zone(f)
}

// meridiem reads am and pm in any language. Words of one letter count only right after a time of day, if clocked.
func (p *parts) meridiem(f string, clocked bool) bool {
	half := cldr.DayHalf(strings.ToLower(f), p.language)
	if half == 0 || !clocked && utf8.RuneCountInString(f) == 1 {
		return false
	}
	if p.half == 0 {
		p.half = half
	}
	return true
}

// zone reads a zone's name, an offset, or both (GMT+0200).
func (p *parts) zone(f string) bool {
	i := strings.IndexAny(f, "+-")
	if i < 0 {
		offset, ok := cldr.Zone(f)
		if ok && !p.hasZone {
			p.offset, p.hasZone = int(offset.Seconds()), true
		}
		return ok
	}
	// "GMT+2", but not "Mar-3".
	if _, known := cldr.Zone(f[:i]); i > 0 && !known {
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

// buddhistEra is by how many years Thailand's calendar is ahead.
const buddhistEra = 543

// date puts the parts together; it returns false if they are not a plausible day.
func (p *parts) date() (Date, bool) {
	if p.apart == hourApart || p.weak && p.strange {
		return Date{}, false
	}
	if p.month < 1 || p.month > 12 || p.day < 1 || p.hour > 23 || p.minute > 59 {
		return Date{}, false
	}
	// 12 am is hour 0; an hour above 12 is on the 24-hour clock.
	if p.half > 0 && p.hasTime && p.hour <= 12 {
		p.hour = p.hour%12 + 12*(p.half-1)
	}
	if (p.buddhist || p.language == "th") && p.year > minYear+buddhistEra {
		p.year -= buddhistEra
	}
	zone := time.UTC
	// UTC stays UTC, so that its form is "Z".
	if p.offset != 0 {
		zone = time.FixedZone("", p.offset)
	}
	// time.Date would read the 31st of June as the 1st of July.
	local := time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.sec, 0, zone)
	if local.Day() != p.day || !plausible(local) {
		return Date{}, false
	}
	// Midnight in a zone: software has stored a date as a time.
	if p.offset != 0 && p.hour == 0 && p.minute == 0 && p.sec == 0 {
		p.hasTime, p.hasZone = false, false
	}
	return Date{Time: local, HasTime: p.hasTime, HasZone: p.hasZone}, true
}
