package feed

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// maxDateBytes and maxDateFields are more than any date format has; longer values are prose.
const (
	maxDateBytes  = 100
	maxDateFields = 10
)

// minReadYear excludes placeholders of databases, "0001-01-01" and "0000-00-00".
const minReadYear = 1000

// parseDate reads the dates of feeds:
//
//   - W3CDTF and the rest of ISO 8601 (ordinal dates, weeks, two-digit years, without separators);
//   - RFC 822 and 2822 with any zone, asctime, Perforce and MSSQL, all with names of package cldr;
//   - those of pagemeta.ParseDate.
//
// These are the forms in the tests of Universal Feed Parser. language is the feed's, or "". A date without a zone is
// in UTC, and one in a zone of unknown name has no time of day. The year must be written, and a date that is wrong in
// any part is invalid.
func parseDate(s, language string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxDateBytes {
		return time.Time{}, false
	}
	foreign := cldr.Digits(s) != s
	p := dateParts{source: s, language: cldr.Base(language), foreign: foreign}
	// In lower case, so that names and the letters T and Z compare as they are.
	if p.read(strings.ToLower(cldr.PlainDate(s))) {
		if t, ok := p.time(); ok {
			return t, true
		}
	}
	// pagemeta reads dates as people write them on pages, with fewer zones.
	if d, ok := pagemeta.ParseDateIn(s, language); ok && !p.contrary {
		return d.Time.UTC(), true
	}
	return time.Time{}, false
}

// dateParts are the parts of a date that its fields have given so far. Zero means missing, except for the time of day.
type dateParts struct {
	year, month, day  int
	hour, minute, sec int
	offset            int // seconds east of UTC
	half              int // of the day, to which the hour belongs; 0 for the whole day
	dated, timed      bool
	clocked           bool // the field before was a time of day
	counted           bool // the day counts from the first of January

	source   string // the date as it is written
	language string // of the feed; "" if unknown
	foreign  bool   // the digits are of another script, whose readers may count years otherwise
	named    bool   // the month is a name
	weak     bool   // which may be a day of the week: mar. is March or Tuesday
	buddhist bool   // the year is one of Thailand's calendar
	contrary bool   // the date names two months
	strange  bool   // a word before the year may be the true month
	elsewhen bool   // the time is in an unknown zone
	unclear  bool   // the time may be before or after noon
}

// read reads a date field by field. It returns false for a field that cannot be part of a date. Spaces and commas
// separate fields; only a zone in brackets may have several.
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

// field reads one field; alone says that it is the whole date.
func (p *dateParts) field(f string, alone bool) bool {
	clocked := p.clocked
	p.clocked = false
	switch first := f[0]; {
	case first == '(': // the zone again, in words
		return true
	// A leading hyphen omits a part in ISO 8601, if nothing was read yet; later it is a zone's sign.
	case first >= '0' && first <= '9', first == '-' && !p.dated && !p.timed:
		return p.numeric(f, alone)
	// Zones only after a time, since "est" may be a word; am and pm anywhere.
	case p.timed && p.zone(f), p.meridiem(f, clocked), clocked && cldr.IsHour(f):
		return true
	}
	if m := p.monthOf(f); m != 0 {
		return p.name(f, m)
	}
	if capitals := strings.ToUpper(f); p.timed && cldr.LikeZone(capitals) && strings.Contains(p.source, capitals) {
		p.elsewhen = true
	}
	p.unclear = p.unclear || clocked && p.hour <= 12 && cldr.IsForeignHalf(f)
	p.strange = p.strange || p.year == 0 && !cldr.Weekday(f)
	// A field with digits that fits nowhere makes the date invalid.
	return !strings.ContainsAny(f, "0123456789") // a weekday, "at"
}

// name reads a word that names a month. Of two words one may be a weekday, as in "mar., 16 juil. 2019". Two different
// months are not a date.
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

// numeric reads a time, a date, both, a day or a year. A number alone is a date (20040105); among other fields it is a
// part.
func (p *dateParts) numeric(f string, alone bool) bool {
	// Between digits, as months have a "t" too.
	if i := strings.LastIndexByte(f, 't'); i > 0 && i+1 < len(f) && isDigit(f[i-1]) && isDigit(f[i+1]) {
		return p.numeric(f[:i], true) && p.clock(f[i+1:])
	}
	// A colon within three bytes: an hour precedes it.
	if i := strings.IndexByte(f, ':'); i > 0 && i <= 2 {
		return p.clock(f)
	}
	// 8h26, as in French, and 8u26, as in Flanders.
	if i := strings.IndexAny(f, "hu"); i > 0 && i <= 2 && p.day != 0 {
		if i+1 < len(f) && isDigit(f[i+1]) {
			return p.clock(f[:i] + ":" + strings.TrimRight(f[i+1:], "min"))
		}
		return cldr.IsHour(f[i:]) && p.clock(f[:i])
	}
	if !alone {
		f = strings.TrimRight(f, ".") // "14." is the 14th
	}
	// By length and by missing parts: four digits are a year, two the day and then a short year.
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

// century adds the century to a year of two digits, by section 4.3 of RFC 2822 or for Thailand's calendar.
func (p *dateParts) century(n int) int {
	if p.buddhist {
		return 2500 + n
	}
	if n < 50 {
		return 2000 + n
	}
	return 1900 + n
}

// calendar reads an ISO 8601 date in any form, complete or shortened, possibly with slashes. The year comes first.
func (p *dateParts) calendar(f string) bool {
	// A second date, such as the end of a range, is not read.
	if p.dated {
		return false
	}
	p.dated = true
	// Slashes count as hyphens; a "z" at the end of a date without a time means nothing.
	parts := strings.Split(strings.TrimRight(strings.ReplaceAll(f, "/", "-"), "-z"), "-")
	if parts[0] == "" && len(parts) > 1 { // a leading hyphen omits the century
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
		// Both 01/02/2003 and 2003/01/02 occur; only the latter is clear.
		if strings.Contains(f, "/") && len(parts[0]) != 4 {
			return false // the year is ambiguous
		}
		if m := p.monthOf(parts[1]); m != 0 && len(parts[0]) == 4 { // 2019-Aug-16
			return p.name(parts[1], m) && p.setYear(parts[0]) && number(parts[2], 2, &p.day)
		}
		return p.setYear(parts[0]) && number(parts[1], 2, &p.month) && number(parts[2], 2, &p.day)
	}
	return false
}

// compact reads a date without separators by its number of digits: CCYY, YYDDD, YYMMDD, CCYYDDD, CCYYMMDD, and the
// last with a time.
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

func (p *dateParts) setYear(f string) bool {
	if !number(f, 4, &p.year) {
		return false
	}
	if len(f) == 2 {
		p.year = p.century(p.year)
	}
	return len(f) == 2 || len(f) == 4
}

// monthOrDay reads a month, a week, or the day of the year. The latter is stored as a day of January, which time.Date
// carries into the right month (p.counted).
func (p *dateParts) monthOrDay(f string) bool {
	switch {
	case strings.HasPrefix(f, "w"):
		return p.week(f, "1")
	case len(f) == 3:
		p.month, p.counted = 1, true
		// 366 in years of 365 days is the first day of the next.
		return number(f, 3, &p.day) && p.day >= 1 && p.day <= 366
	}
	p.day = 1
	return number(f, 2, &p.month)
}

// week reads a week and a day of it, Monday being 1: the first week of a year contains the fourth of January.
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

func number(f string, digits int, to *int) bool {
	if f == "" || len(f) > digits {
		return false
	}
	n, err := strconv.ParseUint(f, 10, 16)
	*to = int(n)
	return err == nil
}

// clock reads 15, 15:04, 15:04:05.999 or 150405, and the zone right after it. Missing parts are zero. Fractions of a
// second are dropped.
func (p *dateParts) clock(f string) bool {
	if p.timed || f == "" {
		return false
	}
	p.timed, p.clocked = true, true
	// The first sign that cannot be in a time begins the zone.
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
	return len(parts) <= 3 && (zone == "" || cldr.IsHour(zone) || p.zone(zone) || p.meridiem(zone, true))
}

// meridiem reads am and pm in any language. Words of one letter count only right after a time of day, if clocked.
func (p *dateParts) meridiem(f string, clocked bool) bool {
	half := cldr.DayHalf(f, p.language)
	if half == 0 && clocked && (p.language == "" || p.language == "en") && len(f) == 1 { // 3:20p
		half = 1 + strings.Index("ap", f)
	}
	if half == 0 || !clocked && utf8.RuneCountInString(f) == 1 {
		return false
	}
	p.half = half
	return true
}

// zone reads a zone's name, an offset, or both (gmt+0200).
func (p *dateParts) zone(f string) bool {
	// U+2212 is a minus that word processors write.
	f = strings.ReplaceAll(f, "−", "-")
	i := strings.IndexAny(f, "+-")
	if i < 0 {
		offset, ok := cldr.Zone(f)
		if ok {
			p.offset = int(offset.Seconds())
			// J is not a zone. In lower case, h and u are words for the hour.
		} else if len(f) == 1 && f != "j" && p.isCapital(f[0]) { // a military zone, as section 5.1 of RFC 822 counts them
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
	// "gmt+0200": the name must be a zone's.
	_, known := cldr.Zone(f[:i])
	return i == 0 || known
}

// isCapital reports whether a letter of the date stands alone as a capital where it is written.
func (p *dateParts) isCapital(letter byte) bool {
	isLetter := func(i int) bool {
		return i >= 0 && i < len(p.source) && (p.source[i]|0x20 >= 'a' || p.source[i] >= 0x80)
	}
	for i := range len(p.source) {
		if p.source[i] == letter-'a'+'A' && !isLetter(i-1) && !isLetter(i+1) {
			return true
		}
	}
	return false
}

// military is the offset of the zones A to M (without J) and N to Y, with the sign of RFC 822. Most programs use that
// sign, though it is not the military one, as RFC 2822 says (section 4.3).
func military(c byte) int {
	switch {
	case c > 'm':
		return int(c) - 'm'
	case c > 'j':
		return -int(c - 'a')
	}
	return -int(c-'a') - 1
}

// monthOf is the month that a word names, or whose English name it begins ("septem"), or 0.
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

// calendars converts the year of another calendar. It returns false if digits of another script may belong to an
// unknown one: Persia's 1398 and Nepal's 2076 are 2019.
func (p *dateParts) calendars() bool {
	if (p.buddhist || p.language == "th") && p.year > 2400 {
		p.year -= 543
	}
	return !p.foreign || p.year >= 1900 && p.year < 2100 && (p.named || p.language != "ne")
}

// time puts the parts together; it returns false for an invalid day or time. 24:00 and leap seconds belong to the next
// day or minute.
func (p *dateParts) time() (time.Time, bool) {
	// 12 am is 0, 12 pm is 12; an hour above 12 is on the 24-hour clock.
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
	// The day has the zone, so that the sum below is right across midnight.
	day := time.Date(p.year, time.Month(p.month), p.day, 0, 0, 0, 0, time.FixedZone("", p.offset))
	// time.Date reads the 31st of June as the 1st of July, which shows in the day.
	if !p.counted && day.Day() != p.day {
		return time.Time{}, false
	}
	if p.elsewhen && p.offset == 0 || p.unclear {
		return day.UTC(), true
	}
	sum := time.Duration(p.hour)*time.Hour + time.Duration(p.minute)*time.Minute + time.Duration(p.sec)*time.Second
	return day.Add(sum).UTC(), true
}
