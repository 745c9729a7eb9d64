package entity

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Years of dates. Numeric dates need a year that pages usually mean: 1234-05-06 is more often a code. With a month's
// name, years from 1000 on count.
const (
	minYear, maxYear = 1800, 2199
	minYearWithMonth = 1000
	buddhistEra      = 543 // by how many years Thailand's calendar is ahead
)

var daysIn = [13]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// dateID returns the date as YYYY-MM-DD, or "" if there is no such day. Table daysIn allows the 29th of February, so
// leap years are checked below.
func dateID(year, month, day int) string {
	if month < 1 || month > 12 || day < 1 || day > daysIn[month] || year > maxYear {
		return ""
	}
	if month == 2 && day == 29 && (year%4 != 0 || year%100 == 0 && year%400 != 0) {
		return ""
	}
	// Years have four digits here, so the text sorts like the date.
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// date finds the numeric date that begins at i.
func (s *scanner) date(i int) (mention, bool) {
	// L-2022-05-05 is a serial number.
	if joinedToLetters(s.text, i) {
		return mention{}, false
	}
	first, end := digits(s.text, i, 4)
	// The shortest rest is ".1.1" and more; three digits are neither a day nor a year.
	if end+4 > len(s.text) || end-i == 3 {
		return mention{}, false
	}
	if end-i == 4 {
		return s.yearFirst(i, first, end)
	}
	sign := s.text[end]
	if sign != '.' && sign != '/' && sign != '-' {
		return mention{}, false
	}
	at := s.afterSign(end) // 3. 4. 2020
	second, at2 := digits(s.text, at, 2)
	// Both signs must be equal: 1.5/2020 is not a date.
	if at2 == at || at2 >= len(s.text) || s.text[at2] != sign {
		return mention{}, false
	}
	at = s.afterSign(at2)
	year, end := digits(s.text, at, 4)
	// A year of two digits could be any number.
	if end-at != 4 || year < minYear || !s.endsDate(end) {
		return mention{}, false
	}
	day, month, sure := s.dayAndMonth(first, second, sign)
	id := dateID(year, month, day)
	return mention{start: i, end: end, kind: typeDate, id: id, confidence: sure}, id != "" &&
		(sign == '/' || !s.isSection(i, end))
}

// isSection reports whether three numbers, from i to end, are of a section or version. Sections have no zero before a
// digit. German "v." before a date is "vom".
func (s *scanner) isSection(i, end int) bool {
	of := skipSpaceBack(s.text, i)
	if s.locale.language == "de" && of < i && of > 0 && s.text[of-1] == '.' && s.called(i, "v") {
		return false
	}
	return s.called(i, versions...) || end-i < len("03.04.2020") && s.called(i, sections...)
}

// afterSign is where the next number of a date may begin after the sign at i. Only with dots are spaces usual.
func (s *scanner) afterSign(i int) int {
	if s.text[i] == '.' {
		return skipSpace(s.text, i+1)
	}
	return i + 1
}

// dayAndMonth says which of two numbers is the day. With dots it is the first. Otherwise it is the one that cannot be a
// month. If both can, the locale decides.
func (s *scanner) dayAndMonth(first, second int, sign byte) (day, month int, sure float64) {
	switch {
	// Dots mean day first. Equal numbers are the same either way.
	case sign == '.' || first > 12 || first == second:
		return first, second, 0.9
	// The second cannot be a month, so the first is.
	case second > 12:
		return second, first, 0.85
	case s.locale.order == dayFirst:
		return first, second, 0.75
	case s.locale.order == monthFirst:
		return second, first, 0.75
	}
	// Ambiguous: dateID rejects zeroes.
	return 0, 0, 0
}

// yearFirst finds the date with the year first, 2020-03-05 or 2020年3月5日, whose year ends at end.
func (s *scanner) yearFirst(i, year, end int) (mention, bool) {
	if year < minYear {
		return mention{}, false
	}
	if strings.ContainsRune("-/.", rune(s.text[end])) {
		from := s.afterSign(end)
		month, at := digits(s.text, from, 2)
		if at == from || at >= len(s.text) || s.text[at] != s.text[end] {
			return mention{}, false
		}
		from = s.afterSign(at)
		day, last := digits(s.text, from, 2)
		id := dateID(year, month, day)
		return mention{start: i, end: last, kind: typeDate, id: id, confidence: 0.95}, id != "" && last > from &&
			// ISO 8601 comes with all three numbers; a year and a month alone are not a date here.
			s.endsDate(last) && (s.text[end] != '.' || !s.isVersion(i, last))
	}
	// Units follow their numbers, Korean ones with spaces between.
	for _, units := range [...][3]string{{"年", "月", "日"}, {"년", "월", "일"}} {
		// counted passes -1 on, so the chain needs no tests between.
		month, at := s.counted(end, units[0])
		day, at := s.counted(at, units[1])
		if at > 0 && strings.HasPrefix(s.text[at:], units[2]) {
			id := dateID(year, month, day)
			return mention{start: i, end: at + len(units[2]), kind: typeDate, id: id, confidence: 0.95}, id != ""
		}
	}
	return mention{}, false
}

// dotted are languages that write 2020.3.4, with the year first.
var dotted = words("hu ja ko zh lt lv mn")

// isVersion reports whether three numbers with dots, from i to end, are the version of a program. Versions have no zero
// before a digit, and most languages write no date in that way.
func (s *scanner) isVersion(i, end int) bool {
	padded := end-i == len("2020.03.04")
	switch {
	case s.called(i, versions...):
		return true
	case padded || strings.Contains(s.text[i:end], " "):
		return false
	case s.locale.language == "ja" || s.locale.language == "ko" || s.locale.language == "zh":
		return s.afterProgram(i)
	}
	return !dotted[s.locale.language]
}

// headings are English words before dates on East Asian pages.
var headings = words("admin article art blog column date diary event events from info information live new news " +
	"notice on post posted press published release released report schedule since start topic topics until up update " +
	"updated updates")

// programs have versions with a year, and names that are also written with only capitals or without any.
var programs = words("assistant clion datagrip dataspell goland idea phpstorm pycharm rider rubymine rustrover unity " +
	"webstorm")

// afterProgram reports whether the word before i is probably the name of a program, on an East Asian page. Such names
// begin with a capital. Words of capitals are mostly headings.
func (s *scanner) afterProgram(i int) bool {
	end := skipSpaceBack(s.text, i)
	begin := end
	for begin > s.last && isLetter(s.text[begin-1]) {
		begin--
	}
	word := s.text[begin:end]
	lower := strings.ToLower(word)
	mixed := word != lower && word != strings.ToUpper(word)
	return mixed && !headings[lower] || programs[lower]
}

// counted returns the number of one or two digits after unit, which is at i, and its end. The end is -1 if there is
// none or if i < 0.
func (s *scanner) counted(i int, unit string) (value, end int) {
	if i < 0 || !strings.HasPrefix(s.text[i:], unit) {
		return 0, -1
	}
	at := skipSpace(s.text, i+len(unit))
	value, end = digits(s.text, at, 2)
	if end == at {
		return 0, -1
	}
	return value, end
}

// versions precede the numbers of a version. They are in lower case.
var versions = strings.Fields("version v build ver firmware versión versão versione versie wersja verze verzió " +
	"версия версии версию")

// sections precede other numbers with dots that are not dates, in languages with such references.
var sections = strings.Fields("section sec chapter clause article art abschnitt kapitel artikel ziffer rev chapitre " +
	"artículo sección capítulo articolo sezione artigo seção hoofdstuk")

// joinedToLetters reports whether a hyphen joins the text at i to letters, as in L-2022-05-05. After a digit it would
// be a range, as in 1-2022-05-05.
func joinedToLetters(text string, i int) bool {
	return i > 1 && text[i-1] == '-' && wordBefore(text, i-1) && !isDigit(text[i-2])
}

// endsDate reports whether a date may end at i. A time may follow, or the end of a range, but not more of a number or
// code.
func (s *scanner) endsDate(i int) bool {
	// 2022-05-05-A is a code.
	if i+1 < len(s.text) && s.text[i] == '-' && isLetter(s.text[i+1]) {
		return false
	}
	// The T of ISO 8601 with the hour after it.
	if i+2 < len(s.text) && s.text[i] == 'T' && isDigit(s.text[i+1]) && isDigit(s.text[i+2]) {
		return true
	}
	// A hyphen and a digit: the end of a range, or more of a number.
	if i+3 < len(s.text) && s.text[i] == '-' && isDigit(s.text[i+1]) {
		return s.startsDate(i + 1)
	}
	return endsNumber(s.text, i)
}

// startsDate reports whether the text at i looks like the second date of a range. The scanner reads it later.
func (s *scanner) startsDate(i int) bool {
	end := endOfNumber(s.text, i)
	n := strings.Count(s.text[i:end], ".") + strings.Count(s.text[i:end], "/")
	return n == 2 && end-i >= len("1.1.2020") && end-i <= len("01.01.2020")
}

// dateWithMonth finds a date with the name of a month; its first number, day or year, is at i.
func (s *scanner) dateWithMonth(i int) (mention, bool) {
	first, end := digits(s.text, i, 4)
	// Five digits or more are neither day nor year.
	if end < len(s.text) && isDigit(s.text[end]) {
		return mention{}, false
	}
	if m, ok := s.joinedMonth(i, first, end); ok {
		return m, true
	}
	// Three or four digits can only be a year, which comes first.
	if end-i > 2 {
		return s.yearMonthDay(i, first, end)
	}
	// "3 March 2020" before "March 3, 2020", as in most languages; so "May 3 June 2020" is read.
	if m, ok := s.dayMonthYear(i, first, end); ok {
		return m, true
	}
	return s.monthDayYear(i, first, end)
}

// joinedMonth finds 18-Mar-2024, Mar/18/2024 and 2024-Mar-18, whose first number ends at end.
func (s *scanner) joinedMonth(i, first, end int) (mention, bool) {
	if end == len(s.text) || s.text[end] != '-' && s.text[end] != '/' {
		return mention{}, false
	}
	sign, start := s.text[end], i
	month, at := 0, end
	if i > s.last && s.text[i-1] == sign {
		month, start = s.monthBefore(i - 1)
	} else {
		month, at = s.month(end + 1)
	}
	if month == 0 || start < s.last || at == len(s.text) || s.text[at] != sign || s.text[at-1] == ' ' ||
		wordBefore(s.text, start) || joinedToLetters(s.text, start) {
		return mention{}, false
	}
	second, stop := digits(s.text, at+1, 4)
	year, day, yearLength, dayLength := second, first, stop-at-1, end-i
	if yearLength < dayLength && start == i {
		year, day, yearLength, dayLength = first, second, dayLength, yearLength
	}
	id := dateID(year, month, day)
	return mention{start: start, end: stop, kind: typeDate, id: id, confidence: 0.95}, id != "" && yearLength == 4 &&
		0 < dayLength && dayLength <= 2 && year >= minYearWithMonth && s.endsDate(stop)
}

// dayMonthYear finds 3 March 2020, 3rd of March, 2020, 3. März 2020, 3 de marzo de 2020, 1er mars 2020.
func (s *scanner) dayMonthYear(i, day, end int) (mention, bool) {
	at := s.skipSuffix(end)
	next := skipSpace(s.text, at)
	// "3.März" occurs, but not "3rdMarch".
	if next == at && at > end && s.text[at-1] != '.' {
		return mention{}, false
	}
	next = skipByte(s.text, next, '-') // 3-mart
	at = s.skipWords(next, "of", "de", "d'", "d’", "di")
	month, at := s.month(at)
	// Vietnamese numbers its months.
	if month == 0 {
		if month, at = s.numberedMonth(next); month == 0 {
			return mention{}, false
		}
	}
	at = skipByte(s.text, at, ',')
	if rest, ok := strings.CutPrefix(s.text[at:], "،"); ok {
		at = len(s.text) - len(rest)
	}
	at = s.skipWords(skipSpace(s.text, at), "de", "del", "of", "năm")
	return s.closeDate(i, at, month, day)
}

// monthDayYear finds March 3, 2020 and March 3rd, 2020; the day is at i and ends at end.
func (s *scanner) monthDayYear(i, day, end int) (mention, bool) {
	// The month must precede the day with space between, after the last mention.
	before := skipSpaceBack(s.text, i)
	if before == i || before <= s.last {
		return mention{}, false
	}
	month, start := s.monthBefore(before)
	if month == 0 || start < s.last {
		return mention{}, false
	}
	at := s.skipSuffix(end)
	comma := skipByte(s.text, at, ',')
	return s.closeDate(start, skipSpace(s.text, comma), month, day)
}

// yearMonthDay finds 2020. március 3. and 2020 March 3.
func (s *scanner) yearMonthDay(i, year, end int) (mention, bool) {
	if end-i != 4 || year < minYearWithMonth {
		return mention{}, false
	}
	next, named := s.afterYear(end)
	if next == end {
		return mention{}, false
	}
	month, at := s.month(next)
	if month == 0 && named {
		return s.yearDayMonth(i, year, next)
	}
	if month == 0 {
		return mention{}, false
	}
	at = skipSpace(s.text, at)
	day, last := digits(s.text, at, 2)
	// "2020 March 3, 2021": the 3 belongs to the next date.
	if last == at || !endsNumber(s.text, last) || s.followedByYear(last) {
		return mention{}, false
	}
	id := dateID(year, month, day)
	return mention{start: i, end: last, kind: typeDate, id: id, confidence: 0.85}, id != ""
}

// Words for year after its number, in languages that begin dates with it.
var (
	yearWords    = []string{"gada", "m.", "metų", "թ.", "ж.", "жылы", "жылғы", "оны"}
	yearSuffixes = []string{"-жылғы", "-жылы", "-жыл", "-yil", "-ж.,", "(e)ko", "ko"}
)

// afterYear returns the offset after a word for year at i, or i. named reports whether there is such a word.
func (s *scanner) afterYear(i int) (next int, named bool) {
	for _, suffix := range yearSuffixes {
		if strings.HasPrefix(s.text[i:], suffix) {
			return skipSpace(s.text, i+len(suffix)), true
		}
	}
	at := skipByte(s.text, skipByte(s.text, i, '.'), ',')
	if next = skipSpace(s.text, at); next == at {
		return i, false
	}
	at = s.skipWords(next, yearWords...)
	return at, at > next
}

// yearDayMonth finds 2020. gada 14. janvāris, whose day is at next.
func (s *scanner) yearDayMonth(i, year, next int) (mention, bool) {
	day, at := digits(s.text, next, 2)
	if at == next {
		return mention{}, false
	}
	at = skipByte(s.text, s.skipSuffix(at), '-')
	month, end := s.month(skipSpace(s.text, at))
	id := dateID(year, month, day)
	return mention{start: i, end: skipSpaceBack(s.text, end), kind: typeDate, id: id, confidence: 0.85}, id != ""
}

// followedByYear reports whether a year follows i: then the number before i does not end its date.
func (s *scanner) followedByYear(i int) bool {
	at := skipSpace(s.text, skipByte(s.text, i, ','))
	year, end := digits(s.text, at, 4)
	return at > i && end-at == 4 && year >= minYear
}

// closeDate returns the date from start to the year at i.
func (s *scanner) closeDate(start, i, month, day int) (mention, bool) {
	year, end := digits(s.text, i, 4)
	// Shorter numbers are not years.
	if end-i != 4 || year < minYearWithMonth || !endsNumber(s.text, end) {
		return mention{}, false
	}
	// The page says 2563 and means 2020. Earlier years are kept: a Thai page about Europe has them, too.
	if s.locale.language == "th" && year > buddhistEra+minYear {
		year -= buddhistEra
	}
	id := dateID(year, month, day)
	return mention{start: start, end: end, kind: typeDate, id: id, confidence: 0.95}, id != ""
}

// skipSuffix returns the end of an ordinal's suffix at i, or i.
func (s *scanner) skipSuffix(i int) int {
	// A letter after it would make it a word.
	for _, suffix := range [...]string{"st", "nd", "rd", "th", "er", "º", "ª", "°", "."} {
		if rest, ok := strings.CutPrefix(s.text[i:], suffix); ok && !wordAfter(rest, 0) {
			return i + len(suffix)
		}
	}
	return i
}

// skipWords returns the end of one of the words at i with the space after it, or i.
func (s *scanner) skipWords(i int, words ...string) int {
	for _, w := range words {
		// An exact comparison of bytes: the words are in lower case.
		if i+len(w) <= len(s.text) && s.text[i:i+len(w)] == w {
			if strings.HasSuffix(w, "'") || strings.HasSuffix(w, "’") { // d'abril
				return i + len(w)
			}
			// Without a space after it, it begins another word.
			if after := skipSpace(s.text, i+len(w)); after > i+len(w) {
				return after
			}
		}
	}
	return i
}

func skipByte(text string, i int, c byte) int {
	if i < len(text) && text[i] == c {
		return i + 1
	}
	return i
}

// numberedMonth returns the Vietnamese month "tháng 9" at i, and the end of it and a space.
func (s *scanner) numberedMonth(i int) (month, end int) {
	at := s.skipWords(i, "tháng", "thg")
	if at == i {
		return 0, i
	}
	month, end = digits(s.text, at, 2)
	return month, skipSpace(s.text, skipByte(s.text, end, ','))
}

// month returns the month whose name begins at i, or 0, and the end of the name with a dot and a space.
func (s *scanner) month(i int) (month, end int) {
	end = i
	// Limited to the longest name and one character, so a long word costs no more.
	for end < len(s.text) && end-i <= maxMonth {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		end += n
	}
	month = s.monthNamed(s.text[i:end])
	return month, skipSpace(s.text, skipByte(s.text, end, '.'))
}

// monthBefore returns the month whose name ends at i, with or without a dot, or 0, and its start.
func (s *scanner) monthBefore(i int) (month, start int) {
	// Abbreviated months end with a dot.
	if i > 0 && s.text[i-1] == '.' {
		i--
	}
	start = i
	for start > 0 && i-start <= maxMonth {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		start -= n
	}
	return s.monthNamed(s.text[start:i]), start
}

// monthNamed returns the number of the month, or 0.
func (s *scanner) monthNamed(name string) int {
	// Months have at least three bytes, in CLDR's abbreviations.
	if len(name) < 3 || len(name) > maxMonth {
		return 0
	}
	return monthOf(name, s.locale.language)
}
