package cldr

import (
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// persianMonths are the months of the solar calendar of Iran and Afghanistan, each with its names in Persian, Dari
// and Pashto.
var persianMonths = strings.Fields("فروردین|فروردين|حمل|وری اردیبهشت|ارديبهشت|ثور|غویی " +
	"خرداد|جوزا|غبرګولی تیر|تير|سرطان|چنګاښ مرداد|امرداد|اسد|زمری شهریور|شهريور|سنبله|وږی " +
	"مهر|میزان|تله آبان|ابان|عقرب|لړم آذر|اذر|قوس|لیندۍ دی|دي|جدی|مرغومی بهمن|دلو|سلواغه " +
	"اسفند|حوت|کب")

// persianNumbers holds the months by name.
var persianNumbers = func() map[string]int {
	all := map[string]int{}
	for i, names := range persianMonths {
		for name := range strings.SplitSeq(names, "|") {
			all[name] = i + 1
		}
	}
	return all
}()

// Dates of this calendar: "12 خرداد ماه 1404", and in numbers "1404/3/12". The years are those of the web.
var (
	persianNamed = pattern.Lazy(`(\d{1,2})(?:ام|م)?[ \x{a0}\x{200c}]+(` + strings.Join(persianMonths, "|") +
		`)(?:[ \x{200c}]?ماه)?[ \x{a0},،]+(1[34]\d\d)(?:\b|$)`)
	persianNumeric = pattern.Lazy(`\b(13[6-9]\d|140\d)([/.-])(\d{1,2})([/.-])(\d{1,2})\b`)
)

// gregorianDates converts dates of the Persian calendar in s, whose digits are ASCII. With hyphens they might be old
// dates of our calendar, unless the digits were foreign.
func gregorianDates(s string, foreign bool) string {
	if !strings.Contains(s, "13") && !strings.Contains(s, "14") {
		return s
	}
	if foreignDate(s) && strings.ContainsAny(s, "ریسدهنملقوز") {
		s = persianNamed().ReplaceAllStringFunc(s, func(date string) string {
			m := persianNamed().FindStringSubmatch(date)
			return orElse(gregorian(m[3], persianNumbers[m[2]], m[1]), date)
		})
	}
	if !foreign && !strings.Contains(s, "/") {
		return s
	}
	return persianNumeric().ReplaceAllStringFunc(s, func(date string) string {
		m := persianNumeric().FindStringSubmatch(date)
		month, err := strconv.Atoi(m[3])
		if err != nil || m[2] != m[4] || m[2] != "/" && !foreign {
			return date
		}
		return orElse(gregorian(m[1], month, m[5]), date)
	})
}

func orElse(date, other string) string {
	if date == "" {
		return other
	}
	return date + " "
}

// gregorian returns a date of the Persian calendar as 2006-01-02, or "" if there is no such day.
func gregorian(yearText string, month int, dayText string) string {
	year, _ := strconv.Atoi(yearText) // digits alone
	day, _ := strconv.Atoi(dayText)
	length := 31
	if month > 6 {
		length = 30
	}
	if month == 12 && !isPersianLeap(year) {
		length = 29
	}
	if month < 1 || month > 12 || day < 1 || day > length {
		return ""
	}
	// The first day of 1400 was 21 March 2021. The first six months have 31 days, others 30.
	days := (month-1)*30 + min(month-1, 6) + day - 1
	for y := 1400; y < year; y++ {
		days += persianDays(y)
	}
	for y := year; y < 1400; y++ {
		days -= persianDays(y)
	}
	return time.Date(2021, time.March, 21+days, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

func persianDays(year int) int {
	if isPersianLeap(year) {
		return 366
	}
	return 365
}

// isPersianLeap follows the cycle of 33 years, which is that of the calendar from 1244 to 1502.
func isPersianLeap(year int) bool {
	switch year % 33 {
	case 1, 5, 9, 13, 17, 22, 26, 30:
		return true
	}
	return false
}
