package cldr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// PlainDate returns s with its dates in an English form: "2019年7月16日" and "2019. 7. 16." get hyphens. Years of eras and
// dates of the Persian calendar are converted, months without a year get names, clock times get colons. Direction marks
// are dropped.
func PlainDate(s string) string {
	if containsAny(s, "\u202f", "\u2009") { // programs write narrow spaces before am and pm
		s = narrowSpaces.Replace(s)
	}
	if !foreignDate(s) {
		return joinNumbers(gregorianDates(s, false))
	}
	ascii := Digits(s)
	s = gregorianDates(ascii, ascii != s)
	if containsAny(s, "(", "（") {
		s = eastWeekday().ReplaceAllString(s, " ")
	}
	if containsAny(s, "年") {
		s = chineseDate().ReplaceAllStringFunc(s, chineseDigits)
		s = era().ReplaceAllStringFunc(s, yearOfEra)
	}
	if containsAny(s, "年", "년") {
		s = spacedEast().ReplaceAllString(s, "$1$2$3$4$5$6$7$8$9${10}")
	}
	if containsAny(s, "時", "时", "点", "點", "시") {
		s = eastClock().ReplaceAllStringFunc(s, colons)
	}
	if containsAny(s, "月", "월") {
		s = eastMonth().ReplaceAllStringFunc(s, englishMonth)
	}
	return joinNumbers(eastMarks.Replace(s))
}

var narrowSpaces = strings.NewReplacer("\u202f", " ", "\u2009", " ")

// containsAny is strings.ContainsAny for letters outside ASCII, each a string, which is much faster.
func containsAny(s string, letters ...string) bool {
	for _, l := range letters {
		if strings.Contains(s, l) {
			return true
		}
	}
	return false
}

// foreignDate reports whether s has characters outside ASCII, Latin, Greek and Cyrillic. Of the block from U+2000 on,
// such as quotes and dashes, only direction marks count.
func foreignDate(s string) bool {
	for i := range len(s) {
		if s[i] >= 0xD6 && (s[i] != 0xE2 || isDirection(s[i:])) {
			return true
		}
	}
	return false
}

// isDirection reports whether s begins with a mark of direction.
func isDirection(s string) bool {
	return strings.HasPrefix(s, "\u200e") || strings.HasPrefix(s, "\u200f")
}

// eastMarks writes East Asian dates with hyphens between the numbers and a space after the day. A replacer uses the
// first matching argument.
var eastMarks = strings.NewReplacer("年", "-", "月", "-", "日", " ", "号", " ", "號", " ", "년", "-",
	"월", "-", "일", " ", "오전", " am ", "오후", " pm ", "午前", " am ", "午後", " pm ", "上午", " am ", "下午", " pm ", "凌晨", " am ",
	"早上", " am ", "晚上", " pm ", "ថ្ងៃទី", " ", "ខែ", " ", "ឆ្នាំ", " ", "\u200e", "", "\u200f", "", "\u061c", "")

// spacedEast is a date with spaces around its units: 2019 年 7 月 16 日, 2019年 7月 16日. Without the sign for day it needs
// an end or a clock time after it, or in Korean a space. Other numbers after a month count something: 2024年5月 3,000円,
// 2019年7月 12 巻, 2024년 5월 12 권.
var spacedEast = pattern.Lazy(`(?m)(\d{4})\pZ*([年년])\pZ*(\d{1,2})\pZ*` +
	`(?:([月월])\pZ*(\d{1,2})(?:\pZ*([日号號일])|(\pZ*$|[\pZ,，.]+\d{1,2}\pZ?[:：時时点點시]|` +
	`\pZ*(?:오전|오후|午前|午後|上午|下午|凌晨|早上|晚上)))|(월)\pZ*(\d{1,2})(\pZ[^\d\p{Hangul}]))`)

// eastWeekday is a day of the week in brackets after a date: 2020/01/02(木), 2020년 1월 2일(목).
var eastWeekday = pattern.Lazy(`[(（](?:[月火水木金土日][曜]?日?|周?[一二三四五六日]|[월화수목금토일](?:요일)?)[)）]`)

// era is a year of a Japanese or Taiwanese era.
var era = pattern.Lazy(`(令和|平成|昭和|中華民國|中華民国|民國|民国) ?(元|\d{1,3}) ?年`)

// chineseDate is a date in Chinese numbers, as in official documents.
var chineseDate = pattern.Lazy(`[〇○零一二三四五六七八九]{4}年(?:(?:十[一二]?|[一二三四五六七八九])月` +
	`(?:(?:[二三]?十)?[一二三四五六七八九]|[二三]?十)[日号號])?`)

// chineseDigits writes a date of chineseDate with our digits.
func chineseDigits(s string) string {
	year, rest, _ := strings.Cut(s, "年")
	var b strings.Builder
	for _, r := range year {
		b.WriteByte('0' + chineseDigit(r))
	}
	month, day, _ := strings.Cut(rest, "月")
	if b.WriteString("年"); month != "" {
		day = day[:len(day)-len("日")]
		b.WriteString(chineseNumber(month) + "月" + chineseNumber(day) + "日")
	}
	return b.String()
}

// chineseDigit is 0 for the signs for zero, which are not in chineseNumbers.
func chineseDigit(r rune) byte {
	if i := strings.IndexRune(chineseNumbers, r); i >= 0 {
		return byte(i/len("一") + 1)
	}
	return 0
}

// chineseNumber writes a number below 40 with our digits.
func chineseNumber(s string) string {
	tens, ones, ok := strings.Cut(s, "十")
	n := 0
	if !ok {
		tens, ones = "", s
	} else if n = 10; tens != "" {
		n = 10 * int(chineseDigit([]rune(tens)[0]))
	}
	if ones != "" {
		n += int(chineseDigit([]rune(ones)[0]))
	}
	return strconv.Itoa(n)
}

// firstOf holds the year before the first of each era.
var firstOf = map[string]int{"令和": 2018, "平成": 1988, "昭和": 1925}

// yearBeforeTaiwan is the year before the first of the Republic of China.
const yearBeforeTaiwan = 1911

// yearOfEra converts a year of an era to our calendar.
func yearOfEra(s string) string {
	m := era().FindStringSubmatch(s)
	n, err := strconv.Atoi(m[2])
	if err != nil {
		n = 1 // the first year of an era is called 元
	}
	first, ok := firstOf[m[1]]
	if !ok {
		first = yearBeforeTaiwan
	}
	return strconv.Itoa(first+n) + "年"
}

// eastClock is a time of day with units after its numbers.
var eastClock = pattern.Lazy(`(\d{1,2}) ?(?:時|时|点|點|시) ?(\d{1,2}) ?(?:分|분)(?: ?(\d{1,2}) ?(?:秒|초))?`)

// colons writes a time of day with colons.
func colons(s string) string {
	m := eastClock().FindStringSubmatch(s)
	t := m[1] + ":" + twoDigits(m[2])
	if m[3] != "" {
		t += ":" + twoDigits(m[3])
	}
	return t + " "
}

// twoDigits writes a number of one digit with two.
func twoDigits(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// eastMonth is a month, possibly with a year before it.
var eastMonth = pattern.Lazy(`(?:(?:年|년|-|/) ?)?(十[一二]|[一二三四五六七八九十]|\d+) ?[月월]`)

// chineseNumbers are the numbers of months, which are characters of three bytes.
const chineseNumbers = "一二三四五六七八九十"

// englishMonths are the names by which PlainDate calls months.
var englishMonths = strings.Fields("january february march april may june july august september october " +
	"november december")

// englishMonth replaces a month without a year by its name.
func englishMonth(s string) string {
	m := eastMonth().FindStringSubmatch(s)
	prefix := s[:strings.LastIndex(s, m[1])]
	n, err := strconv.Atoi(m[1])
	if err == nil && prefix != "" {
		return s
	}
	if err != nil {
		r, size := utf8.DecodeLastRuneInString(m[1])
		n = strings.IndexRune(chineseNumbers, r)/size + 1
		if size < len(m[1]) {
			n += 10
		}
	}
	switch {
	case n < 1 || n > len(englishMonths):
		return s
	case prefix != "":
		return prefix + strconv.Itoa(n) + "月"
	}
	return " " + englishMonths[n-1] + " "
}

// Dates with points and spaces between the numbers, "16. 7. 2019" and "2019. 7. 16.".
var (
	spacedDay  = pattern.Lazy(`\b(\d{1,2})\. (\d{1,2})\. (\d{4})\b`)
	spacedYear = pattern.Lazy(`\b(\d{4})\. (\d{1,2})\. (\d{1,2})\b\.?`)
)

// joinNumbers removes the spaces inside dates in numbers.
func joinNumbers(s string) string {
	if strings.Contains(s, ".\u00a0") {
		s = strings.ReplaceAll(s, ".\u00a0", ". ")
	}
	if strings.Contains(s, ". m.") || strings.Contains(s, ". M.") {
		s = spanishHalves.Replace(s)
	}
	if !spaced(s) {
		return s
	}
	return spacedYear().ReplaceAllString(spacedDay().ReplaceAllString(s, "$1.$2.$3"), "$1-$2-$3 ")
}

// spanishHalves joins the words for the halves of the day.
var spanishHalves = strings.NewReplacer("a. m.", "am", "p. m.", "pm", "A. M.", "am", "P. M.", "pm")

// spaced reports whether s has two numbers with a point and a space between.
func spaced(s string) bool {
	for rest := s; ; {
		i := strings.Index(rest, ". ")
		if i < 0 {
			return false
		}
		if i > 0 && isDigit(rest[i-1]) && i+2 < len(rest) && isDigit(rest[i+2]) {
			return true
		}
		rest = rest[i+2:]
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// halves are the words for the two halves of the day, besides am and pm.
var halves = map[string]int{
	"πμ": 1, "π.μ": 1, "μμ": 2, "μ.μ": 2, "ص": 1, "صباحا": 1, "صباحًا": 1, "م": 2, "مساء": 2, "مساءً": 2,
	"ق.ظ": 1, "ب.ظ": 2, "לפנה״צ": 1, "אחה״צ": 2, "पूर्वाह्न": 1, "अपराह्न": 2, "ጥዋት": 1, "ከሰዓት": 2,
	"öö": 1, "ös": 2, "paradite": 1, "pasdite": 2, "p.d": 1, "m.d": 2, "дп": 1, "пп": 2, "претпл": 1, "попл": 2,
	"dop": 1, "odp": 2, "dopoldne": 1, "popoldne": 2, "prijepodne": 1, "popodne": 2, "priešpiet": 1, "popiet": 2,
	"priekšpusdienā": 1, "pēcpusdienā": 2, "f.h": 1, "e.h": 2, "قبل\u200cازظهر": 1, "بعدازظهر": 2,
}

// halvesIn are such words with other meanings in most languages.
var halvesIn = map[string]map[string]int{
	"vi": {"sa": 1, "ch": 2}, "hu": {"de": 1, "du": 2}, "ms": {"pg": 1, "ptg": 2}, "so": {"gh": 1, "gd": 2},
	"sv": {"fm": 1, "em": 2}, "cy": {"yb": 1, "yh": 2}, "uz": {"to": 1, "tk": 2}, "sl": {"pop": 2},
}

// IsForeignHalf reports whether a word in lower case names a half of the day in some language, and hardly anything
// else after a time.
func IsForeignHalf(word string) bool {
	switch strings.TrimRight(word, ".") {
	case "ch", "pg", "ptg", "gh", "gd", "fm", "yb", "yh", "tk":
		return true
	}
	return false
}

// DayHalf returns the half of the day, 1 or 2, that a word in lower case names in a language; 0 for other words.
func DayHalf(word, language string) int {
	word = strings.TrimRight(word, ".")
	switch word {
	case "am", "a.m":
		return 1
	case "pm", "p.m":
		return 2
	}
	if n := halvesIn[language][word]; n != 0 {
		return n
	}
	return halves[word]
}
